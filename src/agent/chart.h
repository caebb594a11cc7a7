/*
 * chart.h
 *	  A report as a drawing: text for the terminal, SVG for the browser.
 */
#ifndef SA_CHART_H
#define SA_CHART_H

#include "base/json.h"

/* As many lines or groups of bars as one can still tell apart. */
#define SA_CHART_MAX_SERIES 6
#define SA_CHART_MAX_POINTS 1000

typedef enum SaChartType
{
	SA_CHART_TABLE,
	SA_CHART_BAR,
	SA_CHART_LINE,
	SA_CHART_PIE,
	SA_CHART_SCATTER
} SaChartType;

typedef struct SaSeries
{
	char *name;
	double *values; /* NaN = none */
	char **texts;	/* as they are shown */
} SaSeries;

typedef struct SaChart
{
	SaChartType type;
	char *title;
	char *x_name;
	int npoints;
	char **labels;
	double *x; /* of a scatter chart */
	double x_min;
	double x_max;
	int nseries;
	SaSeries series[SA_CHART_MAX_SERIES];
	double min; /* of all values, with 0 */
	double max;
} SaChart;

/* Both take a report as JSON text; raise when it is none. */
extern char *sa_chart_text(const char *report, int width);
extern char *sa_chart_svg(const char *report);

/* For the two: what a report wants to have drawn. */
extern SaChart *sa_chart_read(const SaJson *report);

/* Where a value lies between the chart's limits: 0 to 1. */
extern double sa_chart_place(const SaChart *chart, double value);

/* The rows of a report as an aligned text table (chart_table.c). */
extern char *sa_chart_table(const SaJson *report);
extern char *sa_chart_table_text(const char *report);
extern SaJson *sa_chart_parse(const char *report);

#endif /* SA_CHART_H */
