/*
 * thread.h
 *	  Threads: conversations, whose runs know of each other.
 */
#ifndef SA_THREAD_H
#define SA_THREAD_H

#include "nodes/pg_list.h"

/* What a later run of the thread may want to know of an earlier one. */
typedef struct SaThreadRun
{
	char *question;
	bool refused;
	char *sql;	   /* or NULL */
	char *columns; /* their names; or NULL */
	bool local;	   /* the provider was inside the server: the model was never
					* told the two below */
	char *words;   /* the model's last reply; or NULL */
	char *rows;	   /* what the model was told of the last statement; or NULL */
} SaThreadRun;

/* In a transaction of its own, since a ROLLBACK of the asker must not lose it. */
extern int64 sa_thread_create(const char *owner, const char *title);

/*
 * The last runs of a thread, the newest first.  Raises when the asker has no
 * such thread.
 */
extern List *sa_thread_load(int64 thread, const char *asker, int limit);

#endif /* SA_THREAD_H */
