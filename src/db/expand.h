/*
 * expand.h
 *	  From the words of a question to the words that tables have: the same,
 *	  other forms of it, abbreviations, misspellings, parts of longer words.
 *
 * Used by rank alone.
 */
#ifndef SA_EXPAND_H
#define SA_EXPAND_H

#include "db/index.h"

/* More words than this are not looked at. */
#define SA_EXPAND_MAX_WORDS 64

typedef struct SaExpansion
{
	const SaTerm *term;
	double factor; /* 1 = the word itself */
} SaExpansion;

typedef struct SaQueryWord
{
	const char *stem;
	const SaTerm *exact; /* or NULL */
	int count;
	SaExpansion *expansions;
} SaQueryWord;

/* The words of the question that are not stop words, each once. */
extern SaQueryWord *sa_expand_question(SaIndex *index, const char *question,
									   int *count);

#endif /* SA_EXPAND_H */
