/*
 * guard_refuse.c
 *	  The rules of the guard, and how a refusal by one of them is told.
 *
 * Used by the checks only.  The text goes to a model that shall correct its
 * statement: what, where, and what to do instead.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "db/guard_walk.h"

/* What a rule is about, in the order of the walk. */
static const struct
{
	const char *rule;
	const char *type;
	int sqlerrcode;
	const char *hint;
} rules[] = {
	/* the text */
	{"R01", SA_ERROR_TOO_LARGE, ERRCODE_PROGRAM_LIMIT_EXCEEDED,
	 "Write a shorter statement."},
	{"R02", SA_ERROR_SYNTAX, ERRCODE_SYNTAX_ERROR,
	 "Send exactly one SELECT statement."},
	{"R03", SA_ERROR_TOO_LARGE, ERRCODE_STATEMENT_TOO_COMPLEX,
	 "Write a simpler statement."},
	/* the kind of statement */
	{"R04", SA_ERROR_MUTATION, ERRCODE_READ_ONLY_SQL_TRANSACTION,
	 "Only one SELECT that reads may run: no INTO, no FOR UPDATE or FOR "
	 "SHARE, no INSERT, UPDATE, DELETE or MERGE in a WITH clause."},
	{"R05", SA_ERROR_SYNTAX, ERRCODE_FEATURE_NOT_SUPPORTED,
	 "Write the value itself."},
	{"R06", SA_ERROR_SYNTAX, ERRCODE_UNDEFINED_PARAMETER,
	 "Write the value itself instead of a parameter."},
	/* functions */
	{"R10", SA_ERROR_UNSAFE_FUNCTION, ERRCODE_INSUFFICIENT_PRIVILEGE,
	 "Use functions that exist."},
	{"R11", SA_ERROR_UNSAFE_FUNCTION, ERRCODE_INSUFFICIENT_PRIVILEGE,
	 "Use functions that only compute a value from their arguments."},
	{"R12", SA_ERROR_UNSAFE_FUNCTION, ERRCODE_INSUFFICIENT_PRIVILEGE,
	 "Use built-in functions and operators, or ask the administrator to list "
	 "this one in sqlagent.allowed_functions."},
	{"R13", SA_ERROR_UNSAFE_FUNCTION, ERRCODE_INSUFFICIENT_PRIVILEGE,
	 "Use built-in functions and operators."},
	{"R14", SA_ERROR_UNSAFE_FUNCTION, ERRCODE_INSUFFICIENT_PRIVILEGE,
	 "Use built-in functions and operators."},
	{"R15", SA_ERROR_UNSAFE_FUNCTION, ERRCODE_INSUFFICIENT_PRIVILEGE,
	 "Cast to the base type instead."},
	/* relations */
	{"R20", SA_ERROR_PERMISSION, ERRCODE_INSUFFICIENT_PRIVILEGE,
	 "Query the tables of the schemas that were shown."},
	{"R21", SA_ERROR_PERMISSION, ERRCODE_INSUFFICIENT_PRIVILEGE,
	 "Query the tables of the schemas that were shown."},
	{"R22", SA_ERROR_PERMISSION, ERRCODE_INSUFFICIENT_PRIVILEGE,
	 "Query permanent tables; use a WITH clause for intermediate results."},
	{"R23", SA_ERROR_PERMISSION, ERRCODE_INSUFFICIENT_PRIVILEGE,
	 "Query other tables, or ask the administrator to switch on "
	 "sqlagent.allow_foreign."},
	{"R24", SA_ERROR_PERMISSION, ERRCODE_INSUFFICIENT_PRIVILEGE,
	 "Answer without this table."},
	{"R25", SA_ERROR_PERMISSION, ERRCODE_INSUFFICIENT_PRIVILEGE,
	 "Name the columns that are needed, without the hidden ones, instead of "
	 "* or the whole row."},
	{"R30", SA_ERROR_TOO_LARGE, ERRCODE_TOO_MANY_COLUMNS,
	 "Select fewer columns."},
	/* built-ins that cannot be interrupted: their arguments are bounded */
	{"R40", SA_ERROR_UNSAFE_FUNCTION, ERRCODE_PROGRAM_LIMIT_EXCEEDED,
	 "Write the size as a small constant."},
	{"R41", SA_ERROR_UNSAFE_FUNCTION, ERRCODE_PROGRAM_LIMIT_EXCEEDED,
	 "Use a short constant or a column as the second operand."},
	{"R42", SA_ERROR_UNSAFE_FUNCTION, ERRCODE_PROGRAM_LIMIT_EXCEEDED,
	 "Use a short constant path without nested predicates."},
	/* the plan */
	{"R50", SA_ERROR_COST, ERRCODE_PROGRAM_LIMIT_EXCEEDED,
	 "Filter by indexed columns, join by keys, or aggregate less."},
};

bool
sa_guard_refuse_text(SaWalk *walk, const char *rule, int location,
					 const char *hint, const char *message)
{
	const char *type = SA_ERROR_OTHER;
	int sqlerrcode = ERRCODE_INSUFFICIENT_PRIVILEGE;

	for (int i = 0; i < (int) lengthof(rules); i++)
	{
		if (strcmp(rules[i].rule, rule) != 0)
			continue;
		type = rules[i].type;
		sqlerrcode = rules[i].sqlerrcode;
		if (hint == NULL)
			hint = rules[i].hint;
	}
	/* what stands in a view is told at the place where the view is named */
	if (walk->author != SA_AUTHOR_MODEL)
		location = walk->place;
	walk->rule = rule;
	walk->error = sa_error_make(type, sqlerrcode,
								psprintf("%s (%s)", message, rule), NULL, hint);
	if (location >= 0 && location <= (int) strlen(walk->sql))
		walk->error->position = pg_mbstrlen_with_len(walk->sql, location) + 1;
	return true;
}
