/*
 * relation.c
 *	  How tables belong together.
 */
#include "postgres.h"

#include "db/relation.h"

const SaForeignKey *
sa_relation_of_column(const SaTable *table, int attnum)
{
	ListCell *cell;

	foreach (cell, table->foreign_keys)
	{
		const SaForeignKey *key = lfirst(cell);

		if (key->table == table->oid && key->ncolumns == 1 &&
			key->columns[0] == attnum)
			return key;
	}
	return NULL;
}

const SaKey *
sa_relation_primary_key(const SaTable *table)
{
	return table->nkeys > 0 && table->keys[0].primary ? &table->keys[0] : NULL;
}

bool
sa_relation_in_primary_key(const SaTable *table, int attnum)
{
	const SaKey *key = sa_relation_primary_key(table);

	for (int i = 0; key && i < key->ncolumns; i++)
		if (key->columns[i] == attnum)
			return true;
	return false;
}

bool
sa_relation_is_unique(const SaTable *table, int attnum)
{
	for (int i = 0; i < table->nkeys; i++)
		if (table->keys[i].ncolumns == 1 && table->keys[i].columns[0] == attnum)
			return true;
	return false;
}
