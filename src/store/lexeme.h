/*
 * lexeme.h
 *	  The words of a search: lexemes, how common each is, and the nearest one
 *	  for a word that is misspelt.
 *
 * Used by search.
 */
#ifndef SA_LEXEME_H
#define SA_LEXEME_H

#include "store/knowledge.h"

typedef struct SaLexeme
{
	char *text;
	double frequency; /* share of the rows that have it; 0 = rare */
} SaLexeme;

/*
 * The lexemes of a text under each text search configuration that knowledge was
 * stored with: List of SaLexeme *.  NIL for a text of stop words.
 */
extern List *sa_lexeme_list(const char *text);

/* Fill in the frequencies in a kind's table and give its number of rows. */
extern double sa_lexeme_weigh(SaKnowledge kind, List *lexemes);

/* "'a' | 'b'" as text of a tsquery. */
extern char *sa_lexeme_query(const List *lexemes, const char *operator);

/*
 * The same lexemes, with the nearest known one in the place of each that the
 * kind's table does not know.  NIL when pg_trgm is not installed or nothing is
 * near.
 */
extern List *sa_lexeme_corrected(SaKnowledge kind, const List *lexemes,
								 const char *asker);

#endif /* SA_LEXEME_H */
