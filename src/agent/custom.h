/*
 * custom.h
 *	  Tools that the administrator has registered.
 */
#ifndef SA_CUSTOM_H
#define SA_CUSTOM_H

#include "agent/tool.h"

/* Those that are offered in a kind of run: List of SaToolSpec *. */
extern List *sa_custom_specs(int offer);

/*
 * Call one with arguments as JSON text; NULL when none of the name is offered.
 */
extern SaToolResult *sa_custom_call(const char *name, const char *arguments,
									int offer);

/* Whether there is one of this name that is offered and may write. */
extern bool sa_custom_writes(const char *name, int offer);

/*
 * Raises when a function cannot become a tool, under that name and with these
 * parameters (JSON text).  Needs a transaction.
 */
extern void sa_custom_check(const char *name, Oid function,
							const char *description, const char *parameters);

#endif /* SA_CUSTOM_H */
