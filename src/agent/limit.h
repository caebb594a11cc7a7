/*
 * limit.h
 *	  The limits of a run, and the answer at one of them.
 */
#ifndef SA_LIMIT_H
#define SA_LIMIT_H

#include "datatype/timestamp.h"

#include "agent/run.h"

/* The name of the setting whose limit lets the model go no further, or NULL. */
extern const char *sa_limit_reached(const SaRunState *run);

/* Whether that many more model calls are within tokens and time. */
extern bool sa_limit_allows(const SaRunState *run, int calls);

/* The run is cut short by this limit: kept for the report, and warned of. */
extern void sa_limit_note(SaRunState *run, const char *setting);

/*
 * Answer from the rows of the last statement, with no model.  False when there
 * are none, or when the caller wants something else than rows.
 */
extern bool sa_limit_answer(SaRunState *run);

/* Raise the error of the limit that was noted. */
extern void sa_limit_raise(const SaRunState *run);

/* A run that failed since its time was over is answered, if it can be. */
extern void sa_limit_rescue(SaRunState *run);

/* The end of the time in which models are called and statements run. */
extern TimestampTz sa_limit_deadline(void);

#endif /* SA_LIMIT_H */
