/*
 * advise.h
 *	  The classic mistakes in a statement, as far as its tree tells them.
 *
 * Advice, not a verdict: each may be what was meant.
 */
#ifndef SA_ADVISE_H
#define SA_ADVISE_H

#include "nodes/parsenodes.h"

/* What to look at again in an analysed statement: List of char *. */
extern List *sa_advise(Query *query);

/* For advise.c: what the joins of one query level do to its sums. */
extern List *sa_advise_joins(const Query *query);

/* For advise.c: comparisons and casts, see advise_value.c. */
extern List *sa_advise_comparison(const Query *query, const OpExpr *op);
extern List *sa_advise_cast(const FuncExpr *cast);

#endif /* SA_ADVISE_H */
