/*
 * ground_name.h
 *	  The proper names in a text, as far as capital letters tell them.
 */
#ifndef SA_GROUND_NAME_H
#define SA_GROUND_NAME_H

#include "nodes/pg_list.h"

/* Claims of the kinds SA_CLAIM_NAME, in order, and SA_CLAIM_QUOTED. */
extern List *sa_names_find(const char *text);

#endif /* SA_GROUND_NAME_H */
