/*
 * sandbox.h
 *	  The room in which a generated statement is analysed, planned and run.
 *
 * Read only, with the asker's rights, in a restricted security context, within
 * limits of time, locks, memory and temporary files, and always rolled back.
 * One statement at a time; between two of them nothing is open.
 */
#ifndef SA_SANDBOX_H
#define SA_SANDBOX_H

#include "port/atomics.h"

/*
 * When the running statement must be over (a TimestampTz), 0 when none runs.
 * Points into shared memory where somebody waits who must not be held by a
 * built-in that cannot be interrupted; set by the worker, NULL elsewhere.
 */
extern pg_atomic_uint64 *sa_sandbox_deadline;

/*
 * When the run that statements belong to is over (a TimestampTz): none runs
 * longer, whatever sqlagent.query_timeout allows.  0 = no such end.
 */
extern int64 sa_sandbox_run_end;

extern bool sa_sandbox_run_is_over(void);

/* Once, at the start of the process: limits and hooks that stay. */
extern void sa_sandbox_init(void);

/* Open the room; no transaction may be open.  The timer runs from here. */
extern void sa_sandbox_begin(void);

/*
 * Lift the memory limit.  Whoever handles an error does this first, since
 * there may be no memory left to copy the error.
 */
extern void sa_sandbox_relax(void);

/*
 * For a tool that the administrator has declared to write: lift read only, and
 * commit what was done in place of rolling it back.
 */
extern void sa_sandbox_allow_writes(void);
extern void sa_sandbox_commit(void);

/* Roll back and put everything back; without error, harmless when not open. */
extern void sa_sandbox_end(void);

extern bool sa_sandbox_is_open(void);

/* Whether the time was up: tells our cancel from that of the asker. */
extern bool sa_sandbox_timed_out(void);

#endif /* SA_SANDBOX_H */
