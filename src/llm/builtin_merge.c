/*
 * builtin_merge.c
 *	  What a follow-up changes of the question before: a condition on the same
 *	  column, a group, an order, a measure is replaced; any other is added.
 *
 * Called by builtin_follow.c around the parser's reading of the follow-up.
 * What cannot be put together fails with what is unclear.
 */
#include "postgres.h"

#include "llm/builtin_parse.h"

/* The question before, as it was when the follow-up began. */
struct SaBiBefore
{
	List *conds;  /* of SaBiCond * of all scopes */
	List *scopes; /* of SaBiScope * */
	List *select;
	List *groups;
	List *orders;
	List *aggs;
	const char *unit;
	int limit;
	bool sorted;
	bool distinct;
};

static List *
all_conds(const SaBiQuery *query)
{
	List *conds = NIL;
	ListCell *cell;

	foreach (cell, query->scopes)
		conds = list_concat(conds, ((SaBiScope *) lfirst(cell))->conds);
	return conds;
}

bool
sa_builtin_merge_is_condition(const SaBiParser *p, const SaBiColumn *column)
{
	ListCell *cell;

	foreach (cell, all_conds(p->query))
		if (((SaBiCond *) lfirst(cell))->column == column)
			return true;
	return false;
}

SaBiBefore *
sa_builtin_merge_begin(SaBiParser *p)
{
	SaBiBefore *before = palloc0(sizeof(SaBiBefore));
	SaBiQuery *query = p->query;

	if (p->limit && query->limit == 0 && !p->ranking)
		query->limit = p->limit;
	p->limit = 0;
	before->conds = all_conds(query);
	before->scopes = list_copy(query->scopes);
	before->select = list_copy(query->select);
	before->groups = list_copy(query->groups);
	before->orders = query->orders;
	before->aggs = p->aggs;
	before->unit = p->unit;
	before->limit = query->limit;
	before->sorted = p->sorted;
	before->distinct = query->distinct;

	/* the follow-up begins like a sentence, of the same rows */
	query->orders = NIL;
	query->limit = 0;
	p->aggs = NIL;
	p->unit = NULL;
	p->sorted = false;
	p->scope = p->main;
	if (p->main->table == NULL)
		p->main->table = sa_builtin_parse_focus(p);
	p->selecting = false;
	p->negated = p->or_next = p->both = p->after_prep = p->distinct = false;
	p->verb = p->any_verb = NULL;
	p->last_column = NULL;
	p->previous = SA_BI_NONE;
	p->previous_at = -1;
	return before;
}

/* The end of a range that a condition sets: -1 lower, 1 upper, 0 both. */
static int
side(const SaBiCond *cond)
{
	switch (cond->op)
	{
		case SA_BI_OP_GT:
		case SA_BI_OP_GE:
			return -1;
		case SA_BI_OP_LT:
		case SA_BI_OP_LE:
			return 1;
		case SA_BI_OP_PERIOD:
			return linitial(cond->values) == NULL  ? 1
				   : lsecond(cond->values) == NULL ? -1
												   : 0;
		default:
			return 0;
	}
}

static void
remove_cond(SaBiScope *scope, SaBiCond *cond)
{
	int at = 0;

	while (list_nth(scope->conds, at) != cond)
		at++;
	if (at + 1 < list_length(scope->conds) && !cond->or_previous)
		((SaBiCond *) list_nth(scope->conds, at + 1))->or_previous = false;
	scope->conds = list_delete_nth_cell(scope->conds, at);
}

static SaBiScope *
scope_of(const SaBiQuery *query, const SaBiCond *cond)
{
	ListCell *cell;

	foreach (cell, query->scopes)
		if (list_member_ptr(((SaBiScope *) lfirst(cell))->conds, cond))
			return lfirst(cell);
	return NULL;
}

/* A new condition takes the place of those on its column. */
static void
replace_cond(SaBiParser *p, const SaBiBefore *before, SaBiCond *cond)
{
	SaBiScope *scope = scope_of(p->query, cond);
	ListCell *cell;

	foreach (cell, before->conds)
	{
		SaBiCond *old = lfirst(cell);
		SaBiScope *home = scope_of(p->query, old);

		if (home == NULL || old->column != cond->column ||
			(side(old) && side(cond) && side(old) != side(cond)))
			continue;
		if (cond->or_previous || (scope != home && scope->or_previous))
		{
			/* "or Brazil" */
			if (old->op == SA_BI_OP_EQ && cond->op == SA_BI_OP_EQ &&
				!old->negated && !cond->negated)
			{
				old->values = list_concat(old->values, cond->values);
				remove_cond(scope, cond);
			}
			return;
		}
		remove_cond(home, old);
		if (home != scope)
		{
			remove_cond(scope, cond);
			home->conds = lappend(home->conds, cond);
			scope = home;
		}
	}
}

/* What a new scope said went into a scope of before. */
static bool
is_taken_in(const SaBiScope *scope, const SaBiBefore *before)
{
	ListCell *cell;

	if (scope->kind != SA_BI_SCOPE_SOME || scope->conds != NIL)
		return false;
	foreach (cell, before->scopes)
		if (((SaBiScope *) lfirst(cell))->table == scope->table)
			return true;
	return false;
}

/* A new scope is another number of the rows that a scope of before counts. */
static bool
is_replaced(const SaBiScope *scope, const SaBiQuery *query,
			const SaBiBefore *before)
{
	ListCell *cell;

	if (scope->kind != SA_BI_SCOPE_COUNT)
		return false;
	foreach (cell, query->scopes)
	{
		const SaBiScope *other = lfirst(cell);

		if (!list_member_ptr(before->scopes, other) &&
			other->kind == SA_BI_SCOPE_COUNT && other->table == scope->table)
			return true;
	}
	return false;
}

static void
merge_conditions(SaBiParser *p, const SaBiBefore *before)
{
	List *scopes = NIL;
	ListCell *cell;

	foreach (cell, all_conds(p->query))
		if (!list_member_ptr(before->conds, lfirst(cell)))
			replace_cond(p, before, lfirst(cell));
	foreach (cell, p->query->scopes)
	{
		SaBiScope *scope = lfirst(cell);

		if (list_member_ptr(before->scopes, scope)
				? !is_replaced(scope, p->query, before)
				: !is_taken_in(scope, before))
			scopes = lappend(scopes, scope);
	}
	p->query->scopes = scopes;
}

static bool
has_aggregate(const List *terms)
{
	ListCell *cell;

	foreach (cell, terms)
		if (((SaBiTerm *) lfirst(cell))->agg != SA_BI_AGG_NONE)
			return true;
	return false;
}

/* The aggregate of a question, which may only be what it orders by. */
static SaBiTerm *
find_aggregate(const SaBiQuery *query)
{
	ListCell *cell;

	foreach (cell, query->select)
		if (((SaBiTerm *) lfirst(cell))->agg != SA_BI_AGG_NONE)
			return lfirst(cell);
	foreach (cell, query->orders)
		if (((SaBiOrder *) lfirst(cell))->term->agg != SA_BI_AGG_NONE)
			return ((SaBiOrder *) lfirst(cell))->term;
	return NULL;
}

/* "and by country?": other groups of the same measure. */
static void
merge_groups(SaBiParser *p, const SaBiBefore *before)
{
	SaBiQuery *query = p->query;
	bool grouped = list_length(query->groups) > list_length(before->groups);
	ListCell *cell;

	if (!grouped && p->unit == NULL)
	{
		p->unit = before->unit;
		return;
	}
	if (before->limit)
	{
		sa_builtin_parse_fail(p, "the earlier question asks for the first of a "
								 "ranking, which has no groups");
		return;
	}
	query->groups = list_copy_tail(query->groups, list_length(before->groups));
	/* what was shown of each of the old groups */
	if (has_aggregate(before->select))
		foreach (cell, query->select)
			if (((SaBiTerm *) lfirst(cell))->agg == SA_BI_AGG_NONE &&
				list_member_ptr(before->select, lfirst(cell)))
				query->select = foreach_delete_current(query->select, cell);
}

/* "how many is that?": the rows of the question before. */
static void
count_rows(SaBiParser *p, const SaBiBefore *before)
{
	SaBiQuery *query = p->query;
	SaBiTable *table = p->main->table;

	if (before->select)
		table = ((SaBiTerm *) linitial(before->select))->table;

	p->aggs = NIL;
	/* "how many of them are …", of what was counted */
	if (list_length(before->select) == 1 &&
		((SaBiTerm *) linitial(before->select))->agg == SA_BI_AGG_COUNT)
		return;
	if (list_length(before->aggs) == 1)
	{
		p->aggs = before->aggs;
		return;
	}
	if (table == NULL || has_aggregate(before->select) || before->groups ||
		before->limit || before->unit || query->having || before->distinct)
	{
		sa_builtin_parse_fail(p, "only rows of the earlier question can be "
								 "counted, and it asks for something else");
		return;
	}
	query->select =
		list_make1(sa_builtin_parse_term(SA_BI_AGG_COUNT, table, NULL));
	query->orders = NIL;
}

static void
merge_select(SaBiParser *p, const SaBiBefore *before)
{
	SaBiQuery *query = p->query;
	List *added = list_difference_ptr(query->select, before->select);
	ListCell *cell;

	if (list_length(p->aggs) == 1 && linitial_int(p->aggs) == SA_BI_AGG_COUNT)
		count_rows(p, before);
	else if (p->aggs == NIL)
		p->aggs = before->aggs;
	/* another measure instead of the one before */
	if (!has_aggregate(added))
		return;
	foreach (cell, query->select)
		if (((SaBiTerm *) lfirst(cell))->agg != SA_BI_AGG_NONE &&
			list_member_ptr(before->select, lfirst(cell)))
			query->select = foreach_delete_current(query->select, cell);
}

static void
merge_order(SaBiParser *p, const SaBiBefore *before)
{
	SaBiQuery *query = p->query;

	if (p->sorted && has_aggregate(before->select) && before->groups == NIL &&
		before->unit == NULL && list_length(before->select) == 1)
	{
		sa_builtin_parse_fail(p, "one number has no order");
		return;
	}
	if (p->sorted && before->limit && query->limit == 0)
	{
		sa_builtin_parse_fail(p, "the earlier question asks for the first of "
								 "one order, which another order would change");
		return;
	}
	if (query->orders == NIL)
	{
		query->orders = before->orders;
		p->sorted = before->sorted;
		if (query->limit == 0)
			query->limit = before->limit;
	}
}

void
sa_builtin_merge_end(SaBiParser *p, SaBiBefore *before, bool of_rows)
{
	if (of_rows && before->limit &&
		(list_length(all_conds(p->query)) > list_length(before->conds) ||
		 list_length(p->query->scopes) > list_length(before->scopes)))
	{
		sa_builtin_parse_fail(p, "the earlier question asks for the first of a "
								 "ranking, and a condition on those cannot be "
								 "told from a ranking of others");
		return;
	}
	merge_conditions(p, before);
	merge_groups(p, before);
	merge_order(p, before);
	merge_select(p, before);
}

/* "the top 3", "and the lowest?": of what was ordered or aggregated. */
void
sa_builtin_merge_rank(SaBiParser *p, bool first, bool most, int number)
{
	SaBiQuery *query = p->query;
	SaBiTerm *term = find_aggregate(query);
	bool grouped = query->groups || p->unit || list_length(query->select) > 1;

	if (query->orders)
	{
		SaBiOrder *order = linitial(query->orders);

		/* the first ones of a mere order, or the best ones of a ranking */
		if (!first || number == 0 || query->limit)
			order->descending = most;
		else if (!most)
			order->descending = !order->descending;
	}
	else if (term && !grouped && number == 0 &&
			 (term->agg == SA_BI_AGG_MAX || term->agg == SA_BI_AGG_MIN))
	{
		term->agg = most ? SA_BI_AGG_MAX : SA_BI_AGG_MIN;
		return;
	}
	else if (term && grouped)
		sa_builtin_parse_order(p, term, most);
	else
	{
		sa_builtin_parse_fail(p, "it is not clear by what is to be ranked");
		return;
	}
	query->limit = number ? number : 1;
	p->limit = 0;
}

/* "and the average?": of what the question before took another of. */
void
sa_builtin_merge_aggregate(SaBiParser *p, SaBiAgg agg)
{
	SaBiTerm *term = find_aggregate(p->query);
	ListCell *cell;

	if (term == NULL || term->column == NULL || term->agg == SA_BI_AGG_COUNT)
	{
		sa_builtin_parse_fail(p, "the earlier question has no measure that "
								 "could be taken so");
		return;
	}
	foreach (cell, p->query->orders)
	{
		SaBiTerm *by = ((SaBiOrder *) lfirst(cell))->term;

		if (by->agg == term->agg && by->column == term->column)
			by->agg = agg;
	}
	term->agg = agg;
}

/* Whether all conditions can be said of each row of the table. */
static bool
conditions_fit(SaBiParser *p, SaBiTable *table)
{
	ListCell *cell;

	foreach (cell, all_conds(p->query))
	{
		SaBiTable *other = ((SaBiCond *) lfirst(cell))->column->table;
		int cost;

		if (other != table && !sa_builtin_join_to_one(sa_builtin_join_path(
								  p->schema, table, other, &cost)))
			return false;
	}
	return true;
}

/* "what about albums?": instead of what was counted or listed. */
void
sa_builtin_merge_table(SaBiParser *p, SaBiTable *table)
{
	SaBiTerm *term = find_aggregate(p->query);
	SaBiTable *old;

	if (term == NULL && list_length(p->query->select) == 1)
		term = linitial(p->query->select);
	if (term == NULL || term->column || list_length(p->query->scopes) > 1 ||
		!conditions_fit(p, table))
	{
		sa_builtin_parse_fail(
			p, psprintf("what was asked before cannot be asked of %s",
						table->sql));
		return;
	}
	old = term->table;
	term->table = table;
	if (p->main->table == old)
		p->main->table = table;
}

/* "sort by that": by what is shown last. */
void
sa_builtin_merge_sort(SaBiParser *p)
{
	if (p->query->limit || p->query->select == NIL)
		sa_builtin_parse_fail(p, "it is not clear what is to be sorted");
	else
	{
		p->query->orders = NIL;
		sa_builtin_parse_order(p, llast(p->query->select), false);
		p->sorted = true;
	}
}
