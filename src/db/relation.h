/*
 * relation.h
 *	  How tables belong together: foreign keys, declared and implied, and the
 *	  keys that they refer to.
 *
 * Used by introspect, describe and rank.
 */
#ifndef SA_RELATION_H
#define SA_RELATION_H

#include "db/catalog.h"

/* The declared key by which this column alone refers to another table. */
extern const SaForeignKey *sa_relation_of_column(const SaTable *table,
												 int attnum);

/*
 * Does an implied key hold, as far as statistics know?  True for a declared
 * one.  The details of both tables must be loaded.
 */
extern bool sa_relation_holds(SaCatalog *catalog, const SaForeignKey *key);

/* Load the details of these tables and of those that implied keys lead to. */
extern void sa_relation_load_details(SaCatalog *catalog, List *tables);

/* The primary key, or NULL. */
extern const SaKey *sa_relation_primary_key(const SaTable *table);
extern bool sa_relation_in_primary_key(const SaTable *table, int attnum);

/* Is the column alone a key of its table? */
extern bool sa_relation_is_unique(const SaTable *table, int attnum);

#endif /* SA_RELATION_H */
