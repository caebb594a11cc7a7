/*
 * builtin_cond.c
 *	  Conditions: a column and what it is compared with, values that stand for
 *	  their column, numbers of related rows.
 */
#include "postgres.h"

#include "llm/builtin_parse.h"

/* Operators as the lexicon names them. */
static const struct
{
	const char *name;
	SaBiOp op;
} op_names[] = {
	{">", SA_BI_OP_GT},
	{">=", SA_BI_OP_GE},
	{"<", SA_BI_OP_LT},
	{"<=", SA_BI_OP_LE},
	{"=", SA_BI_OP_EQ},
	{"<>", SA_BI_OP_NE},
	{"contain", SA_BI_OP_CONTAINS},
	{"prefix", SA_BI_OP_PREFIX},
	{"suffix", SA_BI_OP_SUFFIX},
};

SaBiOp
sa_builtin_cond_op(const SaBiItem *item)
{
	for (int i = 0; i < lengthof(op_names); i++)
		if (strcmp(item->phrase->arg, op_names[i].name) == 0)
			return op_names[i].op;
	return SA_BI_OP_EQ;
}

bool
sa_builtin_cond_is_order(SaBiOp op)
{
	return op == SA_BI_OP_GT || op == SA_BI_OP_GE || op == SA_BI_OP_LT ||
		   op == SA_BI_OP_LE;
}

/* The scope in which a condition on the table belongs. */
static SaBiScope *
scope_for(SaBiParser *p, const SaBiTable *table)
{
	ListCell *cell;

	/* said before of another scope's table */
	if (p->scope->table != table && p->main->table != table)
		foreach (cell, p->query->scopes)
			if (((SaBiScope *) lfirst(cell))->table == table && !p->negated)
				return lfirst(cell);
	if (p->scope->table == table || p->scope->kind != SA_BI_SCOPE_MAIN)
	{
		/* back to the main table when it is plainly spoken of */
		if (p->scope->table != table && p->main->table == table)
			return p->main;
		return p->scope;
	}
	return p->main;
}

static bool
has_equal(const SaBiScope *scope, const SaBiColumn *column)
{
	ListCell *cell;

	foreach (cell, scope->conds)
		if (((SaBiCond *) lfirst(cell))->column == column &&
			((SaBiCond *) lfirst(cell))->op == SA_BI_OP_EQ)
			return true;
	return false;
}

SaBiCond *
sa_builtin_cond_add(SaBiParser *p, SaBiColumn *column, SaBiOp op, List *values)
{
	SaBiCond *cond = palloc0(sizeof(SaBiCond));
	SaBiScope *scope = scope_for(p, column->table);
	SaBiTable *home = scope->table ? scope->table : sa_builtin_parse_focus(p);

	/*
	 * "not" about rows of another table of which there may be many: no such
	 * row, instead of some row that is not so.
	 */
	if (p->negated && home && home != column->table &&
		scope->kind == SA_BI_SCOPE_MAIN)
	{
		int cost;
		List *path =
			sa_builtin_join_path(p->schema, home, column->table, &cost);

		if (path && !sa_builtin_join_to_one(path))
		{
			scope = sa_builtin_parse_scope(p, SA_BI_SCOPE_NO, column->table);
			p->negated = false;
		}
	}
	/* of another table of which there may be many rows: one row of it */
	else if (scope->kind == SA_BI_SCOPE_MAIN && home && home != column->table &&
			 !p->or_next && list_length(p->query->scopes) < 8)
	{
		int cost;
		List *path =
			sa_builtin_join_path(p->schema, home, column->table, &cost);

		if (path && !sa_builtin_join_to_one(path))
			scope = sa_builtin_parse_scope(p, SA_BI_SCOPE_SOME, column->table);
	}
	/* a row has one value: a second one is of another row */
	if (scope->kind == SA_BI_SCOPE_SOME && op == SA_BI_OP_EQ && !p->or_next &&
		!p->negated && has_equal(scope, column))
		scope = sa_builtin_parse_scope(p, SA_BI_SCOPE_SOME, scope->table);
	cond->column = column;
	cond->op = op;
	cond->values = values;
	cond->negated = p->negated;
	cond->or_previous = p->or_next && scope->conds != NIL;
	if (p->or_next && scope->conds == NIL)
		scope->or_previous = true;
	scope->conds = lappend(scope->conds, cond);
	p->negated = p->or_next = false;
	p->last_column = column;
	return cond;
}

/* A value for the column at this place: its text and the place behind, or 0. */
static int
read_value(SaBiParser *p, SaBiColumn *column, int at, bool named,
		   const char **text)
{
	SaBiItem *item = sa_builtin_parse_item(p, at);
	int end;

	if (item == NULL)
		return 0;
	*text = sa_builtin_pick_value_of(p, at, column);
	if (*text)
	{
		item->used = true;
		return at + 1;
	}
	/* "the current one" is no number of a row */
	if (column->type == SA_BI_T_NUMBER)
		return column->key && item->tag == SA_BI_NUM
				   ? 0
				   : sa_builtin_parse_number(p, at, text);
	if (column->type == SA_BI_T_TEXT && item->token->kind == SA_BI_NUMBER)
	{
		*text = item->text;
		item->used = true;
		return at + 1;
	}
	if (column->type == SA_BI_T_TEXT && item->token->kind == SA_BI_STRING &&
		(named || item->values == NIL))
	{
		*text = item->text;
		item->used = true;
		return at + 1;
	}
	if (column->type != SA_BI_T_TEXT || !named)
		return 0;
	/* a name that is in no row all the same: capitals, and nothing else */
	if (item->unknown && item->token->capital)
	{
		StringInfoData name;

		initStringInfo(&name);
		for (end = at; end < p->n && p->items[end]->unknown &&
					   p->items[end]->token->capital;
			 end++)
		{
			appendStringInfo(&name, "%s%s", end > at ? " " : "",
							 p->items[end]->text);
			p->items[end]->used = true;
		}
		*text = name.data;
		return end;
	}
	return sa_builtin_parse_number(p, at, text);
}

/* "… or more" behind a number. */
int
sa_builtin_cond_trailing(SaBiParser *p, int at, SaBiOp *op)
{
	SaBiItem *item = sa_builtin_parse_item(p, at);

	if (item && item->tag == SA_BI_OP && strncmp(item->text, "or ", 3) == 0)
	{
		*op = sa_builtin_cond_op(item);
		item->used = true;
		return at + 1;
	}
	return at;
}

int
sa_builtin_cond_unit(SaBiParser *p, int at)
{
	SaBiItem *item = sa_builtin_parse_item(p, at);

	if (item && item->tag == SA_BI_UNITNAME && item->tables == NIL)
	{
		item->used = true;
		return at + 1;
	}
	if (item && item->tag == SA_BI_UNIT && !sa_builtin_pick_is_table(p, at))
	{
		item->used = true;
		return at + 1;
	}
	return at;
}

/* Whether a row of the main table may have several rows with the column. */
static bool
has_many(SaBiParser *p, const SaBiColumn *column)
{
	SaBiTable *focus = sa_builtin_parse_focus(p);
	int cost;

	return focus && focus != column->table &&
		   !sa_builtin_join_to_one(
			   sa_builtin_join_path(p->schema, focus, column->table, &cost));
}

/* "a or b", "a, b or c" behind a value; "a and b" too where either will do. */
static int
more_values(SaBiParser *p, SaBiColumn *column, int at, bool named,
			List **values)
{
	for (;;)
	{
		SaBiTag tag = sa_builtin_parse_tag(p, at);
		int next = at;
		int end;
		const char *text;

		if (tag != SA_BI_OR && tag != SA_BI_AND)
			return at;
		while (sa_builtin_parse_tag(p, next) == SA_BI_OR ||
			   sa_builtin_parse_tag(p, next) == SA_BI_AND ||
			   sa_builtin_parse_tag(p, next) == SA_BI_SKIP ||
			   sa_builtin_parse_tag(p, next) == SA_BI_PREP)
			next++;
		if (tag == SA_BI_AND &&
			(p->both || column->type != SA_BI_T_TEXT || has_many(p, column)))
			return at;
		/* the column may be said again: grade 9 or grade 10 */
		if (sa_builtin_pick_is_column(p, next) &&
			sa_builtin_pick_value_of(p, next, column) == NULL &&
			sa_builtin_pick_column(p, next, column->table) == column)
			next++;
		if (column->type == SA_BI_T_NUMBER &&
			(sa_builtin_pick_is_table(p, next + 1) ||
			 sa_builtin_parse_tag(p, next + 1) == SA_BI_OP))
			return at;
		end = read_value(p, column, next, named, &text);
		if (end == 0)
			return at;
		for (int i = at; i < end; i++)
			p->items[i]->used = true;
		*values = lappend(*values, unconstify(char *, text));
		at = end;
	}
}

/* "larger than any country in Europe": than the largest of them. */
static int
than_any(SaBiParser *p, SaBiColumn *column, int at, SaBiOp op)
{
	bool any = false;
	int next = at;
	const SaBiCand *cand;
	SaBiCond *cond;
	SaBiCond *inner;

	while (sa_builtin_parse_tag(p, next) == SA_BI_SKIP ||
		   sa_builtin_parse_tag(p, next) == SA_BI_REL ||
		   sa_builtin_parse_tag(p, next) == SA_BI_PREP)
		next++;
	for (int i = Max(at - 2, 0); i < Min(next, p->n); i++)
		any = any || strcmp(p->items[i]->token->lower, "any") == 0 ||
			  strcmp(p->items[i]->token->lower, "all") == 0;
	if (!any || !sa_builtin_cond_is_order(op) ||
		!sa_builtin_pick_is_table(p, next) ||
		sa_builtin_pick_table(p, next) != column->table)
		return 0;
	for (int i = at; i <= next; i++)
		p->items[i]->used = true;
	cond = sa_builtin_cond_add(p, column, op, NIL);
	cond->than = sa_builtin_parse_term(
		op == SA_BI_OP_GT || op == SA_BI_OP_GE ? SA_BI_AGG_MAX : SA_BI_AGG_MIN,
		column->table, column);
	at = ++next;
	while (sa_builtin_parse_tag(p, next) == SA_BI_SKIP ||
		   sa_builtin_parse_tag(p, next) == SA_BI_PREP)
		next++;
	cand = sa_builtin_parse_item(p, next) && p->items[next]->values
			   ? sa_builtin_pick_value(p, next, column->table)
			   : NULL;
	if (cand == NULL || cand->table != column->table)
		return at;
	for (int i = at; i <= next; i++)
		p->items[i]->used = true;
	inner = palloc0(sizeof(SaBiCond));
	inner->column = cand->column;
	inner->values = list_make1(unconstify(char *, cand->value));
	cond->than_conds = list_make1(inner);
	return next + 1;
}

/* "than the average price": compared with an aggregate. */
int
sa_builtin_cond_than(SaBiParser *p, SaBiColumn *column, int at, SaBiOp op)
{
	SaBiItem *item = sa_builtin_parse_item(p, at);
	static const struct
	{
		const char *name;
		SaBiAgg agg;
	} names[] = {
		{"avg", SA_BI_AGG_AVG}, {"min", SA_BI_AGG_MIN}, {"max", SA_BI_AGG_MAX}};
	SaBiCond *cond;
	int next;

	if (item == NULL || item->tag != SA_BI_AGG)
		return column ? than_any(p, column, at, op) : 0;
	for (int i = 0; i < lengthof(names); i++)
	{
		if (strcmp(item->phrase->arg, names[i].name) != 0)
			continue;
		next = sa_builtin_parse_skip(p, at + 1);
		if (sa_builtin_pick_is_column(p, next))
		{
			SaBiColumn *other =
				sa_builtin_pick_column(p, next, column ? column->table : NULL);

			if (column == NULL)
				column = other;
			if (other != column)
				return 0;
			p->items[next]->used = true;
			next++;
		}
		if (column == NULL || column->type != SA_BI_T_NUMBER)
			return 0;
		item->used = true;
		cond = sa_builtin_cond_add(p, column, op, NIL);
		cond->than = sa_builtin_parse_term(names[i].agg, column->table, column);
		/* "of all employees": the table again says nothing new */
		if (sa_builtin_parse_tag(p, next) == SA_BI_PREP)
		{
			int of = sa_builtin_parse_skip(p, next + 1);

			if (sa_builtin_pick_is_table(p, of) &&
				sa_builtin_pick_table(p, of) == column->table)
			{
				p->items[next]->used = p->items[of]->used = true;
				next = of + 1;
			}
		}
		return next;
	}
	return 0;
}

static int
read_between(SaBiParser *p, SaBiColumn *column, int at)
{
	const char *low;
	const char *high;
	int next;

	if (column->type == SA_BI_T_DATE)
		return sa_builtin_time_read(p, column, at, SA_BI_OP_BETWEEN);
	next = read_value(p, column, at, true, &low);
	if (next == 0)
		return 0;
	next = sa_builtin_parse_skip(p, next);
	if (sa_builtin_parse_tag(p, next) != SA_BI_AND &&
		sa_builtin_parse_tag(p, next) != SA_BI_PREP)
		return 0;
	p->items[next]->used = true;
	next = read_value(p, column, next + 1, true, &high);
	if (next == 0)
		return 0;
	(void) sa_builtin_cond_add(
		p, column, SA_BI_OP_BETWEEN,
		list_make2(unconstify(char *, low), unconstify(char *, high)));
	return sa_builtin_cond_unit(p, next);
}

int
sa_builtin_cond_compared(SaBiParser *p, SaBiColumn *column, int at, SaBiOp op,
						 bool named)
{
	const char *text;
	int end = sa_builtin_cond_than(p, column, at, op);
	List *values;

	if (end)
		return end;
	/* keys have no order that a question could mean */
	if (column->key && column->type == SA_BI_T_NUMBER &&
		sa_builtin_cond_is_order(op))
		return 0;
	if (column->type == SA_BI_T_DATE)
		return sa_builtin_time_read(p, column, at, op);
	end = read_value(p, column, at, named, &text);
	if (end == 0)
		return 0;
	values = list_make1(unconstify(char *, text));
	if (op == SA_BI_OP_EQ)
	{
		end = sa_builtin_cond_trailing(p, end, &op);
		end = sa_builtin_cond_unit(p, end);
		if (op == SA_BI_OP_EQ)
			end = more_values(p, column, end, named, &values);
	}
	else
	{
		end = sa_builtin_cond_unit(p, end);
		if (op == SA_BI_OP_NE)
			end = more_values(p, column, end, named, &values);
	}
	(void) sa_builtin_cond_add(p, column, op, values);
	return end;
}

/* Text that a LIKE speaks of: in quotes, or one plain word. */
int
sa_builtin_cond_text(SaBiParser *p, SaBiColumn *column, int at, SaBiOp op)
{
	SaBiItem *item;

	at = sa_builtin_parse_skip(p, at);
	item = sa_builtin_parse_item(p, at);
	if (item == NULL || column->type != SA_BI_T_TEXT)
		return 0;
	if (item->token->kind != SA_BI_STRING && !item->unknown &&
		item->values == NIL && item->to - item->from > 1)
		return 0;
	item->used = true;
	(void) sa_builtin_cond_add(p, column, op,
							   list_make1(unconstify(char *, item->text)));
	return at + 1;
}

/*
 * What follows a column and makes a condition of it: "is more than 3",
 * "between 1 and 2", "named 'x'", or a value right behind.
 */
int
sa_builtin_cond_read(SaBiParser *p, SaBiColumn *column, int at)
{
	bool negated = p->negated;
	bool linked = false; /* by "is" or the like */
	int begin = at;
	int end = 0;
	SaBiItem *item;

	for (;; at++)
	{
		SaBiTag tag = sa_builtin_parse_tag(p, at);

		if (tag == SA_BI_NEG)
			p->negated = true;
		else if (tag == SA_BI_BE)
			linked = true;
		else if (tag != SA_BI_SKIP && tag != SA_BI_DO &&
				 !(tag == SA_BI_REL &&
				   (sa_builtin_parse_tag(p, at + 1) == SA_BI_OP ||
					sa_builtin_parse_tag(p, at + 1) == SA_BI_BETWEEN)) &&
				 !(tag == SA_BI_PREP &&
				   (sa_builtin_parse_tag(p, at + 1) == SA_BI_OP ||
					sa_builtin_parse_tag(p, at + 1) == SA_BI_BETWEEN ||
					((!p->selecting || p->after_prep) &&
					 sa_builtin_parse_item(p, at + 1) &&
					 (p->items[at + 1]->token->kind == SA_BI_NUMBER ||
					  sa_builtin_pick_value_of(p, at + 1, column))))))
			break;
	}
	item = sa_builtin_parse_item(p, at);
	if (item)
	{
		if (item->tag == SA_BI_OP)
			end = sa_builtin_cond_compared(p, column,
										   sa_builtin_parse_skip(p, at + 1),
										   sa_builtin_cond_op(item), true);
		else if (item->tag == SA_BI_ADJ &&
				 item->phrase->degree == SA_BI_COMPARATIVE)
			end = sa_builtin_cond_compared(
				p, column, sa_builtin_parse_skip(p, at + 1),
				item->phrase->arg[0] == '+' ? SA_BI_OP_GT : SA_BI_OP_LT, true);
		else if (item->tag == SA_BI_BETWEEN)
			end = read_between(p, column, at + 1);
		else if (item->tag == SA_BI_LIKE)
			end = sa_builtin_cond_text(p, column, at + 1,
									   sa_builtin_cond_op(item));
		else if ((item->tag == SA_BI_AFTER || item->tag == SA_BI_BEFORE) &&
				 column->type != SA_BI_T_TEXT)
			end = sa_builtin_cond_compared(
				p, column, sa_builtin_parse_skip(p, at + 1),
				item->tag == SA_BI_AFTER ? SA_BI_OP_GT : SA_BI_OP_LT, true);
		else
			end = sa_builtin_cond_compared(p, column, at, SA_BI_OP_EQ,
										   linked || !p->selecting);
	}
	if (end == 0)
	{
		p->negated = negated;
		return 0;
	}
	for (int i = begin; i < end; i++)
		p->items[i]->used = true;
	return end;
}

/* Whether some condition is on the column already. */
static bool
constrained(SaBiParser *p, const SaBiColumn *column)
{
	ListCell *scope;
	ListCell *cell;

	foreach (scope, p->query->scopes)
		foreach (cell, ((SaBiScope *) lfirst(scope))->conds)
			if (((SaBiCond *) lfirst(cell))->column == column)
				return true;
	return false;
}

/* Whether only keys that are merely guessed lead to the table. */
static bool
is_far(SaBiParser *p, SaBiTable *table)
{
	SaBiTable *focus =
		p->scope->table ? p->scope->table : sa_builtin_parse_focus(p);
	int cost;
	List *path;
	int guessed = 0;
	ListCell *cell;

	if (focus == NULL || list_member_ptr(p->mentioned, table))
		return false;
	path = sa_builtin_join_path(p->schema, focus, table, &cost);
	foreach (cell, path)
		if (!((SaBiEdge *) lfirst(cell))->declared)
			guessed++;
	return guessed > 1 || cost > 40;
}

/* A value that stands for its column: "customers in the USA". */
int
sa_builtin_cond_value(SaBiParser *p, int at)
{
	const SaBiCand *cand = sa_builtin_pick_value(p, at, NULL);
	List *values;
	int end;
	SaBiColumn *column;
	bool both;

	if (cand == NULL || is_far(p, cand->table))
		return 0;
	column = cand->column;
	p->items[at]->used = true;
	/* a value and the name of its column behind it: the rock genre */
	end = at + 1;
	if ((sa_builtin_pick_is_column(p, end) &&
		 sa_builtin_pick_column(p, end, column->table) == column) ||
		(sa_builtin_pick_is_table(p, end) &&
		 sa_builtin_pick_table(p, end) == column->table && p->main->table &&
		 p->main->table != column->table))
		p->items[end++]->used = true;
	values = list_make1(unconstify(char *, cand->value));
	both = p->both || (p->previous == SA_BI_AND && has_many(p, column) &&
					   constrained(p, column));
	end = more_values(p, column, end, false, &values);
	if (both)
	{
		SaBiScope *before = p->scope;

		(void) sa_builtin_parse_scope(p, SA_BI_SCOPE_SOME, column->table);
		(void) sa_builtin_cond_add(p, column, SA_BI_OP_EQ, values);
		p->scope = before;
		return end;
	}
	(void) sa_builtin_cond_add(p, column, SA_BI_OP_EQ, values);
	return end;
}
