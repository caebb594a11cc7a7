/*
 * chart_table.c
 *	  The rows of a report as an aligned text table.
 */
#include "postgres.h"

#include "lib/stringinfo.h"

#include "agent/chart.h"
#include "agent/chart_cell.h"
#include "base/wait.h"

#define MAX_ROWS 1000
#define MAX_CELL 60

typedef struct Grid
{
	int ncolumns;
	int nrows;
	char ***cells; /* row 0 is the heading */
	int *widths;
	bool *right; /* numbers stand to the right */
} Grid;

static char *
cell_text(const SaJson *value)
{
	const char *text;

	if (value == NULL)
		return pstrdup("");
	if (sa_json_is_string(value))
		return sa_cell_clip(sa_json_string(value), MAX_CELL);
	text = sa_json_print(value);
	return sa_cell_clip(sa_json_from_utf8(text, (int) strlen(text)), MAX_CELL);
}

static void
set_cell(Grid *grid, int row, int column, char *text)
{
	grid->cells[row][column] = text;
	grid->widths[column] = Max(grid->widths[column], sa_cell_width(text));
}

static Grid *
make_grid(const SaJson *report)
{
	const SaJson *columns = sa_json_get(report, "columns");
	const SaJson *rows = sa_json_get(report, "rows");
	Grid *grid = palloc0(sizeof(Grid));

	grid->ncolumns = sa_json_length(columns);
	grid->nrows = Min(sa_json_length(rows), MAX_ROWS);
	grid->widths = palloc0(sizeof(int) * (grid->ncolumns + 1));
	grid->right = palloc0(sizeof(bool) * (grid->ncolumns + 1));
	grid->cells = palloc(sizeof(char **) * (grid->nrows + 1));
	for (int i = 0; i <= grid->nrows; i++)
	{
		const SaJson *row = i > 0 ? sa_json_at(rows, i - 1) : NULL;

		sa_wait_check();
		grid->cells[i] = palloc(sizeof(char *) * (grid->ncolumns + 1));
		for (int j = 0; j < grid->ncolumns; j++)
		{
			const SaJson *value = sa_json_at(row, j);

			set_cell(
				grid, i, j,
				i > 0 ? cell_text(value)
					  : cell_text(sa_json_get(sa_json_at(columns, j), "name")));
			if (i > 0 && sa_json_is_number(value))
				grid->right[j] = true;
		}
	}
	return grid;
}

static void
append_row(StringInfo out, const Grid *grid, int row)
{
	for (int j = 0; j < grid->ncolumns; j++)
	{
		const char *text = grid->cells[row][j];
		int pad = grid->widths[j] - sa_cell_width(text);

		appendStringInfoString(out, j > 0 ? " | " : " ");
		if (grid->right[j])
			appendStringInfoSpaces(out, pad);
		appendStringInfoString(out, text);
		if (!grid->right[j] && j < grid->ncolumns - 1)
			appendStringInfoSpaces(out, pad);
	}
	appendStringInfoChar(out, '\n');
}

char *
sa_chart_table(const SaJson *report)
{
	Grid *grid = make_grid(report);
	int total = sa_json_length(sa_json_get(report, "rows"));
	StringInfoData out;

	if (grid->ncolumns == 0)
		return pstrdup("(the run has no rows)");
	initStringInfo(&out);
	append_row(&out, grid, 0);
	for (int j = 0; j < grid->ncolumns; j++)
	{
		appendStringInfoString(&out, j > 0 ? "+" : "");
		for (int i = 0; i < grid->widths[j] + 2; i++)
			appendStringInfoChar(&out, '-');
	}
	appendStringInfoChar(&out, '\n');
	for (int i = 1; i <= grid->nrows; i++)
		append_row(&out, grid, i);
	if (total > grid->nrows)
		appendStringInfo(&out, "(the first %d of %d rows)", grid->nrows, total);
	else
		appendStringInfo(&out, "(%d %s)", total, total == 1 ? "row" : "rows");
	return out.data;
}

char *
sa_chart_table_text(const char *report)
{
	return sa_chart_table(sa_chart_parse(report));
}
