/*
 * limit.c
 *	  The limits of a run: replies, tokens, time; and the answer at one of them.
 *
 * Called by the loop.  At a limit the model is asked for its answer once, if a
 * call is still within tokens and time; otherwise the rows that are there make
 * the answer.  A run that knows nothing yet fails.
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "agent/limit.h"
#include "agent/pack.h"
#include "agent/structured.h"
#include "agent/verb.h"
#include "base/guc.h"
#include "llm/client.h"

/* Of the run's time, what is kept for an answer made of rows. */
#define RESERVE_MS 200
#define RESERVE_SHARE 10 /* but no more than a tenth */

#define ITERATIONS "max_iterations"
#define TOKENS "token_budget"
#define TIME "run_timeout"

TimestampTz
sa_limit_deadline(void)
{
	int reserve = Min(RESERVE_MS, sa_guc_run_timeout / RESERVE_SHARE);

	return TimestampTzPlusMilliseconds(GetCurrentTimestamp(),
									   sa_guc_run_timeout - reserve);
}

static bool
time_is_over(const SaRunState *run)
{
	return GetCurrentTimestamp() >= run->request->deadline;
}

/* Whether so many calls, none smaller than the next one, are in the budget. */
static bool
tokens_allow(const SaRunState *run, int calls)
{
	int64 spent = run->usage.prompt_tokens + run->usage.completion_tokens +
				  run->uncounted;

	return sa_guc_token_budget == 0 || sa_client_is_local() ||
		   spent + (int64) calls * sa_pack_estimate(run) <= sa_guc_token_budget;
}

bool
sa_limit_allows(const SaRunState *run, int calls)
{
	return tokens_allow(run, calls) && !time_is_over(run);
}

const char *
sa_limit_reached(const SaRunState *run)
{
	/* The first call may be the only one; from then on one is kept back. */
	int calls = run->iterations == 0 ? 1 : 2;

	if (time_is_over(run))
		return TIME;
	if (run->iterations >= sa_guc_max_iterations)
		return ITERATIONS;
	if (!tokens_allow(run, calls))
		return TOKENS;
	return NULL;
}

/* "the time limit of 300 s was reached (sqlagent.run_timeout)" */
static char *
told(const char *setting)
{
	if (strcmp(setting, TIME) == 0)
		return psprintf("the time limit of %g s was reached "
						"(sqlagent.run_timeout)",
						sa_guc_run_timeout / 1000.0);
	if (strcmp(setting, ITERATIONS) == 0)
		return psprintf("the limit of %d model replies was reached "
						"(sqlagent.max_iterations)",
						sa_guc_max_iterations);
	return psprintf("the budget of %d tokens does not allow more "
					"(sqlagent.token_budget)",
					sa_guc_token_budget);
}

void
sa_limit_note(SaRunState *run, const char *setting)
{
	run->limit = setting;
	sa_run_warn(run, told(setting));
}

static void
record_answer(SaRunState *run)
{
	SaStep step = {0};

	step.kind = "answer";
	step.name = "rows";
	step.output = run->answer;
	step.outcome = "ok";
	step.row_count = -1;
	step.started_at = GetCurrentTimestamp();
	sa_run_step(run->record, &step);
}

bool
sa_limit_answer(SaRunState *run)
{
	if (run->result == NULL || sa_verb_writes_sql(run->task->verb))
		return false;
	if (sa_structured_schema(run->task))
	{
		if (!sa_structured_from_rows(run))
			return false;
	}
	else
		run->answer =
			psprintf("%s\n(cut short: %s; these are the rows of the last "
					 "statement)",
					 sa_answer_from_rows(run->result), told(run->limit));
	run->from_rows = true;
	run->status = SA_STATUS_ANSWERED;
	run->failure = NULL;
	record_answer(run);
	return true;
}

void
sa_limit_raise(const SaRunState *run)
{
	int spent = (int) Min(run->usage.prompt_tokens +
							  run->usage.completion_tokens + run->uncounted,
						  PG_INT32_MAX);

	if (strcmp(run->limit, TIME) == 0)
		ereport(ERROR, (errcode(ERRCODE_QUERY_CANCELED),
						errmsg("%s", told(run->limit)),
						errhint("Ask for less at once, or have "
								"sqlagent.run_timeout increased.")));
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("%s", told(run->limit)),
			 errdetail("The next request has about %d tokens; %d were spent.",
					   sa_pack_estimate(run), spent),
			 errhint("Ask for less at once, or have sqlagent.%s increased.",
					 run->limit)));
}

void
sa_limit_rescue(SaRunState *run)
{
	if (run->request == NULL || run->failure == NULL ||
		strcmp(run->status, SA_STATUS_FAILED) != 0 ||
		strcmp(run->failure->type, SA_ERROR_TIMEOUT) != 0 || !time_is_over(run))
		return;
	if (run->limit == NULL || strcmp(run->limit, TIME) != 0)
		sa_limit_note(run, TIME);
	(void) sa_limit_answer(run);
}
