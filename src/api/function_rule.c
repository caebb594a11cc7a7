/*
 * function_rule.c
 *	  Which rule of the guard forbids a function: for the tests, which compare
 *	  it with a list over all built-in functions of the server.
 *
 * The extension declares no SQL function for it; test/t/320_builtins.pl does.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "base/export.h"
#include "db/guard_walk.h"

SA_FUNCTION(sqlagent_function_rule);

/* Of an OID; NULL when the guard allows it. */
Datum
sqlagent_function_rule(PG_FUNCTION_ARGS)
{
	const char *rule = sa_guard_function_rule(PG_GETARG_OID(0));

	if (rule == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(rule));
}
