/*
 * prompt.c
 *	  The prompts, for who looks at or changes them.
 */
#include "postgres.h"

#include "funcapi.h"
#include "utils/builtins.h"

#include "agent/prompt_text.h"
#include "base/export.h"

SA_FUNCTION(sqlagent_default_prompts);
SA_FUNCTION(sqlagent_check_prompt);

Datum
sqlagent_default_prompts(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *set = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	for (int id = 0; id < SA_TEXT_COUNT; id++)
	{
		Datum values[2] = {CStringGetTextDatum(sa_prompt_name(id)),
						   CStringGetTextDatum(sa_prompt_default(id))};
		bool nulls[2] = {false, false};

		tuplestore_putvalues(set->setResult, set->setDesc, values, nulls);
	}
	return (Datum) 0;
}

Datum
sqlagent_check_prompt(PG_FUNCTION_ARGS)
{
	sa_prompt_check(text_to_cstring(PG_GETARG_TEXT_PP(0)),
					text_to_cstring(PG_GETARG_TEXT_PP(1)));
	PG_RETURN_BOOL(true);
}
