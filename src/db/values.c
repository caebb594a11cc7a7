/*
 * values.c
 *	  Which values of a column are nearest to a text: labels of an enum and
 *	  common values first, which cost nothing, then the column itself, bounded.
 *
 * Called by the tool find_values and by literal.
 */
#include "postgres.h"

#include "base/guc.h"
#include "base/spi.h"
#include "base/text.h"
#include "db/catalog.h"
#include "db/introspect.h"
#include "db/match.h"
#include "db/show.h"

#define MAX_FOUND 10

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
	const SaPattern *pattern;
	int count;
	Found found[MAX_FOUND];
	bool complete; /* every value of the column was looked at */
} Search;

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
	search->complete = column->type->nlabels > 0 || (stats && stats->complete);
}

static char *
search_json(const Search *search, const char *table, const char *column)
{
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfoString(&out, "{\"table\": ");
	sa_text_json(&out, table);
	appendStringInfoString(&out, ", \"column\": ");
	sa_text_json(&out, column);
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
find_column(SaCatalog *catalog, SaTable *table, const char *column, bool local,
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

char *
sa_values_find(const char *table, const char *column, const char *text,
			   bool local, SaError **error)
{
	SaCatalog *catalog = sa_catalog_open();
	SaTable *found_table = sa_catalog_find(catalog, table);
	SaCatalogColumn *found_column = NULL;
	Search search = {0};
	char *json = NULL;

	*error = NULL;
	if (found_table == NULL)
		*error = sa_show_no_table(catalog, table);
	else
		found_column = find_column(catalog, found_table, column, local, error);
	if (found_column)
	{
		sa_detail_load(catalog, list_make1(found_table));
		search.pattern = sa_match_prepare(text);
		search_known(&search, found_column);
		json = search_json(&search, sa_catalog_name(found_table),
						   found_column->name);
	}
	sa_tx_commit();
	return json;
}
