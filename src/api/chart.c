/*
 * chart.c
 *	  chart(), chart_svg() and show_rows(): a report as a drawing or a table.
 *
 * No worker and no model: what is drawn is in the report.
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "agent/chart.h"
#include "base/export.h"

SA_FUNCTION(sqlagent_chart);
SA_FUNCTION(sqlagent_chart_svg);
SA_FUNCTION(sqlagent_show_rows);

#define MIN_WIDTH 20
#define MAX_WIDTH 400

static char *
report_arg(FunctionCallInfo fcinfo)
{
	Jsonb *report = PG_GETARG_JSONB_P(0);

	return JsonbToCString(NULL, &report->root, VARSIZE(report));
}

Datum
sqlagent_chart(PG_FUNCTION_ARGS)
{
	int width = PG_GETARG_INT32(1);

	if (width < MIN_WIDTH || width > MAX_WIDTH)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("width %d is not between %d and %d", width,
							   MIN_WIDTH, MAX_WIDTH)));
	PG_RETURN_TEXT_P(cstring_to_text(sa_chart_text(report_arg(fcinfo), width)));
}

Datum
sqlagent_chart_svg(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(cstring_to_text(sa_chart_svg(report_arg(fcinfo))));
}

Datum
sqlagent_show_rows(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(cstring_to_text(sa_chart_table_text(report_arg(fcinfo))));
}
