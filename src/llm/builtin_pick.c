/*
 * builtin_pick.c
 *	  What a word means where it may mean several things: the table, column or
 *	  value that fits best what else the question speaks of.
 *
 * Two that fit equally well are reported as a question back, not guessed.
 */
#include "postgres.h"

#include "llm/builtin_parse.h"

#define BONUS_HINT 40
#define BONUS_NEAR 24
#define BONUS_SCOPE 6
#define BONUS_EACH 10
#define PENALTY_ABSENT 16

/* What two candidates must differ by for one to be the better. */
#define CLEAR 2

bool
sa_builtin_pick_is_column(SaBiParser *p, int at)
{
	SaBiItem *item = sa_builtin_parse_item(p, at);

	return item && item->columns && !sa_builtin_pick_is_table(p, at) &&
		   (item->tag == SA_BI_NONE ||
			sa_builtin_match_score(item->columns) >= 60);
}

/* A name that a table and a column share is the column in its own company. */
bool
sa_builtin_pick_is_table(SaBiParser *p, int at)
{
	SaBiItem *item = sa_builtin_parse_item(p, at);
	int table;
	int column;
	ListCell *cell;

	if (item == NULL || item->tables == NIL)
		return false;
	table = sa_builtin_match_score(item->tables);
	column = sa_builtin_match_score(item->columns);
	if (column == 0)
		return true;
	if (table < column - 4)
		return false;
	if (table < 95 && column >= 80)
		return false;
	if (table < 95)
		foreach (cell, item->columns)
			if (list_member_ptr(p->mentioned,
								((SaBiCand *) lfirst(cell))->table))
				return false;
	/* other tables that are spoken of may have a column of this name */
	foreach (cell, item->columns)
	{
		SaBiCand *cand = lfirst(cell);

		if (cand->score >= 95 && list_member_ptr(p->mentioned, cand->table) &&
			cand->table != ((SaBiCand *) linitial(item->tables))->table &&
			sa_builtin_join_cost(p->schema, cand->table,
								 ((SaBiCand *) linitial(item->tables))->table) >
				13)
			return false;
	}
	return true;
}

static int
table_weight(SaBiParser *p, const SaBiCand *cand)
{
	int weight = cand->score * 4;
	int near = SA_BI_FAR;
	ListCell *cell;

	if (strcmp(cand->table->kind ? cand->table->kind : "", "table") != 0)
		weight -= 10;
	if (cand->table->edges)
		weight += 4;
	foreach (cell, p->mentioned)
		if (lfirst(cell) != cand->table)
			near = Min(near, sa_builtin_join_cost(p->schema, cand->table,
												  lfirst(cell)));
	if (near < SA_BI_FAR)
		weight += 6 - Min(near / 10, 6);
	return weight;
}

SaBiTable *
sa_builtin_pick_table(SaBiParser *p, int at)
{
	SaBiItem *item = sa_builtin_parse_item(p, at);
	const SaBiCand *best = NULL;
	ListCell *cell;

	if (item == NULL)
		return NULL;
	foreach (cell, item->tables)
	{
		const SaBiCand *cand = lfirst(cell);

		if (best == NULL || table_weight(p, cand) > table_weight(p, best))
			best = cand;
	}
	return best ? best->table : NULL;
}

/* Tokens between an item and the next mention of a table, on either side. */
static int
distance_to(SaBiParser *p, int at, const SaBiTable *table)
{
	int best = 30;

	for (int i = 0; i < p->n; i++)
		if (p->items[i]->tables && sa_builtin_pick_is_table(p, i) &&
			sa_builtin_pick_table(p, i) == table)
		{
			/* "of the table" behind counts for less way than one before */
			int away = i > at ? i - at : (at - i) + 1;

			best = Min(best, away);
		}
	return best;
}

/* Whether the table is grouped by: "… for every concert". */
static bool
follows_each(SaBiParser *p, const SaBiTable *table)
{
	for (int i = 1; i < p->n; i++)
		if (p->items[i]->tables && p->items[i - 1]->tag == SA_BI_EACH &&
			sa_builtin_pick_is_table(p, i) &&
			sa_builtin_pick_table(p, i) == table)
			return true;
	return false;
}

static int
column_weight(SaBiParser *p, int at, const SaBiCand *cand, SaBiTable *hint)
{
	int weight = cand->score;
	SaBiTable *focus = hint ? hint : sa_builtin_parse_focus(p);

	if (cand->table == hint)
		weight += BONUS_HINT;
	else if (list_member_ptr(p->mentioned, cand->table))
		weight += BONUS_NEAR - Min(distance_to(p, at, cand->table), 18);
	else if (focus)
	{
		int cost = sa_builtin_join_cost(p->schema, focus, cand->table);

		/* document_name is a name of documents only */
		if (cand->column->bare && cand->score == 98)
			weight -= 25;
		weight -= cost >= SA_BI_FAR ? 60 : PENALTY_ABSENT + cost / 2;
	}
	/* sums and averages are of numbers */
	if (p->aggs && linitial_int(p->aggs) != SA_BI_AGG_COUNT &&
		cand->column->type != SA_BI_T_NUMBER &&
		cand->column->type != SA_BI_T_DATE)
		weight -= 40;
	if (p->aggs && cand->column->type != SA_BI_T_NUMBER &&
		(linitial_int(p->aggs) == SA_BI_AGG_SUM ||
		 linitial_int(p->aggs) == SA_BI_AGG_AVG))
		weight -= 30;
	if (p->scope && p->scope->table == cand->table)
		weight += BONUS_SCOPE;
	if (follows_each(p, cand->table))
		weight += BONUS_EACH;
	if (strcmp(cand->table->kind ? cand->table->kind : "", "view") == 0)
		weight -= 8;
	return weight;
}

/* Columns of a key and of what it refers to are the same to a reader. */
static bool
same_thing(const SaBiColumn *a, const SaBiColumn *b)
{
	ListCell *cell;

	foreach (cell, a->table->edges)
	{
		SaBiEdge *edge = lfirst(cell);

		if (edge->to == b->table && list_length(edge->from_columns) == 1 &&
			linitial(edge->from_columns) == a &&
			linitial(edge->to_columns) == b)
			return true;
	}
	return false;
}

void
sa_builtin_pick_ask(SaBiParser *p, int at, const SaBiColumn *a,
					const SaBiColumn *b)
{
	if (p->problem->question == NULL)
		p->problem->question =
			psprintf("\"%s\" can be %s.%s or %s.%s: which of them is meant?",
					 sa_builtin_parse_item(p, at)->text, a->table->sql, a->name,
					 b->table->sql, b->name);
}

SaBiColumn *
sa_builtin_pick_column(SaBiParser *p, int at, SaBiTable *hint)
{
	SaBiItem *item = sa_builtin_parse_item(p, at);
	const SaBiCand *best = NULL;
	const SaBiCand *second = NULL;
	ListCell *cell;

	if (item == NULL)
		return NULL;
	foreach (cell, item->columns)
	{
		const SaBiCand *cand = lfirst(cell);

		if (best == NULL ||
			column_weight(p, at, cand, hint) > column_weight(p, at, best, hint))
		{
			second = best;
			best = cand;
		}
		else if (second == NULL || column_weight(p, at, cand, hint) >
									   column_weight(p, at, second, hint))
			second = cand;
	}
	if (best && second && best->table &&
		column_weight(p, at, best, hint) - column_weight(p, at, second, hint) <
			CLEAR &&
		!same_thing(best->column, second->column) &&
		!same_thing(second->column, best->column) &&
		!(list_member_ptr(best->table->labels, best->column) &&
		  list_member_ptr(best->table->labels, second->column)))
		sa_builtin_pick_ask(p, at, best->column, second->column);
	return best ? best->column : NULL;
}

List *
sa_builtin_pick_columns(SaBiParser *p, int at, SaBiTable *hint)
{
	SaBiItem *item = sa_builtin_parse_item(p, at);
	const char *asked = p->problem->question;
	SaBiColumn *column = sa_builtin_pick_column(p, at, hint);
	ListCell *cell;
	int in_labels = 0;

	if (column == NULL || item == NULL)
		return NIL;
	if (list_length(column->table->labels) == 2 &&
		list_member_ptr(column->table->labels, column))
		foreach (cell, item->columns)
			if (list_member_ptr(column->table->labels,
								((SaBiCand *) lfirst(cell))->column) &&
				((SaBiCand *) lfirst(cell))->score == SCORE_PART_OF_NAME)
				in_labels++;
	if (in_labels == 2)
	{
		p->problem->question = asked;
		return list_copy(column->table->labels);
	}
	return list_make1(column);
}

/* "Ann Lee": a first name beside a last name of the same table. */
static bool
is_half_name(SaBiParser *p, int at, const SaBiCand *cand)
{
	if (list_length(cand->table->labels) != 2 ||
		!list_member_ptr(cand->table->labels, cand->column))
		return false;
	for (int i = at - 1; i <= at + 1; i += 2)
	{
		SaBiItem *other = sa_builtin_parse_item(p, i);
		ListCell *cell;

		if (other)
			foreach (cell, other->values)
				if (((SaBiCand *) lfirst(cell))->column != cand->column &&
					list_member_ptr(cand->table->labels,
									((SaBiCand *) lfirst(cell))->column))
					return true;
	}
	return false;
}

static int
value_weight(SaBiParser *p, int at, const SaBiCand *cand, SaBiTable *hint)
{
	int weight = cand->score;
	SaBiTable *focus =
		p->scope->table ? p->scope->table : sa_builtin_parse_focus(p);
	SaBiTable *before;
	int cost;

	if (hint == NULL)
		hint = focus;
	if (cand->column == p->last_column && p->last_column_at >= at - 3)
		weight += 30;
	before = sa_builtin_pick_is_table(p, at - 1)
				 ? sa_builtin_pick_table(p, at - 1)
				 : NULL;
	if (before && before == cand->table)
		weight += 30;
	if (is_half_name(p, at, cand))
		weight += 40;
	if (hint)
	{
		cost = sa_builtin_join_cost(p->schema, hint, cand->table);
		weight -= cost >= SA_BI_FAR ? 80 : cost;
	}
	if (list_member_ptr(p->mentioned, cand->table))
		weight += 8;
	if (list_member_ptr(cand->table->labels, cand->column))
		weight += 6;
	if (strcmp(cand->table->kind ? cand->table->kind : "", "view") == 0)
		weight -= 20;
	return weight;
}

const SaBiCand *
sa_builtin_pick_value(SaBiParser *p, int at, SaBiTable *hint)
{
	SaBiItem *item = sa_builtin_parse_item(p, at);
	const SaBiCand *best = NULL;
	const SaBiCand *second = NULL;
	ListCell *cell;

	foreach (cell, item->values)
	{
		const SaBiCand *cand = lfirst(cell);

		if (best == NULL ||
			value_weight(p, at, cand, hint) > value_weight(p, at, best, hint))
		{
			second = best;
			best = cand;
		}
		else if (second == NULL || value_weight(p, at, cand, hint) >
									   value_weight(p, at, second, hint))
			second = cand;
	}
	if (best && second &&
		value_weight(p, at, best, hint) == value_weight(p, at, second, hint) &&
		!same_thing(best->column, second->column) &&
		!same_thing(second->column, best->column))
		sa_builtin_pick_ask(p, at, best->column, second->column);
	return best;
}

const char *
sa_builtin_pick_value_of(SaBiParser *p, int at, const SaBiColumn *column)
{
	SaBiItem *item = sa_builtin_parse_item(p, at);
	ListCell *cell;

	if (item)
		foreach (cell, item->values)
			if (((SaBiCand *) lfirst(cell))->column == column)
				return ((SaBiCand *) lfirst(cell))->value;
	return NULL;
}

/* Whether the best candidates are all of one table. */
static bool
one_table(const List *cands)
{
	const SaBiCand *best = linitial(cands);
	ListCell *cell;

	foreach (cell, cands)
		if (((SaBiCand *) lfirst(cell))->table != best->table &&
			((SaBiCand *) lfirst(cell))->score + 10 >= best->score)
			return false;
	return true;
}

/*
 * The tables of values that were said, when no table was: "Ann Lee's address".
 */
void
sa_builtin_pick_mention_values(SaBiParser *p)
{
	if (p->mentioned)
		return;
	for (int i = 0; i < p->n; i++)
		if (list_length(p->items[i]->values) == 1)
			p->mentioned = list_append_unique_ptr(
				p->mentioned,
				((SaBiCand *) linitial(p->items[i]->values))->table);
	/* or of the columns that only one table has */
	for (int i = 0; i < p->n && p->mentioned == NIL; i++)
		if (sa_builtin_match_score(p->items[i]->columns) >= 84 &&
			one_table(p->items[i]->columns))
			p->mentioned = list_make1(
				((SaBiCand *) linitial(p->items[i]->columns))->table);
}

/* The dates of a table that are not merely stamps; else the stamps. */