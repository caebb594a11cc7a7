/*
 * tools_query.c
 *	  The tools that work on statements: run_sql and check_sql.
 *
 * Handlers of the table in tool.c.  Whatever a statement does wrong is data of
 * its result: the model gets it back and can repair it.
 */
#include "postgres.h"

#include "agent/tool.h"
#include "base/guc.h"
#include "base/text.h"
#include "db/literal.h"
#include "db/query.h"
#include "llm/client.h"

/* The model is told less than the person: the error may hold values. */
static SaToolResult *
failed_query(SaResult *result)
{
	SaToolResult *out = sa_tool_failed(result->error);
	StringInfoData text;

	initStringInfo(&text);
	sa_result_for_model(&text, result, sa_client_is_local());
	out->text = text.data;
	out->result = result;
	return out;
}

SaToolResult *
sa_tools_run_sql(const SaJson *args)
{
	char *sql = sa_tool_strip_fence(sa_json_get_string(args, "sql"));
	SaResult *result = sa_query_run(sql, sa_guc_max_rows);
	StringInfoData json;
	StringInfoData text;
	SaToolResult *out;

	if (result->error)
		return failed_query(result);
	initStringInfo(&json);
	initStringInfo(&text);
	sa_result_json(&json, result);
	sa_result_for_model(&text, result, sa_client_is_local());
	/* the provider inside the server looks values up before it writes */
	if (!sa_client_is_local())
		sa_literal_for_model(&text, result);
	out = sa_tool_done(json.data);
	out->text = text.data;
	out->result = result;
	return out;
}

/*
 * {"allowed", "rule", "error", "cost", "rows", "costly", "warnings", "columns"};
 * a refusal
 * is what the tool is for, hence no error of the tool.
 */
SaToolResult *
sa_tools_check_sql(const SaJson *args)
{
	char *sql = sa_tool_strip_fence(sa_json_get_string(args, "sql"));
	SaResult *result = sa_query_check(sql);
	StringInfoData json;
	ListCell *cell;
	SaToolResult *out;

	initStringInfo(&json);
	appendStringInfo(&json, "{\"allowed\": %s, \"rule\": ",
					 result->error ? "false" : "true");
	sa_text_json(&json, result->rule);
	appendStringInfoString(&json, ", \"error\": ");
	if (result->error)
		sa_error_to_json(&json, result->error);
	else
		appendStringInfoString(&json, "null");
	appendStringInfo(&json, ", \"cost\": %.2f, \"rows\": %.0f, \"costly\": ",
					 result->plan_cost, result->plan_rows);
	sa_text_json(&json, result->costly);
	appendStringInfoString(&json, ", \"warnings\": [");
	foreach (cell, result->advice)
	{
		if (foreach_current_index(cell) > 0)
			appendStringInfoString(&json, ", ");
		sa_text_json(&json, lfirst(cell));
	}
	appendStringInfoString(&json, "], \"columns\": ");
	sa_result_columns_json(&json, result);
	appendStringInfo(&json, ", \"guard_ms\": %.3f}", result->guard_ms);
	out = sa_tool_done(json.data);
	out->result = result;
	return out;
}
