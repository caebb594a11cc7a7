/*
 * catalog_key.c
 *	  Keys of the tables of the catalog: primary, unique and foreign ones, as
 *	  far as the asker may read all of their columns.
 *
 * Called by catalog.c and catalog_load.c inside an SA_TX_ASKER transaction.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "utils/memutils.h"

#include "base/spi.h"
#include "db/catalog.h"
#include "db/catalog_load.h"
#include "queries/queries.gen.h"

/* Attnums from the text of an int2[]; NULL when one of them may not be read. */
static int16 *
read_attnums(MemoryContext context, const SaTable *table, int row, int field,
			 int *count)
{
	int given;
	char **texts = sa_row_text_array(row, field, &given);
	int16 *attnums;

	if (*count == 0 || *count > given)
		*count = given;
	attnums = MemoryContextAlloc(context, sizeof(int16) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
	{
		attnums[i] = (int16) atoi(texts[i]);
		if (sa_catalog_column(table, attnums[i]) == NULL)
		{
			pfree(attnums);
			return NULL;
		}
	}
	return attnums;
}

void
sa_catalog_load_keys(SaCatalog *catalog, const Oid *oids, int count)
{
	int rows = SA_QUERY(SA_QUERY_CATALOG_KEYS, sa_arg_oid_array(oids, count));

	for (int i = 0; i < rows; i++)
	{
		Oid oid = sa_row_oid(i, 1);
		SaTable *table = hash_search(catalog->tables, &oid, HASH_FIND, NULL);
		SaKey key = {.primary = sa_row_bool(i, 2),
					 .ncolumns = sa_row_int4(i, 4)};

		if (table == NULL)
			continue;
		key.columns =
			read_attnums(catalog->context, table, i, 3, &key.ncolumns);
		if (key.columns == NULL)
			continue;
		if (table->keys == NULL)
			table->keys = MemoryContextAlloc(catalog->context, sizeof(SaKey));
		else
			table->keys =
				repalloc(table->keys, sizeof(SaKey) * (table->nkeys + 1));
		table->keys[table->nkeys++] = key;
	}
}

void
sa_catalog_link(SaCatalog *catalog, SaForeignKey *key)
{
	MemoryContext caller = MemoryContextSwitchTo(catalog->keys);
	SaTable *from = hash_search(catalog->tables, &key->table, HASH_FIND, NULL);
	SaTable *to =
		hash_search(catalog->tables, &key->foreign_table, HASH_FIND, NULL);

	from->foreign_keys = lappend(from->foreign_keys, key);
	if (to != from)
		to->foreign_keys = lappend(to->foreign_keys, key);
	catalog->foreign_keys = lappend(catalog->foreign_keys, key);
	MemoryContextSwitchTo(caller);
}

/* Note a row of declared keys, to see whether it is there again. */
static void
note_reference(SaTable *from, int row)
{
	from->reference =
		hash_combine(from->reference, murmurhash32(sa_row_oid(row, 2)));
	for (int field = 3; field <= 4; field++)
	{
		int count;
		char **attnums = sa_row_text_array(row, field, &count);

		for (int i = 0; i < count; i++)
			from->reference = hash_combine(from->reference, atoi(attnums[i]));
	}
}

void
sa_catalog_note_references(SaCatalog *catalog, const Oid *oids, int count)
{
	int rows =
		SA_QUERY(SA_QUERY_CATALOG_FOREIGN_KEYS, sa_arg_oid_array(oids, count));

	for (int i = 0; i < rows; i++)
	{
		SaTable *from = sa_catalog_table(catalog, sa_row_oid(i, 1));

		if (from)
			note_reference(from, i);
	}
}

void
sa_catalog_load_foreign_keys(SaCatalog *catalog)
{
	int rows =
		SA_QUERY(SA_QUERY_CATALOG_FOREIGN_KEYS, sa_arg_null(OIDARRAYOID));
	HASH_SEQ_STATUS scan;
	SaTable *table;

	hash_seq_init(&scan, catalog->tables);
	while ((table = hash_seq_search(&scan)) != NULL)
	{
		table->foreign_keys = NIL;
		table->reference = 0;
	}
	catalog->foreign_keys = NIL;
	if (catalog->keys)
		MemoryContextReset(catalog->keys);
	else
		catalog->keys = AllocSetContextCreate(
			catalog->context, "sqlagent catalog keys", ALLOCSET_DEFAULT_SIZES);
	for (int i = 0; i < rows; i++)
	{
		Oid from_oid = sa_row_oid(i, 1);
		Oid to_oid = sa_row_oid(i, 2);
		SaTable *from =
			hash_search(catalog->tables, &from_oid, HASH_FIND, NULL);
		SaTable *to = hash_search(catalog->tables, &to_oid, HASH_FIND, NULL);
		SaForeignKey *key;

		if (from)
			note_reference(from, i);
		/* partitions come and go, and their parents have the keys */
		if (from == NULL || to == NULL || !from->listed || !to->listed)
			continue;
		key = MemoryContextAllocZero(catalog->keys, sizeof(SaForeignKey));
		key->table = from_oid;
		key->foreign_table = to_oid;
		key->columns = read_attnums(catalog->keys, from, i, 3, &key->ncolumns);
		key->foreign_columns =
			read_attnums(catalog->keys, to, i, 4, &key->ncolumns);
		if (key->columns == NULL || key->foreign_columns == NULL)
			continue;
		sa_catalog_link(catalog, key);
	}
}
