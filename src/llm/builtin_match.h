/*
 * builtin_match.h
 *	  The question as a list of items: each a phrase of the language, a name of
 *	  the schema, a value, a number, or words that fit nothing.
 */
#ifndef SA_BUILTIN_MATCH_H
#define SA_BUILTIN_MATCH_H

#include "llm/builtin_schema.h"

/* A table, a column, or a value of a column that words may mean. */
typedef struct SaBiCand
{
	int score;
	SaBiTable *table;
	SaBiColumn *column; /* NULL for a table */
	const char *value;	/* NULL for a table or column */
} SaBiCand;

/* "name" fits a first name so well where there is a last one too. */
#define SCORE_PART_OF_NAME 94

typedef struct SaBiItem
{
	int from; /* tokens [from, to) */
	int to;
	const SaBiToken *token; /* the first */
	const char *text;		/* as written */
	SaBiTag tag;
	const SaBiPhrase *phrase; /* or NULL */
	List *tables;			  /* of SaBiCand *, best first */
	List *columns;
	List *values;
	bool unknown; /* none of all this */
	bool used;	  /* by the parser */
} SaBiItem;

/* What find_values was asked and answered. */
typedef struct SaBiLookup
{
	const char *table;
	const char *column;
	const char *text;
	const SaJson *answer; /* NULL when it failed */
} SaBiLookup;

/* The items of a question. */
extern List *sa_builtin_match_items(const SaBiSchema *schema, List *tokens,
									List *lookups);

/*
 * What find_values should be asked: of SaBiLookup * without answers.  NIL when
 * nothing is unknown, or all was asked already.
 */
extern List *sa_builtin_match_lookups(const SaBiSchema *schema, List *items,
									  List *lookups);

extern int sa_builtin_match_score(const List *cands);

#endif /* SA_BUILTIN_MATCH_H */
