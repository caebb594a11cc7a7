/*
 * relation.c
 *	  How tables belong together.
 */
#include "postgres.h"

#include "catalog/pg_type.h"

#include "db/relation.h"

/* A column that is unique but for the error of the estimate. */
#define MIN_UNIQUE 0.95
/* Tables that are looked at closely at once. */
#define MAX_DETAILED 200

const SaForeignKey *
sa_relation_of_column(const SaTable *table, int attnum)
{
	ListCell *cell;

	foreach (cell, table->foreign_keys)
	{
		const SaForeignKey *key = lfirst(cell);

		if (key->table == table->oid && key->ncolumns == 1 &&
			key->columns[0] == attnum && !key->implied)
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

/* What is larger, as far as the text of two values tells. */
static int
compare_bounds(char category, const char *left, const char *right)
{
	double a;
	double b;

	if (category != TYPCATEGORY_NUMERIC)
		return strcmp(left, right);
	a = strtod(left, NULL);
	b = strtod(right, NULL);
	return (a > b) - (a < b);
}

/* Are all values that are known of one within the range of the other? */
static bool
is_within(const SaCatalogColumn *inner, const SaCatalogColumn *outer)
{
	const SaStatistics *in = inner->stats;
	const SaStatistics *out = outer->stats;

	if (in == NULL || out == NULL || !in->min || !out->min)
		return true;
	return compare_bounds(outer->type->category, in->min, out->min) >= 0 &&
		   compare_bounds(outer->type->category, in->max, out->max) <= 0;
}

static bool
has_value(const SaStatistics *stats, const char *value)
{
	for (int i = 0; i < stats->ncommon; i++)
		if (stats->common[i] && strcmp(stats->common[i], value) == 0)
			return true;
	return false;
}

/* Does the other list, which is complete, have the commonest values? */
static bool
has_values_of(const SaStatistics *outer, const SaStatistics *inner)
{
	if (inner == NULL || outer == NULL || !outer->complete)
		return true;
	for (int i = 0; i < Min(inner->ncommon, 3); i++)
		if (inner->common[i] && !has_value(outer, inner->common[i]))
			return false;
	return true;
}

bool
sa_relation_holds(SaCatalog *catalog, const SaForeignKey *key)
{
	const SaTable *from = sa_catalog_table(catalog, key->table);
	const SaTable *to = sa_catalog_table(catalog, key->foreign_table);
	const SaCatalogColumn *column;
	const SaCatalogColumn *other;

	if (!key->implied)
		return true;
	column = sa_catalog_column(from, key->columns[0]);
	other = sa_catalog_column(to, key->foreign_columns[0]);
	if (key->presumed && (other->stats == NULL || to->rows <= 0 ||
						  other->stats->distinct < to->rows * MIN_UNIQUE))
		return false;
	return is_within(column, other) &&
		   has_values_of(other->stats, column->stats);
}

void
sa_relation_load_details(SaCatalog *catalog, List *tables)
{
	List *all = list_copy(tables);
	ListCell *cell;

	foreach (cell, tables)
	{
		const SaTable *table = lfirst(cell);
		ListCell *key_cell;

		foreach (key_cell, table->foreign_keys)
		{
			const SaForeignKey *key = lfirst(key_cell);
			Oid other =
				key->table == table->oid ? key->foreign_table : key->table;

			if (key->implied && list_length(all) < MAX_DETAILED)
				all = list_append_unique_ptr(all,
											 sa_catalog_table(catalog, other));
		}
	}
	sa_detail_load(catalog, all);
}
