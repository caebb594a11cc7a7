/*
 * run.h
 *	  Runs and steps: what is recorded of the answering of a question.
 *
 * Steps are kept in memory and written while the model is awaited
 * (sa_run_flush), the rest at the end, so that recording costs the asker no
 * time of its own.  Failing to record never fails the run: sa_run_problem()
 * tells.
 */
#ifndef SA_RUN_H
#define SA_RUN_H

#include "base/error.h"

#define SA_STATUS_ANSWERED "answered"
#define SA_STATUS_WAITING "waiting"
#define SA_STATUS_REFUSED "refused"
#define SA_STATUS_FAILED "failed"
#define SA_STATUS_CANCELLED "cancelled"

typedef struct SaRun SaRun;

/* What is known when a run begins; the texts must live as long as the run. */
typedef struct SaRunHead
{
	const char *asker;
	const char *kind;
	const char *question;
	int64 thread; /* 0 = none */
	const char *provider;
} SaRunHead;

typedef struct SaStep
{
	const char *kind;	 /* "tool" or "answer" */
	const char *name;	 /* of the tool or model */
	const char *input;	 /* or NULL */
	const char *output;	 /* or NULL */
	const char *thought; /* or NULL */
	const char *sql;	 /* or NULL */
	const char *outcome; /* "ok", "error", "refused" */
	const SaError *error;
	int64 row_count; /* -1 = none */
	bool truncated;
	int64 started_at; /* TimestampTz */
	double duration_ms;
	int64 prompt_tokens;
	int64 completion_tokens;
} SaStep;

typedef struct SaRunTail
{
	const char *status;
	const char *answer;
	const char *sql;
	int64 row_count; /* -1 = none */
	const char *model;
	const char *prompt_hash; /* or NULL */
	int iterations;
	int requests;
	int64 prompt_tokens;
	int64 completion_tokens;
	int64 cached_tokens;
} SaRunTail;

/* In CurrentMemoryContext, where everything of the run is kept. */
extern SaRun *sa_run_begin(const SaRunHead *head);
/*
 * A run that was stored and goes on, with the steps that it had.
 */
extern SaRun *sa_run_resume(const SaRunHead *head, int64 id, int64 started_at);
/* Copies the struct, not the texts. */
extern void sa_run_step(SaRun *run, const SaStep *step);
/* Write what is not written yet; never fails. */
extern void sa_run_flush(SaRun *run);
/* The id, which is given at the first write; 0 before, and without one. */
extern int64 sa_run_id(const SaRun *run);
/*
 * The last write: the outcome and the report (JSON text).  The report is made
 * when the id is known, and given back.
 */
typedef char *(*SaReportMaker)(void *arg);
extern char *sa_run_finish(SaRun *run, const SaRunTail *tail,
						   SaReportMaker make, void *arg);
/* Why the run could not be recorded, or NULL. */
extern const char *sa_run_problem(const SaRun *run);
extern int sa_run_nsteps(const SaRun *run);
extern const SaStep *sa_run_get_step(const SaRun *run, int index);
extern int64 sa_run_started_at(const SaRun *run);

#endif /* SA_RUN_H */
