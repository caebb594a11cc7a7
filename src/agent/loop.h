/*
 * loop.h
 *	  The run: question, model, tools, answer.
 */
#ifndef SA_LOOP_H
#define SA_LOOP_H

#include "nodes/pg_list.h"

#include "base/error.h"
#include "db/result.h"

/* What the asker wants to have. */
typedef enum SaVerb
{
	SA_VERB_ASK,
	SA_VERB_ASK_JSON,
	SA_VERB_ASK_ROWS,
	SA_VERB_TO_SQL,
	SA_VERB_EXPLAIN_SQL,
	SA_VERB_FIX_SQL
} SaVerb;

typedef struct SaTask
{
	SaVerb verb;
	const char *question; /* of explain_sql and fix_sql the statement */
	const char *args;	  /* of fix_sql what is wrong with it, of ask_json the
						   * schema of the answer; or NULL */
	int64 thread;		  /* 0 = none */
	const char *asker;
} SaTask;

/*
 * Whom the loop tells what happens while it happens; given by its caller, so
 * that the loop knows nothing of processes.
 */
typedef struct SaSink
{
	void (*statement)(void *arg, const SaResult *result);
	void (*step)(void *arg, int step, const char *what);
	void *arg;
} SaSink;

typedef struct SaAnswer
{
	SaVerb verb;		/* that the run began with */
	const char *status; /* SA_STATUS_* */
	char *text;			/* the answer, or the SQL of to_sql; or NULL */
	char *report;		/* JSON text */
	char *result;		/* of ask_rows: {"columns", "rows", …}; or NULL */
	List *warnings;		/* of char *, also in the report */
	SaError *error;		/* why it failed, or NULL */
} SaAnswer;

/*
 * Answers one question; no transaction may be open.  A run that fails comes
 * back as an answer with an error, is recorded, and raises nothing; raised are
 * only the end of the process, and that the asker has no such thread.
 */
extern SaAnswer *sa_loop_run(const SaTask *task, const SaSink *sink);

/* Go on with a run that waited for a person; as sa_loop_run. */
struct SaApproval;
extern SaAnswer *sa_loop_resume(const struct SaApproval *approval,
								const SaSink *sink);

/* The first request that a question would send, as JSON; sends nothing. */
extern char *sa_loop_show_prompt(const SaTask *task);

#endif /* SA_LOOP_H */
