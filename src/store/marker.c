/*
 * marker.c
 *	  SQL files in which comments mark the queries.
 *
 * Called by transfer.  Works on text alone.
 */
#include "postgres.h"

#include "lib/stringinfo.h"

#include "base/text.h"
#include "store/marker.h"

/* Markers are told apart without regard to case, and may have more blanks. */
static const char *
find_marker(const char *text, const char *marker)
{
	int len = strlen(marker);

	for (; *text; text++)
		if (*text == '<' && pg_strncasecmp(text, marker, len) == 0)
			return text;
	return NULL;
}

/* The text between two markers, NULL when they are not both there before end. */
static char *
between(const char *text, const char *end, const char *open, const char *close)
{
	const char *start = find_marker(text, open);
	const char *stop;

	if (start == NULL || start >= end)
		return NULL;
	start += strlen(open);
	stop = find_marker(start, close);
	if (stop == NULL || stop > end)
		return NULL;
	return pnstrdup(start, stop - start);
}

/* Without the dashes of comments: of all lines, or just of the last one. */
static char *
without_dashes(const char *text, bool all)
{
	StringInfoData out;

	initStringInfo(&out);
	while (*text)
	{
		int len = strcspn(text, "\n");
		const char *line = text;
		int blanks = strspn(line, " \t");
		bool last = text[len] == '\0';

		if ((all || last) && strncmp(line + blanks, "--", 2) == 0)
		{
			int skip = blanks + 2;

			while (skip < len && (line[skip] == ' ' || line[skip] == '\t'))
				skip++;
			line += Min(skip, len);
		}
		appendBinaryStringInfo(&out, line, text + len - line);
		if (!last)
			appendStringInfoChar(&out, '\n');
		text += len + (last ? 0 : 1);
	}
	return sa_text_trim(out.data);
}

static char *
words_of(const char *name)
{
	char *words = pstrdup(name);

	for (char *p = words; *p; p++)
		if (*p == '_')
			*p = ' ';
	return words;
}

static SaMarkerBlock *
read_block(const char *start, const char *end)
{
	SaMarkerBlock *block = palloc0(sizeof(SaMarkerBlock));
	char *description;
	char *sql;

	block->name = between(start, end, "<query name>", "</query name>");
	sql = between(start, end, "<query>", "</query>");
	if (sa_text_blank(block->name) || sa_text_blank(sql))
		return NULL;
	block->name = sa_text_trim(block->name);
	block->words = words_of(block->name);
	block->sql = without_dashes(sql, false);
	description =
		between(start, end, "<query description>", "</query description>");
	if (!sa_text_blank(description))
	{
		description = without_dashes(description, true);
		block->description = *description ? description : NULL;
	}
	return *block->sql ? block : NULL;
}

List *
sa_marker_blocks(const char *text)
{
	const char *start = find_marker(text, "<query name>");
	List *blocks = NIL;

	while (start)
	{
		const char *next = find_marker(start + 1, "<query name>");
		SaMarkerBlock *block =
			read_block(start, next ? next : start + strlen(start));

		if (block)
			blocks = lappend(blocks, block);
		start = next;
	}
	return blocks;
}
