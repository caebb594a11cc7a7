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
#include "storage/lmgr.h"

#include "base/spi.h"
#include "db/catalog.h"
#include "db/catalog_load.h"
#include "db/label.h"
#include "queries/queries.gen.h"

/*
 * A table that had keys already lost a column or went: all has to be read
 * again, which a hash that no labels have brings about.
 */
static uint32 disturbed;

static void
note_disturbance(const SaTable *table)
{
	if (table->shape != 0)
		disturbed++;
}

static void
hide_column(SaTable *table, SaCatalogColumn *column)
{
	int place = column - table->columns;

	note_disturbance(table);

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
		note_disturbance(table);
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

/*
 * Of a view that reads a labelled table, db/lineage.h knows which columns are
 * concerned.  It opens the view: one whose lock is not free is left out until
 * it is.
 */
static void
apply_to_view(SaCatalog *catalog, SaTable *view)
{
	if (!ConditionalLockRelationOid(view->oid, AccessShareLock))
	{
		note_disturbance(view);
		sa_catalog_read_again(view->oid);
		sa_catalog_load_remove(catalog, view);
		return;
	}
	for (int i = view->ncolumns - 1; i >= 0; i--)
	{
		SaCatalogColumn *column = &view->columns[i];
		SaLabel label = sa_label_column(view->oid, column->attnum);

		if (label == SA_LABEL_MASKED)
			column->masked = true;
		else if (label == SA_LABEL_HIDDEN)
			hide_column(view, column);
	}
	if (view->ncolumns > 0)
		return;
	note_disturbance(view);
	sa_catalog_load_remove(catalog, view);
}

static void
apply_to_views(SaCatalog *catalog, const Oid *labelled, int count)
{
	int rows =
		SA_QUERY(SA_QUERY_CATALOG_DERIVED, sa_arg_oid_array(labelled, count));
	Oid *derived = palloc(sizeof(Oid) * Max(rows, 1));

	for (int i = 0; i < rows; i++)
		derived[i] = sa_row_oid(i, 1);
	for (int i = 0; i < rows; i++)
	{
		SaTable *table = sa_catalog_table(catalog, derived[i]);

		if (table &&
			(table->kind == RELKIND_VIEW || table->kind == RELKIND_MATVIEW))
			apply_to_view(catalog, table);
	}
}

uint32
sa_catalog_load_labels(SaCatalog *catalog)
{
	int rows = SA_QUERY0(SA_QUERY_CATALOG_LABELS);
	Oid *labelled = palloc(sizeof(Oid) * Max(rows, 1));
	uint32 hash = 0;

	disturbed = 0;
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
		apply_to_views(catalog, labelled, rows);
	return hash + disturbed;
}
