/*
 * gate.c
 *	  Statements, and calls of tools that write, which wait for a person's
 *	  approval.
 *
 * Called by serve.c before and after a call that sqlagent.approval is about.
 * Nobody waits in the worker: the run is stored and ends; the decision
 * (decide.c) begins it anew.
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/json.h"
#include "utils/timestamp.h"

#include "agent/custom.h"
#include "agent/gate.h"
#include "agent/state.h"
#include "agent/verb.h"
#include "base/guc.h"
#include "base/json.h"
#include "base/text.h"
#include "db/query.h"

bool
sa_gate_is_closed(const SaRunState *run)
{
	return run->status && strcmp(run->status, SA_STATUS_WAITING) == 0;
}

char *
sa_gate_statement(const SaToolCall *call)
{
	const char *utf8;
	const char *problem;
	char *sql;

	if (strcmp(call->name, "run_sql") != 0 || call->arguments == NULL)
		return NULL;
	utf8 = sa_json_to_utf8(sa_tool_strip_fence(call->arguments));
	sql =
		sa_json_get_string(sa_json_parse(utf8, strlen(utf8), &problem), "sql");
	return sql ? sa_tool_strip_fence(sql) : NULL;
}

/*
 * A statement that cannot run for another reason needs nobody's approval: the
 * model is told what is wrong with it.
 */
static bool
needs_approval(const SaResult *checked)
{
	bool expensive =
		checked->error && strcmp(checked->error->type, SA_ERROR_COST) == 0;

	return expensive ||
		   (sa_guc_approval == SA_APPROVAL_ALWAYS && checked->error == NULL);
}

static void
close_gate(SaRunState *run, const SaResult *checked)
{
	TimestampTz now = GetCurrentTimestamp();
	SaApprovalRequest request = {0};

	sa_run_flush(run->record);
	if (sa_run_problem(run->record))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the statement needs a person's approval, which cannot "
						"be recorded"),
				 errdetail("The run could not be stored: %s.",
						   sa_run_problem(run->record))));
	request.run = sa_run_id(run->record);
	request.asker = run->task->asker;
	request.question = run->task->question;
	request.sql = checked->sql;
	request.cost = checked->plan_cost;
	request.rows = checked->plan_rows;
	request.requested_at = now;
	request.expires_at =
		TimestampTzPlusMilliseconds(now, sa_guc_approval_timeout);
	request.state = sa_state_write(run);
	sa_approval_add(&request);
	run->waiting_for = checked;
	run->waiting_until = request.expires_at;
	run->status = SA_STATUS_WAITING;
	run->answer = psprintf(
		"Run " INT64_FORMAT " waits for a person to approve this statement "
		"(cost %.0f, %.0f rows expected):\n%s\n\n"
		"SELECT sqlagent.approve(" INT64_FORMAT ") runs it, "
		"SELECT sqlagent.reject(" INT64_FORMAT ", 'reason') does not.",
		request.run, request.cost, request.rows, request.sql, request.run,
		request.run);
}

/*
 * The call of a registered tool that may write, as a person would make it; NULL
 * for any other.  Those that only read are the administrator's own SQL.
 */
static SaResult *
writing_call(const SaToolCall *call, int offer)
{
	SaResult *shown;

	if (sa_guc_approval != SA_APPROVAL_ALWAYS ||
		!sa_custom_writes(call->name, offer))
		return NULL;
	shown = palloc0(sizeof(SaResult));
	shown->sql = psprintf(
		"SELECT sqlagent.call_tool(%s, %s)", quote_literal_cstr(call->name),
		quote_literal_cstr(sa_text_blank(call->arguments) ? "{}"
														  : call->arguments));
	shown->plan_rows = 1;
	return shown;
}

bool
sa_gate_holds(SaRunState *run, const SaToolCall *call)
{
	int offer = sa_verb_info(run->task->verb)->offer;
	SaResult *checked;
	char *sql;

	if (sa_guc_approval == SA_APPROVAL_NEVER || offer != SA_OFFER_ASK)
		return false;
	sql = sa_gate_statement(call);
	checked = sql ? sa_query_check(sql) : writing_call(call, offer);
	if (checked == NULL || (sql && !needs_approval(checked)))
		return false;
	close_gate(run, checked);
	return true;
}

/* Run it as the model would have, but at any cost. */
static SaToolResult *
run_approved(const SaRunState *run, const char *sql)
{
	double max_cost = sa_guc_max_cost;
	SaToolResult *result = NULL;
	StringInfoData arguments;

	initStringInfo(&arguments);
	appendStringInfoString(&arguments, "{\"sql\": ");
	sa_text_json(&arguments, sql);
	appendStringInfoChar(&arguments, '}');
	sa_guc_max_cost = 0;
	PG_TRY();
	{
		result = sa_tool_call("run_sql", arguments.data,
							  sa_verb_info(run->task->verb)->offer);
	}
	PG_FINALLY();
	{
		sa_guc_max_cost = max_cost;
	}
	PG_END_TRY();
	return result;
}

SaToolResult *
sa_gate_decided(const SaRunState *run, const SaToolCall *call,
				const SaApproval *approval)
{
	SaToolResult *result;

	if (strcmp(approval->decision, "approved") != 0)
		return sa_tool_failed(sa_error_make(
			SA_ERROR_PERMISSION, ERRCODE_INSUFFICIENT_PRIVILEGE,
			"a person rejected the statement", approval->reason,
			"Answer in another way, or say that it cannot be answered."));
	if (approval->edited_sql == NULL && sa_gate_statement(call) == NULL)
		return sa_tool_call(call->name, call->arguments,
							sa_verb_info(run->task->verb)->offer);
	if (approval->edited_sql == NULL)
		return run_approved(run, approval->sql);
	result = run_approved(run, approval->edited_sql);
	result->text =
		psprintf("A person changed the statement. This was run instead: "
				 "%s\n%s",
				 approval->edited_sql, sa_tool_text(result));
	return result;
}

void
sa_gate_json(StringInfo out, const SaRunState *run)
{
	char until[MAXDATELEN + 1];

	if (!sa_gate_is_closed(run))
	{
		appendStringInfoString(out, "null");
		return;
	}
	appendStringInfoString(out, "{\"sql\": ");
	sa_text_json(out, run->waiting_for->sql);
	appendStringInfo(out, ", \"cost\": %.2f, \"rows\": %.0f, \"expires_at\": ",
					 run->waiting_for->plan_cost, run->waiting_for->plan_rows);
	sa_text_json(
		out, JsonEncodeDateTime(until, TimestampTzGetDatum(run->waiting_until),
								TIMESTAMPTZOID, NULL));
	appendStringInfoChar(out, '}');
}
