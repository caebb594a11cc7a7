/*
 * notes.h
 *	  Assumptions and follow-up questions that a model adds to its answer.
 */
#ifndef SA_NOTES_H
#define SA_NOTES_H

#include "agent/run.h"

/* Whether the model is asked for them in this run. */
extern bool sa_notes_wanted(const SaTask *task);

/* Move the lines that hold them from the answer to the run's lists. */
extern void sa_notes_take(SaRunState *run);

#endif /* SA_NOTES_H */
