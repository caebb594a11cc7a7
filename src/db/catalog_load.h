/*
 * catalog_load.h
 *	  From the system catalogs into SaCatalog.  For the files catalog*.c and
 *	  imply.c alone.
 */
#ifndef SA_CATALOG_LOAD_H
#define SA_CATALOG_LOAD_H

#include "db/catalog.h"

/* An empty catalog in its own memory context. */
extern SaCatalog *sa_catalog_load_begin(char **schemas, int nschemas);

/* Enums and domains that are not known yet. */
extern void sa_catalog_load_types(SaCatalog *catalog);

/* Read these tables (NULL = all); partitions only when said. */
extern void sa_catalog_load_tables(SaCatalog *catalog, const Oid *oids,
								   int count, bool partitions);

/*
 * Apply the labels to what was loaded: hidden tables and columns go, masked
 * columns are marked.  To be called before keys are read, see load_tables.
 * Gives a hash of all labels there are.
 */
extern uint32 sa_catalog_load_labels(SaCatalog *catalog);

/* Primary and unique keys of these tables (catalog_key.c). */
extern void sa_catalog_load_keys(SaCatalog *catalog, const Oid *oids,
								 int count);

/*
 * Foreign keys are few: always all of them, after the tables.  The other one
 * only notes those of some tables, to compare them with what was there.
 */
extern void sa_catalog_load_foreign_keys(SaCatalog *catalog);
extern void sa_catalog_note_references(SaCatalog *catalog, const Oid *oids,
									   int count);

/* Keys that were stated or rejected (catalog_stated.c), after all others. */
extern void sa_catalog_load_relationships(SaCatalog *catalog);
/* Is it the table that these are in? */
extern bool sa_catalog_is_relationships(Oid relation);

/* Add a key, which both tables know from then on. */
extern void sa_catalog_link(SaCatalog *catalog, SaForeignKey *key);

/* What tells one version of a comment from the next. */
extern uint32 sa_catalog_comment_hash(uint32 xmin, Oid object, int32 sub);

/* Have a table read at the next time (catalog.c). */
extern void sa_catalog_read_again(Oid relation);

/* Forget one table. */
extern void sa_catalog_load_remove(SaCatalog *catalog, SaTable *table);

#endif /* SA_CATALOG_LOAD_H */
