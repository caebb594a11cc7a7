/*
 * run.h
 *	  The state of one run, shared by the files that make it: loop, serve,
 *	  answer and report.
 */
#ifndef SA_AGENT_RUN_H
#define SA_AGENT_RUN_H

#include "agent/loop.h"
#include "agent/tool.h"
#include "llm/message.h"
#include "store/run.h"

typedef struct SaRunState
{
	const SaTask *task;
	const SaSink *sink;
	char *history; /* of the thread, for the model; or NULL */
	List *earlier; /* likewise for the provider inside the server: messages */
	SaRun *record;
	SaRequest *request;
	SaUsage usage;
	int64 uncounted; /* tokens by estimate, of a provider that counts none */
	int iterations;
	char *model;
	char *prompt_hash; /* or NULL */
	SaResult *result;  /* of the last statement that ran; in to_sql, that was
					   * accepted; or NULL */
	List *errors;	   /* of SaError *, every statement and call that failed */
	List *warnings;	   /* of char * */
	const char *status;
	char *answer;
	bool from_rows; /* the answer was made by us */
	const char
		*limit;		 /* limit.c: the setting that cut the run short, or NULL */
	List *results;	 /* of SaResult *, every statement that ran */
	List *knowledge; /* of SaUsed *, what the run was given */
	bool knowledge_none; /* nothing is approved, it was found out */

	/* gate.c: what a run waits for */
	const SaResult *waiting_for; /* or NULL */
	int64 waiting_until;		 /* TimestampTz */
	bool resumed;				 /* it waited before */

	/* pack.c: tokens of the last request by its estimate, 0 = not known; and
	 * whether anything was left out */
	double tokens_factor;
	bool packed;

	List *reviewed; /* review.c: of char *, statements */

	/* notes.c: of char * */
	List *assumptions;
	List *follow_ups;

	/* structured.c: the answer that conforms to the schema, JSON text */
	char *structured;
	bool structured_repaired; /* the model was asked once */

	/* ground.c: what the rows do not support */
	bool ground_done;
	bool ground_repaired; /* the model was asked once */
	int ground_checked;
	List *ground_unsupported; /* of char * */
	char *ground_warning;	  /* for the report; an answer in words says it; or
							   * NULL */
	SaError *failure;		  /* or NULL */
} SaRunState;

/* loop.c */
extern void sa_run_warn(SaRunState *run, const char *warning);

/* serve.c: call the tools of a reply, record them, add their messages. */
extern void sa_serve_calls(SaRunState *run, SaReply *reply);
/* Go on with them behind the call that a person decided on. */
extern void sa_serve_resumed(SaRunState *run,
							 const struct SaApproval *approval);

/* answer.c: make the run's answer of a reply without calls. */
extern void sa_answer_from_reply(SaRunState *run, const SaReply *reply);

/* answer.c: a plain answer from the rows alone; NULL without a result. */
extern char *sa_answer_from_rows(const SaResult *result);

/* report.c: the report of design, JSON text in CurrentMemoryContext. */
extern char *sa_report_make(void *run_state);

#endif /* SA_AGENT_RUN_H */
