/*
 * shape.c
 *	  What the shape of a result tells: how to draw it, and its figures.
 *
 * Called for the report.  Says only how; nothing is drawn here.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type_d.h"

#include "agent/shape.h"
#include "base/text.h"
#include "base/wait.h"

/* Bars that one can still tell apart, and slices. */
#define MAX_BARS 50
#define MAX_SLICES 8

typedef enum Role
{
	ROLE_LABEL,
	ROLE_TIME,
	ROLE_MEASURE
} Role;

/* Whether the name is one of the words, or ends with it behind a "_". */
static bool
is_named(const char *name, const char *const *words, int count)
{
	int len = (int) strlen(name);

	for (int i = 0; i < count; i++)
	{
		int word = (int) strlen(words[i]);

		if (len >= word && pg_strcasecmp(name + len - word, words[i]) == 0 &&
			(len == word || name[len - word - 1] == '_'))
			return true;
	}
	return false;
}

static Role
role_of(const SaColumn *column)
{
	static const char *const keys[] = {"id", "key", "code", "number", "no"};
	static const char *const periods[] = {"year", "quarter", "month", "week",
										  "day"};

	switch (column->type)
	{
		case DATEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return ROLE_TIME;
		default:
			break;
	}
	if (column->kind != SA_VALUE_NUMBER)
		return ROLE_LABEL;
	if (is_named(column->name, keys, lengthof(keys)))
		return ROLE_LABEL;
	return is_named(column->name, periods, lengthof(periods)) ? ROLE_TIME
															  : ROLE_MEASURE;
}

/* The first column of a role from a place on; -1 when there is none. */
static int
find_role(const SaResult *result, Role role, int from)
{
	for (int i = from; i < result->ncolumns; i++)
		if (role_of(&result->columns[i]) == role)
			return i;
	return -1;
}

/* What names the rows best: a text, else a key; -1 when there is neither. */
static int
find_label(const SaResult *result)
{
	for (int i = 0; i < result->ncolumns; i++)
		if (role_of(&result->columns[i]) == ROLE_LABEL &&
			result->columns[i].kind != SA_VALUE_NUMBER)
			return i;
	return find_role(result, ROLE_LABEL, 0);
}

/* Whether the values are parts of one whole. */
static bool
are_shares(const SaResult *result, int column)
{
	static const char *const names[] = {"share", "percent", "percentage", "pct",
										"portion"};
	double sum = 0;

	for (int i = 0; i < result->nrows; i++)
	{
		const char *value = result->rows[i][column];
		double number = value ? strtod(value, NULL) : -1;

		if (!(number >= 0))
			return false;
		sum += number;
	}
	return fabs(sum - 100) < 0.5 || fabs(sum - 1) < 0.005 ||
		   is_named(result->columns[column].name, names, lengthof(names));
}

static void
append_drawing(StringInfo out, const SaResult *result, const char *type, int x)
{
	bool first = true;

	appendStringInfo(out, "{\"type\": \"%s\", \"x\": ", type);
	sa_text_json(out, result->columns[x].name);
	appendStringInfoString(out, ", \"y\": [");
	for (int i = 0; i < result->ncolumns; i++)
	{
		if (i == x || role_of(&result->columns[i]) != ROLE_MEASURE)
			continue;
		if (!first)
			appendStringInfoString(out, ", ");
		sa_text_json(out, result->columns[i].name);
		first = false;
	}
	appendStringInfoString(out, "]}");
}

void
sa_shape_visualization(StringInfo out, const SaResult *result)
{
	int measure = find_role(result, ROLE_MEASURE, 0);
	int second = find_role(result, ROLE_MEASURE, measure + 1);
	int label = find_label(result);
	int time = find_role(result, ROLE_TIME, 0);

	if (result->nrows >= 2 && measure >= 0)
	{
		if (time >= 0)
		{
			append_drawing(out, result, "line", time);
			return;
		}
		if (label >= 0 && result->nrows <= MAX_BARS)
		{
			bool pie = second < 0 && result->nrows <= MAX_SLICES &&
					   are_shares(result, measure);

			append_drawing(out, result, pie ? "pie" : "bar", label);
			return;
		}
		if (second >= 0)
		{
			append_drawing(out, result, "scatter", measure);
			return;
		}
	}
	appendStringInfoString(out, "{\"type\": \"table\"}");
}

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *) a;
	double y = *(const double *) b;

	return (x > y) - (x < y);
}

/* As percentile_cont() reckons. */
static double
quantile(const double *sorted, int count, double fraction)
{
	double place = fraction * (count - 1);
	int below = (int) floor(place);
	int above = (int) ceil(place);

	return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

static void
append_figures(StringInfo out, const double *values, int count, int nulls)
{
	double sum = 0;

	for (int i = 0; i < count; i++)
		sum += values[i];
	appendStringInfo(out, ", \"count\": %d, \"nulls\": %d", count, nulls);
	if (count == 0)
	{
		appendStringInfoString(out, ", \"min\": null, \"max\": null, \"mean\": "
									"null, \"q1\": null, \"median\": null, "
									"\"q3\": null}");
		return;
	}
	appendStringInfo(out,
					 ", \"min\": %.15g, \"max\": %.15g, \"mean\": %.15g, "
					 "\"q1\": %.15g, \"median\": %.15g, \"q3\": %.15g}",
					 values[0], values[count - 1], sum / count,
					 quantile(values, count, 0.25),
					 quantile(values, count, 0.5),
					 quantile(values, count, 0.75));
}

static void
append_column(StringInfo out, const SaResult *result, int column)
{
	double *values = palloc(sizeof(double) * Max(result->nrows, 1));
	int count = 0;
	int nulls = 0;

	for (int i = 0; i < result->nrows; i++)
	{
		const char *text = result->rows[i][column];
		double value = text ? strtod(text, NULL) : 0;

		if (text == NULL)
			nulls++;
		else if (isfinite(value))
			values[count++] = value;
	}
	qsort(values, count, sizeof(double), compare_doubles);
	appendStringInfoString(out, "{\"column\": ");
	sa_text_json(out, result->columns[column].name);
	append_figures(out, values, count, nulls);
	pfree(values);
}

void
sa_shape_stats(StringInfo out, const SaResult *result)
{
	bool first = true;

	appendStringInfoChar(out, '[');
	for (int i = 0; i < result->ncolumns; i++)
	{
		sa_wait_check();
		if (role_of(&result->columns[i]) != ROLE_MEASURE)
			continue;
		if (!first)
			appendStringInfoString(out, ", ");
		append_column(out, result, i);
		first = false;
	}
	appendStringInfoChar(out, ']');
}
