/*
 * literal.h
 *	  When a statement finds nothing: which of the words that it compares
 *	  columns with do not occur there, and the nearest that do.
 *
 * The guard collects the words from the analysed tree; the agent asks for the
 * notes when the result is empty.
 */
#ifndef SA_LITERAL_H
#define SA_LITERAL_H

#include "access/attnum.h"
#include "nodes/parsenodes.h"

#include "db/result.h"

/* A column that is compared with a word: column = 'text'. */
typedef struct SaLiteral
{
	Oid relation;
	AttrNumber column;
	bool folded; /* lower(column), ILIKE: case does not matter */
	char *text;
} SaLiteral;

/*
 * Of an analysed query, before it is rewritten: List of SaLiteral for each
 * column = 'literal', IN, and LIKE without wildcards that has to hold.
 */
extern List *sa_literal_collect(Query *query);

/* A copy of such a list in the current context. */
extern List *sa_literal_copy(const List *literals);

/* Is it a result without rows, or one of nothing but zeros and NULLs? */
extern bool sa_literal_is_empty(const SaResult *result);

/*
 * What the words of an empty result miss, one line each: "customers.country
 * has no 'usa'; near it: 'USA'".  NULL when there is nothing to say.  Values
 * are told only to a reader inside the server or as sqlagent.share and the
 * labels allow.  No transaction may be open.
 */
extern char *sa_literal_check(const SaResult *result, bool local);

/*
 * The same for the model, as data that is marked as such, after what
 * sa_result_for_model() wrote.  Adds nothing when there is nothing to say.
 */
extern void sa_literal_for_model(StringInfo out, const SaResult *result);

#endif /* SA_LITERAL_H */
