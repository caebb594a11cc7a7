/*
 * builtin_op.c
 *	  Operators and numbers that stand before what they are of: "more than 3
 *	  albums", "older than 20", "between 2 and 4 rooms", "named x".
 */
#include "postgres.h"

#include "llm/builtin_parse.h"

/* So many rows of a table: "more than 3 albums". */
static int
count_rows(SaBiParser *p, int at, SaBiOp op, List *numbers)
{
	SaBiScope *scope;
	SaBiTable *table = sa_builtin_pick_table(p, at);

	/* "hometowns shared by two teachers": of each value so many rows */
	if ((p->main->table == NULL || table == p->main->table) &&
		list_length(p->query->select) == 1 && p->query->having == NULL)
	{
		SaBiTerm *term = linitial(p->query->select);

		if (term->column == NULL || term->column->unique ||
			term->table != table || term->agg != SA_BI_AGG_NONE)
			return 0;
		scope = palloc0(sizeof(SaBiScope));
		p->query->having = scope;
		p->query->groups = list_make1(term);
		p->main->table = table;
		scope->op = op;
		scope->numbers = numbers;
		p->items[at]->used = true;
		return at + 1;
	}
	if (p->main->table == NULL || table == p->main->table)
		return 0;
	scope = sa_builtin_parse_scope(p, SA_BI_SCOPE_COUNT, table);
	scope->op = op;
	scope->numbers = numbers;
	p->items[at]->used = true;
	p->negated = false;
	return at + 1;
}

int
sa_builtin_op_count(SaBiParser *p, SaBiTable *table, int at)
{
	SaBiOp op = sa_builtin_cond_op(p->items[at]);
	const char *text;
	int end =
		sa_builtin_parse_number(p, sa_builtin_parse_skip(p, at + 1), &text);
	SaBiScope *scope;

	if (end == 0)
		return 0;
	scope = sa_builtin_parse_scope(p, SA_BI_SCOPE_COUNT, table);
	scope->op = op;
	scope->numbers = list_make1(unconstify(char *, text));
	return end;
}

/* "older than 20": the column that the adjective speaks of. */
static int
read_comparative(SaBiParser *p, int at)
{
	SaBiTable *focus =
		p->scope->table ? p->scope->table : sa_builtin_parse_focus(p);
	bool positive;
	SaBiColumn *column =
		focus ? sa_builtin_pick_measure(focus, p->items[at]->phrase->arg,
										&positive)
			  : NULL;

	if (column == NULL)
		return 0;
	p->items[at]->used = true;
	return sa_builtin_cond_compared(p, column, sa_builtin_parse_skip(p, at + 1),
									positive ? SA_BI_OP_GT : SA_BI_OP_LT, true);
}

/* "named x": what a row is called by. */
static int
read_named(SaBiParser *p, int at, SaBiOp op)
{
	SaBiTable *focus =
		p->scope->table ? p->scope->table : sa_builtin_parse_focus(p);

	if (sa_builtin_parse_item(p, at) && p->items[at]->values)
	{
		p->negated = p->negated || op == SA_BI_OP_NE;
		return sa_builtin_cond_value(p, at);
	}
	if (focus == NULL || list_length(focus->labels) != 1)
		return 0;
	return sa_builtin_cond_compared(p, linitial(focus->labels), at, op, true);
}

/* "at least two types": of so many different values. */
static int
count_values(SaBiParser *p, int at, SaBiColumn *column, SaBiOp op,
			 const char *number)
{
	SaBiScope *scope;

	if (p->main->table == NULL || column->table == p->main->table)
		return 0;
	scope = sa_builtin_parse_scope(p, SA_BI_SCOPE_COUNT, column->table);
	scope->op = op;
	scope->numbers = list_make1(unconstify(char *, number));
	scope->counted = column;
	p->items[at]->used = true;
	return at + 1;
}

/* What an operator and a number are of: rows, a column behind it or before. */
static int
read_object(SaBiParser *p, int end, SaBiOp op, const char *number)
{
	int next = sa_builtin_parse_skip(p, end);
	SaBiColumn *column = p->last_column;

	if (sa_builtin_parse_tag(p, next) == SA_BI_DISTINCT)
		next = sa_builtin_parse_skip(p, next + 1);
	if (sa_builtin_pick_is_table(p, next))
		return count_rows(p, next, op, list_make1(unconstify(char *, number)));
	if (sa_builtin_pick_is_column(p, next))
	{
		column = sa_builtin_pick_column(p, next, NULL);
		if (column->type == SA_BI_T_TEXT)
			return count_values(p, next, column, op, number);
		p->items[next]->used = true;
		end = next + 1;
	}
	if (column == NULL || column->type != SA_BI_T_NUMBER || column->key)
		return 0;
	(void) sa_builtin_cond_add(p, column, op,
							   list_make1(unconstify(char *, number)));
	return sa_builtin_cond_unit(p, end);
}

/* "invoices over 1500": of what a row is worth, where nothing else is said. */
static int
read_amount(SaBiParser *p, int at, SaBiOp op, const char *text)
{
	SaBiTable *focus = sa_builtin_parse_focus(p);
	SaBiColumn *amount = focus ? sa_builtin_pick_amount(focus) : NULL;
	int end = sa_builtin_cond_unit(p, at);

	if (amount == NULL || p->scope != p->main || p->negated ||
		(end < p->n && p->items[end]->tag == SA_BI_NONE))
		return 0;
	(void) sa_builtin_cond_add(p, amount, op,
							   list_make1(unconstify(char *, text)));
	return end;
}

/* An operator that stands before its column or table. */
int
sa_builtin_op_read(SaBiParser *p, int at)
{
	SaBiItem *item = p->items[at];
	SaBiColumn *column;
	SaBiOp op;
	const char *text;
	int next;
	int end;

	if (item->tag == SA_BI_ADJ)
		return read_comparative(p, at);
	op = sa_builtin_cond_op(item);
	item->used = true;
	next = sa_builtin_parse_skip(p, at + 1);
	if (op == SA_BI_OP_EQ || op == SA_BI_OP_NE)
		return read_named(p, next, op);
	end = sa_builtin_cond_than(p, NULL, next, op);
	if (end)
		return end;
	/* "above age 20" */
	if (sa_builtin_pick_is_column(p, next))
	{
		column = sa_builtin_pick_column(p, next, NULL);
		if (column->type != SA_BI_T_NUMBER)
			return 0;
		p->items[next]->used = true;
		return sa_builtin_cond_compared(
			p, column, sa_builtin_parse_skip(p, next + 1), op, true);
	}
	end = sa_builtin_parse_number(p, next, &text);
	if (end == 0)
		return 0;
	next = read_object(p, end, op, text);
	return next ? next : read_amount(p, end, op, text);
}

/* A number that is no limit: of rows, of a column behind it, a year, a key. */
int
sa_builtin_op_number(SaBiParser *p, int at)
{
	const char *text;
	SaBiOp op = SA_BI_OP_EQ;
	int end = sa_builtin_parse_number(p, at, &text);
	int next;

	if (end == 0)
		return 0;
	/* "1 to 2 paragraphs" */
	if (sa_builtin_parse_tag(p, end) == SA_BI_PREP &&
		strcmp(p->items[end]->text, "to") == 0)
	{
		const char *high;

		next = sa_builtin_parse_number(p, end + 1, &high);
		if (next && sa_builtin_pick_is_table(p, next) && !p->selecting)
		{
			p->items[end]->used = true;
			return count_rows(
				p, next, SA_BI_OP_BETWEEN,
				list_make2(unconstify(char *, text), unconstify(char *, high)));
		}
	}
	end = sa_builtin_cond_trailing(p, end, &op);
	next = sa_builtin_parse_skip(p, end);
	if (sa_builtin_pick_is_table(p, next) && !p->selecting)
		return count_rows(p, next, op, list_make1(unconstify(char *, text)));
	if (sa_builtin_cond_is_order(op) && p->last_column &&
		!p->last_column->key && p->last_column->type == SA_BI_T_NUMBER)
	{
		(void) sa_builtin_cond_add(p, p->last_column, op,
								   list_make1(unconstify(char *, text)));
		return end;
	}
	return 0;
}

/* "invoices between 1000 and 1500": of what a row is worth. */
static int
amount_between(SaBiParser *p, int at)
{
	SaBiTable *focus = sa_builtin_parse_focus(p);
	SaBiColumn *amount = focus ? sa_builtin_pick_amount(focus) : NULL;
	const char *low;
	const char *high;
	int next = sa_builtin_parse_number(p, at, &low);

	if (next == 0 || amount == NULL ||
		sa_builtin_parse_tag(p, next) != SA_BI_AND)
		return 0;
	p->items[next]->used = true;
	next = sa_builtin_parse_number(p, next + 1, &high);
	if (next == 0)
		return 0;
	(void) sa_builtin_cond_add(
		p, amount, SA_BI_OP_BETWEEN,
		list_make2(unconstify(char *, low), unconstify(char *, high)));
	return next;
}

/* "between 2 and 4 albums", "between May and July": no column before it. */
int
sa_builtin_op_between(SaBiParser *p, int at)
{
	const char *low;
	const char *high;
	int next = sa_builtin_parse_number(p, at + 1, &low);
	int end;

	p->items[at]->used = true;
	if (next && (sa_builtin_parse_tag(p, next) == SA_BI_AND ||
				 sa_builtin_parse_tag(p, next) == SA_BI_PREP))
	{
		end = sa_builtin_parse_number(p, next + 1, &high);
		if (end && sa_builtin_pick_is_table(p, end) && !p->selecting)
		{
			p->items[next]->used = true;
			return count_rows(
				p, end, SA_BI_OP_BETWEEN,
				list_make2(unconstify(char *, low), unconstify(char *, high)));
		}
		if (end && sa_builtin_pick_is_column(p, end))
		{
			SaBiColumn *column = sa_builtin_pick_column(p, end, NULL);

			if (column->type == SA_BI_T_NUMBER)
			{
				p->items[next]->used = p->items[end]->used = true;
				(void) sa_builtin_cond_add(
					p, column, SA_BI_OP_BETWEEN,
					list_make2(unconstify(char *, low),
							   unconstify(char *, high)));
				return end + 1;
			}
		}
	}
	next = sa_builtin_time_read(p, NULL, at + 1, SA_BI_OP_BETWEEN);
	return next ? next : amount_between(p, at + 1);
}

/* "that contain the word x": what a row is called by. */
int
sa_builtin_op_like(SaBiParser *p, int at)
{
	SaBiTable *focus =
		p->scope->table ? p->scope->table : sa_builtin_parse_focus(p);
	SaBiColumn *column = p->last_column;

	if (column == NULL || column->type != SA_BI_T_TEXT ||
		p->last_column_at < at - 2)
		column = focus && list_length(focus->labels) == 1
					 ? linitial(focus->labels)
					 : NULL;
	if (column == NULL)
		return 0;
	p->items[at]->used = true;
	return sa_builtin_cond_text(p, column, at + 1,
								sa_builtin_cond_op(p->items[at]));
}
