/*
 * wait.h
 *	  What the worker does while it waits: names of wait events, and a look at
 *	  whether anybody still waits for the answer.
 */
#ifndef SA_WAIT_H
#define SA_WAIT_H

/* Wait events, shown in pg_stat_activity as Extension / name (17 and later). */
extern uint32 sa_wait_event_http(void);	  /* for a model's reply */
extern uint32 sa_wait_event_worker(void); /* an asker, for its worker */
extern uint32 sa_wait_event_idle(void);	  /* a worker, for the next question */

/*
 * Called by every loop that waits or can be long, instead of
 * CHECK_FOR_INTERRUPTS() alone: also ends the process quietly when the asker
 * is gone.  The hook is set by worker/main and NULL elsewhere.
 */
extern void (*sa_wait_hook)(void);
extern void sa_wait_check(void);

#endif /* SA_WAIT_H */
