/*
 * builtin_order.c
 *	  Order and grouping: "sorted by name", "in descending order of age", "for
 *	  each country", "per month".
 */
#include "postgres.h"

#include "llm/builtin_parse.h"

/* The column that is shown and may be meant: ordered by id, the one shown. */
static SaBiColumn *
shown_column(SaBiParser *p, int at)
{
	ListCell *cell;
	ListCell *term;

	foreach (cell, p->items[at]->columns)
		foreach (term, p->query->select)
			if (((SaBiTerm *) lfirst(term))->column ==
					((SaBiCand *) lfirst(cell))->column &&
				((SaBiTerm *) lfirst(term))->agg == SA_BI_AGG_NONE)
				return ((SaBiCand *) lfirst(cell))->column;
	return NULL;
}

/* The aggregate that a key begins with, if any. */
static SaBiAgg
key_aggregate(SaBiParser *p, int at)
{
	const SaBiItem *item = p->items[at];
	int next = at + 1;
	SaBiAgg agg;

	if (item->tag == SA_BI_HOWMANY)
		return SA_BI_AGG_COUNT;
	if (item->tag != SA_BI_AGG)
		return SA_BI_AGG_NONE;
	agg = sa_builtin_noun_agg(item->phrase->arg);
	while (sa_builtin_parse_tag(p, next) == SA_BI_SKIP)
		next++;
	/* "by total" is by a column of that name */
	if (agg == SA_BI_AGG_AVG ||
		(agg == SA_BI_AGG_SUM && (sa_builtin_pick_is_column(p, next) ||
								  sa_builtin_pick_is_table(p, next))))
		return agg;
	return SA_BI_AGG_NONE;
}

/* Past "of the", and past the table in "the students' last names". */
static int
key_noun(SaBiParser *p, int next)
{
	int of;

	while (sa_builtin_parse_tag(p, next) == SA_BI_PREP)
		p->items[next++]->used = true;
	next = sa_builtin_parse_skip(p, next);
	if (!sa_builtin_pick_is_table(p, next))
		return next;
	of = next + 1;
	if (sa_builtin_parse_tag(p, of) == SA_BI_POSS)
		of++;
	if (!sa_builtin_pick_is_column(p, of))
		return next;
	for (int i = next; i < of; i++)
		p->items[i]->used = true;
	return of;
}

/* What is sorted by: a column, a count, an aggregate; NULL when none. */
static SaBiTerm *
read_key(SaBiParser *p, int *at)
{
	int next = sa_builtin_parse_skip(p, *at);
	SaBiAgg agg;
	SaBiTable *table;
	SaBiColumn *column;

	if (next >= p->n)
		return NULL;
	agg = key_aggregate(p, next);
	if (agg != SA_BI_AGG_NONE)
		p->items[next++]->used = true;
	next = key_noun(p, sa_builtin_parse_skip(p, next));
	if (sa_builtin_pick_is_column(p, next) && agg != SA_BI_AGG_COUNT)
	{
		column = shown_column(p, next);
		if (column == NULL)
			column = sa_builtin_pick_column(p, next, NULL);
		p->items[next]->used = true;
		*at = next + 1;
		return sa_builtin_parse_term(agg, column->table, column);
	}
	if (sa_builtin_pick_is_table(p, next))
	{
		if (agg == SA_BI_AGG_NONE)
			return NULL;
		table = sa_builtin_pick_table(p, next);
		column = agg == SA_BI_AGG_SUM ? sa_builtin_pick_amount(table) : NULL;
		p->items[next]->used = true;
		*at = next + 1;
		return sa_builtin_parse_term(column ? SA_BI_AGG_SUM : SA_BI_AGG_COUNT,
									 table, column);
	}
	if (agg != SA_BI_AGG_COUNT)
		return NULL;
	*at = next;
	return sa_builtin_parse_term(SA_BI_AGG_COUNT, NULL, NULL);
}

/* "by the highest rating first" */
static bool
is_first(const SaBiItem *item)
{
	return item->tag == SA_BI_SUP ||
		   (item->tag == SA_BI_ADJ &&
			item->phrase->degree == SA_BI_SUPERLATIVE);
}

/* Words between "sorted" and its key or direction. */
static bool
is_filler(SaBiParser *p, int at, bool has_key, bool has_direction)
{
	const SaBiItem *item = p->items[at];

	if (item->tag == SA_BI_SKIP || item->tag == SA_BI_ORDER ||
		item->tag == SA_BI_BY || item->tag == SA_BI_PREP ||
		item->tag == SA_BI_BE)
		return true;
	if (!has_key)
		return false;
	return strcmp(item->token->lower, "first") == 0 ||
		   (item->tag == SA_BI_AND && !has_direction &&
			sa_builtin_parse_tag(p, at + 1) == SA_BI_DIR);
}

/* "in descending order": of what was selected last, or the rows' names. */
static SaBiTerm *
key_unsaid(SaBiParser *p, const char *dir)
{
	SaBiTable *focus = sa_builtin_parse_focus(p);

	if (p->query->select)
		return strstr(dir, "alpha") ? linitial(p->query->select)
									: llast(p->query->select);
	return focus ? sa_builtin_parse_term(SA_BI_AGG_NONE, focus, NULL) : NULL;
}

/* "sorted by age in descending order", "in alphabetical order of name". */
int
sa_builtin_order_read(SaBiParser *p, int at)
{
	SaBiTerm *term = NULL;
	const char *dir = NULL;
	int end = at;

	for (;;)
	{
		SaBiItem *item = sa_builtin_parse_item(p, end);
		int key = end;

		if (item == NULL)
			break;
		if (item->tag == SA_BI_DIR && dir == NULL)
			dir = item->phrase->arg;
		else if (term == NULL && is_first(item))
			dir = item->phrase->arg[0] == '-' ||
						  strcmp(item->phrase->arg, "min") == 0
					  ? "asc"
					  : "desc";
		else if (!is_filler(p, end, term != NULL, dir != NULL))
		{
			if (term || (term = read_key(p, &key)) == NULL)
				break;
			end = key;
			/* "by the region name" */
			if (term->column && term->column->type == SA_BI_T_TEXT &&
				sa_builtin_parse_item(p, end) &&
				strcmp(p->items[end]->token->lower, "name") == 0)
				p->items[end++]->used = true;
			continue;
		}
		item->used = true;
		end++;
	}
	if (term == NULL && dir == NULL)
		return 0;
	p->sorted = true;
	if (term == NULL)
		term = key_unsaid(p, dir);
	if (term == NULL)
		return 0;
	sa_builtin_parse_order(
		p, term,
		dir && (strcmp(dir, "desc") == 0 || strcmp(dir, "ralpha") == 0));
	return end;
}

/* "for each country and city", "per month": what is grouped by. */
int
sa_builtin_order_group(SaBiParser *p, int at)
{
	int end = 0;

	for (;;)
	{
		int next = sa_builtin_parse_skip(p, at);
		SaBiItem *item = sa_builtin_parse_item(p, next);
		SaBiTerm *term = NULL;

		if (sa_builtin_parse_tag(p, next) == SA_BI_DISTINCT)
		{
			item->used = true;
			next = sa_builtin_parse_skip(p, next + 1);
			item = sa_builtin_parse_item(p, next);
		}
		if (item == NULL)
			break;
		if (item->tag == SA_BI_UNIT &&
			sa_builtin_match_score(item->columns) < 95)
		{
			p->unit = item->phrase->arg;
			item->used = true;
			end = next + 1;
		}
		else if (sa_builtin_pick_is_column(p, next))
		{
			SaBiColumn *column = sa_builtin_pick_column(p, next, NULL);

			term = sa_builtin_parse_term(SA_BI_AGG_NONE, column->table, column);
		}
		else if (sa_builtin_pick_is_table(p, next))
			term = sa_builtin_parse_term(SA_BI_AGG_NONE,
										 sa_builtin_pick_table(p, next), NULL);
		else
			break;
		if (term)
		{
			item->used = true;
			p->query->groups = lappend(p->query->groups, term);
			p->grouped = list_append_unique_ptr(p->grouped, term->table);
			end = next + 1;
		}
		/* a further one: "and" or a comma, and again a bare name */
		at = sa_builtin_parse_skip(p, end);
		if (sa_builtin_parse_tag(p, at) != SA_BI_AND || p->selecting)
			break;
		next = sa_builtin_parse_skip(p, at + 1);
		if (!sa_builtin_pick_is_column(p, next))
			break;
		at++;
	}
	return end;
}
