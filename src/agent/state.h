/*
 * state.h
 *	  A run as text, for the time that it waits for a person.
 */
#ifndef SA_STATE_H
#define SA_STATE_H

#include "agent/run.h"

/* JSON text of all that is needed to go on: messages, usage, errors, flags. */
extern char *sa_state_write(const SaRunState *run);

/*
 * Put it back into a run whose task, record and request are new; the verb and
 * args of the task are set.  Raises when the text is none of ours.
 */
extern void sa_state_read(SaRunState *run, SaTask *task, const char *state);

#endif /* SA_STATE_H */
