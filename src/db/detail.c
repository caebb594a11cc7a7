/*
 * detail.c
 *	  What is known of a table beyond its columns and keys: defaults, checks,
 *	  statistics, a view's definition.  Read for the tables that a prompt or a
 *	  tool shows, all of them at once, and kept with the catalog.
 *
 * The server opens a table to print an expression of it.  So as not to wait for
 * a lock that the asker's own transaction may hold, a table whose lock is not
 * free goes without these for now.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "storage/lmgr.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#include "base/spi.h"
#include "db/catalog.h"
#include "queries/queries.gen.h"

void
sa_detail_forget(SaTable *table)
{
	if (table->details == NULL)
		return;
	for (int i = 0; i < table->ncolumns; i++)
	{
		table->columns[i].fallback = NULL;
		table->columns[i].stats = NULL;
	}
	table->nchecks = 0;
	table->checks = NULL;
	table->definition = NULL;
	table->analyzed = false;
	MemoryContextDelete(table->details);
	table->details = NULL;
}

static SaTable *
row_table(SaCatalog *catalog, int row)
{
	SaTable *table = sa_catalog_table(catalog, sa_row_oid(row, 1));

	if (table == NULL)
		elog(ERROR, "table %u is not in the catalog", sa_row_oid(row, 1));
	return table;
}

static void
load_defaults(SaCatalog *catalog, const Oid *oids, int count)
{
	int rows =
		SA_QUERY(SA_QUERY_DETAIL_DEFAULTS, sa_arg_oid_array(oids, count));

	for (int i = 0; i < rows; i++)
	{
		SaTable *table = row_table(catalog, i);
		SaCatalogColumn *column = sa_catalog_column(table, sa_row_int4(i, 2));

		if (column && !column->masked)
			column->fallback =
				MemoryContextStrdup(table->details, sa_row_text(i, 3));
	}
}

/*
 * A check that speaks of a column that the asker may not read, or whose values
 * are masked, is left out.
 */
static bool
may_tell_all(const SaTable *table, char **attnums, int count)
{
	for (int i = 0; i < count; i++)
	{
		const SaCatalogColumn *column =
			sa_catalog_column(table, atoi(attnums[i]));

		if (column == NULL || column->masked)
			return false;
	}
	return true;
}

static void
load_checks(SaCatalog *catalog, const Oid *oids, int count)
{
	int rows = SA_QUERY(SA_QUERY_DETAIL_CHECKS, sa_arg_oid_array(oids, count));

	for (int i = 0; i < rows; i++)
	{
		SaTable *table = row_table(catalog, i);
		int ncolumns;
		char **columns = sa_row_text_array(i, 3, &ncolumns);

		if (!may_tell_all(table, columns, ncolumns))
			continue;
		if (table->checks == NULL)
			table->checks = MemoryContextAlloc(table->details, sizeof(char *));
		else
			table->checks =
				repalloc(table->checks, sizeof(char *) * (table->nchecks + 1));
		table->checks[table->nchecks++] =
			MemoryContextStrdup(table->details, sa_row_text(i, 2));
	}
}

/* May the asker read what row says that a view uses? */
static bool
may_read_used(SaCatalog *catalog, int row)
{
	const SaTable *used = sa_catalog_table(catalog, sa_row_oid(row, 2));
	int attnum = sa_row_int4(row, 3);

	return used && (attnum == 0 || sa_catalog_column(used, attnum));
}

/*
 * Print the definitions of views that use nothing that the asker may not read,
 * as far as that needs no waiting for a lock.
 */
static void
load_definitions(SaCatalog *catalog, const Oid *oids, int count)
{
	int rows = SA_QUERY(SA_QUERY_DETAIL_VIEWS, sa_arg_oid_array(oids, count));
	List *busy = NIL;
	List *secret = NIL;
	Oid *ready = palloc(sizeof(Oid) * count);
	int nready = 0;

	for (int i = 0; i < rows; i++)
	{
		if (!may_read_used(catalog, i))
			secret = list_append_unique_oid(secret, sa_row_oid(i, 1));
		else if (!ConditionalLockRelationOid(sa_row_oid(i, 2), AccessShareLock))
			busy = list_append_unique_oid(busy, sa_row_oid(i, 1));
	}
	for (int i = 0; i < count; i++)
	{
		if (list_member_oid(busy, oids[i]))
			continue;
		sa_catalog_table(catalog, oids[i])->incomplete = false;
		if (!list_member_oid(secret, oids[i]))
			ready[nready++] = oids[i];
	}
	rows =
		SA_QUERY(SA_QUERY_DETAIL_DEFINITIONS, sa_arg_oid_array(ready, nready));
	for (int i = 0; i < rows; i++)
		if (!sa_row_isnull(i, 2))
		{
			SaTable *table = row_table(catalog, i);

			table->definition =
				MemoryContextStrdup(table->details, sa_row_text(i, 2));
		}
}

static int
compare_values(char category, const char *left, const char *right)
{
	if (category == TYPCATEGORY_NUMERIC)
	{
		double a = strtod(left, NULL);
		double b = strtod(right, NULL);

		return (a > b) - (a < b);
	}
	return strcmp(left, right);
}

/*
 * The range: of the histogram's bounds and the common values, both of which
 * lack what the other has.  Only numbers, and dates in ISO style, which text
 * order sorts, have one.
 */
static void
find_range(SaStatistics *stats, char category, char **bounds, int nbounds)
{
	if (category != TYPCATEGORY_NUMERIC && category != TYPCATEGORY_DATETIME)
		return;
	if (nbounds == 0 && !stats->complete)
		return;
	stats->min = nbounds > 0 ? bounds[0] : NULL;
	stats->max = nbounds > 0 ? bounds[nbounds - 1] : NULL;
	for (int i = 0; i < stats->ncommon; i++)
	{
		char *value = stats->common[i];

		if (!stats->min || compare_values(category, value, stats->min) < 0)
			stats->min = value;
		if (!stats->max || compare_values(category, value, stats->max) > 0)
			stats->max = value;
	}
}

/*
 * A histogram has a value in each bound.  When there are no more values than
 * bounds, the rare values are all there, and have the rest of the rows.
 */
static void
add_rare_values(SaStatistics *stats, char **bounds, int nbounds, double rest)
{
	if (nbounds == 0 || stats->distinct != stats->ncommon + nbounds)
		return;
	stats->common = stats->common
						? repalloc(stats->common,
								   sizeof(char *) * (stats->ncommon + nbounds))
						: palloc(sizeof(char *) * nbounds);
	stats->frequency =
		repalloc(stats->frequency, sizeof(double) * (stats->ncommon + nbounds));
	for (int i = 0; i < nbounds; i++)
	{
		stats->common[stats->ncommon] = bounds[i];
		stats->frequency[stats->ncommon++] = rest / nbounds;
	}
	stats->complete = true;
}

/* Row of pg_stats into a column. */
static SaStatistics *
read_statistics(const SaTable *table, const SaCatalogColumn *column, int row)
{
	SaStatistics *stats = palloc0(sizeof(SaStatistics));
	char **frequencies;
	int nfrequencies;
	char **bounds;
	int nbounds;
	double distinct = sa_row_float8(row, 5);
	double rest;

	stats->null_fraction = sa_row_float8(row, 4);
	rest = 1 - stats->null_fraction;
	if (distinct >= 0)
		stats->distinct = distinct > 0 ? distinct : -1;
	else
		stats->distinct = table->rows >= 0 ? rint(-distinct * table->rows) : -1;
	stats->common = sa_row_text_array(row, 6, &stats->ncommon);
	frequencies = sa_row_text_array(row, 7, &nfrequencies);
	bounds = sa_row_text_array(row, 8, &nbounds);
	stats->ncommon = Min(stats->ncommon, nfrequencies);
	stats->frequency = palloc(sizeof(double) * Max(stats->ncommon, 1));
	for (int i = 0; i < stats->ncommon; i++)
	{
		stats->frequency[i] = strtod(frequencies[i], NULL);
		rest -= stats->frequency[i];
	}
	/* all rows were looked at: then the list holds every value */
	stats->complete = stats->ncommon > 0 && stats->distinct == stats->ncommon &&
					  rest < 0.0001;
	add_rare_values(stats, bounds, nbounds, rest);
	find_range(stats, column->type->category, bounds, nbounds);
	return stats;
}

static SaTable *
find_named(List *tables, const char *schema, const char *name)
{
	ListCell *cell;

	foreach (cell, tables)
	{
		SaTable *table = lfirst(cell);

		if (strcmp(table->name, name) == 0 &&
			strcmp(table->schema, schema) == 0)
			return table;
	}
	return NULL;
}

static void
load_statistics(List *tables)
{
	int count = list_length(tables);
	char **schemas = palloc(sizeof(char *) * count);
	char **names = palloc(sizeof(char *) * count);
	int nest_level;
	int rows;

	for (int i = 0; i < count; i++)
	{
		const SaTable *table = list_nth(tables, i);

		schemas[i] = table->schema;
		names[i] = table->name;
	}
	/* values are told as a statement can have them in any session */
	nest_level = NewGUCNestLevel();
	(void) set_config_option("datestyle", "ISO, YMD", PGC_USERSET,
							 PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	rows =
		SA_QUERY(SA_QUERY_DETAIL_STATISTICS, sa_arg_text_array(schemas, count),
				 sa_arg_text_array(names, count));
	AtEOXact_GUC(true, nest_level);
	for (int i = 0; i < rows; i++)
	{
		SaTable *table =
			find_named(tables, sa_row_text(i, 1), sa_row_text(i, 2));
		SaCatalogColumn *column;
		MemoryContext caller;

		if (table == NULL)
			continue;
		column = sa_catalog_column_named(table, sa_row_text(i, 3));
		/* those with the children of a table come first */
		if (column == NULL || column->stats || column->masked)
			continue;
		caller = MemoryContextSwitchTo(table->details);
		column->stats = read_statistics(table, column, i);
		table->analyzed = true;
		MemoryContextSwitchTo(caller);
	}
}

static bool
is_view(const SaTable *table)
{
	return table->kind == RELKIND_VIEW || table->kind == RELKIND_MATVIEW;
}

void
sa_detail_load(SaCatalog *catalog, List *tables)
{
	List *missing = NIL;
	Oid *free_oids = palloc(sizeof(Oid) * Max(list_length(tables), 1));
	Oid *views = palloc(sizeof(Oid) * Max(list_length(tables), 1));
	int nfree = 0;
	int nviews = 0;
	ListCell *cell;

	foreach (cell, tables)
	{
		SaTable *table = lfirst(cell);

		if (table->details && !table->incomplete)
			continue;
		sa_detail_forget(table);
		table->incomplete = true;
		table->details = AllocSetContextCreate(
			catalog->context, "sqlagent table", ALLOCSET_SMALL_SIZES);
		missing = lappend(missing, table);
		if (is_view(table))
			views[nviews++] = table->oid;
		else if (ConditionalLockRelationOid(table->oid, AccessShareLock))
			free_oids[nfree++] = table->oid;
	}
	if (missing == NIL)
		return;
	load_statistics(missing);
	if (nfree > 0)
	{
		load_defaults(catalog, free_oids, nfree);
		load_checks(catalog, free_oids, nfree);
		for (int i = 0; i < nfree; i++)
			sa_catalog_table(catalog, free_oids[i])->incomplete = false;
	}
	if (nviews > 0)
		load_definitions(catalog, views, nviews);
}
