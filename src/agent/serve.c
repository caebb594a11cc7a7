/*
 * serve.c
 *	  The tool calls of one reply: call, record, answer the model.
 *
 * Called by the loop.  Every call of a reply is served, in order.
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "agent/gate.h"
#include "agent/review.h"
#include "agent/run.h"
#include "agent/verb.h"
#include "base/guc.h"
#include "base/text.h"

/* Calls beyond this in one reply are answered with an error, not served. */
#define MAX_CALLS_PER_REPLY 32

/* Bytes of a call's arguments that are told while the run goes on. */
#define MAX_TOLD 200

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

/* A call in one line; the statement of run_sql is told by itself. */
static const char *
call_text(const SaToolCall *call)
{
	const char *arguments =
		call->arguments ? sa_text_trim(call->arguments) : "";

	if (strcmp(call->name, "run_sql") == 0 || *arguments == '\0' ||
		strcmp(arguments, "{}") == 0)
		return call->name;
	return psprintf("%s %s", call->name, sa_text_clip(arguments, MAX_TOLD));
}

/* What a call brought goes to the run, the record, the model and the sink. */
static void
finish_call(SaRunState *run, const SaToolCall *call, const SaReply *reply,
			bool first, const SaToolResult *result, TimestampTz started)
{
	char *text = sa_tool_text(result);

	keep_result(run, call, result);
	record_call(run, call, reply, first, result, text, started);
	run->request->messages =
		lappend(run->request->messages,
				sa_message_tool_result(call, text, result->error != NULL));
	if (run->sink->step)
		run->sink->step(run->sink->arg, sa_run_nsteps(run->record),
						call_text(call));
}

static void
serve_from(SaRunState *run, const List *calls, int from, const SaReply *reply)
{
	int offer = sa_verb_info(run->task->verb)->offer;

	for (int i = from; i < list_length(calls); i++)
	{
		SaToolCall *call = list_nth(calls, i);
		TimestampTz started = GetCurrentTimestamp();

		SaToolResult *result = i < MAX_CALLS_PER_REPLY
								   ? sa_review_call(run, call)
								   : too_many_calls();

		if (result == NULL && sa_gate_holds(run, call))
			return;
		if (result == NULL)
			result = sa_tool_call(call->name, call->arguments, offer);
		finish_call(run, call, reply, i == 0, result, started);
	}
}

void
sa_serve_calls(SaRunState *run, SaReply *reply)
{
	run->request->messages =
		lappend(run->request->messages, sa_message_from_reply(reply));
	serve_from(run, reply->calls, 0, reply);
}

/* The last message with calls; *served = how many of them have a result. */
static const SaMessage *
calling_message(const SaRunState *run, int *served)
{
	*served = 0;
	for (int i = list_length(run->request->messages) - 1; i >= 0; i--)
	{
		const SaMessage *message = list_nth(run->request->messages, i);

		if (message->calls != NIL)
			return message;
		(*served)++;
	}
	return NULL;
}

void
sa_serve_resumed(SaRunState *run, const SaApproval *approval)
{
	TimestampTz started = GetCurrentTimestamp();
	SaReply none = {0};
	int served;
	const SaMessage *message = calling_message(run, &served);

	if (message == NULL || served >= list_length(message->calls))
		elog(ERROR, "the run waits for no call");
	finish_call(
		run, list_nth(message->calls, served), &none, false,
		sa_gate_decided(run, list_nth(message->calls, served), approval),
		started);
	serve_from(run, message->calls, served + 1, &none);
}
