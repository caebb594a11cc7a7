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
	double score; /* 0: nothing of it fits */
} SaRanked;

/*
 * All listed tables, best first; those that fit equally well by name.
 * *nfitting says how many have a score.
 */
extern SaRanked *sa_rank_tables(SaCatalog *catalog, const char *question,
								int *nfitting);

#endif /* SA_RANK_H */
