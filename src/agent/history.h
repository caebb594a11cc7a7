/*
 * history.h
 *	  What the model is told of the earlier questions of a thread.
 */
#ifndef SA_HISTORY_H
#define SA_HISTORY_H

#include "nodes/pg_list.h"

/*
 * The earlier runs of the thread within sqlagent.thread_tokens, oldest first,
 * or NULL when there are none.  Raises when the asker has no such thread.
 */
extern char *sa_history_text(int64 thread, const char *asker);

/*
 * For the provider inside the server, which reads questions again instead of
 * their statements: of SaMessage *, the answered ones as the user asked them.
 */
extern List *sa_history_questions(int64 thread, const char *asker);

#endif /* SA_HISTORY_H */
