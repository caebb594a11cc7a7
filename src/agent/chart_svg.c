/*
 * chart_svg.c
 *	  A report as an SVG picture: bars, lines, slices or dots.
 *
 * Every text comes from the data and is escaped; nothing in the picture runs or
 * loads anything.
 */
#include "postgres.h"

#include <math.h>

#include "lib/stringinfo.h"

#include "agent/chart.h"
#include "agent/chart_cell.h"

#define WIDTH 720
#define HEIGHT 400
#define LEFT 70
#define RIGHT 20
#define TOP 50
#define BOTTOM 80
#define MAX_LABELS 30

static const char *const colors[] = {"#4269d0", "#efb118", "#ff725c",
									 "#6cc5b0", "#3ca951", "#a463f2",
									 "#97bbf5", "#9c6b4e"};

static const char *
color_of(int number)
{
	return colors[number % (int) lengthof(colors)];
}

static void
append_escaped(StringInfo out, const char *text)
{
	for (; *text; text++)
		switch (*text)
		{
			case '<':
				appendStringInfoString(out, "&lt;");
				break;
			case '>':
				appendStringInfoString(out, "&gt;");
				break;
			case '&':
				appendStringInfoString(out, "&amp;");
				break;
			case '"':
				appendStringInfoString(out, "&quot;");
				break;
			default:
				appendStringInfoChar(out, *text);
		}
}

static void
append_text(StringInfo out, double x, double y, const char *anchor,
			const char *text, int width)
{
	appendStringInfo(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x,
					 y, anchor);
	append_escaped(out, sa_cell_clip(text, width));
	appendStringInfoString(out, "</text>\n");
}

static double
x_of(const SaChart *chart, double share)
{
	return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static double
y_of(const SaChart *chart, double value)
{
	return HEIGHT - BOTTOM -
		   sa_chart_place(chart, value) * (HEIGHT - TOP - BOTTOM);
}

/* Lines and figures of the upright axis. */
static void
draw_axis(StringInfo out, const SaChart *chart)
{
	for (int i = 0; i <= 4; i++)
	{
		double value = chart->min + (chart->max - chart->min) * i / 4;
		double y = y_of(chart, value);

		appendStringInfo(out,
						 "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" "
						 "stroke=\"#ddd\"/>\n",
						 LEFT, y, WIDTH - RIGHT, y);
		append_text(out, LEFT - 6, y + 4, "end", psprintf("%.6g", value), 12);
	}
}

/* Labels below the points, as many as there is room for. */
static void
draw_labels(StringInfo out, const SaChart *chart, double offset, double count)
{
	int every = (chart->npoints + MAX_LABELS - 1) / MAX_LABELS;

	for (int i = 0; i < chart->npoints; i += Max(every, 1))
	{
		double x = x_of(chart, count > 0 ? (i + offset) / count : 0);

		appendStringInfo(out,
						 "<g transform=\"translate(%.1f %d) rotate(-35)\">", x,
						 HEIGHT - BOTTOM + 14);
		append_text(out, 0, 0, "end", chart->labels[i], 16);
		appendStringInfoString(out, "</g>\n");
	}
}

static void
draw_bars(StringInfo out, const SaChart *chart)
{
	double slot = (double) (WIDTH - LEFT - RIGHT) / chart->npoints;
	double bar = slot * 0.8 / chart->nseries;
	double zero = y_of(chart, 0);

	draw_axis(out, chart);
	for (int i = 0; i < chart->npoints; i++)
		for (int s = 0; s < chart->nseries; s++)
		{
			double value = chart->series[s].values[i];
			double y;

			if (!isfinite(value))
				continue;
			y = y_of(chart, value);
			appendStringInfo(out,
							 "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
							 "height=\"%.1f\" fill=\"%s\"><title>",
							 LEFT + i * slot + slot * 0.1 + s * bar,
							 Min(y, zero), bar, fabs(zero - y), color_of(s));
			append_escaped(out, chart->labels[i]);
			appendStringInfoString(out, ": ");
			append_escaped(out, chart->series[s].texts[i]);
			appendStringInfoString(out, "</title></rect>\n");
		}
	draw_labels(out, chart, 0.5, chart->npoints);
}

static void
draw_lines(StringInfo out, const SaChart *chart)
{
	int last = Max(chart->npoints - 1, 1);

	draw_axis(out, chart);
	for (int s = 0; s < chart->nseries; s++)
	{
		/* A value that is missing breaks the line. */
		bool open = false;

		appendStringInfo(
			out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" d=\"",
			color_of(s));
		for (int i = 0; i < chart->npoints; i++)
		{
			double value = chart->series[s].values[i];

			if (isfinite(value))
				appendStringInfo(out, "%c%.1f %.1f ", open ? 'L' : 'M',
								 x_of(chart, (double) i / last),
								 y_of(chart, value));
			open = isfinite(value);
		}
		appendStringInfoString(out, "\"/>\n");
	}
	draw_labels(out, chart, 0, last);
}

static void
draw_dots(StringInfo out, const SaChart *chart)
{
	double low = chart->x_min;
	double high = chart->x_max;

	draw_axis(out, chart);
	for (int s = 0; s < chart->nseries; s++)
		for (int i = 0; i < chart->npoints; i++)
		{
			double value = chart->series[s].values[i];

			if (!isfinite(value) || !isfinite(chart->x[i]))
				continue;
			appendStringInfo(
				out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n",
				x_of(chart,
					 high > low ? (chart->x[i] - low) / (high - low) : 0),
				y_of(chart, value), color_of(s));
		}
	append_text(out, LEFT, HEIGHT - BOTTOM + 18, "start", psprintf("%.6g", low),
				12);
	append_text(out, WIDTH - RIGHT, HEIGHT - BOTTOM + 18, "end",
				psprintf("%.6g", high), 12);
}

static void
draw_slice(StringInfo out, double from, double to, const char *color)
{
	double radius = (HEIGHT - TOP - 40) / 2.0;
	double x = 220;
	double y = TOP + radius;

	/* An arc from a point to itself would be none. */
	if (to - from > 0.9999)
		appendStringInfo(
			out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>\n",
			x, y, radius, color);
	else
		appendStringInfo(
			out,
			"<path d=\"M%.1f %.1f L%.1f %.1f A%.1f %.1f 0 %d 1 %.1f %.1f Z\" "
			"fill=\"%s\"/>\n",
			x, y, x + radius * sin(2 * M_PI * from),
			y - radius * cos(2 * M_PI * from), radius, radius,
			to - from > 0.5 ? 1 : 0, x + radius * sin(2 * M_PI * to),
			y - radius * cos(2 * M_PI * to), color);
}

static void
draw_slices(StringInfo out, const SaChart *chart)
{
	const SaSeries *series = &chart->series[0];
	double sum = 0;
	double done = 0;

	for (int i = 0; i < chart->npoints; i++)
		if (isfinite(series->values[i]))
			sum += Max(series->values[i], 0);
	for (int i = 0; i < chart->npoints && sum > 0; i++)
	{
		double value =
			isfinite(series->values[i]) ? Max(series->values[i], 0) : 0;
		double y = TOP + 24 + i * 24;

		if (value > 0)
			draw_slice(out, done / sum, (done + value) / sum, color_of(i));
		done += value;
		appendStringInfo(out,
						 "<rect x=\"430\" y=\"%.1f\" width=\"12\" "
						 "height=\"12\" fill=\"%s\"/>\n",
						 y - 10, color_of(i));
		append_text(out, 450, y, "start",
					psprintf("%s: %s", chart->labels[i], series->texts[i]), 34);
	}
}

/* What each color stands for. */
static void
draw_legend(StringInfo out, const SaChart *chart)
{
	for (int s = 0; s < chart->nseries; s++)
	{
		double x = LEFT + s * 110;

		appendStringInfo(out,
						 "<rect x=\"%.1f\" y=\"30\" width=\"10\" "
						 "height=\"10\" fill=\"%s\"/>\n",
						 x, color_of(s));
		append_text(out, x + 14, 39, "start", chart->series[s].name, 13);
	}
}

char *
sa_chart_svg(const char *report)
{
	SaJson *tree = sa_chart_parse(report);
	SaChart *chart = sa_chart_read(tree);
	StringInfoData out;

	if (chart->type == SA_CHART_TABLE)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the rows of this run cannot be drawn"),
				 errdetail("They have no measure by a label or a time."),
				 errhint("SELECT sqlagent.show_rows(run) shows them as a "
						 "table.")));
	initStringInfo(&out);
	appendStringInfo(&out,
					 "<svg xmlns=\"http://www.w3.org/2000/svg\" "
					 "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
					 "font-size=\"12\">\n<rect width=\"%d\" height=\"%d\" "
					 "fill=\"white\"/>\n",
					 WIDTH, HEIGHT, WIDTH, HEIGHT);
	append_text(&out, WIDTH / 2.0, 20, "middle",
				chart->title ? chart->title : "", 90);
	switch (chart->type)
	{
		case SA_CHART_BAR:
			draw_bars(&out, chart);
			break;
		case SA_CHART_LINE:
			draw_lines(&out, chart);
			break;
		case SA_CHART_PIE:
			draw_slices(&out, chart);
			break;
		default:
			draw_dots(&out, chart);
	}
	if (chart->type != SA_CHART_PIE)
		draw_legend(&out, chart);
	appendStringInfoString(&out, "</svg>");
	return out.data;
}
