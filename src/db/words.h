/*
 * words.h
 *	  Text into words that can be compared: split at blanks, punctuation, case
 *	  and digits, in lower case, and stemmed by the server's own dictionary.
 *
 * Used by rank and values.  Must be called inside a transaction.
 */
#ifndef SA_WORDS_H
#define SA_WORDS_H

#include "nodes/pg_list.h"

typedef struct SaWord
{
	char *text; /* lower case */
	char *stem; /* or the text itself; NULL for a stop word ("the", "of") */
} SaWord;

/* List of SaWord*, in order, in CurrentMemoryContext. */
extern List *sa_words_split(const char *text);

/* In lower case, by the rules of the database's locale. */
extern char *sa_words_lower(const char *text, int len);

/* Insertions, deletions, swaps and changes between two texts; max + 1 = more. */
extern int sa_words_distance(const char *left, const char *right, int max);

#endif /* SA_WORDS_H */
