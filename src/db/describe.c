/*
 * describe.c
 *	  The schema text of a prompt: the tables that fit the question in a form
 *	  like DDL, with what comments and statistics know; of a wide one the columns
 *	  that matter; the next ones as one line; the rest counted.
 *
 * Called by agent/prompt.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"

#include "base/guc.h"
#include "base/spi.h"
#include "base/text.h"
#include "db/catalog.h"
#include "db/introspect.h"
#include "db/rank.h"
#include "db/relation.h"
#include "db/show.h"

/* Bytes of a comment, a check, an expression, a view's definition. */
#define MAX_COMMENT 300
#define MAX_EXPRESSION 120
#define MAX_DEFINITION 400
/* Of a table that is told on one line: its columns, its comment. */
#define MAX_LINE 160
#define MAX_LINE_COMMENT 100
/* Which share of the tokens each form takes, added up. */
#define SHARE_FULL 0.6
#define SHARE_LINES 0.85
#define SHARE_NAMES 1.0
/* What the line takes that counts the rest. */
#define TAIL_TOKENS 20
/* Which share of the best table's score each form needs. */
#define LEAST_FULL 0.5
#define LEAST_LINE 0.35
#define LEAST_NAME 0.2
/* No table in full takes fewer tokens. */
#define FEWEST_TOKENS 20
/* Of a table with so many columns those that matter are told, if not all fit. */
#define MANY_COLUMNS 16
/* Values of a column are told up to so many bytes. */
#define MAX_VALUES_BYTES 240

/* One line out of a comment. */
static void
add_comment(StringInfo out, const char *comment, int max_bytes)
{
	char *line = sa_text_clip(comment, max_bytes);

	for (char *p = line; *p; p++)
		if (*p == '\n' || *p == '\r' || *p == '\t')
			*p = ' ';
	appendStringInfoString(out, line);
}

/* A note at the end of a line: " -- a; b". */
static StringInfo
note(StringInfo notes)
{
	if (notes->len > 0)
		appendStringInfoString(notes, "; ");
	return notes;
}

static void
add_names(StringInfo out, const SaTable *table, const int16 *attnums, int count)
{
	for (int i = 0; i < count; i++)
		appendStringInfo(
			out, "%s%s", i > 0 ? ", " : "",
			quote_identifier(sa_catalog_column(table, attnums[i])->name));
}

static void
note_values(StringInfo notes, const SaTable *table,
			const SaCatalogColumn *column, bool statistics)
{
	int count;
	bool complete;
	char **values =
		sa_show_values(table, column, statistics, &count, &complete);
	bool number = column->type->category == TYPCATEGORY_NUMERIC;
	StringInfoData list;
	int shown;

	if (count == 0)
		return;
	initStringInfo(&list);
	for (shown = 0; shown < count && list.len < MAX_VALUES_BYTES; shown++)
		appendStringInfo(&list, "%s%s", shown > 0 ? ", " : "",
						 number ? values[shown]
								: quote_literal_cstr(values[shown]));
	if (!complete || shown < count)
		appendStringInfoString(&list, ", …");
	appendStringInfo(note(notes), "%s", list.data);
}

static void
note_statistics(StringInfo notes, const SaCatalogColumn *column, bool unique)
{
	const SaStatistics *stats = column->stats;

	if (stats == NULL)
		return;
	if (stats->min && stats->max && !unique)
		appendStringInfo(note(notes), "%s .. %s", stats->min, stats->max);
	if (stats->null_fraction >= 0.005)
		appendStringInfo(note(notes), "%.0f%% null",
						 Max(1, stats->null_fraction * 100));
}

/* " REFERENCES t(c)" of a key of one column, and " PRIMARY KEY". */
static void
add_column_keys(StringInfo out, SaCatalog *catalog, const SaTable *table,
				int attnum)
{
	const SaKey *primary = sa_relation_primary_key(table);
	const SaForeignKey *key = sa_relation_of_column(table, attnum);
	const SaTable *other;

	if (primary && primary->ncolumns == 1 && primary->columns[0] == attnum)
		appendStringInfoString(out, " PRIMARY KEY");
	if (key == NULL)
		return;
	other = sa_catalog_table(catalog, key->foreign_table);
	appendStringInfo(out, " REFERENCES %s(", sa_catalog_name(other));
	add_names(out, other, key->foreign_columns, 1);
	appendStringInfoChar(out, ')');
}

static bool
is_short(const char *expression)
{
	return expression && strlen(expression) <= MAX_EXPRESSION;
}

/*
 * A default tells something about the data when it is a word: 'new'.  The cast
 * behind it is left out.
 */
static void
add_fallback(StringInfo out, const SaCatalogColumn *column)
{
	const char *expression = column->fallback;
	const char *end;

	if (!is_short(expression))
		return;
	if (column->generated)
		appendStringInfo(
			out, expression[0] == '(' ? " GENERATED %s" : " GENERATED (%s)",
			expression);
	if (column->generated || expression[0] != '\'')
		return;
	end = strrchr(expression, '\'');
	if (end > expression + 1)
		appendStringInfo(out, " DEFAULT %.*s", (int) (end - expression) + 1,
						 expression);
}

static void
add_column(StringInfo out, SaCatalog *catalog, const SaTable *table,
		   const SaCatalogColumn *column, bool last, bool statistics)
{
	StringInfoData notes;

	initStringInfo(&notes);
	appendStringInfo(out, "  %s %s", quote_identifier(column->name),
					 column->type_name);
	if ((column->not_null || column->type->not_null) &&
		!sa_relation_in_primary_key(table, column->attnum))
		appendStringInfoString(out, " NOT NULL");
	add_fallback(out, column);
	add_column_keys(out, catalog, table, column->attnum);
	if (!last)
		appendStringInfoChar(out, ',');
	if (column->comment)
		add_comment(note(&notes), column->comment, MAX_COMMENT);
	if (column->type->base)
		appendStringInfo(note(&notes), "%s", column->type->base);
	for (int i = 0; i < column->type->nchecks; i++)
		if (is_short(column->type->checks[i]))
			appendStringInfo(note(&notes), "%s", column->type->checks[i]);
	if (column->masked)
		appendStringInfoString(note(&notes), "masked");
	note_values(&notes, table, column, statistics);
	if (statistics)
		note_statistics(&notes, column,
						sa_relation_is_unique(table, column->attnum) ||
							sa_relation_of_column(table, column->attnum));
	if (notes.len > 0)
		appendStringInfo(out, " -- %s", notes.data);
	appendStringInfoChar(out, '\n');
	pfree(notes.data);
}

/* Keys of several columns, unique columns, and checks. */
static void
add_constraints(StringInfo out, SaCatalog *catalog, const SaTable *table)
{
	ListCell *cell;

	for (int i = 0; i < table->nkeys; i++)
	{
		const SaKey *key = &table->keys[i];

		if (key->primary && key->ncolumns == 1)
			continue;
		appendStringInfoString(out,
							   key->primary ? "  PRIMARY KEY (" : "  UNIQUE (");
		add_names(out, table, key->columns, key->ncolumns);
		appendStringInfoString(out, ")\n");
	}
	foreach (cell, table->foreign_keys)
	{
		const SaForeignKey *key = lfirst(cell);
		const SaTable *other;

		if (key->table != table->oid || (key->ncolumns == 1 && !key->implied) ||
			!sa_relation_holds(catalog, key))
			continue;
		other = sa_catalog_table(catalog, key->foreign_table);
		appendStringInfoString(out, key->implied ? "  -- implied key: ("
												 : "  FOREIGN KEY (");
		add_names(out, table, key->columns, key->ncolumns);
		appendStringInfo(out, ") REFERENCES %s(", sa_catalog_name(other));
		add_names(out, other, key->foreign_columns, key->ncolumns);
		appendStringInfoString(out, ")\n");
	}
	for (int i = 0; i < table->nchecks; i++)
		if (is_short(table->checks[i]))
			appendStringInfo(out, "  %s\n", table->checks[i]);
}

/* "-- 5 rows; comment" */
static void
add_table_notes(StringInfo out, const SaTable *table, int max_comment)
{
	StringInfoData notes;
	const char *state;

	initStringInfo(&notes);
	if (table->rows >= 0)
		appendStringInfo(note(&notes), "%.0f rows", table->rows);
	state = sa_show_statistics_state(table);
	if (state)
		appendStringInfo(note(&notes), "%s%s",
						 table->rows >= 0 ? "statistics are " : "", state);
	if (table->comment)
		add_comment(note(&notes), table->comment, max_comment);
	if (notes.len > 0)
		appendStringInfo(out, " -- %s", notes.data);
	pfree(notes.data);
}

/* Names of the columns that are not shown, as far as these are few. */
static void
add_other_columns(StringInfo out, const SaTable *table, const bool *shown)
{
	int start = out->len;
	int left = 0;

	for (int i = 0; i < table->ncolumns; i++)
		if (!shown[i] && out->len - start > MAX_LINE)
			left++;
		else if (!shown[i])
			appendStringInfo(out, "%s%s",
							 out->len > start ? ", " : "  -- also: ",
							 quote_identifier(table->columns[i].name));
	if (left > 0)
		appendStringInfo(out, ", … %d more", left);
	if (out->len > start)
		appendStringInfoChar(out, '\n');
}

/* shown: which of the columns; NULL = all. */
static void
add_full(StringInfo out, SaCatalog *catalog, const SaTable *table,
		 const bool *shown, bool statistics)
{
	for (const char *p = sa_catalog_kind(table); *p; p++)
		appendStringInfoChar(out, pg_toupper((unsigned char) *p));
	appendStringInfo(out, " %s (", sa_catalog_name(table));
	add_table_notes(out, table, MAX_COMMENT);
	appendStringInfoChar(out, '\n');
	for (int i = 0; i < table->ncolumns; i++)
		if (shown == NULL || shown[i])
			add_column(out, catalog, table, &table->columns[i],
					   i == table->ncolumns - 1, statistics);
	if (shown)
		add_other_columns(out, table, shown);
	add_constraints(out, catalog, table);
	appendStringInfoString(out, ")");
	if (table->kind == RELKIND_VIEW && table->definition &&
		strlen(table->definition) <= MAX_DEFINITION)
		appendStringInfo(out, " AS %s", table->definition);
	appendStringInfoString(out, "\n");
}

/* "name (a, b, c) -- 5 rows; comment" */
static void
add_line(StringInfo out, const SaTable *table)
{
	int start = out->len;

	appendStringInfo(out, "%s (", sa_catalog_name(table));
	for (int i = 0; i < table->ncolumns; i++)
	{
		appendStringInfo(out, "%s%s", i > 0 ? ", " : "",
						 quote_identifier(table->columns[i].name));
		if (out->len - start > MAX_LINE && i < table->ncolumns - 1)
		{
			appendStringInfo(out, ", … %d more", table->ncolumns - 1 - i);
			break;
		}
	}
	appendStringInfoChar(out, ')');
	add_table_notes(out, table, MAX_LINE_COMMENT);
	appendStringInfoChar(out, '\n');
}

/* Take back what was added last when it does not fit. */
static bool
fits(StringInfo out, int before, int max_tokens)
{
	if (sa_text_tokens(out->len) <= max_tokens)
		return true;
	out->len = before;
	out->data[before] = '\0';
	return false;
}

static int
compare_names(const void *left, const void *right)
{
	const SaTable *a = ((const SaRanked *) left)->table;
	const SaTable *b = ((const SaRanked *) right)->table;
	int order = strcmp(a->schema, b->schema);

	return order ? order : strcmp(a->name, b->name);
}

/*
 * All tables in full, in an order that no question changes, so that a model's
 * server finds the prompt in its cache.  False when they do not fit.
 */
static bool
describe_all(StringInfo out, SaCatalog *catalog, SaRanked *ranked, int count,
			 int max_tokens, bool statistics, List **chosen)
{
	SaRanked *sorted = palloc(sizeof(SaRanked) * Max(count, 1));

	memcpy(sorted, ranked, sizeof(SaRanked) * count);
	qsort(sorted, count, sizeof(SaRanked), compare_names);
	for (int i = 0; i < count; i++)
	{
		add_full(out, catalog, sorted[i].table, NULL, statistics);
		if (!fits(out, 0, max_tokens))
			return false;
	}
	for (int i = 0; i < count; i++)
		*chosen = lappend_oid(*chosen, sorted[i].table->oid);
	return true;
}

/* Keys, and columns that the question speaks of. */
static bool *
choose_columns(SaCatalog *catalog, const SaTable *table, const char *question)
{
	bool *shown = sa_rank_columns(catalog, table, question);
	ListCell *cell;

	for (int i = 0; i < table->nkeys; i++)
		for (int j = 0; j < table->keys[i].ncolumns; j++)
			shown[sa_catalog_column(table, table->keys[i].columns[j]) -
				  table->columns] = true;
	foreach (cell, table->foreign_keys)
	{
		const SaForeignKey *key = lfirst(cell);

		for (int i = 0; key->table == table->oid && i < key->ncolumns; i++)
			shown[sa_catalog_column(table, key->columns[i]) - table->columns] =
				true;
	}
	return shown;
}

/* In full, or what matters of a table that is too wide; false = neither fits. */
static bool
add_fitting(StringInfo out, SaCatalog *catalog, const SaTable *table,
			const char *question, int max_tokens, bool statistics)
{
	int before = out->len;

	add_full(out, catalog, table, NULL, statistics);
	if (fits(out, before, max_tokens))
		return true;
	if (table->ncolumns < MANY_COLUMNS)
		return false;
	add_full(out, catalog, table, choose_columns(catalog, table, question),
			 statistics);
	return fits(out, before, max_tokens);
}

/*
 * The best in full, the next as one line, more by name alone, as far as each
 * fits the question well enough and its share of the tokens lasts.
 */
static void
describe_best(StringInfo out, SaCatalog *catalog, SaRanked *ranked, int count,
			  const char *question, int max_tokens, bool statistics,
			  List **chosen)
{
	double best = count > 0 ? ranked[0].score : 0;
	int tokens = max_tokens - TAIL_TOKENS;
	int shown = 0;
	int before;
	const char *separator = "-- also: ";

	for (; shown < count && ranked[shown].score >= best * LEAST_FULL; shown++)
	{
		if (!add_fitting(out, catalog, ranked[shown].table, question,
						 (int) (tokens * SHARE_FULL), statistics))
			break;
		*chosen = lappend_oid(*chosen, ranked[shown].table->oid);
	}
	for (; shown < count && ranked[shown].score >= best * LEAST_LINE; shown++)
	{
		before = out->len;
		add_line(out, ranked[shown].table);
		if (!fits(out, before, (int) (tokens * SHARE_LINES)))
			break;
	}
	for (; shown < count && ranked[shown].score >= best * LEAST_NAME; shown++)
	{
		before = out->len;
		appendStringInfo(out, "%s%s", separator,
						 sa_catalog_name(ranked[shown].table));
		if (!fits(out, before, (int) (tokens * SHARE_NAMES)))
			break;
		separator = ", ";
	}
	if (*separator == ',')
		appendStringInfoChar(out, '\n');
	if (shown < count)
		appendStringInfo(out,
						 "-- and %d more: introspect_schema finds them by "
						 "\"search\"\n",
						 count - shown);
}

char *
sa_describe(const char *question, const List *likely, int max_tokens,
			List **chosen)
{
	SaCatalog *catalog = sa_catalog_open();
	bool statistics = sa_guc_share >= SA_SHARE_STATISTICS;
	int count;
	SaRanked *ranked = sa_rank_tables(catalog, question, likely, false, &count);
	int candidates = Min(count, Max(max_tokens / FEWEST_TOKENS, 1));
	List *tables = NIL;
	StringInfoData out;

	for (int i = 0; i < candidates; i++)
		tables = lappend(tables, ranked[i].table);
	sa_relation_load_details(catalog, tables);
	initStringInfo(&out);
	if (candidates < count || !describe_all(&out, catalog, ranked, candidates,
											max_tokens, statistics, chosen))
		describe_best(&out, catalog, ranked, count, question, max_tokens,
					  statistics, chosen);
	sa_tx_commit();
	return out.data;
}
