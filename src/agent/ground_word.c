/*
 * ground_word.c
 *	  Numbers that are written in words: "three", "twenty-one", "a dozen", "half
 *	  of".
 *
 * Called by ground_claim.c.  English only.  Better to miss a number than to take
 * an ordinary word for one: "one" counts only where it is meant as a number.
 */
#include "postgres.h"

#include <ctype.h>

#include "agent/ground_word.h"

/* Longer than any of them. */
#define MAX_WORD 12

typedef enum WordKind
{
	WORD_UNIT, /* below twenty, stands alone or last */
	WORD_TEN,
	WORD_HUNDRED,
	WORD_SCALE /* multiplies all that is before */
} WordKind;

typedef struct NumberWord
{
	const char *word;
	double value;
	WordKind kind;
} NumberWord;

static const NumberWord number_words[] = {
	{"zero", 0, WORD_UNIT},			{"one", 1, WORD_UNIT},
	{"two", 2, WORD_UNIT},			{"three", 3, WORD_UNIT},
	{"four", 4, WORD_UNIT},			{"five", 5, WORD_UNIT},
	{"six", 6, WORD_UNIT},			{"seven", 7, WORD_UNIT},
	{"eight", 8, WORD_UNIT},		{"nine", 9, WORD_UNIT},
	{"ten", 10, WORD_UNIT},			{"eleven", 11, WORD_UNIT},
	{"twelve", 12, WORD_UNIT},		{"thirteen", 13, WORD_UNIT},
	{"fourteen", 14, WORD_UNIT},	{"fifteen", 15, WORD_UNIT},
	{"sixteen", 16, WORD_UNIT},		{"seventeen", 17, WORD_UNIT},
	{"eighteen", 18, WORD_UNIT},	{"nineteen", 19, WORD_UNIT},
	{"twenty", 20, WORD_TEN},		{"thirty", 30, WORD_TEN},
	{"forty", 40, WORD_TEN},		{"fifty", 50, WORD_TEN},
	{"sixty", 60, WORD_TEN},		{"seventy", 70, WORD_TEN},
	{"eighty", 80, WORD_TEN},		{"ninety", 90, WORD_TEN},
	{"hundred", 100, WORD_HUNDRED}, {"dozen", 12, WORD_SCALE},
	{"thousand", 1e3, WORD_SCALE},	{"million", 1e6, WORD_SCALE},
	{"billion", 1e9, WORD_SCALE}};

/* Behind which "one" is a number. */
static const char *const exact_words[] = {"only", "exactly", "just"};

/* Before which "half" is none of the whole. */
static const char *const part_words[] = {"first", "second", "other",  "latter",
										 "than",  "about",	"nearly", "almost",
										 "over",  "under",	"roughly"};

static int
word_len(const char *at)
{
	int len = 0;

	while (isalpha((unsigned char) at[len]))
		len++;
	return isalnum((unsigned char) at[len]) || at[len] == '_' ||
				   IS_HIGHBIT_SET(at[len])
			   ? 0
			   : len;
}

static bool
is_word(const char *at, int len, const char *word)
{
	return (int) strlen(word) == len && pg_strncasecmp(at, word, len) == 0;
}

static const NumberWord *
find_word(const char *at, int len)
{
	if (len == 0 || len > MAX_WORD)
		return NULL;
	for (int i = 0; i < (int) lengthof(number_words); i++)
		if (is_word(at, len, number_words[i].word))
			return &number_words[i];
	return NULL;
}

/* Whether the word before the place is one of the list. */
static bool
stands_behind(const char *text, const char *at, const char *const *list,
			  int count)
{
	const char *end = at;
	const char *start;

	while (end > text && end[-1] == ' ')
		end--;
	start = end;
	while (start > text && isalpha((unsigned char) start[-1]))
		start--;
	for (int i = 0; i < count; i++)
		if (is_word(start, (int) (end - start), list[i]))
			return true;
	return false;
}

/* Where the next word of a number may begin: "twenty-one", "hundred and five" */
static const char *
next_place(const char *end)
{
	if (*end == '-' && isalpha((unsigned char) end[1]))
		return end + 1;
	if (*end != ' ')
		return NULL;
	if (pg_strncasecmp(end, " and ", 5) == 0)
		return end + 5;
	return end + 1;
}

/* Whether a word may go on with a number whose last word is the other one. */
static bool
goes_on(const NumberWord *last, const NumberWord *next, const char *end)
{
	if (pg_strncasecmp(end, " and ", 5) == 0)
		return last->kind >= WORD_HUNDRED && next->kind <= WORD_TEN;
	switch (last->kind)
	{
		case WORD_UNIT:
			return next->kind >= WORD_HUNDRED;
		case WORD_TEN:
			return next->kind >= WORD_HUNDRED ||
				   (next->kind == WORD_UNIT && next->value >= 1 &&
					next->value <= 9);
		default:
			return true;
	}
}

static double
read_words(const char *at, const char **end, const NumberWord **last)
{
	double whole = 0;
	double part = 0;
	const NumberWord *word = find_word(at, word_len(at));

	while (word)
	{
		const char *next;
		const NumberWord *more;

		*last = word;
		*end = at + strlen(word->word);
		if (word->kind <= WORD_TEN)
			part += word->value;
		else if (word->kind == WORD_HUNDRED)
			part = Max(part, 1) * word->value;
		else
		{
			whole += Max(part, 1) * word->value;
			part = 0;
		}
		next = next_place(*end);
		more = next ? find_word(next, word_len(next)) : NULL;
		if (more && !goes_on(word, more, *end))
			more = NULL;
		word = more;
		at = next;
	}
	return whole + part;
}

static void
set_value(SaClaim *claim, double value)
{
	claim->kind = SA_CLAIM_NUMBER;
	claim->nreadings = 1;
	claim->values[0] = value;
	claim->units[0] = 1;
}

/* "half of the customers" is 50 per cent of something. */
static bool
read_half(SaClaim *claim, const char *text, const char *at, const char **end)
{
	if (!is_word(at, word_len(at), "half") ||
		(pg_strncasecmp(at + 4, " of ", 4) != 0 &&
		 pg_strncasecmp(at + 4, " the ", 5) != 0) ||
		stands_behind(text, at, part_words, lengthof(part_words)))
		return false;
	set_value(claim, 50);
	claim->percent = true;
	*end = at + 4;
	return true;
}

bool
sa_word_number(SaClaim *claim, const char *text, const char *at,
			   const char **end)
{
	const NumberWord *first = find_word(at, word_len(at));
	const NumberWord *last = first;
	double value;

	if (read_half(claim, text, at, end))
		return true;
	/* "in the hundreds", "a million reasons" are no figures; "a dozen" is. */
	if (first == NULL || first->kind == WORD_HUNDRED ||
		(first->kind == WORD_SCALE && first->value != 12))
		return false;
	value = read_words(at, end, &last);
	if (**end == '-' || (value == 1 && !stands_behind(text, at, exact_words,
													  lengthof(exact_words))))
		return false;
	set_value(claim, value);
	claim->part = true;
	if (last->kind >= WORD_HUNDRED)
		claim->rough = true;
	return true;
}
