/*
 * ask.c
 *	  The verbs: ask(), ask_json(), to_sql(), show_prompt().
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "agent/loop.h"
#include "base/export.h"
#include "base/text.h"
#include "worker/launch.h"

SA_FUNCTION(sqlagent_ask);
SA_FUNCTION(sqlagent_ask_json);
SA_FUNCTION(sqlagent_to_sql);
SA_FUNCTION(sqlagent_show_prompt);

static char *
request(FunctionCallInfo fcinfo, SaRequestKind kind, SaVerb verb)
{
	SaAskRequest ask = {0};

	if (PG_ARGISNULL(0))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("question must not be null")));
	ask.kind = kind;
	ask.verb = verb;
	ask.question = text_to_cstring(PG_GETARG_TEXT_PP(0));
	ask.thread = PG_ARGISNULL(1) ? 0 : PG_GETARG_INT64(1);
	if (sa_text_blank(ask.question))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("question is empty")));
	return sa_launch_request(&ask);
}

Datum
sqlagent_ask(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(
		cstring_to_text(request(fcinfo, SA_REQUEST_RUN, SA_VERB_ASK)));
}

Datum
sqlagent_ask_json(PG_FUNCTION_ARGS)
{
	char *report = request(fcinfo, SA_REQUEST_RUN, SA_VERB_ASK_JSON);

	PG_RETURN_DATUM(DirectFunctionCall1(jsonb_in, CStringGetDatum(report)));
}

Datum
sqlagent_to_sql(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(
		cstring_to_text(request(fcinfo, SA_REQUEST_RUN, SA_VERB_TO_SQL)));
}

Datum
sqlagent_show_prompt(PG_FUNCTION_ARGS)
{
	char *prompt = request(fcinfo, SA_REQUEST_PROMPT, SA_VERB_ASK);

	PG_RETURN_DATUM(DirectFunctionCall1(jsonb_in, CStringGetDatum(prompt)));
}
