/*
 * builtin_value.h
 *	  Values of columns that words may mean: those that statistics told, and
 *	  those that find_values found.
 */
#ifndef SA_BUILTIN_VALUE_H
#define SA_BUILTIN_VALUE_H

#include "llm/builtin_match.h"

typedef struct SaBiValues SaBiValues;

extern SaBiValues *sa_builtin_value_load(const SaBiSchema *schema,
										 List *lookups);

/* The longest words from tokens[at] that are a value: of SaBiCand *. */
extern List *sa_builtin_value_match(const SaBiValues *values,
									SaBiToken *const *tokens, int count, int at,
									int *len);

#endif /* SA_BUILTIN_VALUE_H */
