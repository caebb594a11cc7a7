/*
 * result.c
 *	  Forms of a result: JSON for people and programs, and a text table.
 *
 * Pure: nothing here reads the database.  What the model is given is in
 * result_model.c.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "base/text.h"
#include "db/result.h"
#include "db/result_value.h"

/* JSON's grammar of a number; NaN, Infinity and placeholders are none. */
static bool
is_json_number(const char *text)
{
	const char *c = text;

	if (*c == '-')
		c++;
	if (*c < '0' || *c > '9' || (c[0] == '0' && c[1] >= '0' && c[1] <= '9'))
		return false;
	c += strspn(c, "0123456789");
	if (*c == '.')
	{
		if (c[1] < '0' || c[1] > '9')
			return false;
		c += 1 + strspn(c + 1, "0123456789");
	}
	if (*c == 'e' || *c == 'E')
	{
		c++;
		if (*c == '+' || *c == '-')
			c++;
		if (*c < '0' || *c > '9')
			return false;
		c += strspn(c, "0123456789");
	}
	return *c == '\0';
}

void
sa_result_value_json(StringInfo out, SaValueKind kind, const char *text)
{
	if (text == NULL)
		appendStringInfoString(out, "null");
	/* a value that was left out begins with '<', which JSON does not */
	else if ((kind == SA_VALUE_NUMBER && is_json_number(text)) ||
			 (kind == SA_VALUE_JSON && text[0] != '<'))
		appendStringInfoString(out, text);
	else if (kind == SA_VALUE_BOOL && (text[0] == 't' || text[0] == 'f') &&
			 text[1] == '\0')
		appendStringInfoString(out, text[0] == 't' ? "true" : "false");
	else
		sa_text_json(out, text);
}

void
sa_result_rows_json(StringInfo out, const SaResult *result, int max_rows)
{
	int count = Min(result->nrows, max_rows);

	appendStringInfoChar(out, '[');
	for (int row = 0; row < count; row++)
	{
		appendStringInfoString(out, row > 0 ? ", [" : "[");
		for (int i = 0; i < result->ncolumns; i++)
		{
			if (i > 0)
				appendStringInfoString(out, ", ");
			sa_result_value_json(out, result->columns[i].kind,
								 result->rows[row][i]);
		}
		appendStringInfoChar(out, ']');
	}
	appendStringInfoChar(out, ']');
}

void
sa_result_columns_json(StringInfo out, const SaResult *result)
{
	appendStringInfoChar(out, '[');
	for (int i = 0; i < result->ncolumns; i++)
	{
		appendStringInfoString(out, i > 0 ? ", {\"name\": " : "{\"name\": ");
		sa_text_json(out, result->columns[i].name);
		appendStringInfoString(out, ", \"type\": ");
		sa_text_json(out, result->columns[i].type_name);
		appendStringInfoChar(out, '}');
	}
	appendStringInfoChar(out, ']');
}

void
sa_result_json(StringInfo out, const SaResult *result)
{
	if (result->error)
	{
		appendStringInfoString(out, "{\"error\": ");
		sa_error_to_json(out, result->error);
		appendStringInfoChar(out, '}');
		return;
	}
	appendStringInfoString(out, "{\"columns\": ");
	sa_result_columns_json(out, result);
	appendStringInfoString(out, ", \"rows\": ");
	sa_result_rows_json(out, result, result->nrows);
	appendStringInfo(out,
					 ", \"row_count\": %d, \"truncated\": %s, \"omitted\": %d, "
					 "\"execution_ms\": %.3f}",
					 result->nrows, result->truncated ? "true" : "false",
					 result->omitted, result->ms);
}

/* Columns of the terminal that a text takes; control characters take one. */
static int
display_width(const char *text)
{
	int width = 0;

	while (*text)
	{
		int len = pg_mblen(text);
		int columns = pg_dsplen(text);

		width += Max(columns, *text & 0x80 ? 0 : 1);
		for (; len > 0 && *text; len--)
			text++;
	}
	return width;
}

/* A text in its column; what would break the line is a blank. */
static void
append_cell(StringInfo out, const char *text, int width, bool right)
{
	int pad = width - display_width(text);

	if (right && pad > 0)
		appendStringInfoSpaces(out, pad);
	for (; *text; text++)
		appendStringInfoChar(out, (unsigned char) *text < ' ' ? ' ' : *text);
	if (!right && pad > 0)
		appendStringInfoSpaces(out, pad);
}

static const char *
cell_text(const SaResult *result, int row, int column)
{
	const char *text = result->rows[row][column];

	return text ? text : "";
}

static int
column_width(const SaResult *result, int column, int count)
{
	int width = display_width(result->columns[column].name);

	for (int row = 0; row < count; row++)
		width = Max(width, display_width(cell_text(result, row, column)));
	return width;
}

void
sa_result_table(StringInfo out, const SaResult *result, int max_rows)
{
	int count = Min(result->nrows, max_rows);
	int *widths = palloc(Max(result->ncolumns, 1) * sizeof(int));

	for (int i = 0; i < result->ncolumns; i++)
	{
		widths[i] = column_width(result, i, count);
		appendStringInfoString(out, i > 0 ? " | " : " ");
		append_cell(out, result->columns[i].name, widths[i], false);
	}
	appendStringInfoString(out, "\n");
	for (int i = 0; i < result->ncolumns; i++)
	{
		appendStringInfoString(out, i > 0 ? "+" : "");
		for (int j = 0; j < widths[i] + 2; j++)
			appendStringInfoChar(out, '-');
	}
	for (int row = 0; row < count; row++)
	{
		appendStringInfoString(out, "\n");
		for (int i = 0; i < result->ncolumns; i++)
		{
			appendStringInfoString(out, i > 0 ? " | " : " ");
			append_cell(out, cell_text(result, row, i), widths[i],
						result->columns[i].kind == SA_VALUE_NUMBER);
		}
	}
	appendStringInfo(out, "\n(%d row%s%s)", count, count == 1 ? "" : "s",
					 result->truncated || count < result->nrows ? ", more exist"
																: "");
}
