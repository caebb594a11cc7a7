/*
 * guard_watch.h
 *	  The second line of the guard: functions are judged again when the server
 *	  is about to call them.
 */
#ifndef SA_GUARD_WATCH_H
#define SA_GUARD_WATCH_H

/* Install the hooks; once, at the start of the process. */
extern void sa_guard_watch_init(void);

/*
 * Functions that the policy refuses to statements but that the walk has met
 * where the model did not choose them: in system views and row policies.
 */
extern void sa_guard_watch_reset(void);
extern void sa_guard_watch_tolerate(Oid function);

/*
 * The function of a tool that is being called: trusted, with all that runs
 * inside it.  InvalidOid ends that.
 */
extern void sa_guard_watch_trust(Oid function);

/* The rule by which a call was refused since the last reset, or NULL. */
extern const char *sa_guard_watch_rule(void);

#endif /* SA_GUARD_WATCH_H */
