/*
 * values.c
 *	  Which values of a column are nearest to a text: labels of an enum and
 *	  common values first, which cost nothing, then the column itself, bounded.
 *
 * Called by the tool find_values, and by literal through db/values.h.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "base/guc.h"
#include "base/spi.h"
#include "base/text.h"
#include "db/catalog.h"
#include "db/introspect.h"
#include "db/query.h"
#include "db/show.h"
#include "db/values.h"

/* How much of a column is read, and for how long. */
#define PROBE_ROWS 100000
#define PROBE_VALUES 20000
#define PROBE_FOUND 1000
#define PROBE_MS 500
#define FOUND_VALUES 100

/* What the statements below read. */
typedef struct Target
{
	const char *table;
	const char *column;
	const char *trigrams; /* schema of pg_trgm, or NULL */
	int ms;				  /* time limit of each */
} Target;

static bool
is_nearer(const SaFoundValue *left, const SaFoundValue *right)
{
	if (left->kind != right->kind)
		return left->kind < right->kind;
	if (left->distance != right->distance)
		return left->distance < right->distance;
	return left->frequency > right->frequency;
}

static void
offer_found(SaValueSearch *search, const char *value, SaFoundValue offer)
{
	int place;

	for (int i = 0; i < search->count; i++)
		if (strcmp(search->found[i].value, value) == 0)
			return;
	for (place = search->count; place > 0; place--)
		if (!is_nearer(&offer, &search->found[place - 1]))
			break;
	if (place == SA_VALUES_MAX)
		return;
	if (search->count < SA_VALUES_MAX)
		search->count++;
	for (int i = search->count - 1; i > place; i--)
		search->found[i] = search->found[i - 1];
	offer.value = pstrdup(value);
	search->found[place] = offer;
}

static void
offer_value(SaValueSearch *search, const char *value, double frequency,
			bool known)
{
	SaFoundValue offer = {.frequency = frequency, .known = known};

	offer.kind = sa_match_value(search->pattern, value, &offer.distance);
	if (offer.kind != SA_MATCH_NONE)
		offer_found(search, value, offer);
}

/* What is known without reading the column. */
static void
search_known(SaValueSearch *search, const SaCatalogColumn *column)
{
	const SaStatistics *stats = column->stats;

	for (int i = 0; stats && i < stats->ncommon; i++)
		if (stats->common[i])
			offer_value(search, stats->common[i], stats->frequency[i], true);
	for (int i = 0; i < column->type->nlabels; i++)
		offer_value(search, column->type->labels[i], -1, true);
	search->complete = column->type->nlabels > 0;
}

/* Run one of the statements below, guarded and within so many ms. */
static SaResult *
run_probe(const char *sql, int max_rows, int ms)
{
	int volatile timeout = sa_guc_query_timeout;
	SaResult *result = NULL;

	if (timeout <= 0 || timeout > ms)
		sa_guc_query_timeout = ms;
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
probe_first_rows(SaValueSearch *search, const Target *target)
{
	SaResult *result = run_probe(
		psprintf("SELECT v, count(*) FROM (SELECT %s::text AS v FROM %s "
				 "LIMIT %d) s GROUP BY v ORDER BY 2 DESC, 1",
				 target->column, target->table, PROBE_ROWS),
		PROBE_VALUES, target->ms);
	int64 rows = 0;

	search->masked = !result->error && result->columns[0].masked;
	if (result->error || (search->masked && !search->local))
		return;
	for (int i = 0; i < result->nrows; i++)
		rows += strtoll(result->rows[i][1], NULL, 10);
	for (int i = 0; i < result->nrows; i++)
		if (result->rows[i][0])
			offer_value(search, result->rows[i][0],
						strtod(result->rows[i][1], NULL) / (double) rows,
						false);
	search->complete = !result->truncated && rows < PROBE_ROWS;
}

/* The values of a statement; NULL when there are none to be told. */
static SaResult *
run_values_probe(const SaValueSearch *search, const char *sql, int ms)
{
	SaResult *result = run_probe(sql, FOUND_VALUES, ms);

	if (result->error || (result->columns[0].masked && !search->local))
		return NULL;
	return result;
}

/* Values anywhere in the table that have the text in them. */
static void
probe_containing(SaValueSearch *search, const Target *target, const char *text)
{
	StringInfoData pattern;
	SaResult *result;

	initStringInfo(&pattern);
	for (const char *p = sa_text_trim(text); *p; p++)
	{
		if (strchr("\\%_", *p))
			appendStringInfoChar(&pattern, '\\');
		appendStringInfoChar(&pattern, *p);
	}
	result = run_values_probe(
		search,
		psprintf("SELECT DISTINCT v FROM (SELECT %s::text AS v FROM %s "
				 "WHERE %s::text ILIKE %s LIMIT %d) s",
				 target->column, target->table, target->column,
				 quote_literal_cstr(psprintf("%%%s%%", pattern.data)),
				 PROBE_FOUND),
		target->ms);
	for (int i = 0; result && i < result->nrows; i++)
		if (result->rows[i][0])
			offer_value(search, result->rows[i][0], -1, false);
}

/*
 * Values anywhere in the table that have most trigrams of the text, whatever
 * their order is.
 */
static void
probe_similar(SaValueSearch *search, const Target *target, const char *text)
{
	const char *literal = quote_literal_cstr(text);
	SaResult *result;

	if (target->trigrams == NULL)
		return;
	result = run_values_probe(
		search,
		psprintf("SELECT v, %s.similarity(v, %s) FROM "
				 "(SELECT DISTINCT %s::text AS v FROM %s "
				 "WHERE %s::text OPERATOR(%s.%%) %s) s "
				 "ORDER BY 2 DESC LIMIT %d",
				 target->trigrams, literal, target->column, target->table,
				 target->column, target->trigrams, literal, FOUND_VALUES),
		target->ms);
	for (int i = 0; result && i < result->nrows; i++)
	{
		SaFoundValue offer = {.kind = SA_MATCH_SIMILAR, .frequency = -1};

		offer.distance = 1 - strtod(result->rows[i][1], NULL);
		if (result->rows[i][0])
			offer_found(search, result->rows[i][0], offer);
	}
}

/* Read the column itself, as far as what is known does not do. */
static void
probe(SaValueSearch *search, const Target *target, const char *text)
{
	SaMatchKind enough = search->thorough ? SA_MATCH_EXACT : SA_MATCH_CASE;

	/* statistics may be older than the last row, so only a hit of theirs is sure */
	if (search->complete || sa_text_blank(text) ||
		(search->count > 0 && search->found[0].kind <= enough))
		return;
	probe_first_rows(search, target);
	if (search->masked ||
		(search->count > 0 &&
		 (search->complete || search->found[0].kind <= SA_MATCH_CASE)))
		return;
	if (!search->complete)
		probe_containing(search, target, text);
	if (search->count == 0)
		probe_similar(search, target, text);
}

static char *
search_json(const SaValueSearch *search)
{
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfoString(&out, "{\"table\": ");
	sa_text_json(&out, search->table);
	appendStringInfoString(&out, ", \"column\": ");
	sa_text_json(&out, search->column);
	appendStringInfoString(&out, ", \"values\": [");
	for (int i = 0; i < search->count; i++)
	{
		const SaFoundValue *found = &search->found[i];

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

static SaError *
masked_error(const char *column)
{
	return sa_error_make(
		SA_ERROR_PERMISSION, ERRCODE_INSUFFICIENT_PRIVILEGE,
		psprintf("the values of column \"%s\" are masked", column), NULL, NULL);
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
		*error = masked_error(found->name);
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

/* Note what to look for, and look at what is known. */
static void
begin_search(SaValueSearch *search, Target *target, SaCatalog *catalog,
			 SaTable *table, const SaCatalogColumn *column, const char *text)
{
	sa_detail_load(catalog, list_make1(table));
	search->pattern = sa_match_prepare(text);
	search->table = sa_catalog_name(table);
	search->column = pstrdup(column->name);
	search_known(search, column);
	target->table = quote_qualified_identifier(table->schema, table->name);
	target->column = pstrdup(quote_identifier(column->name));
	target->trigrams = trigrams_schema();
}

bool
sa_values_search(SaValueSearch *search, Oid relation, AttrNumber number,
				 const char *text, int ms)
{
	SaCatalog *catalog = sa_catalog_open();
	SaTable *table = sa_catalog_table(catalog, relation);
	const SaCatalogColumn *column =
		table ? sa_catalog_column(table, number) : NULL;
	Target target = {.ms = ms};

	if (column == NULL || (column->masked && !search->local))
	{
		sa_tx_commit();
		return false;
	}
	begin_search(search, &target, catalog, table, column, text);
	sa_tx_commit();
	probe(search, &target, text);
	return !search->masked || search->local;
}

char *
sa_values_find(const char *table, const char *column, const char *text,
			   bool local, SaError **error)
{
	SaCatalog *catalog = sa_catalog_open();
	SaTable *found = sa_catalog_find(catalog, table);
	const SaCatalogColumn *found_column = NULL;
	SaValueSearch search = {.local = local};
	Target target = {.ms = PROBE_MS};

	*error = NULL;
	if (found == NULL)
		*error = sa_show_no_table(catalog, table);
	else
		found_column = find_column(found, column, local, error);
	if (found_column)
		begin_search(&search, &target, catalog, found, found_column, text);
	sa_tx_commit();
	if (*error)
		return NULL;
	/* what is not in the statistics is a value of rows */
	if (local || sa_guc_share >= SA_SHARE_ROWS)
		probe(&search, &target, text);
	if (!search.masked || local)
		return search_json(&search);
	*error = masked_error(search.column);
	return NULL;
}
