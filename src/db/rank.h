/*
 * rank.h
 *	  Which tables fit a question.
 *
 * Used by introspect and describe.
 */
#ifndef SA_RANK_H
#define SA_RANK_H

#include "db/catalog.h"
#include "db/introspect.h"

typedef struct SaRanked
{
	SaTable *table;
	double own;	  /* by its own words; 0: nothing of it fits */
	double score; /* with the company that it keeps */
} SaRanked;

/*
 * All listed tables, best first; those that fit equally well by name, and those
 * that fit much worse than the best in no order.  With
 * "fitting" only those that fit by their own words, as a search wants them.
 * likely: SaLikely *.
 */
extern SaRanked *sa_rank_tables(SaCatalog *catalog, const char *question,
								const List *likely, bool fitting, int *count);

/* Which columns of a table, by their place in it, the question speaks of. */
extern bool *sa_rank_columns(SaCatalog *catalog, const SaTable *table,
							 const char *question);

#endif /* SA_RANK_H */
