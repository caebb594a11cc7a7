/*
 * control.c
 *	  new_thread(), approve(), reject(): what steers runs, as commands to the
 *	  session's worker.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "utils/builtins.h"

#include "base/export.h"
#include "base/text.h"
#include "worker/launch.h"

SA_FUNCTION(sqlagent_new_thread);
SA_FUNCTION(sqlagent_approve);
SA_FUNCTION(sqlagent_reject);

static char *
command(const char *name, const char *args)
{
	SaAskRequest request = {0};

	request.kind = SA_REQUEST_COMMAND;
	request.question = name;
	request.args = args;
	return sa_launch_request(&request);
}

/* A text argument as JSON. */
static void
append_arg(StringInfo out, FunctionCallInfo fcinfo, int number)
{
	sa_text_json(out, PG_ARGISNULL(number)
						  ? NULL
						  : text_to_cstring(PG_GETARG_TEXT_PP(number)));
}

Datum
sqlagent_new_thread(PG_FUNCTION_ARGS)
{
	StringInfoData args;

	initStringInfo(&args);
	appendStringInfoString(&args, "{\"title\": ");
	append_arg(&args, fcinfo, 0);
	appendStringInfoChar(&args, '}');
	PG_RETURN_INT64(strtoll(command("new_thread", args.data), NULL, 10));
}

static Datum
decide(FunctionCallInfo fcinfo, bool approved)
{
	StringInfoData args;

	if (PG_ARGISNULL(0))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("run must not be null")));
	if (approved && !PG_ARGISNULL(1) &&
		sa_text_blank(text_to_cstring(PG_GETARG_TEXT_PP(1))))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("statement is empty")));
	initStringInfo(&args);
	appendStringInfo(&args,
					 "{\"run\": " INT64_FORMAT ", \"approved\": %s, \"%s\": ",
					 PG_GETARG_INT64(0), approved ? "true" : "false",
					 approved ? "sql" : "reason");
	append_arg(&args, fcinfo, 1);
	appendStringInfoChar(&args, '}');
	return CStringGetTextDatum(command("decide", args.data));
}

Datum
sqlagent_approve(PG_FUNCTION_ARGS)
{
	return decide(fcinfo, true);
}

Datum
sqlagent_reject(PG_FUNCTION_ARGS)
{
	return decide(fcinfo, false);
}
