/*
 * review.c
 *	  A second opinion on a statement before it runs.
 *
 * Called by serve.c.  What the statement's tree tells (db/advise.c) costs
 * nothing; a second model is asked only where sqlagent.review_model is set.
 * Neither is a judge: the statement runs when the model sends it again.
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "agent/gate.h"
#include "agent/prompt.h"
#include "agent/review.h"
#include "agent/verb.h"
#include "base/guc.h"
#include "base/text.h"
#include "db/query.h"
#include "llm/client.h"

/* How much of a review is passed on. */
#define MAX_REVIEW 2000

static bool
was_reviewed(const SaRunState *run, const char *sql)
{
	ListCell *cell;

	foreach (cell, run->reviewed)
		if (strcmp(lfirst(cell), sql) == 0)
			return true;
	return false;
}

/* Ask the other model; the settings name it for the time of the call. */
static SaReply *
ask_reviewer(const SaRequest *request)
{
	char *model = sa_guc_model;
	SaReply *reply = NULL;

	sa_guc_model = sa_guc_review_model;
	PG_TRY();
	{
		reply = sa_client_complete(request);
	}
	PG_FINALLY();
	{
		sa_guc_model = model;
	}
	PG_END_TRY();
	return reply;
}

static void
record_review(SaRunState *run, const char *sql, const SaReply *reply,
			  TimestampTz started)
{
	SaStep step = {0};

	step.kind = "tool";
	step.name = "review";
	step.input = sql;
	step.output = reply->content;
	step.outcome = "ok";
	step.row_count = -1;
	step.started_at = started;
	step.duration_ms = (GetCurrentTimestamp() - started) / 1000.0;
	step.prompt_tokens = reply->usage.prompt_tokens;
	step.completion_tokens = reply->usage.completion_tokens;
	sa_run_step(run->record, &step);
}

/* What the second model has against it; NULL for nothing. */
static char *
second_opinion(SaRunState *run, const char *sql)
{
	TimestampTz started = GetCurrentTimestamp();
	SaRequest request = {0};
	SaReply *reply;
	ListCell *cell;
	char *text;

	/* It knows the schema as the first one does. */
	foreach (cell, run->request->messages)
	{
		SaMessage *message = lfirst(cell);

		if (message->role != SA_ROLE_SYSTEM)
			break;
		if (foreach_current_index(cell) > 0)
			request.messages = lappend(request.messages, message);
	}
	request.messages =
		lappend(request.messages,
				sa_message_new(SA_ROLE_USER,
							   sa_prompt_review(run->task->question, sql)));
	request.deadline = run->request->deadline;
	request.idle = run->request->idle;
	request.idle_arg = run->request->idle_arg;
	reply = ask_reviewer(&request);
	sa_usage_add(&run->usage, &reply->usage);
	record_review(run, sql, reply, started);
	text = sa_text_trim(reply->content ? reply->content : "");
	if (*text != '-')
		return NULL; /* OK, or no review */
	return sa_text_clip(text, MAX_REVIEW);
}

static char *
own_opinion(const SaResult *checked)
{
	StringInfoData out;
	ListCell *cell;

	initStringInfo(&out);
	foreach (cell, checked->advice)
		appendStringInfo(&out, "%s- %s", out.len > 0 ? "\n" : "",
						 (char *) lfirst(cell));
	return out.len > 0 ? out.data : NULL;
}

SaToolResult *
sa_review_call(SaRunState *run, const SaToolCall *call)
{
	char *sql =
		sa_guc_review && sa_verb_info(run->task->verb)->offer == SA_OFFER_ASK
			? sa_gate_statement(call)
			: NULL;
	SaResult *checked;
	char *own;
	char *second = NULL;

	if (sql == NULL || was_reviewed(run, sql))
		return NULL;
	run->reviewed = lappend(run->reviewed, sql);
	checked = sa_query_check(sql);
	/* What cannot run needs no review. */
	if (checked->error)
		return NULL;
	own = own_opinion(checked);
	if (!sa_text_blank(sa_guc_review_model) && !sa_client_is_local())
		second = second_opinion(run, sql);
	if (own == NULL && second == NULL)
		return NULL;
	return sa_tool_failed(sa_error_make(
		SA_ERROR_OTHER, ERRCODE_WARNING,
		"the statement was not run yet: a review found something to look at",
		psprintf("%s%s%s", own ? own : "", own && second ? "\n" : "",
				 second ? second : ""),
		"Correct the statement, or send it again as it is if that does not "
		"apply."));
}
