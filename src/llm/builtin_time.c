/*
 * builtin_time.c
 *	  Dates and periods: "in 2024", "after March 2023", "in the last 30 days".
 *
 * A period is a first instant and the first one behind it, both as SQL
 * expressions made here; nothing of the question's text gets into them but
 * numbers that were read as such.
 */
#include "postgres.h"

#include "llm/builtin_parse.h"

/* Further back nothing is dated. */
#define MAX_YEARS 1000

typedef struct Period
{
	const char *begin; /* SQL */
	const char *end;   /* SQL; NULL = without end */
	int year;		   /* the period is just this year; 0 = it is not */
} Period;

static bool
year_at(SaBiParser *p, int at, int *year)
{
	SaBiItem *item = sa_builtin_parse_item(p, at);

	if (item == NULL || item->token->kind != SA_BI_NUMBER ||
		item->token->ordinal || strlen(item->text) != 4 ||
		strspn(item->text, "0123456789") != 4)
		return false;
	*year = atoi(item->text);
	return *year >= 1500 && *year < 2200;
}

static const char *
date_sql(int year, int month, int day)
{
	return psprintf("DATE '%04d-%02d-%02d'", year, month, day);
}

static int
days_in(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

	if (month == 2 && ((year % 4 == 0 && year % 100 != 0) || year % 400 == 0))
		return 29;
	return days[month - 1];
}

static void
set_months(Period *period, int year, int month, int months)
{
	int end = month + months;

	period->begin = date_sql(year, month, 1);
	period->end = date_sql(year + (end - 1) / 12, (end - 1) % 12 + 1, 1);
}

static void
set_day(Period *period, const char *day)
{
	period->begin = day;
	period->end = psprintf("%s + 1", day);
}

static int
small_number(SaBiParser *p, int at, int *number)
{
	const char *text;
	SaBiItem *item = sa_builtin_parse_item(p, at);
	int end;

	if (item == NULL || item->token->kind == SA_BI_DATE)
		return 0;
	end = sa_builtin_parse_number(p, at, &text);
	if (end == 0 || strlen(text) > 4 ||
		strspn(text, "0123456789") != strlen(text))
		return 0;
	*number = atoi(text);
	return end;
}

static int
skip_small(SaBiParser *p, int at)
{
	while (sa_builtin_parse_tag(p, at) == SA_BI_SKIP ||
		   sa_builtin_parse_tag(p, at) == SA_BI_PREP ||
		   (sa_builtin_parse_tag(p, at) == SA_BI_AND &&
			strcmp(p->items[at]->text, ",") == 0))
		at++;
	return at;
}

/* "March 2023", "March 5, 2023", "March 5th 2023", "5 March 2023". */
static int
month_period(SaBiParser *p, int at, Period *period)
{
	int month;
	int day = 0;
	int year;
	int next = at;
	int number;

	if (sa_builtin_parse_tag(p, at) != SA_BI_MONTH)
	{
		next = small_number(p, at, &day);
		if (next == 0 || day < 1 || day > 31)
			return 0;
		next = skip_small(p, next);
		if (sa_builtin_parse_tag(p, next) != SA_BI_MONTH)
			return 0;
	}
	month = atoi(p->items[next]->phrase->arg);
	next = skip_small(p, next + 1);
	if (day == 0 && !year_at(p, next, &year))
	{
		int end = small_number(p, next, &number);

		if (end && number >= 1 && number <= 31)
		{
			day = number;
			next = skip_small(p, end);
		}
	}
	if (!year_at(p, next, &year) || day > days_in(year, month))
		return 0;
	if (day)
		set_day(period, date_sql(year, month, day));
	else
		set_months(period, year, month, 1);
	return next + 1;
}

/* "the first quarter of 2023", "Q1 2023". */
static int
quarter_period(SaBiParser *p, int at, Period *period)
{
	SaBiItem *item = sa_builtin_parse_item(p, at);
	int quarter = 0;
	int next = at;
	int year;

	if (item == NULL)
		return 0;
	if (item->token->lower[0] == 'q' && strlen(item->token->lower) == 2 &&
		item->token->lower[1] >= '1' && item->token->lower[1] <= '4')
	{
		quarter = item->token->lower[1] - '0';
		next = at + 1;
	}
	else
	{
		static const char *const words[] = {"first", "second", "third",
											"fourth"};

		for (int i = 0; i < lengthof(words); i++)
			if (strcmp(item->token->lower, words[i]) == 0)
				quarter = i + 1;
		if (item->token->ordinal)
			quarter = atoi(item->text);
		next = skip_small(p, at + 1);
		if (quarter < 1 || quarter > 4 ||
			sa_builtin_parse_tag(p, next) != SA_BI_UNIT ||
			strcmp(p->items[next]->phrase->arg, "quarter") != 0)
			return 0;
		next++;
	}
	next = skip_small(p, next);
	if (!year_at(p, next, &year))
		return 0;
	set_months(period, year, quarter * 3 - 2, 3);
	return next + 1;
}

/* "last month", "the past 30 days", "this year", "2 weeks ago". */
static int
relative_period(SaBiParser *p, int at, Period *period)
{
	SaBiTag tag = sa_builtin_parse_tag(p, at);
	int count = 0;
	int next = at + 1;
	const char *unit;

	if (tag == SA_BI_TODAY || tag == SA_BI_YESTERDAY)
	{
		set_day(period,
				tag == SA_BI_TODAY ? "CURRENT_DATE" : "(CURRENT_DATE - 1)");
		return next;
	}
	if (tag != SA_BI_PAST && tag != SA_BI_THIS && tag != SA_BI_ADJ)
	{
		next = small_number(p, at, &count);
		if (next == 0 || sa_builtin_parse_tag(p, next) != SA_BI_UNIT ||
			sa_builtin_parse_tag(p, next + 1) != SA_BI_AGO)
			return 0;
		unit = p->items[next]->phrase->arg;
		if (strcmp(unit, "year") == 0 && count > MAX_YEARS)
			return 0;
		period->begin =
			psprintf("date_trunc('%s', CURRENT_DATE - INTERVAL '%d %s')",
					 strcmp(unit, "week") == 0 ? "day" : unit, count, unit);
		period->end = psprintf("%s + INTERVAL '1 %s'", period->begin,
							   strcmp(unit, "week") == 0 ? "day" : unit);
		return next + 2;
	}
	if (tag == SA_BI_ADJ && strcmp(p->items[at]->text, "last") != 0)
		return 0;
	if (tag != SA_BI_THIS)
	{
		int end = small_number(p, next, &count);

		next = end ? end : next;
	}
	next = skip_small(p, next);
	if (sa_builtin_parse_tag(p, next) != SA_BI_UNIT)
		return 0;
	unit = p->items[next]->phrase->arg;
	if (strcmp(unit, "year") == 0 && count > MAX_YEARS)
		return 0;
	if (count > 0)
	{
		period->begin =
			psprintf("CURRENT_DATE - INTERVAL '%d %s'",
					 strcmp(unit, "quarter") == 0 ? count * 3 : count,
					 strcmp(unit, "quarter") == 0 ? "month" : unit);
		return next + 1;
	}
	period->begin = psprintf("date_trunc('%s', CURRENT_DATE)", unit);
	period->end = psprintf(
		"%s + INTERVAL '%s'", period->begin,
		strcmp(unit, "quarter") == 0 ? "3 months" : psprintf("1 %s", unit));
	if (tag != SA_BI_THIS)
	{
		period->end = period->begin;
		period->begin = psprintf(
			"%s - INTERVAL '%s'", period->begin,
			strcmp(unit, "quarter") == 0 ? "3 months" : psprintf("1 %s", unit));
	}
	return next + 1;
}

/* Any period at this place; the place behind it, or 0. */
static int
read_period(SaBiParser *p, int at, Period *period)
{
	SaBiItem *item;
	int end;

	memset(period, 0, sizeof(Period));
	at = skip_small(p, at);
	item = sa_builtin_parse_item(p, at);
	if (item == NULL)
		return 0;
	if (item->token->kind == SA_BI_DATE)
	{
		int year;
		int month;
		int day;

		if (sscanf(item->text, "%d-%d-%d", &year, &month, &day) != 3 ||
			day > days_in(year, month))
			return 0;
		set_day(period, date_sql(year, month, day));
		return at + 1;
	}
	if ((end = month_period(p, at, period)) ||
		(end = quarter_period(p, at, period)) ||
		(end = relative_period(p, at, period)))
		return end;
	/* the word year may be said before it */
	if (sa_builtin_parse_tag(p, at) == SA_BI_UNIT &&
		strcmp(p->items[at]->phrase->arg, "year") == 0)
		at++;
	if (year_at(p, at, &period->year))
	{
		set_months(period, period->year, 1, 12);
		return at + 1;
	}
	return 0;
}

bool
sa_builtin_time_begins(SaBiParser *p, int at)
{
	Period period;

	return read_period(p, at, &period) != 0;
}

static List *
two(const char *a, const char *b)
{
	return list_make2(unconstify(char *, a), unconstify(char *, b));
}

/* Add the condition that a date column lies so to the period. */
static bool
add_date(SaBiParser *p, SaBiColumn *column, SaBiOp op, const Period *period,
		 const Period *last)
{
	if (period->end == NULL && (op == SA_BI_OP_LE || op == SA_BI_OP_GT))
		return false;
	switch (op)
	{
		case SA_BI_OP_EQ:
		case SA_BI_OP_NE:
			p->negated = p->negated != (op == SA_BI_OP_NE);
			(void) sa_builtin_cond_add(p, column, SA_BI_OP_PERIOD,
									   two(period->begin, period->end));
			return true;
		case SA_BI_OP_BETWEEN:
			(void) sa_builtin_cond_add(p, column, SA_BI_OP_PERIOD,
									   two(period->begin, last->end));
			return true;
		case SA_BI_OP_LT:
			(void) sa_builtin_cond_add(p, column, SA_BI_OP_PERIOD,
									   two(NULL, period->begin));
			return true;
		case SA_BI_OP_LE:
			(void) sa_builtin_cond_add(p, column, SA_BI_OP_PERIOD,
									   two(NULL, period->end));
			return true;
		case SA_BI_OP_GT:
			(void) sa_builtin_cond_add(p, column, SA_BI_OP_PERIOD,
									   two(period->end, NULL));
			return true;
		case SA_BI_OP_GE:
			(void) sa_builtin_cond_add(p, column, SA_BI_OP_PERIOD,
									   two(period->begin, NULL));
			return true;
		default:
			return false;
	}
}

static List *
year_text(int year)
{
	return list_make1(psprintf("%d", year));
}

/*
 * A date or period, and the condition it makes on the column (NULL: the date
 * of what is spoken of).  A column that holds years takes whole years only.
 */
int
sa_builtin_time_read(SaBiParser *p, SaBiColumn *column, int at, SaBiOp op)
{
	Period period;
	Period last = {0};
	int end = read_period(p, at, &period);

	if (end == 0)
		return 0;
	if (op == SA_BI_OP_BETWEEN)
	{
		int next = sa_builtin_parse_skip(p, end);

		if (sa_builtin_parse_tag(p, next) != SA_BI_AND &&
			sa_builtin_parse_tag(p, next) != SA_BI_PREP &&
			sa_builtin_parse_tag(p, next) != SA_BI_BEFORE)
			return 0;
		end = read_period(p, next + 1, &last);
		if (end == 0 || last.end == NULL)
			return 0;
	}
	if (column == NULL)
	{
		p->at = at;
		column = sa_builtin_pick_date(p, period.year > 0);
	}
	if (column == NULL)
		return 0;
	for (int i = at; i < end; i++)
		p->items[i]->used = true;
	if (p->both && op == SA_BI_OP_EQ && p->main->table &&
		p->main->table != column->table)
		(void) sa_builtin_parse_scope(p, SA_BI_SCOPE_SOME, column->table);
	if (column->type == SA_BI_T_NUMBER)
	{
		if (period.year == 0 || (op == SA_BI_OP_BETWEEN && last.year == 0))
			return 0;
		(void) sa_builtin_cond_add(
			p, column, op,
			op == SA_BI_OP_BETWEEN
				? list_concat(year_text(period.year), year_text(last.year))
				: year_text(period.year));
		return end;
	}
	return add_date(p, column, op, &period, &last) ? end : 0;
}
