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

/* What is sorted by: a column, a count, an aggregate; NULL when none. */
static SaBiTerm *
read_key(SaBiParser *p, int *at)
{
	int next = sa_builtin_parse_skip(p, *at);
	SaBiAgg agg = SA_BI_AGG_NONE;
	SaBiItem *item = sa_builtin_parse_item(p, next);

	if (item == NULL)
		return NULL;
	if (item->tag == SA_BI_HOWMANY)
		agg = SA_BI_AGG_COUNT;
	else if (item->tag == SA_BI_AGG && strcmp(item->phrase->arg, "avg") == 0)
		agg = SA_BI_AGG_AVG;
	else if (item->tag == SA_BI_AGG && strcmp(item->phrase->arg, "sum") == 0 &&
			 (sa_builtin_pick_is_column(p,
										sa_builtin_parse_skip(p, next + 1)) ||
			  sa_builtin_pick_is_table(p, sa_builtin_parse_skip(p, next + 1))))
		agg = SA_BI_AGG_SUM;
	if (agg != SA_BI_AGG_NONE)
	{
		item->used = true;
		next = sa_builtin_parse_skip(p, next + 1);
	}
	while (sa_builtin_parse_tag(p, next) == SA_BI_PREP)
		p->items[next++]->used = true;
	next = sa_builtin_parse_skip(p, next);
	/* the students' last names, the paper ID */
	if (sa_builtin_pick_is_table(p, next))
	{
		int of = next + 1;

		if (sa_builtin_parse_tag(p, of) == SA_BI_POSS)
			of++;
		if (sa_builtin_pick_is_column(p, of))
		{
			for (int i = next; i < of; i++)
				p->items[i]->used = true;
			next = of;
		}
	}
	if (sa_builtin_pick_is_column(p, next) && agg != SA_BI_AGG_COUNT)
	{
		SaBiColumn *column = shown_column(p, next);

		if (column == NULL)
			column = sa_builtin_pick_column(p, next, NULL);

		p->items[next]->used = true;
		*at = next + 1;
		return sa_builtin_parse_term(agg, column->table, column);
	}
	if (sa_builtin_pick_is_table(p, next))
	{
		SaBiTable *table = sa_builtin_pick_table(p, next);
		SaBiColumn *amount =
			agg == SA_BI_AGG_SUM ? sa_builtin_pick_amount(table) : NULL;

		if (agg == SA_BI_AGG_NONE)
			return NULL;
		p->items[next]->used = true;
		*at = next + 1;
		return sa_builtin_parse_term(amount ? SA_BI_AGG_SUM : SA_BI_AGG_COUNT,
									 table, amount);
	}
	if (agg == SA_BI_AGG_COUNT)
	{
		*at = next;
		return sa_builtin_parse_term(SA_BI_AGG_COUNT, NULL, NULL);
	}
	return NULL;
}

/* "by the highest rating first" */
static bool
is_first(const SaBiItem *item)
{
	return item->tag == SA_BI_SUP ||
		   (item->tag == SA_BI_ADJ &&
			item->phrase->degree == SA_BI_SUPERLATIVE);
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
		else if (term && strcmp(item->token->lower, "first") == 0)
			;
		else if (item->tag == SA_BI_SKIP || item->tag == SA_BI_ORDER ||
				 item->tag == SA_BI_BY || item->tag == SA_BI_PREP ||
				 item->tag == SA_BI_BE ||
				 (item->tag == SA_BI_AND && dir == NULL && term &&
				  sa_builtin_parse_tag(p, end + 1) == SA_BI_DIR))
			;
		else if (term == NULL && (term = read_key(p, &key)) != NULL)
		{
			end = key;
			/* "by the region name" */
			if (term->column && term->column->type == SA_BI_T_TEXT &&
				sa_builtin_parse_item(p, end) &&
				strcmp(p->items[end]->token->lower, "name") == 0)
				p->items[end++]->used = true;
			continue;
		}
		else
			break;
		item->used = true;
		end++;
	}
	if (term == NULL && dir == NULL)
		return 0;
	p->sorted = true;
	if (term == NULL)
	{
		/* what was selected last, or the name of the row */
		term = p->query->select ? llast(p->query->select) : NULL;
		if (dir && strstr(dir, "alpha") && p->query->select)
			term = linitial(p->query->select);
		if (term == NULL && sa_builtin_parse_focus(p))
			term = sa_builtin_parse_term(SA_BI_AGG_NONE,
										 sa_builtin_parse_focus(p), NULL);
		if (term == NULL)
			return 0;
	}
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
