/*
 * catalog_stated.c
 *	  Keys that an administrator states or rejects (sqlagent.relationships).
 *
 * Called by catalog.c, after the declared and the implied keys are there.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "utils/lsyscache.h"

#include "base/spi.h"
#include "db/catalog.h"
#include "db/catalog_load.h"
#include "queries/queries.gen.h"

bool
sa_catalog_is_relationships(Oid relation)
{
	Oid schema = get_namespace_oid("sqlagent", true);

	return OidIsValid(schema) &&
		   get_relname_relid("relationships", schema) == relation;
}

/* Numbers of the named columns; NULL when the asker may not see one. */
static int16 *
find_columns(SaCatalog *catalog, const SaTable *table, char **names, int count)
{
	int16 *attnums = MemoryContextAlloc(catalog->keys, sizeof(int16) * count);

	for (int i = 0; i < count; i++)
	{
		const SaCatalogColumn *column = NULL;

		for (int j = 0; j < table->ncolumns; j++)
			if (names[i] && strcmp(table->columns[j].name, names[i]) == 0)
				column = &table->columns[j];
		if (column == NULL)
			return NULL;
		attnums[i] = column->attnum;
	}
	return attnums;
}

static bool
is_same_key(const SaForeignKey *left, const SaForeignKey *right)
{
	Size size = sizeof(int16) * left->ncolumns;

	return left->table == right->table &&
		   left->foreign_table == right->foreign_table &&
		   left->ncolumns == right->ncolumns &&
		   memcmp(left->columns, right->columns, size) == 0 &&
		   memcmp(left->foreign_columns, right->foreign_columns, size) == 0;
}

/* What is known of the same key is replaced, or goes. */
static void
forget_key(SaCatalog *catalog, SaTable *from, SaTable *to,
		   const SaForeignKey *key)
{
	ListCell *cell;

	foreach (cell, from->foreign_keys)
	{
		SaForeignKey *known = lfirst(cell);

		if (!is_same_key(known, key))
			continue;
		from->foreign_keys = list_delete_ptr(from->foreign_keys, known);
		to->foreign_keys = list_delete_ptr(to->foreign_keys, known);
		catalog->foreign_keys = list_delete_ptr(catalog->foreign_keys, known);
		return;
	}
}

void
sa_catalog_load_relationships(SaCatalog *catalog)
{
	int rows = SA_QUERY0(SA_QUERY_CATALOG_RELATIONSHIPS);

	for (int i = 0; i < rows; i++)
	{
		SaTable *from = sa_catalog_table(catalog, sa_row_oid(i, 1));
		SaTable *to = sa_catalog_table(catalog, sa_row_oid(i, 2));
		int nforeign;
		char **foreign_names = sa_row_text_array(i, 4, &nforeign);
		SaForeignKey *key =
			MemoryContextAllocZero(catalog->keys, sizeof(SaForeignKey));
		char **names = sa_row_text_array(i, 3, &key->ncolumns);

		if (from == NULL || to == NULL || !from->listed || !to->listed)
			continue;
		key->table = from->oid;
		key->foreign_table = to->oid;
		key->columns = find_columns(catalog, from, names, key->ncolumns);
		key->foreign_columns =
			find_columns(catalog, to, foreign_names, nforeign);
		if (key->columns == NULL || key->foreign_columns == NULL)
			continue;
		forget_key(catalog, from, to, key);
		if (!sa_row_bool(i, 5))
			sa_catalog_link(catalog, key);
	}
}
