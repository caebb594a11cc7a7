/*
 * rank.h
 *	  Which tables fit a question.
 *
 * Used by introspect and describe.
 */
#ifndef SA_RANK_H
#define SA_RANK_H

#include "db/catalog.h"

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
 */
extern SaRanked *sa_rank_tables(SaCatalog *catalog, const char *question,
								bool fitting, int *count);

#endif /* SA_RANK_H */
