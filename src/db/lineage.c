/*
 * lineage.c
 *	  From which labelled columns the columns of a result are derived.
 */
#include "postgres.h"

#include "db/lineage.h"

SaMask *
sa_lineage_mask(Query *query)
{
	return palloc0(sizeof(SaMask));
}
