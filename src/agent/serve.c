/*
 * serve.c
 *	  The tool calls of one reply: call, record, answer the model.
 *
 * Called by the loop.  Every call of a reply is served, in order.
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "agent/run.h"
#include "agent/verb.h"
#include "base/guc.h"
#include "base/text.h"

/* Calls beyond this in one reply are answered with an error, not served. */
#define MAX_CALLS_PER_REPLY 32

static SaToolResult *
too_many_calls(void)
{
	return sa_tool_failed(
		sa_error_make(SA_ERROR_BUDGET, ERRCODE_PROGRAM_LIMIT_EXCEEDED,
					  "too many tool calls in one reply",
					  psprintf("At most %d are served.", MAX_CALLS_PER_REPLY),
					  "Call fewer tools at a time."));
}

static const char *
outcome_of(const SaToolResult *result)
{
	if (result->error == NULL)
		return "ok";
	return result->result && result->result->rule ? "refused" : "error";
}

/* Keep what a call brought: the rows of a statement, or a failure. */
static void
keep_result(SaRunState *run, const SaToolCall *call, const SaToolResult *result)
{
	bool ran = result->result && strcmp(call->name, "run_sql") == 0;

	if (result->error)
		run->errors =
			lappend(run->errors, unconstify(SaError *, result->error));
	else if (ran)
	{
		run->result = result->result;
		run->results = lappend(run->results, result->result);
	}
	if (ran && run->sink->statement)
		run->sink->statement(run->sink->arg, result->result);
}

static void
record_call(SaRunState *run, const SaToolCall *call, const SaReply *reply,
			bool first, const SaToolResult *result, const char *text,
			TimestampTz started)
{
	const SaResult *rows = result->result;
	SaStep step = {0};

	step.kind = "tool";
	step.name = call->name;
	step.input = call->arguments;
	step.output = text;
	step.sql = rows ? rows->sql : NULL;
	step.outcome = outcome_of(result);
	step.error = result->error;
	step.row_count = rows && !rows->error ? rows->nrows : -1;
	step.truncated = rows && rows->truncated;
	step.started_at = started;
	step.duration_ms = (GetCurrentTimestamp() - started) / 1000.0;
	if (first)
	{
		step.thought = sa_text_blank(reply->content) ? NULL : reply->content;
		step.prompt_tokens = reply->usage.prompt_tokens;
		step.completion_tokens = reply->usage.completion_tokens;
	}
	sa_run_step(run->record, &step);
}

void
sa_serve_calls(SaRunState *run, SaReply *reply)
{
	int offer = sa_verb_info(run->task->verb)->offer;
	ListCell *cell;
	int served = 0;

	run->request->messages =
		lappend(run->request->messages, sa_message_from_reply(reply));
	foreach (cell, reply->calls)
	{
		SaToolCall *call = lfirst(cell);
		TimestampTz started = GetCurrentTimestamp();
		SaToolResult *result =
			served < MAX_CALLS_PER_REPLY
				? sa_tool_call(call->name, call->arguments, offer)
				: too_many_calls();
		char *text = sa_tool_text(result);

		keep_result(run, call, result);
		record_call(run, call, reply, served == 0, result, text, started);
		run->request->messages =
			lappend(run->request->messages,
					sa_message_tool_result(call, text, result->error != NULL));
		if (run->sink->step)
			run->sink->step(run->sink->arg, sa_run_nsteps(run->record),
							call->name);
		served++;
	}
}
