/*
 * match.c
 *	  How near a value is to a text that somebody typed.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "base/text.h"
#include "db/match.h"
#include "db/words.h"

/* Longer values are compared by their beginning only. */
#define MAX_COMPARED 200

struct SaPattern
{
	char *text;
	char *lower; /* trimmed */
	char *plain; /* without accents, punctuation and blanks */
	char *initials;
};

/*
 * Letters of the Latin-1 and Latin Extended-A blocks without their marks, in
 * order from U+00C0, and '.' where there is no plain letter.  The text is in
 * lower case by then, but some letters have none.
 */
static const char plain_letters[] =
	"aaaaaa.ceeeeiiiidnooooo.ouuuuy..aaaaaa.ceeeeiiiidnooooo.ouuuuy.y"
	"aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkk.lllllll"
	"lllnnnnnnn..oooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

/* Only letters and digits, without marks; text is in lower case. */
static char *
make_plain(const char *text)
{
	StringInfoData plain;
	bool utf8 = GetDatabaseEncoding() == PG_UTF8;

	initStringInfo(&plain);
	for (const char *p = text; *p;)
	{
		int len = pg_mblen(p);

		if (!IS_HIGHBIT_SET(*p))
		{
			if (isalnum((unsigned char) *p))
				appendStringInfoChar(&plain, *p);
		}
		else if (utf8 && len == 2)
		{
			pg_wchar c = utf8_to_unicode((const unsigned char *) p);

			if (c >= 0xC0 && c < 0xC0 + lengthof(plain_letters) - 1 &&
				plain_letters[c - 0xC0] != '.')
				appendStringInfoChar(&plain, plain_letters[c - 0xC0]);
			else if (c < 0x300 || c > 0x36F) /* combining marks */
				appendBinaryStringInfo(&plain, p, len);
		}
		else
			appendBinaryStringInfo(&plain, p, len);
		p += len;
	}
	return plain.data;
}

/* First letters of the words of a lower-case text, or "" for a single word. */
static void
make_initials(const char *text, char *initials, int size)
{
	int count = 0;
	bool inside = false;

	for (const char *p = text; *p && count < size - 1; p++)
	{
		bool letter = isalnum((unsigned char) *p) || IS_HIGHBIT_SET(*p);

		if (letter && !inside)
			initials[count++] = *p;
		inside = letter;
	}
	initials[count > 1 ? count : 0] = '\0';
}

SaPattern *
sa_match_prepare(const char *text)
{
	SaPattern *pattern = palloc(sizeof(SaPattern));
	char *trimmed = sa_text_trim(text);
	char initials[16];

	pattern->text = pstrdup(text);
	pattern->lower = sa_words_lower(trimmed, strlen(trimmed));
	pattern->plain = make_plain(pattern->lower);
	make_initials(pattern->lower, initials, sizeof(initials));
	pattern->initials = pstrdup(initials);
	return pattern;
}

/* The share of changed letters, or 1 when the texts are too different. */
static double
similarity_gap(const char *wanted, const char *value)
{
	int length = Max(strlen(wanted), strlen(value));
	int max = length <= 3 ? 0 : Max(1, length / 4);
	int distance = sa_words_distance(wanted, value, max);

	return distance <= max ? (double) distance / length : 1;
}

static SaMatchKind
compare_plain(const SaPattern *pattern, const char *plain, const char *lower,
			  double *distance)
{
	char initials[16];
	double gap;
	const char *found;

	if (*pattern->plain == '\0')
		return SA_MATCH_NONE;
	if (strcmp(pattern->plain, plain) == 0)
		return SA_MATCH_ACCENT;
	if (strncmp(plain, pattern->plain, strlen(pattern->plain)) == 0)
	{
		*distance = strlen(plain) - strlen(pattern->plain);
		return SA_MATCH_PREFIX;
	}
	gap = similarity_gap(pattern->plain, plain);
	make_initials(lower, initials, sizeof(initials));
	if ((*initials && strcmp(initials, pattern->plain) == 0) ||
		(*pattern->initials && strcmp(pattern->initials, plain) == 0))
		gap = Min(gap, 0.2);
	if (gap < 1)
	{
		*distance = gap;
		return SA_MATCH_SIMILAR;
	}
	found = strstr(plain, pattern->plain);
	if (found && strlen(pattern->plain) > 1)
	{
		*distance = strlen(plain) - strlen(pattern->plain);
		return SA_MATCH_CONTAINS;
	}
	/* the value is within what was typed: 'Paris' in "paris, france" */
	if (strlen(plain) > 2 && strstr(pattern->plain, plain))
	{
		*distance = 1000 + strlen(pattern->plain) - strlen(plain);
		return SA_MATCH_CONTAINS;
	}
	return SA_MATCH_NONE;
}

SaMatchKind
sa_match_value(const SaPattern *pattern, const char *value, double *distance)
{
	char *trimmed;
	char *lower;
	char *plain;
	SaMatchKind kind;

	*distance = 0;
	if (strcmp(pattern->text, value) == 0)
		return SA_MATCH_EXACT;
	trimmed = sa_text_trim(value);
	trimmed[sa_text_clip_len(trimmed, strlen(trimmed), MAX_COMPARED)] = '\0';
	lower = sa_words_lower(trimmed, strlen(trimmed));
	if (strcmp(pattern->lower, lower) == 0)
		kind = SA_MATCH_CASE;
	else
	{
		plain = make_plain(lower);
		kind = compare_plain(pattern, plain, lower, distance);
		pfree(plain);
	}
	pfree(lower);
	pfree(trimmed);
	return kind;
}

const char *
sa_match_name(SaMatchKind kind)
{
	static const char *const names[] = {
		"exact", "case", "accent", "prefix", "similar", "contains", "none"};

	return names[kind];
}
