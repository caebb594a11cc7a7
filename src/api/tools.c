/*
 * tools.c
 *	  The tools as SQL functions: a person calls what the model calls, in the
 *	  same worker, through the same guard.
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "base/export.h"
#include "worker/launch.h"

SA_FUNCTION(sqlagent_tool_run_sql);
SA_FUNCTION(sqlagent_tool_check_sql);
SA_FUNCTION(sqlagent_tool_introspect_schema);
SA_FUNCTION(sqlagent_tool_find_values);

static Datum
call_tool(const char *name, FunctionCallInfo fcinfo)
{
	Jsonb *args = PG_GETARG_JSONB_P(0);
	SaAskRequest request = {0};

	request.kind = SA_REQUEST_TOOL;
	request.question = name;
	request.args = JsonbToCString(NULL, &args->root, VARSIZE(args));
	return DirectFunctionCall1(jsonb_in,
							   CStringGetDatum(sa_launch_request(&request)));
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
