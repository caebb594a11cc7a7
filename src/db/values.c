/*
 * values.c
 *	  Which values of a column are nearest to a text: labels of an enum and
 *	  common values first, which cost nothing, then the column itself, bounded.
 *
 * Called by the tool find_values and by literal.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "base/guc.h"
#include "base/spi.h"
#include "base/text.h"
#include "db/catalog.h"
#include "db/introspect.h"
#include "db/match.h"
#include "db/query.h"
#include "db/show.h"

#define MAX_FOUND 10
/* How much of a column is read, and for how long. */
#define PROBE_ROWS 100000
#define PROBE_VALUES 20000
#define PROBE_FOUND 1000
#define PROBE_MS 2000
#define FOUND_VALUES 100

typedef struct Found
{
	char *value;
	SaMatchKind kind;
	double distance;
	double frequency; /* -1 = not known */
} Found;

/* The nearest so far, in order. */
typedef struct Search
{
	const char *table_name;
	const char *column_name;
	const SaPattern *pattern;
	int count;
	Found found[MAX_FOUND];
	bool complete; /* every value of the column was looked at */
	bool masked;
	bool local;
} Search;

/* What the statements below read. */
typedef struct Target
{
	const char *table;
	const char *column;
	const char *trigrams; /* schema of pg_trgm, or NULL */
} Target;

static bool
is_nearer(const Found *left, const Found *right)
{
	if (left->kind != right->kind)
		return left->kind < right->kind;
	if (left->distance != right->distance)
		return left->distance < right->distance;
	return left->frequency > right->frequency;
}

static void
offer_value(Search *search, const char *value, double frequency)
{
	Found offer = {.frequency = frequency};
	int place;

	offer.kind = sa_match_value(search->pattern, value, &offer.distance);
	if (offer.kind == SA_MATCH_NONE)
		return;
	for (int i = 0; i < search->count; i++)
		if (strcmp(search->found[i].value, value) == 0)
			return;
	for (place = search->count; place > 0; place--)
		if (!is_nearer(&offer, &search->found[place - 1]))
			break;
	if (place == MAX_FOUND)
		return;
	if (search->count < MAX_FOUND)
		search->count++;
	for (int i = search->count - 1; i > place; i--)
		search->found[i] = search->found[i - 1];
	offer.value = pstrdup(value);
	search->found[place] = offer;
}

/* What is known without reading the column. */
static void
search_known(Search *search, const SaCatalogColumn *column)
{
	const SaStatistics *stats = column->stats;

	for (int i = 0; stats && i < stats->ncommon; i++)
		if (stats->common[i])
			offer_value(search, stats->common[i], stats->frequency[i]);
	for (int i = 0; i < column->type->nlabels; i++)
		offer_value(search, column->type->labels[i], -1);
	search->complete = column->type->nlabels > 0;
}

/* Run one of the statements below, guarded, within PROBE_MS. */
static SaResult *
run_probe(const char *sql, int max_rows)
{
	int volatile timeout = sa_guc_query_timeout;
	SaResult *result = NULL;

	if (timeout <= 0 || timeout > PROBE_MS)
		sa_guc_query_timeout = PROBE_MS;
	PG_TRY();
	{
		result = sa_query_run(sql, max_rows);
	}
	PG_FINALLY();
	{
		sa_guc_query_timeout = timeout;
	}
	PG_END_TRY();
	return result;
}

/*
 * The values in the first rows of the table, the frequent ones first: when
 * these rows are all there are, so are the values.
 */
static void
probe_first_rows(Search *search, const Target *target)
{
	SaResult *result = run_probe(
		psprintf("SELECT v, count(*) FROM (SELECT %s::text AS v FROM %s "
				 "LIMIT %d) s GROUP BY v ORDER BY 2 DESC, 1",
				 target->column, target->table, PROBE_ROWS),
		PROBE_VALUES);
	int64 rows = 0;

	search->masked = !result->error && result->columns[0].masked;
	if (result->error || (search->masked && !search->local))
		return;
	for (int i = 0; i < result->nrows; i++)
		rows += strtoll(result->rows[i][1], NULL, 10);
	for (int i = 0; i < result->nrows; i++)
		if (result->rows[i][0])
			offer_value(search, result->rows[i][0],
						strtod(result->rows[i][1], NULL) / (double) rows);
	search->complete = !result->truncated && rows < PROBE_ROWS;
}

/* A statement that gives values of one column. */
static void
probe_values(Search *search, const char *sql)
{
	SaResult *result = run_probe(sql, FOUND_VALUES);

	if (result->error || (result->columns[0].masked && !search->local))
		return;
	for (int i = 0; i < result->nrows; i++)
		if (result->rows[i][0])
			offer_value(search, result->rows[i][0], -1);
}

/* Values anywhere in the table that have the text in them. */
static void
probe_containing(Search *search, const Target *target, const char *text)
{
	StringInfoData pattern;

	initStringInfo(&pattern);
	for (const char *p = sa_text_trim(text); *p; p++)
	{
		if (strchr("\\%_", *p))
			appendStringInfoChar(&pattern, '\\');
		appendStringInfoChar(&pattern, *p);
	}
	probe_values(
		search, psprintf("SELECT DISTINCT v FROM (SELECT %s::text AS v FROM %s "
						 "WHERE %s::text ILIKE %s LIMIT %d) s",
						 target->column, target->table, target->column,
						 quote_literal_cstr(psprintf("%%%s%%", pattern.data)),
						 PROBE_FOUND));
}

/* Values anywhere in the table that have most trigrams of the text. */
static void
probe_similar(Search *search, const Target *target, const char *text)
{
	const char *literal = quote_literal_cstr(text);

	if (target->trigrams == NULL)
		return;
	probe_values(
		search, psprintf("SELECT v FROM (SELECT DISTINCT %s::text AS v FROM %s "
						 "WHERE %s::text OPERATOR(%s.%%) %s) s "
						 "ORDER BY %s.similarity(v, %s) DESC LIMIT %d",
						 target->column, target->table, target->column,
						 target->trigrams, literal, target->trigrams, literal,
						 FOUND_VALUES));
}

/* Read the column itself, as far as what is known does not do. */
static void
probe(Search *search, const Target *target, const char *text)
{
	/* statistics may be older than the last row, so only a hit of theirs is sure */
	if (search->complete || sa_text_blank(text) ||
		(search->count > 0 && search->found[0].kind <= SA_MATCH_CASE))
		return;
	probe_first_rows(search, target);
	if (search->complete || search->masked ||
		(search->count > 0 && search->found[0].kind <= SA_MATCH_CASE))
		return;
	probe_containing(search, target, text);
	if (search->count == 0)
		probe_similar(search, target, text);
}

static char *
search_json(const Search *search)
{
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfoString(&out, "{\"table\": ");
	sa_text_json(&out, search->table_name);
	appendStringInfoString(&out, ", \"column\": ");
	sa_text_json(&out, search->column_name);
	appendStringInfoString(&out, ", \"values\": [");
	for (int i = 0; i < search->count; i++)
	{
		const Found *found = &search->found[i];

		appendStringInfoString(&out, i > 0 ? ", {\"value\": " : "{\"value\": ");
		sa_text_json(&out, found->value);
		appendStringInfo(&out, ", \"match\": \"%s\", \"frequency\": ",
						 sa_match_name(found->kind));
		if (found->frequency < 0)
			appendStringInfoString(&out, "null}");
		else
			appendStringInfo(&out, "%.3g}", found->frequency);
	}
	appendStringInfo(&out, "], \"complete\": %s}",
					 search->complete ? "true" : "false");
	return out.data;
}

/* NULL and *error when its values may not be told. */
static SaCatalogColumn *
find_column(const SaTable *table, const char *column, bool local,
			SaError **error)
{
	SaCatalogColumn *found = sa_catalog_column_named(table, column);

	if (found == NULL)
		*error = sa_show_no_column(table, column);
	else if (found->masked && !local)
		*error = sa_error_make(
			SA_ERROR_PERMISSION, ERRCODE_INSUFFICIENT_PRIVILEGE,
			psprintf("the values of column \"%s\" are masked", found->name),
			NULL, NULL);
	else if (!local && sa_guc_share < SA_SHARE_STATISTICS &&
			 found->type->nlabels == 0)
		*error =
			sa_error_make(SA_ERROR_PERMISSION, ERRCODE_INSUFFICIENT_PRIVILEGE,
						  "values are not shared", NULL,
						  "Write the text as the question has it; the setting "
						  "sqlagent.share keeps values inside the database.");
	return *error ? NULL : found;
}

/* The schema of pg_trgm, as SQL writes it, or NULL. */
static const char *
trigrams_schema(void)
{
	int rows = SA_QUERY0("SELECT pg_catalog.quote_ident(n.nspname) "
						 "FROM pg_catalog.pg_extension e "
						 "JOIN pg_catalog.pg_namespace n "
						 "ON n.oid OPERATOR(pg_catalog.=) e.extnamespace "
						 "WHERE e.extname OPERATOR(pg_catalog.=) 'pg_trgm'");

	return rows > 0 ? sa_row_text(0, 1) : NULL;
}

/* Fill in what to look for, or *error when it may not be told. */
static void
begin_search(Search *search, Target *target, const char *table,
			 const char *column, const char *text, SaError **error)
{
	SaCatalog *catalog = sa_catalog_open();
	SaTable *found = sa_catalog_find(catalog, table);
	SaCatalogColumn *found_column;

	if (found == NULL)
	{
		*error = sa_show_no_table(catalog, table);
		return;
	}
	found_column = find_column(found, column, search->local, error);
	if (found_column == NULL)
		return;
	sa_detail_load(catalog, list_make1(found));
	search->pattern = sa_match_prepare(text);
	search->table_name = sa_catalog_name(found);
	search->column_name = pstrdup(found_column->name);
	search_known(search, found_column);
	target->table = quote_qualified_identifier(found->schema, found->name);
	target->column = pstrdup(quote_identifier(found_column->name));
	target->trigrams = trigrams_schema();
}

char *
sa_values_find(const char *table, const char *column, const char *text,
			   bool local, SaError **error)
{
	Search search = {.local = local};
	Target target = {0};

	*error = NULL;
	begin_search(&search, &target, table, column, text, error);
	sa_tx_commit();
	if (*error)
		return NULL;
	probe(&search, &target, text);
	if (search.masked && !local)
	{
		*error =
			sa_error_make(SA_ERROR_PERMISSION, ERRCODE_INSUFFICIENT_PRIVILEGE,
						  "the values of this column are masked", NULL, NULL);
		return NULL;
	}
	return search_json(&search);
}
