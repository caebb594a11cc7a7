/*
 * request.c
 *	  The arguments of a verb as a request to the session's worker.
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "api/request.h"
#include "base/text.h"

void
sa_request_fill(SaAskRequest *ask, SaRequestKind kind, SaVerb verb,
				const text *question, int64 thread)
{
	if (question == NULL)
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("question must not be null")));
	ask->kind = kind;
	ask->verb = verb;
	ask->question = text_to_cstring(question);
	ask->thread = thread;
	if (sa_text_blank(ask->question))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("question is empty")));
}

char *
sa_request_question(FunctionCallInfo fcinfo, SaRequestKind kind, SaVerb verb)
{
	SaAskRequest ask = {0};

	sa_request_fill(&ask, kind, verb,
					PG_ARGISNULL(0) ? NULL : PG_GETARG_TEXT_PP(0),
					PG_ARGISNULL(1) ? 0 : PG_GETARG_INT64(1));
	return sa_launch_request(&ask);
}

Datum
sa_request_jsonb(char *json)
{
	return DirectFunctionCall1(jsonb_in, CStringGetDatum(json));
}
