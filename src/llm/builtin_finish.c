/*
 * builtin_finish.c
 *	  What a question leaves to be understood: the main table, the groups of an
 *	  aggregate, the column of "per month", the measure of a ranking.
 */
#include "postgres.h"

#include "llm/builtin_parse.h"

static bool
same_term(const SaBiTerm *a, const SaBiTerm *b)
{
	return a->agg == b->agg && a->table == b->table && a->column == b->column &&
		   a->bucket == b->bucket;
}

static bool
has_term(const List *terms, const SaBiTerm *term)
{
	ListCell *cell;

	foreach (cell, terms)
		if (same_term(lfirst(cell), term))
			return true;
	return false;
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

static bool
is_number(const SaBiTerm *term)
{
	return term->column && term->column->type == SA_BI_T_NUMBER &&
		   term->agg == SA_BI_AGG_NONE;
}

static void
finish_pending(SaBiParser *p)
{
	if (list_length(p->aggs) == 1 && linitial_int(p->aggs) == SA_BI_AGG_COUNT &&
		sa_builtin_parse_focus(p) && !has_aggregate(p->query->select))
		p->query->select =
			lappend(p->query->select,
					sa_builtin_parse_term(SA_BI_AGG_COUNT,
										  sa_builtin_parse_focus(p), NULL));
	else if (list_length(p->aggs) == 1 && p->query->select &&
			 is_number(llast(p->query->select)))
		/* "the area of all states combined" */
		((SaBiTerm *) llast(p->query->select))->agg = linitial_int(p->aggs);
	else if (p->aggs)
		sa_builtin_parse_fail(p, "it is not clear what is to be aggregated");
	if (p->negated)
		sa_builtin_parse_fail(p, "it is not clear what is negated");
	if (p->or_next)
		sa_builtin_parse_fail(p, "it is not clear what the alternative is");
	if (p->limit && p->ranking)
		sa_builtin_parse_fail(p, "it is not clear by what is to be ranked");
	else if (p->limit && p->query->limit == 0)
		p->query->limit = p->limit;
}

/* "where is …": the columns of it that tell places. */
static void
finish_place(SaBiParser *p)
{
	static const char *const words[] = {"address",	"location", "city",
										"hometown", "state",	"country",
										"region",	"place",	"street"};
	SaBiTable *focus = sa_builtin_parse_focus(p);
	List *places = NIL;
	ListCell *cell;

	if (!p->want_place)
		return;
	if (focus)
		foreach (cell, focus->columns)
			for (int i = 0; i < lengthof(words); i++)
				if (((SaBiColumn *) lfirst(cell))->type == SA_BI_T_TEXT &&
					!list_member_ptr(focus->labels, lfirst(cell)) &&
					sa_builtin_pick_has_word(
						((SaBiColumn *) lfirst(cell))->full, words[i]))
					places = list_append_unique_ptr(places, lfirst(cell));
	if (places == NIL)
		sa_builtin_parse_fail(p, "no place is known of it");
	foreach (cell, places)
		p->query->select =
			lappend(p->query->select,
					sa_builtin_parse_term(SA_BI_AGG_NONE, focus, lfirst(cell)));
}

/* "how much is …": the price or amount of it. */
static void
finish_amount(SaBiParser *p)
{
	SaBiTable *focus = sa_builtin_parse_focus(p);
	SaBiColumn *column;
	ListCell *cell;

	if (!p->want_amount)
		return;
	foreach (cell, p->query->select)
	{
		SaBiTerm *term = lfirst(cell);

		if (term->column == NULL || term->column->type != SA_BI_T_NUMBER)
			continue;
		if (term->agg == SA_BI_AGG_NONE && p->query->orders == NIL &&
			sa_builtin_pick_is_amount(term->column))
			term->agg = SA_BI_AGG_SUM;
		return;
	}
	column = focus ? sa_builtin_pick_amount(focus) : NULL;
	if (column == NULL)
		sa_builtin_parse_fail(p, "no amount is known of it");
	else
		p->query->select = lappend(
			p->query->select,
			sa_builtin_parse_term(SA_BI_AGG_NONE, column->table, column));
}

/*
 * A column of a table that the question does not name, of which there may be
 * many rows for each of what it does name, is rather a misunderstanding.
 */
static void
check_select(SaBiParser *p)
{
	ListCell *cell;

	foreach (cell, p->query->select)
	{
		SaBiTerm *term = lfirst(cell);
		int cost;

		if (term->table && term->agg == SA_BI_AGG_NONE && term->weak &&
			term->table != p->query->main && p->mentioned &&
			!list_member_ptr(p->mentioned, term->table) &&
			!sa_builtin_join_to_one(sa_builtin_join_path(
				p->schema, p->query->main, term->table, &cost)))
			sa_builtin_parse_fail(p, "it is not clear what it wants to see");
	}
}

static void
finish_when(SaBiParser *p)
{
	SaBiColumn *column;

	if (!p->want_date)
		return;
	column = sa_builtin_pick_date(p, true);
	if (column == NULL)
		sa_builtin_parse_fail(p, "no date is known of it");
	else
		p->query->select =
			lcons(sa_builtin_parse_term(SA_BI_AGG_NONE, column->table, column),
				  p->query->select);
}

static void
finish_unit(SaBiParser *p)
{
	SaBiColumn *column;
	SaBiTerm *term;

	if (p->unit == NULL)
		return;
	column = sa_builtin_pick_date(p, strcmp(p->unit, "year") == 0);
	if (column == NULL)
	{
		sa_builtin_parse_fail(p, "no date is known of it");
		return;
	}
	term = sa_builtin_parse_term(SA_BI_AGG_NONE, column->table, column);
	if (column->type == SA_BI_T_DATE)
		term->bucket = p->unit;
	p->query->groups = lcons(term, p->query->groups);
	if (p->query->orders == NIL)
		sa_builtin_parse_order(p, term, false);
}

/*
 * "which month has the most invoices": groups are ranked, not their rows; "which
 * month has the highest revenue": by the sum of an amount.
 */
static bool
ranks_groups(const SaBiQuery *query)
{
	SaBiTerm *by;

	if (query->groups == NIL || query->orders == NIL)
		return false;
	by = ((SaBiOrder *) linitial(query->orders))->term;
	if (is_number(by) && sa_builtin_pick_is_amount(by->column) &&
		((SaBiTerm *) linitial(query->groups))->bucket)
		by->agg = SA_BI_AGG_SUM;
	return by->agg != SA_BI_AGG_NONE;
}

/* What the rows are that are counted or shown. */
static void
finish_main(SaBiParser *p)
{
	ListCell *cell;

	if (p->query->select == NIL && ranks_groups(p->query))
		p->query->select = list_copy(p->query->groups);
	/* "employees named Ann": a condition tells of what */
	if (p->query->select == NIL && p->main->table == NULL && p->main->conds)
		p->main->table = ((SaBiCond *) linitial(p->main->conds))->column->table;
	/* "who has the lowest salary" */
	if (p->query->select == NIL && p->main->table == NULL && p->query->orders)
		p->main->table =
			((SaBiOrder *) linitial(p->query->orders))->term->table;
	if (p->query->select == NIL && p->main->table)
		p->query->select = list_make1(
			sa_builtin_parse_term(SA_BI_AGG_NONE, p->main->table, NULL));
	if (p->query->select == NIL && p->query->groups)
		p->query->select = list_copy(p->query->groups);
	if (p->query->select == NIL)
	{
		sa_builtin_parse_fail(p, "it does not say what is wanted of the data");
		return;
	}
	foreach (cell, p->query->select)
	{
		SaBiTerm *term = lfirst(cell);

		if (term->agg != SA_BI_AGG_NONE && term->table)
		{
			p->query->main = term->table;
			break;
		}
	}
	if (p->query->main == NULL)
		p->query->main = p->main->table;
	if (p->query->main == NULL)
		p->query->main = ((SaBiTerm *) linitial(p->query->select))->table;
	if (p->main->table == NULL)
		p->main->table = p->query->main;
}

/* A ranking by a number of many rows for one of what is ranked is by its sum */
static void
finish_ranking(SaBiParser *p)
{
	SaBiTerm *what = linitial(p->query->select);
	ListCell *cell;

	foreach (cell, p->query->orders)
	{
		SaBiTerm *by = ((SaBiOrder *) lfirst(cell))->term;
		int cost;
		List *path;

		if (by->agg != SA_BI_AGG_NONE || by->column == NULL ||
			by->column->type != SA_BI_T_NUMBER || p->query->limit == 0 ||
			what->agg != SA_BI_AGG_NONE || what->table == NULL ||
			!(p->ranked || sa_builtin_pick_is_amount(by->column)))
			continue;
		path = sa_builtin_join_path(p->schema, what->table, by->table, &cost);
		if ((path && !sa_builtin_join_to_one(path)) ||
			(p->ranked && what->column && what->table == by->table &&
			 !what->column->unique &&
			 !list_member_ptr(what->table->labels, what->column)))
		{
			by->agg = SA_BI_AGG_SUM;
			if (p->query->main == what->table)
				p->query->main = by->table;
		}
	}
}

/* Whether an aggregate of the column is shown or ordered by. */
static bool
is_aggregated(const SaBiQuery *query, const SaBiColumn *column)
{
	ListCell *cell;

	if (column == NULL || column->type != SA_BI_T_NUMBER)
		return false;
	foreach (cell, query->select)
		if (((SaBiTerm *) lfirst(cell))->column == column &&
			((SaBiTerm *) lfirst(cell))->agg > SA_BI_AGG_COUNT)
			return true;
	foreach (cell, query->orders)
		if (((SaBiOrder *) lfirst(cell))->term->column == column &&
			((SaBiOrder *) lfirst(cell))->term->agg > SA_BI_AGG_COUNT)
			return true;
	return false;
}

/* "revenue per customer": amounts are summed. */
static bool
sum_amounts(SaBiQuery *query)
{
	ListCell *cell;
	bool summed = false;

	foreach (cell, query->select)
	{
		SaBiTerm *term = lfirst(cell);

		if (term->column && term->agg == SA_BI_AGG_NONE &&
			term->column->type == SA_BI_T_NUMBER &&
			sa_builtin_pick_is_amount(term->column))
		{
			term->agg = SA_BI_AGG_SUM;
			summed = true;
		}
	}
	return summed;
}

static void
finish_groups(SaBiParser *p)
{
	SaBiQuery *query = p->query;
	bool aggregated = has_aggregate(query->select) || query->having;
	List *plain = NIL;
	ListCell *cell;

	foreach (cell, query->orders)
	{
		SaBiOrder *order = lfirst(cell);

		if (order->term->agg != SA_BI_AGG_NONE)
		{
			aggregated = true;
			if (order->term->table)
				query->main = order->term->table;
		}
	}
	if (!aggregated && query->groups && (p->per || p->unit))
		aggregated = sum_amounts(query);
	if (!aggregated && query->groups && p->per &&
		list_length(query->select) == 1)
	{
		/* "invoices per month": how many */
		SaBiTerm *only = linitial(query->select);

		if (only->column == NULL && !has_term(query->groups, only))
		{
			only->agg = SA_BI_AGG_COUNT;
			aggregated = true;
		}
	}
	if (!aggregated && query->groups)
	{
		/* "for each" without an aggregate: the rows, in that order */
		foreach (cell, query->groups)
			if (!has_term(query->select, lfirst(cell)))
				plain = lappend(plain, lfirst(cell));
		query->select = list_concat(plain, query->select);
		query->groups = NIL;
		return;
	}
	if (!aggregated)
		return;
	foreach (cell, query->select)
	{
		SaBiTerm *term = lfirst(cell);

		/* "the total amount", where the column itself is called so */
		if (term->agg == SA_BI_AGG_NONE && is_aggregated(query, term->column))
			query->select = foreach_delete_current(query->select, cell);
		else if (term->agg == SA_BI_AGG_NONE && !has_term(query->groups, term))
			query->groups = lappend(query->groups, term);
	}
	foreach (cell, query->groups)
		if (!has_term(query->select, lfirst(cell)))
			plain = lappend(plain, lfirst(cell));
	query->select = list_concat(plain, query->select);
}

/* Whether a column has one value in each group, of rows of its table. */
static bool
is_grouped(const SaBiQuery *query, const SaBiTerm *term)
{
	ListCell *cell;

	foreach (cell, query->groups)
	{
		const SaBiTerm *group = lfirst(cell);

		if (group->table == term->table &&
			(group->column == NULL || group->column->unique))
			return true;
	}
	return false;
}

/* What is ordered by is shown where it is why a row was chosen. */
static void
finish_orders(SaBiParser *p)
{
	SaBiQuery *query = p->query;
	ListCell *cell;

	foreach (cell, query->orders)
	{
		SaBiTerm *term = ((SaBiOrder *) lfirst(cell))->term;
		bool counted =
			term->agg == SA_BI_AGG_COUNT && has_aggregate(query->select);

		bool bare = ((SaBiTerm *) linitial(query->select))->column == NULL;

		if (!counted && !has_term(query->select, term) &&
			(term->column ? query->limit || query->distinct || bare
						  : query->limit && term->agg == SA_BI_AGG_COUNT))
			query->select = lappend(query->select, term);
		if (term->agg == SA_BI_AGG_NONE && query->groups && term->column &&
			!has_term(query->groups, term) && is_grouped(query, term))
			query->groups = lappend(query->groups, term);
		else if (term->agg == SA_BI_AGG_NONE && query->groups &&
				 !has_term(query->groups, term) && term->column)
			sa_builtin_parse_fail(p, "it orders groups by what is not one "
									 "value for each");
	}
}

/*
 * An entity that is called by the key that the main table has: the key will do,
 * also where it is null or leads nowhere.
 */
static void
natural_keys(SaBiParser *p, List *terms)
{
	ListCell *cell;

	foreach (cell, terms)
	{
		SaBiTerm *term = lfirst(cell);
		int cost;
		List *path;
		SaBiEdge *edge;

		if (term->column || term->agg != SA_BI_AGG_NONE ||
			term->table == p->query->main || term->table == NULL)
			continue;
		path =
			sa_builtin_join_path(p->schema, p->query->main, term->table, &cost);
		if (list_length(path) != 1)
			continue;
		edge = linitial(path);
		if (!edge->to_one || list_length(edge->to_columns) != 1 ||
			list_length(term->table->labels) != 1 ||
			linitial(edge->to_columns) != linitial(term->table->labels))
			continue;
		term->table = p->query->main;
		term->column = linitial(edge->from_columns);
	}
}

/* "over 40 and below 30" cannot be said of one row. */
static void
check_ranges(SaBiParser *p)
{
	ListCell *scope;
	ListCell *a;
	ListCell *b;

	foreach (scope, p->query->scopes)
		foreach (a, ((SaBiScope *) lfirst(scope))->conds)
			foreach (b, ((SaBiScope *) lfirst(scope))->conds)
			{
				const SaBiCond *low = lfirst(a);
				const SaBiCond *high = lfirst(b);

				if (low->column == high->column && !high->or_previous &&
					(low->op == SA_BI_OP_GT || low->op == SA_BI_OP_GE) &&
					(high->op == SA_BI_OP_LT || high->op == SA_BI_OP_LE) &&
					low->values && high->values &&
					atof(linitial(low->values)) >= atof(linitial(high->values)))
					sa_builtin_parse_fail(p, "no row can be both");
			}
}

void
sa_builtin_finish(SaBiParser *p)
{
	finish_pending(p);
	finish_when(p);
	finish_amount(p);
	finish_place(p);
	finish_unit(p);
	finish_main(p);
	if (p->problem->reason)
		return;
	if (p->query->limit && p->query->orders &&
		list_length(p->query->select) == 1 &&
		((SaBiTerm *) linitial(p->query->select))->agg == SA_BI_AGG_SUM &&
		((SaBiOrder *) linitial(p->query->orders))->term->agg == SA_BI_AGG_NONE)
		((SaBiTerm *) linitial(p->query->select))->agg = SA_BI_AGG_NONE;
	natural_keys(p, p->query->select);
	natural_keys(p, p->query->groups);
	check_select(p);
	check_ranges(p);
	finish_ranking(p);
	finish_groups(p);
	finish_orders(p);
}
