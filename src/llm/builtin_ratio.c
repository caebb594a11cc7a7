/*
 * builtin_ratio.c
 *	  "the ratio of a to b": one number divided by another, of each row, of
 *	  groups, or of the rows of two tables.
 */
#include "postgres.h"

#include "llm/builtin_parse.h"

/* One side: a number's column, an aggregate of it, or how many of a table. */
static SaBiTerm *
read_side(SaBiParser *p, int *at)
{
	int next = sa_builtin_parse_skip(p, *at);
	SaBiItem *item = sa_builtin_parse_item(p, next);
	SaBiAgg agg = SA_BI_AGG_NONE;
	SaBiColumn *column;

	if (item && item->tag == SA_BI_HOWMANY)
		agg = SA_BI_AGG_COUNT;
	else if (item && item->tag == SA_BI_AGG)
		agg = sa_builtin_noun_agg(item->phrase->arg);
	if (agg != SA_BI_AGG_NONE)
	{
		item->used = true;
		next = sa_builtin_parse_skip(p, next + 1);
	}
	*at = next + 1;
	if (sa_builtin_pick_is_table(p, next) &&
		(agg == SA_BI_AGG_NONE || agg == SA_BI_AGG_COUNT))
	{
		p->items[next]->used = true;
		return sa_builtin_parse_term(SA_BI_AGG_COUNT,
									 sa_builtin_pick_table(p, next), NULL);
	}
	if (!sa_builtin_pick_is_column(p, next) || agg == SA_BI_AGG_COUNT)
		return NULL;
	column = sa_builtin_pick_column(p, next, NULL);
	if (column->type != SA_BI_T_NUMBER || column->key)
		return NULL;
	p->items[next]->used = true;
	return sa_builtin_parse_term(agg, column->table, column);
}

int
sa_builtin_ratio_read(SaBiParser *p, int at)
{
	int next = at + 1;
	SaBiTerm *left = read_side(p, &next);
	SaBiTerm *right;
	SaBiItem *between = sa_builtin_parse_item(p, next);

	if (left == NULL || between == NULL ||
		!(between->tag == SA_BI_AND || between->tag == SA_BI_EACH ||
		  strcmp(between->token->lower, "to") == 0))
		return 0;
	next++;
	right = read_side(p, &next);
	if (right == NULL || left->agg != right->agg ||
		(left->agg == SA_BI_AGG_COUNT) != (left->table != right->table))
		return 0;
	p->items[at]->used = between->used = true;
	left->over = right;
	p->query->select = lappend(p->query->select, left);
	/* how many rows two tables have: nothing is joined for that */
	p->query->scalar = left->agg == SA_BI_AGG_COUNT;
	return next;
}
