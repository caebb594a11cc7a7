/*
 * verb.h
 *	  The verbs: what kind of run each is, and what its caller gets.
 */
#ifndef SA_VERB_H
#define SA_VERB_H

#include "agent/loop.h"

typedef enum SaVerbGives
{
	SA_GIVES_TEXT,	 /* the answer in words */
	SA_GIVES_REPORT, /* also of a run that failed */
	SA_GIVES_ROWS,	 /* of the answering statement */
	SA_GIVES_SQL	 /* a statement, which is checked and not run */
} SaVerbGives;

typedef struct SaVerbInfo
{
	const char *name;
	SaVerbGives gives;
	int offer; /* SA_OFFER_*; 0 = no tools */
} SaVerbInfo;

extern const SaVerbInfo *sa_verb_info(SaVerb verb);

/* The verb of a name; elog for none. */
extern SaVerb sa_verb_find(const char *name);

/* Whether its answer is a statement, which is checked and not run. */
extern bool sa_verb_writes_sql(SaVerb verb);

/*
 * What the caller of the run's verb gets of its answer, and is warned of;
 * raises when that is nothing.
 */
extern char *sa_verb_give(const SaAnswer *answer);

/*
 * What is said to the model in the question's place: of explain_sql and fix_sql
 * the statement with what the server says about it.  NULL when the server has
 * said it all, with *answer set then.  Raises for a statement that the guard
 * refuses to have explained, and where no model can be asked.
 */
extern char *sa_verb_question(const SaTask *task, char **answer);

#endif /* SA_VERB_H */
