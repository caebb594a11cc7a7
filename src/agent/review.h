/*
 * review.h
 *	  A second opinion on a statement before it runs.
 */
#ifndef SA_REVIEW_H
#define SA_REVIEW_H

#include "agent/run.h"

/*
 * Of a call that would run a statement, what speaks against it: a result that
 * tells the model, in place of the rows.  NULL when nothing does, and for a
 * statement that was reviewed before: the model has the last word.
 */
extern SaToolResult *sa_review_call(SaRunState *run, const SaToolCall *call);

#endif /* SA_REVIEW_H */
