/*
 * http_loop.h
 *	  Drives libcurl's multi interface by a wait event set.
 */
#ifndef SA_HTTP_LOOP_H
#define SA_HTTP_LOOP_H

#include <curl/curl.h>

/*
 * Called between two steps of a transfer, outside libcurl; may raise.  False
 * ends the transfer: CURLE_ABORTED_BY_CALLBACK.
 */
typedef bool (*SaHttpTurn)(void *arg);

/* The process's transfer handle, all options at their defaults. */
extern CURL *sa_http_loop_begin(void);

/*
 * Runs the transfer to its end.  At the deadline it gives
 * CURLE_OPERATION_TIMEDOUT.  When it raises, or is left by an error, call
 * sa_http_loop_abandon().
 */
extern CURLcode sa_http_loop_run(int64 deadline, SaHttpTurn turn, void *arg);

/* Have the turn called again at that time at the latest; called from a turn. */
extern void sa_http_loop_wake(int64 at);

/* Drop the transfer that is under way, if any, and its connection. */
extern void sa_http_loop_abandon(void);

/* Close all connections and give back what libcurl holds. */
extern void sa_http_loop_close(void);

#endif /* SA_HTTP_LOOP_H */
