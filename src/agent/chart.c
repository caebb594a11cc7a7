/*
 * chart.c
 *	  What a report wants to have drawn: its rows as labels and series.
 *
 * Used by chart_text.c and chart_svg.c, which do nothing but draw.
 */
#include "postgres.h"

#include <math.h>

#include "agent/chart.h"

static const char *const type_names[] = {"table", "bar", "line", "pie",
										 "scatter"};

SaJson *
sa_chart_parse(const char *report)
{
	const char *utf8 = sa_json_to_utf8(report);
	const char *problem;
	SaJson *tree = sa_json_parse(utf8, strlen(utf8), &problem);

	if (!sa_json_is_object(tree) ||
		!sa_json_is_array(sa_json_get(tree, "rows")) ||
		!sa_json_is_array(sa_json_get(tree, "columns")))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("this is no report of a run"),
						errhint("Pass the id of a run of yours, or what "
								"ask_json() returned.")));
	return tree;
}

static SaChartType
type_of(const SaJson *drawing)
{
	char *name = sa_json_get_string(drawing, "type");

	for (int i = 0; name && i < (int) lengthof(type_names); i++)
		if (strcmp(type_names[i], name) == 0)
			return i;
	return SA_CHART_TABLE;
}

/* The column of that name; -1 when there is none. */
static int
column_of(const SaJson *report, const char *name)
{
	const SaJson *columns = sa_json_get(report, "columns");

	for (int i = 0; name && i < sa_json_length(columns); i++)
	{
		char *column = sa_json_get_string(sa_json_at(columns, i), "name");

		if (column && strcmp(column, name) == 0)
			return i;
	}
	return -1;
}

static char *
shown(const SaJson *value)
{
	const char *text;

	if (value == NULL)
		return pstrdup("");
	if (sa_json_is_string(value))
		return sa_json_string(value);
	text = sa_json_print(value);
	return sa_json_from_utf8(text, (int) strlen(text));
}

static double
number_of(const SaJson *value)
{
	return sa_json_is_number(value) ? sa_json_number(value) : NAN;
}

static void
read_series(SaChart *chart, SaSeries *series, const SaJson *rows, int column)
{
	series->values = palloc(sizeof(double) * Max(chart->npoints, 1));
	series->texts = palloc(sizeof(char *) * Max(chart->npoints, 1));
	for (int i = 0; i < chart->npoints; i++)
	{
		const SaJson *value = sa_json_at(sa_json_at(rows, i), column);
		double number = number_of(value);

		series->values[i] = number;
		series->texts[i] = shown(value);
		if (isfinite(number))
		{
			chart->min = Min(chart->min, number);
			chart->max = Max(chart->max, number);
		}
	}
}

static void
read_points(SaChart *chart, const SaJson *rows, int column)
{
	chart->npoints = Min(sa_json_length(rows), SA_CHART_MAX_POINTS);
	chart->labels = palloc(sizeof(char *) * Max(chart->npoints, 1));
	chart->x = palloc(sizeof(double) * Max(chart->npoints, 1));
	chart->x_min = INFINITY;
	chart->x_max = -INFINITY;
	for (int i = 0; i < chart->npoints; i++)
	{
		const SaJson *value = sa_json_at(sa_json_at(rows, i), column);

		chart->labels[i] = shown(value);
		chart->x[i] = number_of(value);
		if (isfinite(chart->x[i]))
		{
			chart->x_min = Min(chart->x_min, chart->x[i]);
			chart->x_max = Max(chart->x_max, chart->x[i]);
		}
	}
}

SaChart *
sa_chart_read(const SaJson *report)
{
	const SaJson *drawing = sa_json_get(report, "visualization");
	const SaJson *rows = sa_json_get(report, "rows");
	const SaJson *names = sa_json_get(drawing, "y");
	SaChart *chart = palloc0(sizeof(SaChart));
	int x;

	chart->type = type_of(drawing);
	chart->title = sa_json_get_string(report, "question");
	chart->x_name = sa_json_get_string(drawing, "x");
	x = column_of(report, chart->x_name);
	if (chart->type == SA_CHART_TABLE || x < 0)
	{
		chart->type = SA_CHART_TABLE;
		return chart;
	}
	read_points(chart, rows, x);
	for (int i = 0; i < sa_json_length(names); i++)
	{
		char *name = sa_json_string(sa_json_at(names, i));
		int column = column_of(report, name);

		if (column < 0 || chart->nseries == SA_CHART_MAX_SERIES)
			continue;
		chart->series[chart->nseries].name = name;
		read_series(chart, &chart->series[chart->nseries++], rows, column);
	}
	if (chart->nseries == 0 || chart->npoints == 0)
		chart->type = SA_CHART_TABLE;
	return chart;
}

double
sa_chart_place(const SaChart *chart, double value)
{
	double span = chart->max - chart->min;

	return span > 0 ? (value - chart->min) / span : 0;
}
