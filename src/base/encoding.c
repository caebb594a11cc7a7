/*
 * encoding.c
 *	  Between the server encoding and UTF-8, which JSON is in.
 *
 * Never fails for the text's sake: a model's reply must not end a run because
 * of one character that the database cannot hold, so that becomes '?'.  In a
 * SQL_ASCII database the bytes are taken for UTF-8, and what is none is
 * replaced.
 *
 * The server's own functions convert only inside a transaction, and a model is
 * waited for outside of any: the conversion is looked up once, in a short one,
 * and called directly from then on.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "utils/memutils.h"

#include "base/json.h"
#include "base/spi.h"

static FmgrInfo *to_utf8 = NULL;
static FmgrInfo *from_utf8 = NULL;

static FmgrInfo *
find_conversion(int from, int to)
{
	bool own_tx = !sa_tx_is_open();
	FmgrInfo *function = NULL;
	Oid oid;

	if (own_tx)
		sa_tx_begin(SA_TX_ASKER);
	oid = FindDefaultConversionProc(from, to);
	if (!OidIsValid(oid))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("there is no default conversion from %s to %s",
						pg_encoding_to_char(from), pg_encoding_to_char(to))));
	function = MemoryContextAlloc(TopMemoryContext, sizeof(FmgrInfo));
	fmgr_info_cxt(oid, function, TopMemoryContext);
	if (own_tx)
		sa_tx_commit();
	return function;
}

/* Replace what is not valid UTF-8, and NUL, by '?', in place. */
static void
repair_utf8(char *text, size_t len)
{
	size_t done = 0;

	while (done < len)
	{
		done += pg_encoding_verifymbstr(PG_UTF8, text + done, len - done);
		if (done < len)
			text[done++] = '?';
	}
}

/* Convert piece by piece, with '?' for each character that does not go. */
static char *
convert(FmgrInfo *function, const char *text, size_t len, int from, int to)
{
	size_t room = len * MAX_CONVERSION_GROWTH + 1;
	char *out = MemoryContextAllocHuge(CurrentMemoryContext, room);
	size_t used = 0;

	while (len > 0)
	{
		int done = DatumGetInt32(
			FunctionCall6(function, Int32GetDatum(from), Int32GetDatum(to),
						  CStringGetDatum(text), CStringGetDatum(out + used),
						  Int32GetDatum((int) len), BoolGetDatum(true)));

		used += strlen(out + used);
		text += done;
		len -= done;
		if (len > 0)
		{
			size_t bad = Min(len, (size_t) pg_encoding_mblen(from, text));

			out[used++] = '?';
			text += bad;
			len -= bad;
		}
	}
	out[used] = '\0';
	return out;
}

static bool
is_ascii(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] == '\0' || IS_HIGHBIT_SET(text[i]))
			return false;
	return true;
}

char *
sa_json_to_utf8(const char *text)
{
	int encoding = GetDatabaseEncoding();
	size_t len;

	if (encoding == PG_UTF8)
		return unconstify(char *, text);
	len = strlen(text);
	if (is_ascii(text, len))
		return unconstify(char *, text);
	if (encoding == PG_SQL_ASCII)
	{
		char *copy = pnstrdup(text, len);

		repair_utf8(copy, len);
		return copy;
	}
	if (to_utf8 == NULL)
		to_utf8 = find_conversion(encoding, PG_UTF8);
	return convert(to_utf8, text, len, encoding, PG_UTF8);
}

char *
sa_json_from_utf8(const char *text, int len)
{
	int encoding = GetDatabaseEncoding();
	char *copy = palloc(len + 1);

	memcpy(copy, text, len);
	copy[len] = '\0';
	if (is_ascii(copy, len))
		return copy;
	repair_utf8(copy, len);
	if (encoding == PG_UTF8 || encoding == PG_SQL_ASCII)
		return copy;
	if (from_utf8 == NULL)
		from_utf8 = find_conversion(PG_UTF8, encoding);
	return convert(from_utf8, copy, len, PG_UTF8, encoding);
}
