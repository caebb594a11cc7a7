/*
 * ground_word.h
 *	  Numbers that are written in words.
 */
#ifndef SA_GROUND_WORD_H
#define SA_GROUND_WORD_H

#include "agent/ground_claim.h"

/*
 * A number in English words that begins at the place, which is the beginning of
 * a word of the text; *end behind it.  False for none, and where it may be no
 * number: "one" by itself, "two-thirds".
 */
extern bool sa_word_number(SaClaim *claim, const char *text, const char *at,
						   const char **end);

#endif /* SA_GROUND_WORD_H */
