/*
 * match.h
 *	  How near a value is to a text that somebody typed.
 *
 * Used by values and literal.
 */
#ifndef SA_MATCH_H
#define SA_MATCH_H

/* Nearest first. */
typedef enum SaMatchKind
{
	SA_MATCH_EXACT,
	SA_MATCH_CASE,	 /* but for case and blanks at the ends */
	SA_MATCH_ACCENT, /* but for accents, punctuation and blanks */
	SA_MATCH_PREFIX,
	SA_MATCH_SIMILAR, /* misspelt, or an abbreviation */
	SA_MATCH_CONTAINS,
	SA_MATCH_NONE
} SaMatchKind;

typedef struct SaPattern SaPattern;

/* The text in the forms that are compared; in CurrentMemoryContext. */
extern SaPattern *sa_match_prepare(const char *text);

/* *distance orders values of the same kind: 0 is nearest. */
extern SaMatchKind sa_match_value(const SaPattern *pattern, const char *value,
								  double *distance);

extern const char *sa_match_name(SaMatchKind kind);

#endif /* SA_MATCH_H */
