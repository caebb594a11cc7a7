/*
 * lineage.h
 *	  From which labelled columns the columns of a result are derived.
 */
#ifndef SA_LINEAGE_H
#define SA_LINEAGE_H

#include "nodes/parsenodes.h"

#include "db/label.h"

typedef struct SaMask
{
	int count;	   /* of columns of the result */
	bool *columns; /* whether the values must not reach the model */
} SaMask;

/* Of an analysed query, before it is rewritten. */
extern SaMask *sa_lineage_mask(Query *query);

/* Of a column of a view, materialized or not; 0 is the whole row. */
extern SaLabel sa_lineage_view_column(Oid view, AttrNumber number);

#endif /* SA_LINEAGE_H */
