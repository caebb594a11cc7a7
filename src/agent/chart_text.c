/*
 * chart_text.c
 *	  A report as a chart for the terminal: bars, or a line of dots.
 *
 * Blocks and dots where the encoding has them, else # and *.
 */
#include "postgres.h"

#include <math.h>

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"

#include "agent/chart.h"
#include "agent/chart_cell.h"

#define MAX_LABEL 30
#define MAX_VALUE 20
#define LINE_HEIGHT 12

static bool
has_blocks(void)
{
	return GetDatabaseEncoding() == PG_UTF8;
}

/* A bar that takes a share of so many columns. */
static void
append_bar(StringInfo out, double share, int columns)
{
	/* Left blocks of one to seven eighths. */
	int eighths = (int) lround(share * columns * 8);

	for (int i = 0; i < eighths / 8; i++)
		appendStringInfoString(out, has_blocks() ? "\xe2\x96\x88" : "#");
	if (eighths % 8 == 0)
		return;
	if (has_blocks())
		appendStringInfo(out, "\xe2\x96%c", 0x90 - eighths % 8);
	else if (eighths % 8 >= 4)
		appendStringInfoChar(out, '#');
}

static void
append_padded(StringInfo out, const char *text, int width, bool right)
{
	int pad = width - sa_cell_width(text);

	if (right)
		appendStringInfoSpaces(out, pad);
	appendStringInfoString(out, text);
	if (!right)
		appendStringInfoSpaces(out, pad);
}

/* Ends the line, without blanks at its end. */
static void
end_line(StringInfo out)
{
	while (out->len > 0 && out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0';
	appendStringInfoChar(out, '\n');
}

static int
widest(char **texts, int count, int limit)
{
	int width = 0;

	for (int i = 0; i < count; i++)
		width = Max(width, sa_cell_width(sa_cell_clip(texts[i], limit)));
	return width;
}

/* With several series each row has a heading, and a bar for each of them. */
static char *
series_label(const SaSeries *series)
{
	return sa_cell_clip(psprintf("  %s", series->name), MAX_LABEL);
}

static void
draw_bar(StringInfo out, const char *label, int label_width, const char *text,
		 int value_width, double share, int columns)
{
	append_padded(out, label, label_width, false);
	appendStringInfoChar(out, ' ');
	append_padded(out, sa_cell_clip(text, MAX_VALUE), value_width, true);
	appendStringInfoChar(out, ' ');
	append_bar(out, share, columns);
	end_line(out);
}

/* One bar a row and series; the longest stands for the largest amount. */
static void
draw_bars(StringInfo out, const SaChart *chart, int width)
{
	double largest = Max(fabs(chart->min), fabs(chart->max));
	bool grouped = chart->nseries > 1;
	int label_width =
		grouped ? 0 : widest(chart->labels, chart->npoints, MAX_LABEL);
	int value_width = 0;
	int columns;

	for (int s = 0; s < chart->nseries; s++)
	{
		const SaSeries *series = &chart->series[s];

		if (grouped)
			label_width = Max(label_width, sa_cell_width(series_label(series)));
		value_width =
			Max(value_width, widest(series->texts, chart->npoints, MAX_VALUE));
	}
	columns = Max(width - label_width - value_width - 2, 8);
	for (int i = 0; i < chart->npoints; i++)
	{
		char *label = sa_cell_clip(chart->labels[i], MAX_LABEL);

		if (grouped)
			appendStringInfo(out, "%s\n", label);
		for (int s = 0; s < chart->nseries; s++)
		{
			const SaSeries *series = &chart->series[s];
			double value = fabs(series->values[i]);

			draw_bar(out, grouped ? series_label(series) : label, label_width,
					 series->texts[i], value_width,
					 isfinite(value) && largest > 0 ? value / largest : 0,
					 columns);
		}
	}
}

/* The row of the grid that a value lies in, 0 at the bottom. */
static int
height_of(const SaChart *chart, double value)
{
	return (int) lround(sa_chart_place(chart, value) * (LINE_HEIGHT - 1));
}

/* The column that a point lies in; -1 for none. */
static int
column_of(const SaChart *chart, int point, int columns)
{
	double span = chart->x_max - chart->x_min;
	double share = 0;

	if (chart->type != SA_CHART_SCATTER)
		share = chart->npoints > 1 ? (double) point / (chart->npoints - 1) : 0;
	else if (!isfinite(chart->x[point]))
		return -1;
	else if (span > 0)
		share = (chart->x[point] - chart->x_min) / span;
	return (int) lround(share * (columns - 1));
}

/* Marks of the series: the first is a dot. */
static const char *
mark_of(int series)
{
	static const char *const marks[] = {"*", "+", "x", "o", "#", "%"};

	if (series == 0)
		return has_blocks() ? "\xe2\x97\x8f" : marks[0];
	return marks[series];
}

static void
plot(const SaChart *chart, char *grid, int columns)
{
	memset(grid, 0, (size_t) columns * LINE_HEIGHT);
	/* The first series is drawn last, over the others. */
	for (int s = chart->nseries - 1; s >= 0; s--)
		for (int i = 0; i < chart->npoints; i++)
		{
			double value = chart->series[s].values[i];
			int column = column_of(chart, i, columns);

			if (isfinite(value) && column >= 0)
				grid[height_of(chart, value) * columns + column] =
					(char) (s + 1);
		}
}

static void
draw_dots(StringInfo out, const SaChart *chart, int width)
{
	char *top = psprintf("%.6g", chart->max);
	char *bottom = psprintf("%.6g", chart->min);
	int margin = (int) Max(strlen(top), strlen(bottom));
	int columns = Max(width - margin - 3, 8);
	char *grid = palloc((size_t) columns * LINE_HEIGHT);
	bool scatter = chart->type == SA_CHART_SCATTER;
	const char *first =
		scatter ? psprintf("%.6g", chart->x_min) : chart->labels[0];
	const char *last = scatter ? psprintf("%.6g", chart->x_max)
							   : chart->labels[chart->npoints - 1];

	if (!scatter)
		columns = Min(columns, Max(chart->npoints * 6, 24));
	plot(chart, grid, columns);
	for (int row = LINE_HEIGHT - 1; row >= 0; row--)
	{
		append_padded(out,
					  row == LINE_HEIGHT - 1 ? top
					  : row == 0			 ? bottom
											 : "",
					  margin, true);
		appendStringInfoString(out, has_blocks() ? " \xe2\x94\x82" : " |");
		for (int column = 0; column < columns; column++)
		{
			char mark = grid[row * columns + column];

			appendStringInfoString(out, mark ? mark_of(mark - 1) : " ");
		}
		end_line(out);
	}
	appendStringInfoSpaces(out, margin + 2);
	first = sa_cell_clip(first, columns / 2);
	last = sa_cell_clip(last, columns / 2);
	append_padded(out, first, Max(columns - sa_cell_width(last), 0), false);
	appendStringInfo(out, "%s\n", last);
}

static void
append_names(StringInfo out, const SaChart *chart)
{
	for (int s = 0; s < chart->nseries; s++)
		appendStringInfo(
			out, "%s%s%s%s", s > 0 ? ", " : "",
			chart->type == SA_CHART_LINE && chart->nseries > 1 ? mark_of(s)
															   : "",
			chart->type == SA_CHART_LINE && chart->nseries > 1 ? " " : "",
			chart->series[s].name);
	appendStringInfo(out, " by %s\n", chart->x_name);
}

char *
sa_chart_text(const char *report, int width)
{
	SaJson *tree = sa_chart_parse(report);
	SaChart *chart = sa_chart_read(tree);
	StringInfoData out;

	if (chart->type == SA_CHART_TABLE)
		return sa_chart_table(tree);
	initStringInfo(&out);
	append_names(&out, chart);
	if (chart->type == SA_CHART_BAR || chart->type == SA_CHART_PIE)
		draw_bars(&out, chart, width);
	else
		draw_dots(&out, chart, width);
	out.data[out.len - 1] = '\0';
	return out.data;
}
