/*
 * mention.h
 *	  Which tables and columns a statement names.
 */
#ifndef SA_MENTION_H
#define SA_MENTION_H

#include "nodes/parsenodes.h"

/*
 * List of SaObject *, in order and without repetition, of an analysed query
 * before it is rewritten: a view is mentioned, what is behind it is not.
 */
extern List *sa_mention_list(Query *query);

#endif /* SA_MENTION_H */
