/*
 * knowledge.c
 *	  Knowledge for people: the tools that search and propose it, feedback, and
 *	  its care.
 *
 * All of it is done in the session's worker: what is written is there for the
 * next run, whatever becomes of the caller's transaction.
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "api/request.h"
#include "base/export.h"
#include "base/text.h"

SA_FUNCTION(sqlagent_tool_search_knowledge);
SA_FUNCTION(sqlagent_tool_save_learning);
SA_FUNCTION(sqlagent_tool_save_validated_query);
SA_FUNCTION(sqlagent_feedback);
SA_FUNCTION(sqlagent_revalidate_knowledge);

static Datum
call_tool(const char *name, FunctionCallInfo fcinfo)
{
	Jsonb *args = PG_GETARG_JSONB_P(0);
	SaAskRequest request = {0};

	request.kind = SA_REQUEST_TOOL;
	request.question = name;
	request.args = JsonbToCString(NULL, &args->root, VARSIZE(args));
	return sa_request_jsonb(sa_launch_request(&request));
}

Datum
sqlagent_tool_search_knowledge(PG_FUNCTION_ARGS)
{
	return call_tool("search_knowledge", fcinfo);
}

Datum
sqlagent_tool_save_learning(PG_FUNCTION_ARGS)
{
	return call_tool("save_learning", fcinfo);
}

Datum
sqlagent_tool_save_validated_query(PG_FUNCTION_ARGS)
{
	return call_tool("save_validated_query", fcinfo);
}

Datum
sqlagent_feedback(PG_FUNCTION_ARGS)
{
	SaAskRequest request = {0};
	StringInfoData args;
	char *told;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("run and verdict must not be null")));
	initStringInfo(&args);
	appendStringInfo(
		&args, "{\"run\": " INT64_FORMAT ", \"correct\": %s, \"correction\": ",
		PG_GETARG_INT64(0), PG_GETARG_BOOL(1) ? "true" : "false");
	sa_text_json(
		&args, PG_ARGISNULL(2) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(2)));
	appendStringInfoChar(&args, '}');
	request.kind = SA_REQUEST_COMMAND;
	request.question = "feedback";
	request.args = args.data;
	told = sa_launch_request(&request);
	if (*told)
		ereport(NOTICE, (errmsg("%s", told)));
	PG_RETURN_VOID();
}

Datum
sqlagent_revalidate_knowledge(PG_FUNCTION_ARGS)
{
	SaAskRequest request = {0};

	request.kind = SA_REQUEST_COMMAND;
	request.question = "revalidate_knowledge";
	request.args = "{}";
	return sa_request_jsonb(sa_launch_request(&request));
}
