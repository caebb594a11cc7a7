/*
 * learning.h
 *	  Learnings: what was found out about the data.
 *
 * Needs an open SA_TX_OWNER transaction.
 */
#ifndef SA_LEARNING_H
#define SA_LEARNING_H

#include "base/error.h"
#include "store/knowledge.h"

typedef struct SaLearningText
{
	const char *title;
	const char *description;
	const char *category;
	const char *sql;		 /* or NULL */
	const char *failing_sql; /* or NULL */
	const char *sqlstate;	 /* or NULL */
	const char *key;		 /* by which a repetition is known; NULL = title */
} SaLearningText;

/* What is wrong with it, or NULL. */
extern SaError *sa_learning_problem(const SaLearningText *text);

/*
 * Propose one that speaks of these objects, and give its id.  One of the same
 * key that the asker proposed before, or that people have decided about, is
 * counted instead; *known is true then.
 */
extern int64 sa_learning_propose(const SaLearningText *text,
								 const SaOrigin *origin, const List *objects,
								 bool *known);

/* The category that fits an error, by its SQLSTATE. */
extern const char *sa_learning_category(const char *sqlstate);

#endif /* SA_LEARNING_H */
