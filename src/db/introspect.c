/*
 * introspect.c
 *	  The answers of the tool introspect_schema, as JSON.
 *
 * Called by the tools of the agent, and through them by people.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "base/guc.h"
#include "base/spi.h"
#include "base/text.h"
#include "db/catalog.h"
#include "db/introspect.h"
#include "db/query.h"
#include "db/rank.h"
#include "db/relation.h"
#include "db/show.h"

/* A list is not longer than this. */
#define MAX_LISTED 50
/* Nor are the tables that refer to one. */
#define MAX_INCOMING 50
/* A view's definition in bytes, beyond which it is left out. */
#define MAX_DEFINITION 2000
/* A value of a sample in bytes. */
#define MAX_SAMPLE 200

/* ,"key": "value" unless there is none. */
static void
add_text(StringInfo out, const char *key, const char *value)
{
	if (value == NULL)
		return;
	appendStringInfo(out, ", \"%s\": ", key);
	sa_text_json(out, value);
}

static void
add_texts(StringInfo out, char **texts, int count)
{
	appendStringInfoChar(out, '[');
	for (int i = 0; i < count; i++)
	{
		appendStringInfoString(out, i > 0 ? ", " : "");
		sa_text_json(out, texts[i]);
	}
	appendStringInfoChar(out, ']');
}

static void
add_rows(StringInfo out, double rows)
{
	if (rows < 0)
		appendStringInfoString(out, ", \"rows\": null");
	else
		appendStringInfo(out, ", \"rows\": %.0f", rows);
}

char *
sa_introspect_list(const char *search)
{
	SaCatalog *catalog = sa_catalog_open();
	int count;
	SaRanked *ranked =
		sa_rank_tables(catalog, search, NIL, !sa_text_blank(search), &count);
	int shown = Min(count, MAX_LISTED);
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfoString(&out, "{\"tables\": [");
	for (int i = 0; i < shown; i++)
	{
		const SaTable *table = ranked[i].table;

		appendStringInfoString(&out, i > 0 ? ", {\"name\": " : "{\"name\": ");
		sa_text_json(&out, sa_catalog_name(table));
		appendStringInfo(
			&out, ", \"kind\": \"%s\", \"comment\": ", sa_catalog_kind(table));
		sa_text_json(&out, table->comment);
		add_rows(&out, table->rows);
		appendStringInfoChar(&out, '}');
	}
	appendStringInfo(&out, "], \"count\": %d, \"more\": %d}", count,
					 count - shown);
	sa_tx_commit();
	return out.data;
}

static void
add_column_names(StringInfo out, const SaTable *table, const int16 *attnums,
				 int count)
{
	appendStringInfoChar(out, '[');
	for (int i = 0; i < count; i++)
	{
		appendStringInfoString(out, i > 0 ? ", " : "");
		sa_text_json(out, sa_catalog_column(table, attnums[i])->name);
	}
	appendStringInfoChar(out, ']');
}

/* "departments.id" for a column that alone refers to another table. */
static void
add_reference(StringInfo out, SaCatalog *catalog, const SaTable *table,
			  int attnum)
{
	const SaForeignKey *key = sa_relation_of_column(table, attnum);
	const SaTable *other;

	if (key == NULL)
		return;
	other = sa_catalog_table(catalog, key->foreign_table);
	add_text(out, "references",
			 psprintf("%s.%s", sa_catalog_name(other),
					  sa_catalog_column(other, key->foreign_columns[0])->name));
}

static void
add_statistics(StringInfo out, const SaCatalogColumn *column)
{
	const SaStatistics *stats = column->stats;

	if (stats == NULL)
		return;
	if (stats->distinct >= 0)
		appendStringInfo(out, ", \"distinct\": %.0f", stats->distinct);
	appendStringInfo(out, ", \"null_fraction\": %.3g", stats->null_fraction);
	add_text(out, "min", stats->min);
	add_text(out, "max", stats->max);
}

static void
add_values(StringInfo out, const SaTable *table, const SaCatalogColumn *column,
		   bool statistics)
{
	int count;
	bool complete;
	char **values =
		sa_show_values(table, column, statistics, &count, &complete);

	if (count == 0)
		return;
	appendStringInfoString(out, ", \"values\": ");
	add_texts(out, values, count);
	appendStringInfo(out, ", \"values_complete\": %s",
					 complete ? "true" : "false");
}

static void
add_column(StringInfo out, SaCatalog *catalog, const SaTable *table,
		   const SaCatalogColumn *column, bool statistics)
{
	appendStringInfoString(out, "{\"name\": ");
	sa_text_json(out, column->name);
	add_text(out, "type", column->type_name);
	appendStringInfo(out, ", \"nullable\": %s, \"default\": ",
					 column->not_null || column->type->not_null ? "false"
																: "true");
	sa_text_json(out, column->generated ? NULL : column->fallback);
	appendStringInfoString(out, ", \"comment\": ");
	sa_text_json(out, column->comment);
	appendStringInfo(
		out, ", \"primary_key\": %s",
		sa_relation_in_primary_key(table, column->attnum) ? "true" : "false");
	if (column->identity)
		appendStringInfoString(out, ", \"identity\": true");
	if (column->generated)
		add_text(out, "generated", column->fallback);
	add_text(out, "base_type", column->type->base);
	if (column->type->nchecks > 0)
	{
		appendStringInfoString(out, ", \"type_checks\": ");
		add_texts(out, column->type->checks, column->type->nchecks);
	}
	if (column->masked)
		appendStringInfoString(out, ", \"masked\": true");
	add_reference(out, catalog, table, column->attnum);
	add_values(out, table, column, statistics);
	if (statistics)
		add_statistics(out, column);
	appendStringInfoChar(out, '}');
}

static void
add_keys(StringInfo out, const SaTable *table)
{
	appendStringInfoString(out, ", \"keys\": [");
	for (int i = 0; i < table->nkeys; i++)
	{
		const SaKey *key = &table->keys[i];

		appendStringInfo(
			out, "%s{\"kind\": \"%s\", \"columns\": ", i > 0 ? ", " : "",
			key->primary ? "primary key" : "unique");
		add_column_names(out, table, key->columns, key->ncolumns);
		appendStringInfoChar(out, '}');
	}
	appendStringInfoChar(out, ']');
}

static void
add_relationship(StringInfo out, SaCatalog *catalog, const SaTable *table,
				 const SaForeignKey *key, bool outgoing)
{
	const SaTable *other =
		sa_catalog_table(catalog, outgoing ? key->foreign_table : key->table);

	appendStringInfo(out, "{\"direction\": \"%s\", \"columns\": ",
					 outgoing ? "outgoing" : "incoming");
	add_column_names(out, table, outgoing ? key->columns : key->foreign_columns,
					 key->ncolumns);
	add_text(out, "table", sa_catalog_name(other));
	appendStringInfoString(out, ", \"foreign_columns\": ");
	add_column_names(out, other, outgoing ? key->foreign_columns : key->columns,
					 key->ncolumns);
	appendStringInfo(out, ", \"implied\": %s}",
					 key->implied ? "true" : "false");
}

static void
add_relationships(StringInfo out, SaCatalog *catalog, const SaTable *table)
{
	const char *separator = "";
	int incoming = 0;
	ListCell *cell;

	appendStringInfoString(out, ", \"relationships\": [");
	foreach (cell, table->foreign_keys)
	{
		const SaForeignKey *key = lfirst(cell);
		bool outgoing = key->table == table->oid;

		if (!sa_relation_holds(catalog, key))
			continue;
		if (!outgoing && ++incoming > MAX_INCOMING)
			continue;
		appendStringInfoString(out, separator);
		add_relationship(out, catalog, table, key, outgoing);
		separator = ", ";
	}
	appendStringInfoChar(out, ']');
	if (incoming > MAX_INCOMING)
		appendStringInfo(out, ", \"more_relationships\": %d",
						 incoming - MAX_INCOMING);
}

static char *
table_json(SaCatalog *catalog, const SaTable *table, bool statistics)
{
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfoString(&out, "{\"table\": ");
	sa_text_json(&out, sa_catalog_name(table));
	appendStringInfo(
		&out, ", \"kind\": \"%s\", \"description\": ", sa_catalog_kind(table));
	sa_text_json(&out, table->comment);
	add_rows(&out, table->rows);
	add_text(&out, "statistics", sa_show_statistics_state(table));
	appendStringInfoString(&out, ", \"columns\": [");
	for (int i = 0; i < table->ncolumns; i++)
	{
		appendStringInfoString(&out, i > 0 ? ", " : "");
		add_column(&out, catalog, table, &table->columns[i], statistics);
	}
	appendStringInfoChar(&out, ']');
	add_keys(&out, table);
	add_relationships(&out, catalog, table);
	appendStringInfoString(&out, ", \"checks\": ");
	add_texts(&out, table->checks, table->nchecks);
	if (table->definition && strlen(table->definition) <= MAX_DEFINITION)
		add_text(&out, "definition", table->definition);
	return out.data;
}

/* A statement that reads a few rows; masked columns only inside the server. */
static char *
sample_sql(const SaTable *table, bool local)
{
	StringInfoData sql;
	const char *separator = "SELECT ";

	initStringInfo(&sql);
	for (int i = 0; i < table->ncolumns; i++)
	{
		if (table->columns[i].masked && !local)
			continue;
		appendStringInfo(&sql, "%s%s", separator,
						 quote_identifier(table->columns[i].name));
		separator = ", ";
	}
	if (sql.len == 0)
		return NULL;
	appendStringInfo(&sql, " FROM %s LIMIT %d",
					 quote_qualified_identifier(table->schema, table->name),
					 sa_guc_sample_rows);
	return sql.data;
}

static void
add_sample_row(StringInfo out, const SaResult *result, int row, bool local)
{
	appendStringInfoChar(out, '[');
	for (int i = 0; i < result->ncolumns; i++)
	{
		const char *value = result->rows[row][i];

		appendStringInfoString(out, i > 0 ? ", " : "");
		if (value && result->columns[i].masked && !local)
			value = "(masked)";
		sa_text_json(out, value ? sa_text_clip(value, MAX_SAMPLE) : NULL);
	}
	appendStringInfoChar(out, ']');
}

/* Guarded, like what a model writes: a view may be anything. */
static const char *
sample_json(const char *sql, bool local)
{
	SaResult *result = sa_query_run(sql, Max(sa_guc_sample_rows, 1));
	StringInfoData out;

	if (result->error)
		return ", \"sample_data\": null, "
			   "\"sample_error\": \"the rows could not be read\"";
	initStringInfo(&out);
	appendStringInfoString(&out, ", \"sample_data\": {\"columns\": [");
	for (int i = 0; i < result->ncolumns; i++)
	{
		appendStringInfoString(&out, i > 0 ? ", " : "");
		sa_text_json(&out, result->columns[i].name);
	}
	appendStringInfoString(&out, "], \"rows\": [");
	for (int i = 0; i < result->nrows; i++)
	{
		appendStringInfoString(&out, i > 0 ? ", " : "");
		add_sample_row(&out, result, i, local);
	}
	appendStringInfoString(&out, "]}");
	return out.data;
}

char *
sa_introspect_table(const char *name, bool with_sample, bool local,
					SaError **error)
{
	SaCatalog *catalog = sa_catalog_open();
	SaTable *table = sa_catalog_find(catalog, name);
	char *json;
	char *sql = NULL;

	*error = NULL;
	if (table == NULL)
	{
		*error = sa_show_no_table(catalog, name);
		sa_tx_commit();
		return NULL;
	}
	sa_relation_load_details(catalog, list_make1(table));
	json = table_json(catalog, table,
					  local || sa_guc_share >= SA_SHARE_STATISTICS);
	if (with_sample && sa_guc_sample_rows > 0 &&
		(local || sa_guc_share >= SA_SHARE_ROWS))
		sql = sample_sql(table, local);
	sa_tx_commit();
	return psprintf("%s%s}", json, sql ? sample_json(sql, local) : "");
}
