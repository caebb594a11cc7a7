/*
 * guard_call.h
 *	  A call of a function or operator, as guard_size and guard_cost see it.
 */
#ifndef SA_GUARD_CALL_H
#define SA_GUARD_CALL_H

#include "db/guard_walk.h"

typedef struct SaCall
{
	Oid function;
	const char *name;
	Oid type; /* of its result */
	List *arguments;
	Node *node;
} SaCall;

/* The argument at its place in the function, also when it was named. */
extern Node *sa_guard_call_argument(const SaCall *call, int index);

/* R41: the entry of a function in the table of costs; -1 when there is none. */
extern int sa_guard_cost_find(const char *name);
/* Whether a call of such a function takes too long. */
extern bool sa_guard_cost_check(SaWalk *walk, const SaCall *call, int entry);

#endif /* SA_GUARD_CALL_H */
