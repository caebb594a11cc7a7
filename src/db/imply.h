/*
 * imply.h
 *	  Foreign keys that nobody declared, by the names and types of columns.
 *
 * For catalog.c.  Whether statistics agree is for sa_relation_holds().
 */
#ifndef SA_IMPLY_H
#define SA_IMPLY_H

#include "db/catalog.h"

/* Add them to the catalog, after the declared ones were read. */
extern void sa_imply_keys(SaCatalog *catalog);

#endif /* SA_IMPLY_H */
