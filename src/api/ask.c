/*
 * ask.c
 *	  The verbs that take a question or a statement, except for ask_rows().
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "nodes/parsenodes.h"
#include "utils/builtins.h"
#include "utils/json.h"
#include "utils/jsonb.h"

#include "agent/structured.h"
#include "api/request.h"
#include "base/export.h"
#include "base/spi.h"
#include "base/text.h"

SA_FUNCTION(sqlagent_ask);
SA_FUNCTION(sqlagent_ask_json);
SA_FUNCTION(sqlagent_to_sql);
SA_FUNCTION(sqlagent_explain_sql);
SA_FUNCTION(sqlagent_fix_sql);
SA_FUNCTION(sqlagent_show_prompt);
SA_FUNCTION(sqlagent_ask_proc);

Datum
sqlagent_ask(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(cstring_to_text(
		sa_request_question(fcinfo, SA_REQUEST_RUN, SA_VERB_ASK)));
}

Datum
sqlagent_ask_json(PG_FUNCTION_ARGS)
{
	SaAskRequest ask = {0};

	sa_request_fill(&ask, SA_REQUEST_RUN, SA_VERB_ASK_JSON,
					PG_ARGISNULL(0) ? NULL : PG_GETARG_TEXT_PP(0),
					PG_ARGISNULL(1) ? 0 : PG_GETARG_INT64(1));
	if (!PG_ARGISNULL(2))
	{
		Jsonb *schema = PG_GETARG_JSONB_P(2);

		ask.args = JsonbToCString(NULL, &schema->root, VARSIZE(schema));
		sa_structured_check_schema(ask.args);
	}
	return sa_request_jsonb(sa_launch_request(&ask));
}

Datum
sqlagent_to_sql(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(cstring_to_text(
		sa_request_question(fcinfo, SA_REQUEST_RUN, SA_VERB_TO_SQL)));
}

Datum
sqlagent_show_prompt(PG_FUNCTION_ARGS)
{
	return sa_request_jsonb(
		sa_request_question(fcinfo, SA_REQUEST_PROMPT, SA_VERB_ASK));
}

/* A run about a statement of the asker. */
static Datum
about_statement(SaVerb verb, const char *sql, const char *args)
{
	SaAskRequest ask = {0};

	if (sa_text_blank(sql))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("statement is empty")));
	ask.kind = SA_REQUEST_RUN;
	ask.verb = verb;
	ask.question = sql;
	ask.args = args;
	return CStringGetTextDatum(sa_launch_request(&ask));
}

Datum
sqlagent_explain_sql(PG_FUNCTION_ARGS)
{
	return about_statement(SA_VERB_EXPLAIN_SQL,
						   text_to_cstring(PG_GETARG_TEXT_PP(0)), NULL);
}

Datum
sqlagent_fix_sql(PG_FUNCTION_ARGS)
{
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	return about_statement(
		SA_VERB_FIX_SQL, text_to_cstring(PG_GETARG_TEXT_PP(0)),
		PG_ARGISNULL(1) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(1)));
}

/*
 * Outside a transaction block the snapshot is let go before the answer is
 * awaited, so that a long run holds back no VACUUM.  Everything that is needed
 * later must be there by then.
 */
Datum
sqlagent_ask_proc(PG_FUNCTION_ARGS)
{
	CallContext *call = (CallContext *) fcinfo->context;
	SaAskRequest ask = {0};
	TupleDesc desc;
	Datum value;
	bool isnull;

	sa_request_fill(&ask, SA_REQUEST_RUN, SA_VERB_ASK,
					PG_ARGISNULL(0) ? NULL : PG_GETARG_TEXT_PP(0),
					PG_ARGISNULL(2) ? 0 : PG_GETARG_INT64(2));
	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	desc = BlessTupleDesc(desc);
	if (call && IsA(call, CallContext) && !call->atomic)
		sa_tx_let_go_of_snapshot();
	value = CStringGetTextDatum(sa_launch_request(&ask));
	isnull = false;
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(desc, &value, &isnull)));
}
