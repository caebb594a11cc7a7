/*
 * tools.c
 *	  The tools as SQL functions: a person calls what the model calls, in the
 *	  same worker, through the same guard.
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "agent/custom.h"
#include "base/export.h"
#include "worker/launch.h"

SA_FUNCTION(sqlagent_tool_run_sql);
SA_FUNCTION(sqlagent_tool_check_sql);
SA_FUNCTION(sqlagent_tool_introspect_schema);
SA_FUNCTION(sqlagent_tool_find_values);
SA_FUNCTION(sqlagent_call_tool);
SA_FUNCTION(sqlagent_check_tool);

static Datum
call_tool_with(const char *name, Jsonb *args)
{
	SaAskRequest request = {0};

	request.kind = SA_REQUEST_TOOL;
	request.question = name;
	request.args = JsonbToCString(NULL, &args->root, VARSIZE(args));
	return DirectFunctionCall1(jsonb_in,
							   CStringGetDatum(sa_launch_request(&request)));
}

static Datum
call_tool(const char *name, FunctionCallInfo fcinfo)
{
	return call_tool_with(name, PG_GETARG_JSONB_P(0));
}

Datum
sqlagent_call_tool(PG_FUNCTION_ARGS)
{
	return call_tool_with(text_to_cstring(PG_GETARG_TEXT_PP(0)),
						  PG_GETARG_JSONB_P(1));
}

Datum
sqlagent_check_tool(PG_FUNCTION_ARGS)
{
	Jsonb *parameters;

	for (int i = 0; i < 4; i++)
		if (PG_ARGISNULL(i))
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("a tool needs a name, a function, a "
								   "description and parameters")));
	parameters = PG_GETARG_JSONB_P(3);
	sa_custom_check(
		text_to_cstring(PG_GETARG_TEXT_PP(0)), PG_GETARG_OID(1),
		text_to_cstring(PG_GETARG_TEXT_PP(2)),
		JsonbToCString(NULL, &parameters->root, VARSIZE(parameters)));
	PG_RETURN_BOOL(true);
}

Datum
sqlagent_tool_run_sql(PG_FUNCTION_ARGS)
{
	return call_tool("run_sql", fcinfo);
}

Datum
sqlagent_tool_check_sql(PG_FUNCTION_ARGS)
{
	return call_tool("check_sql", fcinfo);
}

Datum
sqlagent_tool_introspect_schema(PG_FUNCTION_ARGS)
{
	return call_tool("introspect_schema", fcinfo);
}

Datum
sqlagent_tool_find_values(PG_FUNCTION_ARGS)
{
	return call_tool("find_values", fcinfo);
}
