/*
 * text.c
 *	  Small helpers on text in the server encoding.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "mb/pg_wchar.h"
#include "utils/json.h"

#include "base/text.h"

void
sa_text_json(StringInfo out, const char *text)
{
	if (text == NULL)
		appendStringInfoString(out, "null");
	else
		escape_json(out, text);
}

int
sa_text_clip_len(const char *text, int len, int max_bytes)
{
	if (len <= max_bytes)
		return len;
	return pg_mbcliplen(text, len, max_bytes);
}

char *
sa_text_clip(const char *text, int max_bytes)
{
	int len = strlen(text);
	const char *ellipsis =
		GetDatabaseEncoding() == PG_UTF8 ? "\xe2\x80\xa6" : "...";
	int keep = sa_text_clip_len(text, len, max_bytes);

	if (keep == len)
		return pstrdup(text);
	return psprintf("%.*s%s", keep, text, ellipsis);
}

int
sa_text_tokens(int64 bytes)
{
	return (int) Min((bytes + 3) / 4, PG_INT32_MAX);
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' ||
		   c == '\v';
}

char *
sa_text_trim(const char *text)
{
	const char *end = text + strlen(text);

	while (is_blank(*text))
		text++;
	while (end > text && is_blank(end[-1]))
		end--;
	return pnstrdup(text, end - text);
}

bool
sa_text_blank(const char *text)
{
	if (text == NULL)
		return true;
	while (is_blank(*text))
		text++;
	return *text == '\0';
}

/* The value for a placeholder, from the pairs of sa_text_fill. */
static const char *
fill_value(const char *name, int len, va_list pairs)
{
	const char *key;

	while ((key = va_arg(pairs, const char *)) != NULL)
	{
		const char *value = va_arg(pairs, const char *);

		if ((int) strlen(key) == len && strncmp(key, name, len) == 0)
			return value;
	}
	elog(ERROR, "no value for placeholder \"%.*s\"", len, name);
	return NULL; /* keep the compiler quiet */
}

char *
sa_text_fill(const char *template, ...)
{
	StringInfoData out;
	const char *open;

	initStringInfo(&out);
	while ((open = strstr(template, "{{")) != NULL)
	{
		const char *close = strstr(open, "}}");
		va_list pairs;

		if (close == NULL)
			break;
		appendBinaryStringInfo(&out, template, open - template);
		va_start(pairs, template);
		appendStringInfoString(&out,
							   fill_value(open + 2, close - open - 2, pairs));
		va_end(pairs);
		template = close + 2;
	}
	appendStringInfoString(&out, template);
	return out.data;
}

char *
sa_text_hash(const char *text)
{
	const unsigned char *bytes = (const unsigned char *) text;
	int len = strlen(text);

	return psprintf(
		"%016llx%016llx",
		(unsigned long long) hash_bytes_extended(bytes, len, 0),
		(unsigned long long) hash_bytes_extended(bytes, len, UINT64CONST(1)));
}
