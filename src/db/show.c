/*
 * show.c
 *	  What of the catalog is worth showing, and what may be.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "utils/fmgrprotos.h"

#include "base/text.h"
#include "db/relation.h"
#include "db/show.h"
#include "db/words.h"

/* More values than this are not few; a longer one says little. */
#define MAX_VALUES 24
#define MAX_DISTINCT 60
#define MAX_VALUE_BYTES 60
/* Of numbers, and of what names each row, only a handful is told. */
#define MAX_HANDFUL 12
/* Common values of a column that has others too must cover this share. */
#define MIN_SHARE 0.5
/* Statistics are old when so many rows changed since. */
#define MANY_CHANGES 0.5
#define FEW_CHANGES 1000
/* Names that a hint gives. */
#define MAX_HINTS 3

/* Is this a column whose values stand for kinds of things? */
static bool
has_few_values(const SaTable *table, const SaCatalogColumn *column)
{
	const SaStatistics *stats = column->stats;
	bool number = column->type->category == TYPCATEGORY_NUMERIC;
	bool key = sa_relation_is_unique(table, column->attnum) ||
			   sa_relation_of_column(table, column->attnum);
	double share = stats ? stats->null_fraction : 0;

	if (stats == NULL || stats->ncommon == 0 || column->masked ||
		column->type->category == TYPCATEGORY_DATETIME ||
		(number && (key || stats->distinct >= table->rows)) ||
		stats->distinct < 0 || stats->distinct > MAX_DISTINCT)
		return false;
	if ((number || key || stats->distinct >= table->rows) &&
		(stats->distinct > MAX_HANDFUL || !stats->complete))
		return false;
	for (int i = 0; i < stats->ncommon; i++)
	{
		share += stats->frequency[i];
		if (stats->common[i] == NULL ||
			strlen(stats->common[i]) > MAX_VALUE_BYTES)
			return false;
	}
	return share >= MIN_SHARE;
}

char **
sa_show_values(const SaTable *table, const SaCatalogColumn *column,
			   bool statistics, int *count, bool *complete)
{
	*count = 0;
	*complete = false;
	if (column->masked)
		return NULL;
	if (column->type->nlabels > 0)
	{
		*count = Min(column->type->nlabels, MAX_VALUES);
		*complete = column->type->nlabels <= MAX_VALUES;
		return column->type->labels;
	}
	if (!statistics || !has_few_values(table, column))
		return NULL;
	*count = Min(column->stats->ncommon, MAX_VALUES);
	*complete = column->stats->complete && column->stats->ncommon <= MAX_VALUES;
	return column->stats->common;
}

const char *
sa_show_statistics_state(const SaTable *table)
{
	int64 changes;

	if (table->kind != RELKIND_RELATION && table->kind != RELKIND_MATVIEW &&
		table->kind != RELKIND_PARTITIONED_TABLE)
		return NULL;
	if (table->rows < 0)
		return "not analyzed";
	/* this number is kept by the server and changes without a message */
	changes = DatumGetInt64(DirectFunctionCall1(pg_stat_get_mod_since_analyze,
												ObjectIdGetDatum(table->oid)));
	return changes > table->rows * MANY_CHANGES + FEW_CHANGES ? "old" : NULL;
}

/* Names kept in order of their distance. */
typedef struct Nearest
{
	int count;
	const char *names[MAX_HINTS];
	const SaTable *tables[MAX_HINTS]; /* when they are names of tables */
	int distances[MAX_HINTS];
} Nearest;

static void
offer_name(Nearest *nearest, const char *name, const SaTable *table,
		   const char *wanted)
{
	int max = Min(3, (int) strlen(wanted) / 2);
	char *lower = sa_words_lower(name, strlen(name));
	int distance = strstr(lower, wanted) || strstr(wanted, lower)
					   ? 1
					   : sa_words_distance(lower, wanted, max);
	int place;

	if (distance > max && distance != 1)
		return;
	for (place = nearest->count; place > 0; place--)
		if (nearest->distances[place - 1] <= distance)
			break;
	if (place == MAX_HINTS)
		return;
	if (nearest->count < MAX_HINTS)
		nearest->count++;
	for (int i = nearest->count - 1; i > place; i--)
	{
		nearest->names[i] = nearest->names[i - 1];
		nearest->tables[i] = nearest->tables[i - 1];
		nearest->distances[i] = nearest->distances[i - 1];
	}
	nearest->names[place] = name;
	nearest->tables[place] = table;
	nearest->distances[place] = distance;
}

static char *
hint_of(const Nearest *nearest, const char *otherwise)
{
	StringInfoData hint;

	if (nearest->count == 0)
		return pstrdup(otherwise);
	initStringInfo(&hint);
	appendStringInfoString(&hint, "Perhaps you meant ");
	for (int i = 0; i < nearest->count; i++)
		appendStringInfo(&hint, nearest->tables[i] ? "%s%s" : "%s\"%s\"",
						 i == 0					  ? ""
						 : i < nearest->count - 1 ? ", "
												  : " or ",
						 nearest->names[i]);
	appendStringInfoChar(&hint, '.');
	return hint.data;
}

SaError *
sa_show_no_table(SaCatalog *catalog, const char *name)
{
	const char *last = strrchr(name, '.');
	char *wanted = sa_text_trim(last ? last + 1 : name);
	Nearest nearest = {0};
	HASH_SEQ_STATUS scan;
	SaTable *table;

	wanted = sa_words_lower(wanted, strlen(wanted));
	hash_seq_init(&scan, catalog->tables);
	while ((table = hash_seq_search(&scan)) != NULL)
		if (table->listed && *wanted)
			offer_name(&nearest, table->name, table, wanted);
	for (int i = 0; i < nearest.count; i++)
		nearest.names[i] = sa_catalog_name(nearest.tables[i]);
	return sa_error_make(
		SA_ERROR_UNKNOWN_TABLE, ERRCODE_UNDEFINED_TABLE,
		psprintf("relation \"%s\" does not exist or may not be read",
				 sa_text_clip(name, NAMEDATALEN * 2)),
		NULL,
		hint_of(&nearest, "Search the tables there are by "
						  "introspect_schema with \"search\"."));
}

SaError *
sa_show_no_column(const SaTable *table, const char *name)
{
	Nearest nearest = {0};
	char *wanted = sa_words_lower(name, strlen(name));

	for (int i = 0; i < table->ncolumns && *wanted; i++)
		offer_name(&nearest, table->columns[i].name, NULL, wanted);
	return sa_error_make(
		SA_ERROR_UNKNOWN_COLUMN, ERRCODE_UNDEFINED_COLUMN,
		psprintf("column \"%s\" of relation \"%s\" does not exist or may not "
				 "be read",
				 sa_text_clip(name, NAMEDATALEN * 2), table->name),
		NULL,
		hint_of(&nearest, "Look at the table by introspect_schema with "
						  "\"table_name\"."));
}
