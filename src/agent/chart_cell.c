/*
 * chart_cell.c
 *	  Text in the columns of a terminal.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"

#include "agent/chart_cell.h"

int
sa_cell_width(const char *text)
{
	int width = 0;

	for (; *text; text += pg_mblen(text))
		width += Max(pg_dsplen(text), 0);
	return width;
}

char *
sa_cell_clip(const char *text, int width)
{
	const char *ellipsis =
		GetDatabaseEncoding() == PG_UTF8 ? "\xe2\x80\xa6" : ".";
	bool fits = sa_cell_width(text) <= width;
	int left = fits ? width : width - 1;
	StringInfoData out;

	initStringInfo(&out);
	for (; *text; text += pg_mblen(text))
	{
		int columns = Max(pg_dsplen(text), 0);

		if (columns > left)
			break;
		left -= columns;
		/* A line break would spoil the table, an escape the terminal. */
		if ((unsigned char) *text < ' ' || *text == 0x7f)
			appendStringInfoChar(&out, ' ');
		else
			appendBinaryStringInfo(&out, text, pg_mblen(text));
	}
	if (!fits)
		appendStringInfoString(&out, ellipsis);
	return out.data;
}
