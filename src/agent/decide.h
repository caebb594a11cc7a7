/*
 * decide.h
 *	  approve() and reject(): a person decides on a statement that waits.
 */
#ifndef SA_DECIDE_H
#define SA_DECIDE_H

#include "agent/loop.h"

typedef struct SaDecision
{
	int64 run;
	bool approved;
	const char *sql;	/* in the statement's place; or NULL */
	const char *reason; /* of a rejection; or NULL */
	const char *role;	/* that decides */
} SaDecision;

/*
 * Record the decision and, when the asker is here, go on with the run: its
 * answer, which may be that it waits again.
 */
extern char *sa_decide(const SaDecision *decision, const SaSink *sink);

#endif /* SA_DECIDE_H */
