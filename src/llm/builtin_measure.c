/*
 * builtin_measure.c
 *	  The column that words speak of without naming it: "older" of the age, "how
 *	  much" of the price, "in 2024" of the date.
 */
#include "postgres.h"

#include "llm/builtin_parse.h"

/* Whether a word is one of a name's, by itself or by a synonym. */
bool
sa_builtin_pick_has_word(const SaBiName *name, const char *word)
{
	SaBiName *said = sa_builtin_name_split(word);

	for (int i = 0; i < name->n; i++)
		if (sa_builtin_name_compare(
				said, sa_builtin_name_slice(name, i, i + 1)) >= 95)
			return true;
	return strstr(name->joined, word) != NULL && strlen(word) > 3;
}

SaBiColumn *
sa_builtin_pick_measure(SaBiTable *table, const char *dimensions,
						bool *positive)
{
	char *save;

	for (char *word = strtok_r(pstrdup(dimensions), " ", &save); word;
		 word = strtok_r(NULL, " ", &save))
	{
		SaBiColumn *found = NULL;
		int count = 0;
		ListCell *cell;

		if (word[1] == '*')
			continue;
		foreach (cell, table->columns)
		{
			SaBiColumn *column = lfirst(cell);

			if ((column->type == SA_BI_T_NUMBER ||
				 column->type == SA_BI_T_DATE) &&
				!column->stamp &&
				(!column->key || column->type == SA_BI_T_DATE) &&
				sa_builtin_pick_has_word(column->full, word + 1))
			{
				if (found == NULL || column->full->n == 1 ||
					(column->bare && column->bare->n == 1))
					found = column;
				count++;
			}
		}
		if (found && (count == 1 || found->full->n == 1 ||
					  (found->bare && found->bare->n == 1)))
		{
			*positive = *word == '+';
			return found;
		}
	}
	return NULL;
}

SaBiColumn *
sa_builtin_pick_amount(SaBiTable *table)
{
	bool positive;

	return sa_builtin_pick_measure(
		table, "+total +amount +revenue +price +value +cost", &positive);
}

SaBiColumn *
sa_builtin_pick_word(const SaBiTable *table, const char *word)
{
	SaBiColumn *found = NULL;
	ListCell *cell;

	foreach (cell, table->columns)
		if (((SaBiColumn *) lfirst(cell))->type == SA_BI_T_TEXT &&
			sa_builtin_pick_has_word(((SaBiColumn *) lfirst(cell))->full, word))
		{
			if (found)
				return NULL;
			found = lfirst(cell);
		}
	return found;
}

bool
sa_builtin_pick_is_amount(const SaBiColumn *column)
{
	static const char *const words[] = {"total", "amount", "revenue", "sales"};

	for (int i = 0; i < lengthof(words); i++)
		if (sa_builtin_pick_has_word(column->full, words[i]))
			return true;
	return false;
}

bool
sa_builtin_pick_is_quantity(const SaBiColumn *column)
{
	static const char *const words[] = {"number",	"count",	  "total",
										"quantity", "population", "amount"};

	for (int i = 0; i < lengthof(words); i++)
		if (sa_builtin_pick_has_word(column->full, words[i]))
			return true;
	return false;
}

/* The day of birth is no day on which something is said to happen. */
static bool
is_birth(const SaBiColumn *column)
{
	return sa_builtin_pick_has_word(column->full, "birth") ||
		   sa_builtin_pick_has_word(column->full, "dob") ||
		   sa_builtin_pick_has_word(column->full, "born");
}

static List *
dates_of(const SaBiTable *table, bool year_will_do)
{
	List *dates = NIL;
	List *stamps = NIL;
	List *years = NIL;
	ListCell *cell;

	foreach (cell, table->columns)
	{
		SaBiColumn *column = lfirst(cell);

		if (is_birth(column))
			continue;
		if (column->type == SA_BI_T_DATE && column->stamp)
			stamps = lappend(stamps, column);
		else if (column->type == SA_BI_T_DATE)
			dates = lappend(dates, column);
		else if (year_will_do && column->type == SA_BI_T_NUMBER &&
				 sa_builtin_pick_has_word(column->full, "year"))
			years = lappend(years, column);
	}
	return dates ? dates : years ? years : stamps;
}

/* Of several dates the one that every row has: issued, not yet paid. */
static SaBiColumn *
only_certain(const List *dates)
{
	SaBiColumn *certain = NULL;
	ListCell *cell;

	/* the order_date of orders */
	foreach (cell, dates)
		if (((SaBiColumn *) lfirst(cell))->bare)
			return lfirst(cell);

	foreach (cell, dates)
		if (!((SaBiColumn *) lfirst(cell))->nullable)
		{
			if (certain)
				return NULL;
			certain = lfirst(cell);
		}
	return certain;
}

SaBiColumn *
sa_builtin_pick_date_of(const SaBiTable *table)
{
	List *dates = dates_of(table, false);

	return list_length(dates) == 1 ? linitial(dates) : only_certain(dates);
}

SaBiColumn *
sa_builtin_pick_date(SaBiParser *p, bool year_will_do)
{
	SaBiTable *focus =
		p->scope->table ? p->scope->table : sa_builtin_parse_focus(p);
	List *tables = list_copy(p->mentioned);
	ListCell *cell;

	if (p->verb)
		foreach (cell, p->verb->columns)
		{
			SaBiColumn *column = ((SaBiCand *) lfirst(cell))->column;

			if ((column->type == SA_BI_T_DATE ||
				 (year_will_do && column->type == SA_BI_T_NUMBER &&
				  sa_builtin_pick_has_word(column->full, "year"))) &&
				list_member_ptr(p->mentioned, column->table))
				return column;
		}
	if (focus)
		tables = lcons(focus, tables);
	foreach (cell, tables)
	{
		List *dates = dates_of(lfirst(cell), year_will_do);

		if (list_length(dates) == 1)
			return linitial(dates);
		if (list_length(dates) > 1 && only_certain(dates))
			return only_certain(dates);
		if (list_length(dates) > 1)
		{
			sa_builtin_pick_ask(p, Min(p->at, p->n - 1), linitial(dates),
								lsecond(dates));
			return linitial(dates);
		}
	}
	return NULL;
}
