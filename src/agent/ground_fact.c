/*
 * ground_fact.c
 *	  What the rows of a run, and what was asked, support.
 *
 * Used by ground.c.  A number is supported when it is one of the rows, as
 * exactly as it is written, or what one reads off them: a sum, mean, count,
 * difference, or share.
 */
#include "postgres.h"

#include <ctype.h>
#include <math.h>

#include "agent/ground_fact.h"
#include "base/text.h"
#include "base/wait.h"

/*
 * Rows that are looked at, and how many are compared two by two: the more, the
 * more numbers some pair supports by chance.
 */
#define MAX_ROWS 5000
#define MAX_PAIR_ROWS 20
#define MAX_PAIR_COLUMNS 8

typedef struct Numbers
{
	double *values;
	int count;
	int size;
	bool sorted;
} Numbers;

typedef struct Date
{
	int year;
	int month;
	int day;
} Date;

struct SaFacts
{
	Numbers numbers;
	Numbers percents; /* not counting those that numbers are */
	int nrows;		  /* of the largest result */
	List *dates;	  /* of Date * */
	List *rows;		  /* of char *, folded: the values of one row */
	List *texts;	  /* of char *, folded */
};

SaFacts *
sa_facts_new(void)
{
	return palloc0(sizeof(SaFacts));
}

static void
add_number(Numbers *numbers, double value)
{
	if (isnan(value) || isinf(value))
		return;
	if (numbers->count == numbers->size)
	{
		numbers->size = Max(64, numbers->size * 2);
		numbers->values =
			numbers->values
				? repalloc_huge(numbers->values, sizeof(double) * numbers->size)
				: palloc(sizeof(double) * numbers->size);
	}
	/* Signs are told in words as often as not. */
	numbers->values[numbers->count++] = fabs(value);
	numbers->sorted = false;
}

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *) a;
	double y = *(const double *) b;

	return (x > y) - (x < y);
}

/* Whether one of the numbers lies between the two. */
static bool
has_between(Numbers *numbers, double low, double high)
{
	int from = 0;
	int to = numbers->count;

	if (!numbers->sorted && numbers->count > 0)
		qsort(numbers->values, numbers->count, sizeof(double), compare_doubles);
	numbers->sorted = true;
	while (from < to)
	{
		int middle = from + (to - from) / 2;

		if (numbers->values[middle] < low)
			from = middle + 1;
		else
			to = middle;
	}
	return from < numbers->count && numbers->values[from] <= high;
}

/* What two numbers that belong together make. */
static void
add_pair(SaFacts *facts, double a, double b)
{
	add_number(&facts->numbers, a + b);
	add_number(&facts->numbers, a - b);
	if (b != 0)
	{
		add_number(&facts->percents, 100 * a / b);
		add_number(&facts->percents, 100 * (a - b) / b);
	}
	if (a != 0)
	{
		add_number(&facts->percents, 100 * b / a);
		add_number(&facts->percents, 100 * (b - a) / a);
	}
}

static bool
is_number(const SaResult *result, int row, int column, double *value)
{
	const char *text = result->rows[row][column];
	char *end;

	if (text == NULL || result->columns[column].kind != SA_VALUE_NUMBER)
		return false;
	*value = strtod(text, &end);
	return *end == '\0';
}

/*
 * What is read off a longer series: the change from row to row, the first
 * against the last, and what the first rows make together, or leave.
 */
static void
add_series(SaFacts *facts, const SaResult *result, int column, int nrows,
		   double sum)
{
	double so_far = 0;
	double before = 0;
	double first = 0;
	int count = 0;
	double a;

	for (int i = 0; i < nrows; i++)
	{
		if (!is_number(result, i, column, &a))
			continue;
		if (count == 0)
			first = a;
		else if (nrows > MAX_PAIR_ROWS)
			add_pair(facts, a, before);
		before = a;
		so_far += a;
		if (++count > MAX_PAIR_ROWS)
			continue;
		add_number(&facts->numbers, so_far);
		add_number(&facts->numbers, sum - so_far);
		if (sum != 0)
		{
			add_number(&facts->percents, 100 * so_far / sum);
			add_number(&facts->percents, 100 - 100 * so_far / sum);
		}
	}
	if (nrows > MAX_PAIR_ROWS)
		add_pair(facts, before, first);
}

static void
add_number_column(SaFacts *facts, const SaResult *result, int column, int nrows)
{
	double sum = 0;
	int count = 0;
	double a;
	double b;

	for (int i = 0; i < nrows; i++)
	{
		if (!is_number(result, i, column, &a))
			continue;
		add_number(&facts->numbers, a);
		add_number(&facts->percents, 100 * a);
		sum += a;
		count++;
		if (nrows <= MAX_PAIR_ROWS)
			for (int j = i + 1; j < nrows; j++)
				if (is_number(result, j, column, &b))
					add_pair(facts, a, b);
	}
	add_series(facts, result, column, nrows, sum);
	add_number(&facts->numbers, sum);
	if (count > 0)
		add_number(&facts->numbers, sum / count);
	if (sum != 0)
		for (int i = 0; i < nrows; i++)
			if (is_number(result, i, column, &a))
				add_number(&facts->percents, 100 * a / sum);
}

static void
add_number_rows(SaFacts *facts, const SaResult *result, int nrows)
{
	int ncolumns = Min(result->ncolumns, MAX_PAIR_COLUMNS);
	double a;
	double b;

	for (int i = 0; i < nrows; i++)
		for (int j = 0; j < ncolumns; j++)
			for (int k = j + 1; k < ncolumns; k++)
				if (is_number(result, i, j, &a) && is_number(result, i, k, &b))
					add_pair(facts, a, b);
}

static int
compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *) a, *(char *const *) b);
}

/* How often each value occurs, and how many there are. */
static void
add_counts(SaFacts *facts, const SaResult *result, int column, int nrows)
{
	char **values = palloc(sizeof(char *) * Max(nrows, 1));
	int count = 0;
	int distinct = 0;
	int from = 0;

	for (int i = 0; i < nrows; i++)
		if (result->rows[i][column])
			values[count++] = result->rows[i][column];
	qsort(values, count, sizeof(char *), compare_texts);
	for (int i = 1; i <= count; i++)
		if (i == count || strcmp(values[i], values[from]) != 0)
		{
			add_number(&facts->numbers, i - from);
			add_number(&facts->percents, 100.0 * (i - from) / nrows);
			distinct++;
			from = i;
		}
	add_number(&facts->numbers, distinct);
	add_number(&facts->numbers, count);
	add_number(&facts->numbers, nrows - count);
	pfree(values);
}

static void
add_claims_of(SaFacts *facts, const char *text)
{
	ListCell *cell;

	foreach (cell, sa_claims_find(text, true))
	{
		const SaClaim *claim = lfirst(cell);
		Date *date;

		if (claim->kind == SA_CLAIM_NUMBER)
		{
			for (int i = 0; i < claim->nreadings; i++)
			{
				add_number(&facts->numbers, claim->values[i]);
				add_number(&facts->percents, 100 * claim->values[i]);
			}
			continue;
		}
		date = palloc(sizeof(Date));
		date->year = claim->year;
		date->month = claim->month;
		date->day = claim->day;
		facts->dates = lappend(facts->dates, date);
	}
}

static void
add_row(SaFacts *facts, const SaResult *result, int row)
{
	StringInfoData out;

	initStringInfo(&out);
	for (int i = 0; i < result->ncolumns; i++)
	{
		const char *value = result->rows[row][i];

		if (value == NULL || result->columns[i].kind == SA_VALUE_NUMBER)
			continue;
		appendStringInfo(&out, " %s", value);
		if (strpbrk(value, "0123456789"))
			add_claims_of(facts, value);
	}
	facts->rows = lappend(facts->rows, sa_claims_fold(out.data));
}

void
sa_facts_add_result(SaFacts *facts, const SaResult *result)
{
	int nrows = Min(result->nrows, MAX_ROWS);

	facts->nrows = Max(facts->nrows, result->nrows);
	add_number(&facts->numbers, result->nrows);
	for (int i = 0; i < result->ncolumns; i++)
	{
		sa_wait_check();
		sa_facts_add_text(facts, result->columns[i].name);
		add_counts(facts, result, i, nrows);
		if (result->columns[i].kind == SA_VALUE_NUMBER)
			add_number_column(facts, result, i, nrows);
	}
	for (int i = 0; i < nrows; i++)
	{
		sa_wait_check();
		add_row(facts, result, i);
	}
	add_number_rows(facts, result, Min(nrows, MAX_PAIR_ROWS));
	sa_facts_add_text(facts, result->sql);
}

void
sa_facts_add_text(SaFacts *facts, const char *text)
{
	if (sa_text_blank(text))
		return;
	add_claims_of(facts, text);
	facts->texts = lappend(facts->texts, sa_claims_fold(text));
}

/* 12,900 may stand for 12875: zeros behind so many digits round. */
static double
rounding_unit(double value, double unit, int digits)
{
	double wide = unit;

	if (value == 0 || unit < 1)
		return unit;
	while (fmod(value, wide * 10) == 0 &&
		   value / (wide * 10) >= pow(10, digits - 1))
		wide *= 10;
	return wide;
}

/* "Two of them earn more": a count of some of the rows. */
static bool
is_part_of_rows(const SaFacts *facts, const SaClaim *claim)
{
	return claim->part && claim->values[0] <= facts->nrows &&
		   claim->values[0] == floor(claim->values[0]);
}

static bool
number_supported(SaFacts *facts, const SaClaim *claim)
{
	if (is_part_of_rows(facts, claim))
		return true;
	for (int i = 0; i < claim->nreadings; i++)
	{
		double value = claim->values[i];
		double unit = claim->units[i];
		double wide = rounding_unit(value, unit, claim->rough ? 1 : 3);
		double slack = value * 1e-12;
		double low = value - (claim->rough ? wide : wide / 2) - slack;
		double high = value + (claim->rough ? wide : Max(wide / 2, unit));

		/* Rounded, or cut off; the next number that could be written is
		 * neither. */
		if (wide == unit)
		{
			low = value - unit / 2 - slack;
			high = value + unit * (1 - 1e-6);
		}
		if (has_between(&facts->numbers, low, high) ||
			(claim->percent && has_between(&facts->percents, low, high)))
			return true;
	}
	return false;
}

static bool
dates_agree(const SaClaim *claim, const Date *date, bool swapped)
{
	int day = swapped ? claim->month : claim->day;
	int month = swapped ? claim->day : claim->month;

	return (claim->year == 0 || claim->year == date->year) &&
		   (month == 0 || month == date->month) &&
		   (day == 0 || day == date->day);
}

static bool
part_supported(SaFacts *facts, int part)
{
	return part == 0 || has_between(&facts->numbers, part, part);
}

static bool
date_supported(SaFacts *facts, const SaClaim *claim)
{
	ListCell *cell;

	foreach (cell, facts->dates)
		if (dates_agree(claim, lfirst(cell), false) ||
			(claim->day_or_month && dates_agree(claim, lfirst(cell), true)))
			return true;
	/* extract(year from …) = 2024 AND extract(month from …) = 2 */
	return part_supported(facts, claim->year) &&
		   part_supported(facts, claim->month) &&
		   part_supported(facts, claim->day);
}

/* A year alone looks like a number. */
static bool
year_supported(const SaFacts *facts, const SaClaim *claim)
{
	ListCell *cell;

	if (strspn(claim->text, "0123456789") != 4 || strlen(claim->text) != 4)
		return false;
	foreach (cell, facts->dates)
		if (((Date *) lfirst(cell))->year == (int) claim->values[0])
			return true;
	return false;
}

/* Whether the text holds the word, also as its singular or plural. */
static bool
holds_word(const char *text, const char *word)
{
	int len = (int) strlen(word);

	if (len > 3 && word[len - 1] == 's')
		len--;
	for (const char *at = text; (at = strstr(at, pnstrdup(word, len))) != NULL;
		 at++)
	{
		const char *end = at + len;

		if (at > text && isalnum((unsigned char) at[-1]))
			continue;
		if (*end == 's')
			end++;
		if (!isalnum((unsigned char) *end) && !IS_HIGHBIT_SET(*end))
			return true;
	}
	return false;
}

static bool
holds_words(const char *text, const List *words, int from, int to)
{
	for (int i = from; i < to; i++)
		if (!holds_word(text, list_nth(words, i)))
			return false;
	return true;
}

static bool
any_holds(const List *texts, const List *words, int from, int to)
{
	ListCell *cell;

	foreach (cell, texts)
		if (holds_words(lfirst(cell), words, from, to))
			return true;
	return false;
}

/*
 * A name is supported when it falls into parts that stand in one row or text
 * each.  Two single words next to each other must stand in the same one: "Bob
 * Wilson" is not supported by a Bob Brown and a David Wilson.
 */
static bool
name_supported(SaFacts *facts, const List *words)
{
	bool single_before = false;
	int from = 0;

	while (from < list_length(words))
	{
		int to = list_length(words);
		bool in_text = false;

		while (to > from)
		{
			in_text = any_holds(facts->texts, words, from, to);
			if (in_text || any_holds(facts->rows, words, from, to))
				break;
			to--;
		}
		if (to == from)
			return false;
		if (single_before && to - from == 1 && !in_text)
			return false;
		single_before = to - from == 1 && !in_text;
		from = to;
	}
	return true;
}

static bool
any_contains(const List *texts, const char *text)
{
	ListCell *cell;

	foreach (cell, texts)
		if (strstr(lfirst(cell), text))
			return true;
	return false;
}

bool
sa_facts_support(SaFacts *facts, const SaClaim *claim)
{
	switch (claim->kind)
	{
		case SA_CLAIM_NUMBER:
			return number_supported(facts, claim) ||
				   year_supported(facts, claim);
		case SA_CLAIM_DATE:
			return date_supported(facts, claim);
		case SA_CLAIM_NAME:
			return name_supported(facts, claim->words);
		case SA_CLAIM_QUOTED:
			return any_contains(facts->rows, claim->text) ||
				   any_contains(facts->texts, claim->text);
	}
	return true;
}
