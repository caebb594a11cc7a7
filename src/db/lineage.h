/*
 * lineage.h
 *	  From which labelled columns the columns of a result are derived.
 */
#ifndef SA_LINEAGE_H
#define SA_LINEAGE_H

#include "nodes/parsenodes.h"

typedef struct SaMask
{
	bool any;	   /* the statement touches a masked column somewhere */
	int count;	   /* of columns of the result */
	bool *columns; /* whether the values must not reach the model */
} SaMask;

/* Of an analysed query, before it is rewritten. */
extern SaMask *sa_lineage_mask(Query *query);

#endif /* SA_LINEAGE_H */
