/*
 * result_model.c
 *	  What the model is given of a result: bounded, marked as data, and without
 *	  what it must not see.
 *
 * Called by the tools.  Values are untrusted text: they stand in a block whose
 * end they cannot write.
 */
#include "postgres.h"

#include <limits.h>

#include "base/guc.h"
#include "base/text.h"
#include "db/result.h"
#include "db/result_value.h"

#define BYTES_PER_TOKEN 4

/* Stands for a value of a masked column; also for NULL, which tells as much. */
#define MASKED_VALUE "(masked)"

/* Append text so that nothing in it closes the block. */
static void
append_data(StringInfo out, const char *text)
{
	static const char close[] = "</data";
	const char *found;

	for (;;)
	{
		for (found = strchr(text, '<'); found; found = strchr(found + 1, '<'))
			if (pg_strncasecmp(found, close, sizeof(close) - 1) == 0)
				break;
		if (found == NULL)
			break;
		appendBinaryStringInfo(out, text, found - text);
		appendStringInfoString(out, "&lt;");
		text = found + 1;
	}
	appendStringInfoString(out, text);
}

/* One field as COPY ... (FORMAT csv) writes it. */
static void
append_csv(StringInfo out, const char *text, bool alone)
{
	if (text == NULL)
		return;
	/* "\." alone on a line would end COPY's data */
	if (*text != '\0' && strpbrk(text, ",\"\r\n") == NULL &&
		!(alone && strcmp(text, "\\.") == 0))
	{
		appendStringInfoString(out, text);
		return;
	}
	appendStringInfoChar(out, '"');
	for (; *text; text++)
	{
		if (*text == '"')
			appendStringInfoChar(out, '"');
		appendStringInfoChar(out, *text);
	}
	appendStringInfoChar(out, '"');
}

static const char *
shown_value(const SaResult *result, int row, int column)
{
	if (result->columns[column].masked)
		return MASKED_VALUE;
	return result->rows[row][column];
}

static void
append_csv_row(StringInfo out, const SaResult *result, int row)
{
	for (int i = 0; i < result->ncolumns; i++)
	{
		if (i > 0)
			appendStringInfoChar(out, ',');
		append_csv(out,
				   row < 0 ? result->columns[i].name
						   : shown_value(result, row, i),
				   result->ncolumns == 1);
	}
	appendStringInfoChar(out, '\n');
}

static void
append_json_row(StringInfo out, const SaResult *result, int row)
{
	appendStringInfoChar(out, '[');
	for (int i = 0; i < result->ncolumns; i++)
	{
		if (i > 0)
			appendStringInfoString(out, ", ");
		if (row < 0)
			sa_text_json(out, result->columns[i].name);
		else
			sa_result_value_json(out,
								 result->columns[i].masked
									 ? SA_VALUE_STRING
									 : result->columns[i].kind,
								 shown_value(result, row, i));
	}
	appendStringInfoChar(out, ']');
}

/* The block's text within the bound; the number of rows that fit. */
static int
append_rows(StringInfo out, const SaResult *result, bool json)
{
	int count = Min(result->nrows, sa_guc_model_rows);
	int limit = Min((int64) sa_guc_result_tokens * BYTES_PER_TOKEN, INT_MAX);
	int row;

	if (json)
	{
		appendStringInfoString(out, "{\"columns\": ");
		append_json_row(out, result, -1);
		appendStringInfoString(out, ", \"rows\": [");
	}
	else
		append_csv_row(out, result, -1);
	for (row = 0; row < count; row++)
	{
		int len = out->len;

		if (json)
		{
			if (row > 0)
				appendStringInfoString(out, ", ");
			append_json_row(out, result, row);
		}
		else
			append_csv_row(out, result, row);
		if (out->len > limit)
		{
			out->len = len;
			out->data[len] = '\0';
			break;
		}
	}
	if (json)
		appendStringInfoString(out, "]}\n");
	return row;
}

/*
 * An error whose text may hold values that the model must not see is told by
 * its SQLSTATE only.
 */
static void
append_error(StringInfo out, const SaResult *result, bool local)
{
	SaError error = *result->error;

	if (result->error_has_data &&
		(result->touches_masked || (!local && sa_guc_share < SA_SHARE_ROWS)))
	{
		error.message = psprintf("the statement failed with SQLSTATE %s",
								 unpack_sql_state(error.sqlerrcode));
		error.detail = NULL;
	}
	appendStringInfoString(out, "{\"error\": ");
	sa_error_to_json(out, &error);
	appendStringInfoChar(out, '}');
}

void
sa_result_for_model(StringInfo out, const SaResult *result, bool local)
{
	StringInfoData data;
	int shown;

	if (result->error)
	{
		append_error(out, result, local);
		return;
	}
	initStringInfo(&data);
	shown = append_rows(&data, result, sa_guc_output_format == SA_FORMAT_JSON);
	appendStringInfo(out, "rows: %d", result->nrows);
	if (!local && sa_guc_share < SA_SHARE_ROWS)
		shown = result->nrows;
	if (shown < result->nrows)
		appendStringInfo(out, ", shown: %d", shown);
	appendStringInfo(out, "\ntruncated: %s\n",
					 result->truncated ? "true" : "false");
	if (!local && sa_guc_share < SA_SHARE_ROWS)
		appendStringInfoString(out,
							   "values: not shared (the person sees them)\n");
	else
	{
		appendStringInfoString(out, "<data>\n");
		append_data(out, data.data);
		appendStringInfoString(out, "</data>\n");
	}
	pfree(data.data);
}
