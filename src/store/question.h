/*
 * question.h
 *	  When two questions are the same, and what a question says in the places
 *	  that a pattern leaves open.
 *
 * A pattern's question may hold placeholders, a name with a type behind it:
 * "Customers of :country text since :year integer".  Without a type it is text.
 */
#ifndef SA_QUESTION_H
#define SA_QUESTION_H

#include "nodes/pg_list.h"

typedef struct SaPlaceholder
{
	char *name;
	const char *type; /* as SQL writes it */
	char *value;	  /* of a question that fits, as it was written */
} SaPlaceholder;

/*
 * The question without case, blanks and punctuation: equal for questions that
 * are the same.  Bounded in length, so that it can be indexed.
 */
extern char *sa_question_key(const char *question);

/* What stands before the first placeholder, likewise; NULL without one. */
extern char *sa_question_prefix(const char *question);

/* All that could be a prefix of a pattern that the question fits: char *. */
extern List *sa_question_prefixes(const char *question);

/* Of a pattern's question: List of SaPlaceholder * without values. */
extern List *sa_question_placeholders(const char *question);

/*
 * Whether the question differs from the pattern only where that has
 * placeholders, and by values of their types; *placeholders then has them.
 */
extern bool sa_question_fits(const char *pattern, const char *question,
							 List **placeholders);

#endif /* SA_QUESTION_H */
