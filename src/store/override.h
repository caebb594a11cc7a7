/*
 * override.h
 *	  Texts of the prompts that the administrator has changed.
 */
#ifndef SA_OVERRIDE_H
#define SA_OVERRIDE_H

#include "nodes/pg_list.h"

typedef struct SaOverride
{
	char *name;
	char *body;
} SaOverride;

/* All of them, in CurrentMemoryContext. */
extern List *sa_overrides_load(void);

#endif /* SA_OVERRIDE_H */
