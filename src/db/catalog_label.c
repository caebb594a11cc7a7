/*
 * catalog_label.c
 *	  Applies the labels of SECURITY LABEL FOR sqlagent to the catalog.
 *
 * Called by catalog.c and catalog_load.c.  One query whatever the number of
 * tables; db/label.h answers for a single one.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "common/hashfn.h"

#include "base/spi.h"
#include "db/catalog.h"
#include "db/catalog_load.h"
#include "queries/queries.gen.h"

static void
hide_column(SaTable *table, SaCatalogColumn *column)
{
	int place = column - table->columns;

	memmove(column, column + 1,
			sizeof(SaCatalogColumn) * (table->ncolumns - place - 1));
	table->ncolumns--;
}

static void
apply_label(SaCatalog *catalog, Oid relation, const char *attribute,
			bool masked)
{
	SaTable *table = sa_catalog_table(catalog, relation);

	if (table == NULL)
		return;
	if (attribute == NULL)
	{
		sa_catalog_load_remove(catalog, table);
		return;
	}
	for (int i = 0; i < table->ncolumns; i++)
	{
		SaCatalogColumn *column = &table->columns[i];

		if (strcmp(column->name, attribute) != 0)
			continue;
		if (masked)
			column->masked = true;
		else
			hide_column(table, column);
		return;
	}
}

/* What a materialized view holds of labelled tables has statistics, too. */
static void
mark_derived(SaCatalog *catalog, const Oid *labelled, int count)
{
	int rows =
		SA_QUERY(SA_QUERY_CATALOG_DERIVED, sa_arg_oid_array(labelled, count));

	for (int i = 0; i < rows; i++)
	{
		SaTable *table = sa_catalog_table(catalog, sa_row_oid(i, 1));

		if (table && table->kind == RELKIND_MATVIEW)
			table->derived = true;
	}
}

uint32
sa_catalog_load_labels(SaCatalog *catalog)
{
	int rows = SA_QUERY0(SA_QUERY_CATALOG_LABELS);
	Oid *labelled = palloc(sizeof(Oid) * Max(rows, 1));
	uint32 hash = 0;

	for (int i = 0; i < rows; i++)
	{
		char *attribute = sa_row_text(i, 2);
		bool masked = sa_row_bool(i, 3);

		labelled[i] = sa_row_oid(i, 1);
		hash += hash_combine(
			murmurhash32(labelled[i] + masked),
			attribute ? string_hash(attribute, strlen(attribute) + 1) : 0);
		apply_label(catalog, labelled[i], attribute, masked);
	}
	if (rows > 0)
		mark_derived(catalog, labelled, rows);
	return hash;
}
