/*
 * ground_claim.c
 *	  What a text claims: the numbers and dates in it.  Names are found in
 *	  ground_name.c.
 *
 * Used on answers, and on questions and statements, whose numbers support an
 * answer.  Knows nothing of rows.
 */
#include "postgres.h"

#include <ctype.h>
#include <math.h>

#include "lib/stringinfo.h"

#include "agent/ground_claim.h"
#include "agent/ground_name.h"
#include "agent/ground_word.h"
#include "base/wait.h"

/* A longer run of digits is an identifier. */
#define MAX_DIGITS 18

static const char *const months[] = {"jan", "feb", "mar", "apr", "may", "jun",
									 "jul", "aug", "sep", "oct", "nov", "dec"};
static const char *const long_months[] = {
	"january", "february", "march",		"april",   "may",	   "june",
	"july",	   "august",   "september", "october", "november", "december"};

static const struct
{
	const char *word;
	double factor;
	bool after_blank; /* a word of its own, not a suffix */
} scales[] = {{"k", 1e3, false},	  {"thousand", 1e3, true},
			  {"m", 1e6, false},	  {"mn", 1e6, false},
			  {"million", 1e6, true}, {"millions", 1e6, true},
			  {"bn", 1e9, false},	  {"b", 1e9, false},
			  {"billion", 1e9, true}, {"billions", 1e9, true}};

/*
 * Behind digits in East Asian texts: hundreds to billions, of which several make
 * one number, months, days and times, which are not put together.
 */
static const char *const counted_in[] = {
	"\xe7\x99\xbe", "\xe5\x8d\x83", "\xe4\xb8\x87", "\xe8\x90\xac",
	"\xe5\x84\x84", "\xe4\xba\xbf", "\xe5\x85\x86", "\xeb\xa7\x8c",
	"\xec\x96\xb5", "\xec\xb2\x9c", "\xe6\x9c\x88", "\xe6\x97\xa5",
	"\xec\x9b\x94", "\xec\x9d\xbc", "\xe6\x99\x82", "\xe5\x88\x86"};

static const char *const rough_words[] = {
	"about", "around", "roughly", "approximately", "nearly", "almost",
	"over",	 "some",   "than",	  "least",		   "most",	 "ca"};

static bool
is_word_char(char c)
{
	return isalnum((unsigned char) c) || c == '_' || IS_HIGHBIT_SET(c);
}

/* Whether the word at the place is this one, in any case. */
static bool
word_at(const char *at, const char *word)
{
	size_t len = strlen(word);

	return pg_strncasecmp(at, word, len) == 0 && !is_word_char(at[len]);
}

/* Bytes of a blank that groups digits, where three more digits follow. */
static int
group_blank(const char *at)
{
	int len = 0;

	if (*at == '\'')
		len = 1;
	else if (strncmp(at, "\xc2\xa0", 2) == 0)
		len = 2;
	else if (strncmp(at, "\xe2\x80\xaf", 3) == 0 ||
			 strncmp(at, "\xe2\x80\x89", 3) == 0)
		len = 3;
	if (len > 0)
		for (int i = 0; i < 3; i++)
			if (!isdigit((unsigned char) at[len + i]))
				return 0;
	return len > 0 && !isdigit((unsigned char) at[len + 3]) ? len : 0;
}

/* The end of the digits and separators that make a number. */
static const char *
number_end(const char *at, StringInfo digits)
{
	for (;;)
	{
		int blank;

		while (isdigit((unsigned char) *at))
			appendStringInfoChar(digits, *at++);
		if ((*at == '.' || *at == ',') && isdigit((unsigned char) at[1]))
			appendStringInfoChar(digits, *at++);
		else if ((blank = group_blank(at)) > 0)
			at += blank;
		else
			return at;
	}
}

static void
add_reading(SaClaim *claim, const char *digits, const char *decimal)
{
	StringInfoData plain;
	int decimals = 0;

	initStringInfo(&plain);
	for (const char *c = digits; *c; c++)
	{
		if (c == decimal)
			appendStringInfoChar(&plain, '.');
		else if (isdigit((unsigned char) *c))
		{
			appendStringInfoChar(&plain, *c);
			if (decimal && c > decimal)
				decimals++;
		}
	}
	if (claim->nreadings == SA_CLAIM_READINGS || plain.len > MAX_DIGITS)
		return;
	claim->values[claim->nreadings] = strtod(plain.data, NULL);
	claim->units[claim->nreadings] = pow(10, -decimals);
	claim->nreadings++;
}

/* Whether every separator is followed by a group of three digits. */
static bool
is_grouped(const char *digits, char separator)
{
	const char *c = strchr(digits, separator);

	if (c == NULL || c == digits || c - digits > 3)
		return false;
	for (; *c == separator; c += 4)
		if (strspn(c + 1, "0123456789") < 3)
			return false;
	return *c == '\0' || *c == '.' || *c == ',';
}

/* Read the digits in every way that makes sense; none for a list or version. */
static void
read_digits(SaClaim *claim, const char *digits)
{
	const char *last_dot = strrchr(digits, '.');
	const char *last_comma = strrchr(digits, ',');
	const char *last = Max(last_dot, last_comma);
	bool single = last && strchr(digits, *last) == last;

	if (last == NULL)
		add_reading(claim, digits, NULL);
	else if (last_dot && last_comma)
	{
		char other = *last == '.' ? ',' : '.';

		if (single && is_grouped(digits, other))
			add_reading(claim, digits, last);
	}
	else
	{
		if (single)
			add_reading(claim, digits, last);
		if (is_grouped(digits, *last))
			add_reading(claim, digits, NULL);
	}
}

/* Scale words, per cent, ordinals behind the digits; false for no number. */
static bool
read_suffix(SaClaim *claim, const char **end)
{
	static const char *const ordinals[] = {"st", "nd", "rd", "th"};
	const char *at = *end;
	const char *next = at + strspn(at, " ");

	for (int i = 0; i < (int) lengthof(ordinals); i++)
		if (word_at(at, ordinals[i]))
			return false;
	for (int i = 0; i < (int) lengthof(counted_in); i++)
		if (strncmp(at, counted_in[i], strlen(counted_in[i])) == 0)
			return false;
	if (*next == '%' || word_at(next, "percent") || word_at(next, "per cent"))
	{
		claim->percent = true;
		*end = *next == '%' ? next + 1 : next;
		return true;
	}
	for (int i = 0; i < (int) lengthof(scales); i++)
	{
		const char *place = scales[i].after_blank ? next : at;

		if (!word_at(place, scales[i].word))
			continue;
		for (int r = 0; r < claim->nreadings; r++)
		{
			claim->values[r] *= scales[i].factor;
			claim->units[r] *= scales[i].factor;
		}
		*end = place + strlen(scales[i].word);
		return true;
	}
	return true;
}

/* Whether a word that makes a number rough stands before the place. */
static bool
is_rough(const char *text, const char *at)
{
	const char *start;

	while (at > text && (at[-1] == ' ' || at[-1] == '$'))
		at--;
	if (at > text && at[-1] == '~')
		return true;
	start = at;
	while (start > text && is_word_char(start[-1]))
		start--;
	for (int i = 0; i < (int) lengthof(rough_words); i++)
		if (word_at(start, rough_words[i]))
			return true;
	return false;
}

/* "1. " and "2) " at the start of a line count the lines. */
static bool
is_list_marker(const char *text, const char *at, const char *end)
{
	if ((*end != '.' && *end != ')') ||
		(end[1] != ' ' && end[1] != '*' && end[1] != '\0'))
		return false;
	while (at > text && strchr(" \t*#>-", at[-1]))
		at--;
	return at == text || at[-1] == '\n';
}

static bool
read_number(SaClaim *claim, const char *text, const char *at, const char **end)
{
	StringInfoData digits;

	claim->kind = SA_CLAIM_NUMBER;
	initStringInfo(&digits);
	*end = number_end(at, &digits);
	if (is_list_marker(text, at, *end))
		return false;
	read_digits(claim, digits.data);
	if (claim->nreadings == 0)
		return false;
	claim->rough = is_rough(text, at);
	claim->part =
		strncmp(*end, " of ", 4) == 0 || strncmp(*end, " out of ", 8) == 0;
	return read_suffix(claim, end);
}

/* The number of a month's name at the place, or 0; *end behind it. */
static int
month_at(const char *at, const char **end)
{
	for (int i = 0; i < (int) lengthof(months); i++)
	{
		const char *name = word_at(at, long_months[i]) ? long_months[i]
						   : word_at(at, months[i])	   ? months[i]
													   : NULL;

		if (name == NULL)
			continue;
		*end = at + strlen(name);
		if (**end == '.')
			(*end)++;
		return i + 1;
	}
	return 0;
}

/* Exactly so many digits as a number; -1 otherwise. */
static int
digits_at(const char *at, int min, int max, const char **end)
{
	int len = (int) strspn(at, "0123456789");

	if (len < min || len > max)
		return -1;
	*end = at + len;
	return atoi(pnstrdup(at, len));
}

/* ", 2024" or " 2024" */
static void
read_year_behind(SaClaim *claim, const char **end)
{
	const char *at = *end;
	const char *behind;
	int year;

	if (*at == ',')
		at++;
	at += strspn(at, " ");
	year = digits_at(at, 4, 4, &behind);
	if (year < 0 || at == *end)
		return;
	claim->year = year;
	*end = behind;
}

/* "January 15, 2024", "Jan 2024", "January 15" */
static bool
read_month_first(SaClaim *claim, const char *at, const char **end)
{
	const char *next;
	int day;

	claim->month = month_at(at, end);
	if (claim->month == 0 || **end != ' ')
		return false;
	next = *end + 1;
	day = digits_at(next, 1, 2, &next);
	if (day > 0)
	{
		claim->day = day;
		if (isalpha((unsigned char) *next)) /* 15th */
			next += 2;
		*end = next;
	}
	read_year_behind(claim, end);
	return claim->day > 0 || claim->year > 0;
}

/* "15 January 2024", "15. January" */
static bool
read_day_first(SaClaim *claim, const char *at, const char **end)
{
	const char *next;

	claim->day = digits_at(at, 1, 2, &next);
	if (claim->day <= 0)
		return false;
	if (isalpha((unsigned char) *next))
		next += 2;
	else if (*next == '.')
		next++;
	if (*next != ' ')
		return false;
	claim->month = month_at(next + 1, end);
	if (claim->month == 0)
		return false;
	read_year_behind(claim, end);
	return true;
}

/* "2024-01-15", "2024-01", "15.01.2024", "1/15/2024" */
static bool
read_numeric_date(SaClaim *claim, const char *at, const char **end)
{
	const char *next;
	int first = digits_at(at, 1, 4, &next);
	char separator = first < 0 ? '\0' : *next;

	if (separator != '-' && separator != '.' && separator != '/')
		return false;
	if (next - at == 4 && separator == '-')
	{
		claim->year = first;
		claim->month = digits_at(next + 1, 2, 2, end);
		if (claim->month < 1 || claim->month > 12)
			return false;
		/* A month alone has no day, a date has one. */
		if (**end == '-' && isdigit((unsigned char) (*end)[1]))
			claim->day = digits_at(*end + 1, 2, 2, end);
		return claim->day >= 0 && !isdigit((unsigned char) **end);
	}
	claim->day = first;
	claim->month = digits_at(next + 1, 1, 2, &next);
	if (claim->month < 1 || *next != separator)
		return false;
	claim->year = digits_at(next + 1, 4, 4, end);
	claim->day_or_month = true;
	return claim->year > 0 && claim->day > 0;
}

static bool
read_date(SaClaim *claim, const char *at, const char **end)
{
	static bool (*const readers[])(SaClaim *, const char *, const char **) = {
		read_month_first, read_day_first, read_numeric_date};

	for (int i = 0; i < (int) lengthof(readers); i++)
	{
		memset(claim, 0, sizeof(SaClaim));
		claim->kind = SA_CLAIM_DATE;
		if (readers[i](claim, at, end))
			return true;
	}
	memset(claim, 0, sizeof(SaClaim));
	return false;
}

/* "10:30:00": times of day are not compared. */
static bool
skip_time(const char *at, const char **end)
{
	const char *next;

	if (digits_at(at, 1, 2, &next) < 0 || *next != ':' ||
		digits_at(next + 1, 2, 2, &next) < 0)
		return false;
	*end = next + strspn(next, ":.0123456789");
	return true;
}

/* A number or date that begins at the place, where a word may begin. */
static bool
read_claim(SaClaim *claim, const char *text, const char *at, const char **end)
{
	if ((!isdigit((unsigned char) *at) && !isalpha((unsigned char) *at)) ||
		skip_time(at, end))
		return false;
	if (read_date(claim, at, end))
		return true;
	if (isdigit((unsigned char) *at))
		return read_number(claim, text, at, end);
	memset(claim, 0, sizeof(SaClaim));
	if (!sa_word_number(claim, text, at, end))
		return false;
	claim->rough = claim->rough || is_rough(text, at);
	return true;
}

/* Digits behind a letter of a script that does without blanks. */
static bool
begins_number(const char *at)
{
	return isdigit((unsigned char) *at) && IS_HIGHBIT_SET(at[-1]);
}

List *
sa_claims_find(const char *text, bool numbers_only)
{
	List *claims = NIL;
	const char *at = text;

	while (*at)
	{
		const char *end = at;
		SaClaim claim = {0};

		sa_wait_check();
		if (read_claim(&claim, text, at, &end))
		{
			SaClaim *copy = palloc(sizeof(SaClaim));

			claim.text = pnstrdup(at, end - at);
			*copy = claim;
			claims = lappend(claims, copy);
			at = end;
		}
		/* On to the next place where a word may begin. */
		at = Max(at, end);
		if (is_word_char(*at))
			do
				at++;
			while (is_word_char(*at) && !begins_number(at));
		else if (*at)
			at++;
	}
	return numbers_only ? claims : list_concat(claims, sa_names_find(text));
}
