/*
 * builtin_verb.c
 *	  Verbs: most of them only tie two things together, some tell a state and
 *	  are a condition, many are part of a date's name.
 */
#include "postgres.h"

#include "llm/builtin_parse.h"

/* "not paid": the date on which it was is not there. */
static bool
not_happened(SaBiParser *p, int at)
{
	SaBiTable *focus = sa_builtin_parse_focus(p);
	ListCell *cell;

	foreach (cell, p->items[at]->columns)
	{
		SaBiColumn *column = ((SaBiCand *) lfirst(cell))->column;

		if (column->type != SA_BI_T_DATE || !column->nullable ||
			column->table != focus)
			continue;
		p->negated = false;
		(void) sa_builtin_cond_add(p, column, SA_BI_OP_NULL, NIL);
		return true;
	}
	return false;
}

/*
 * Whether a verb of state is said of the rows, as in "cancelled orders" or
 * "orders that were cancelled", and does not tie them to something else.
 */
static bool
is_condition(SaBiParser *p, int at)
{
	int next = sa_builtin_parse_skip(p, at + 1);
	SaBiTag before = at > 0 ? p->items[at - 1]->tag : SA_BI_SKIP;

	if (sa_builtin_pick_is_table(p, at + 1))
		return before == SA_BI_SKIP || before == SA_BI_HOWMANY ||
			   before == SA_BI_LIST || before == SA_BI_PREP ||
			   before == SA_BI_AGG || before == SA_BI_WH ||
			   before == SA_BI_OP || before == SA_BI_NUM;
	if (sa_builtin_parse_tag(p, next) == SA_BI_BY ||
		sa_builtin_parse_tag(p, next) == SA_BI_AFTER ||
		sa_builtin_parse_tag(p, next) == SA_BI_BEFORE ||
		sa_builtin_parse_tag(p, next) == SA_BI_BETWEEN ||
		sa_builtin_parse_tag(p, next) == SA_BI_PREP ||
		sa_builtin_time_begins(p, next))
		return false;
	return p->previous == SA_BI_BE || p->previous == SA_BI_REL ||
		   p->previous == SA_BI_NEG || p->previous == SA_BI_WITH;
}

/* "paid": the date on which it was is there. */
static bool
happened(SaBiParser *p, int at)
{
	SaBiTable *focus = sa_builtin_parse_focus(p);
	ListCell *cell;

	foreach (cell, p->items[at]->columns)
	{
		SaBiColumn *column = ((SaBiCand *) lfirst(cell))->column;

		if (column->type != SA_BI_T_DATE || !column->nullable ||
			(focus && column->table != focus))
			continue;
		p->negated = true;
		(void) sa_builtin_cond_add(p, column, SA_BI_OP_NULL, NIL);
		return true;
	}
	return false;
}

int
sa_builtin_verb_read(SaBiParser *p, int at)
{
	/* "how many orders": the word is a thing here, and none that we know */
	if (p->aggs && p->previous == SA_BI_HOWMANY)
		return 0;
	p->items[at]->used = true;
	if (p->negated && not_happened(p, at))
		return at + 1;
	if (sa_builtin_lexicon_is_state(p->items[at]->token->lower) &&
		is_condition(p, at) && !happened(p, at))
		return 0;
	p->any_verb = p->items[at];
	if (p->items[at]->columns)
		p->verb = p->items[at];
	return at + 1;
}
