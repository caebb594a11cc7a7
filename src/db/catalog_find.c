/*
 * catalog_find.c
 *	  How a table or column is found in the catalog, and how a table is named.
 *
 * Used by all who read the catalog.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/varlena.h"

#include "db/catalog.h"
#include "db/catalog_load.h"

SaTable *
sa_catalog_table(SaCatalog *catalog, Oid oid)
{
	return hash_search(catalog->tables, &oid, HASH_FIND, NULL);
}

/* The only table of this name; case is looked at when exact. */
static SaTable *
find_by_name(SaCatalog *catalog, const char *schema, const char *name,
			 bool exact)
{
	int (*compare)(const char *, const char *) = exact ? strcmp : pg_strcasecmp;
	HASH_SEQ_STATUS scan;
	SaTable *table;
	SaTable *only = NULL;

	hash_seq_init(&scan, catalog->tables);
	while ((table = hash_seq_search(&scan)) != NULL)
	{
		if (compare(table->name, name) != 0 ||
			(schema && compare(table->schema, schema) != 0))
			continue;
		if (only)
		{
			hash_seq_term(&scan);
			return NULL;
		}
		only = table;
	}
	return only;
}

/* A partition is not in the catalog before somebody asks for it. */
static SaTable *
find_partition(SaCatalog *catalog, const char *schema, const char *name)
{
	Oid oid = InvalidOid;

	if (schema == NULL)
		oid = RelnameGetRelid(name);
	for (int i = 0; schema && i < catalog->nschemas; i++)
		if (strcmp(catalog->schema_names[i], schema) == 0)
			oid = get_relname_relid(name, catalog->schemas[i]);
	if (!OidIsValid(oid) || sa_catalog_table(catalog, oid))
		return NULL;
	sa_catalog_load_tables(catalog, &oid, 1, true);
	return sa_catalog_table(catalog, oid);
}

SaTable *
sa_catalog_find(SaCatalog *catalog, const char *name)
{
	List *parts;
	const char *schema = NULL;
	const char *relation;
	SaTable *table = NULL;

	/* what is no identifier may be one that lost its quotes */
	if (!SplitIdentifierString(pstrdup(name), '.', &parts) || parts == NIL)
		parts = list_make1(pstrdup(name));
	relation = llast(parts);
	if (list_length(parts) > 1)
		schema = list_nth(parts, list_length(parts) - 2);
	else
	{
		Oid oid = RelnameGetRelid(relation);

		if (OidIsValid(oid))
			table = sa_catalog_table(catalog, oid);
	}
	if (table == NULL)
		table = find_by_name(catalog, schema, relation, true);
	if (table == NULL)
		table = find_partition(catalog, schema, relation);
	/* a name that was copied without its quotes */
	if (table == NULL)
		table = find_by_name(catalog, schema, relation, false);
	return table;
}

char *
sa_catalog_name(const SaTable *table)
{
	return quote_qualified_identifier(
		RelationIsVisible(table->oid) ? NULL : table->schema, table->name);
}

const char *
sa_catalog_kind(const SaTable *table)
{
	static const struct
	{
		char kind;
		const char *name;
	} kinds[] = {{RELKIND_RELATION, "table"},
				 {RELKIND_VIEW, "view"},
				 {RELKIND_MATVIEW, "materialized view"},
				 {RELKIND_PARTITIONED_TABLE, "partitioned table"},
				 {RELKIND_FOREIGN_TABLE, "foreign table"}};

	for (int i = 0; i < lengthof(kinds); i++)
		if (kinds[i].kind == table->kind)
			return kinds[i].name;
	return "table";
}

SaCatalogColumn *
sa_catalog_column(const SaTable *table, int attnum)
{
	int low = 0;
	int high = table->ncolumns - 1;

	while (low <= high)
	{
		int middle = (low + high) / 2;

		if (table->columns[middle].attnum == attnum)
			return &table->columns[middle];
		if (table->columns[middle].attnum < attnum)
			low = middle + 1;
		else
			high = middle - 1;
	}
	return NULL;
}

SaCatalogColumn *
sa_catalog_column_named(const SaTable *table, const char *name)
{
	for (int i = 0; i < table->ncolumns; i++)
		if (strcmp(table->columns[i].name, name) == 0)
			return &table->columns[i];
	for (int i = 0; i < table->ncolumns; i++)
		if (pg_strcasecmp(table->columns[i].name, name) == 0)
			return &table->columns[i];
	return NULL;
}
