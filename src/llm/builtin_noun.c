/*
 * builtin_noun.c
 *	  Names of tables and columns as the parser meets them: what is selected,
 *	  what it belongs to, which rows are spoken of.
 */
#include "postgres.h"

#include "llm/builtin_parse.h"

SaBiAgg
sa_builtin_noun_agg(const char *name)
{
	static const char *const names[] = {"",	   "count", "sum",	 "avg",
										"min", "max",	"median"};

	for (int i = 0; i < lengthof(names); i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return SA_BI_AGG_NONE;
}

static SaBiTerm *
select_term(SaBiParser *p, SaBiAgg agg, SaBiTable *table, SaBiColumn *column)
{
	SaBiTerm *term = sa_builtin_parse_term(agg, table, column);

	term->distinct = p->distinct;
	p->query->select = lappend(p->query->select, term);
	return term;
}

/* Select a table's rows or a column, by the aggregates that were said before */
void
sa_builtin_noun_select(SaBiParser *p, SaBiTable *table, SaBiColumn *column)
{
	ListCell *cell;

	foreach (cell, p->aggs)
	{
		SaBiAgg agg = lfirst_int(cell);
		SaBiTerm *term = select_term(p, agg, table, column);

		/* different values are counted; numbers of things are summed */
		if (agg == SA_BI_AGG_COUNT && column && !column->unique)
		{
			if (!term->distinct && column->type == SA_BI_T_NUMBER &&
				!column->key && sa_builtin_pick_is_quantity(column))
				term->agg = SA_BI_AGG_SUM;
			else
				term->distinct = true;
		}
	}
	if (p->aggs == NIL)
	{
		(void) select_term(p, SA_BI_AGG_NONE, table, column);
		if (p->distinct)
			p->query->distinct = true;
	}
	p->aggs = NIL;
	p->distinct = false;
}

/* A table right before a number: the row of that key ("store 1"). */
static int
key_condition(SaBiParser *p, SaBiTable *table, int at)
{
	SaBiColumn *key = sa_builtin_schema_key(table);
	SaBiItem *item = sa_builtin_parse_item(p, at);

	if (key == NULL || item == NULL || key->type != SA_BI_T_NUMBER ||
		item->token->kind != SA_BI_NUMBER || item->token->ordinal ||
		sa_builtin_pick_is_table(p, at + 1))
		return 0;
	item->used = true;
	(void) sa_builtin_cond_add(p, key, SA_BI_OP_EQ,
							   list_make1(pstrdup(item->text)));
	return at + 1;
}

/* "the number of tracks greater than 10": a condition on the count. */
static int
counted_condition(SaBiParser *p, SaBiTable *table, int at)
{
	int next = at;
	int end;

	while (sa_builtin_parse_tag(p, next) == SA_BI_BE ||
		   sa_builtin_parse_tag(p, next) == SA_BI_SKIP)
		next++;
	if (p->main->table == NULL || p->main->table == table ||
		sa_builtin_parse_tag(p, next) != SA_BI_OP)
		return 0;
	end = sa_builtin_op_count(p, table, next);
	for (int i = at; end && i < end; i++)
		p->items[i]->used = true;
	return end;
}

static int
on_aggregated_table(SaBiParser *p, SaBiTable *table, int at)
{
	SaBiAgg agg = linitial_int(p->aggs);
	SaBiColumn *amount;

	if (agg == SA_BI_AGG_COUNT)
	{
		int end = counted_condition(p, table, at + 1);

		if (end)
		{
			p->aggs = NIL;
			return end;
		}
		if (p->main->table == NULL)
			p->main->table = table;
		sa_builtin_noun_select(p, table, NULL);
		return at + 1;
	}
	/* the average age of the singers comes as a column; here it is a table */
	amount = sa_builtin_pick_amount(table);
	if (amount && agg == SA_BI_AGG_SUM && !sa_builtin_pick_is_amount(amount))
		amount = NULL;
	if (amount == NULL && agg == SA_BI_AGG_SUM)
	{
		p->aggs = list_make1_int(SA_BI_AGG_COUNT);
		return on_aggregated_table(p, table, at);
	}
	if (amount == NULL)
		return 0;
	sa_builtin_noun_select(p, table, amount);
	return at + 1;
}

/* Whether a table named here is itself wanted, not what something is of. */
static bool
is_wanted(SaBiParser *p, SaBiTable *table)
{
	if (!p->selecting || p->after_prep)
		return false;
	if (p->query->select == NIL)
		return true;
	return (p->previous == SA_BI_AND || p->previous == SA_BI_LIST ||
			p->previous == SA_BI_WH) &&
		   !list_member_ptr(p->grouped, table);
}

static bool
leads_to_one(SaBiParser *p, SaBiTable *from, SaBiTable *to)
{
	int cost;
	List *path = sa_builtin_join_path(p->schema, from, to, &cost);

	return path && sa_builtin_join_to_one(path);
}

int
sa_builtin_noun_table(SaBiParser *p, int at)
{
	SaBiTable *table = sa_builtin_pick_table(p, at);
	bool after_prep = p->after_prep;
	bool wanted = is_wanted(p, table);
	int end;

	p->items[at]->used = true;
	p->after_prep = false;
	if (p->aggs)
		return on_aggregated_table(p, table, at);
	/* "except for stadiums that …": what follows is denied */
	if (p->negated && p->main->table == table)
		return at + 1;
	if (p->negated && p->main->table)
	{
		(void) sa_builtin_parse_scope(p, SA_BI_SCOPE_NO, table);
		p->negated = false;
		return at + 1;
	}
	if (p->main->table == NULL)
	{
		p->main->table = table;
		if (wanted)
			sa_builtin_noun_select(p, table, NULL);
		if (p->limit && p->query->limit == 0 && !p->ranking)
		{
			p->query->limit = p->limit;
			p->limit = 0;
		}
	}
	else if (table == p->main->table)
		p->scope = p->main;
	else if (wanted)
		sa_builtin_noun_select(p, table, NULL);
	else if (after_prep && p->scope->kind == SA_BI_SCOPE_NO &&
			 leads_to_one(p, p->scope->table, table))
		; /* "no treatment of any dog": every one is of some */
	else if (p->scope->table != table && !list_member_ptr(p->grouped, table))
		(void) sa_builtin_parse_scope(p, SA_BI_SCOPE_SOME, table);
	end = key_condition(p, table, at + 1);
	return end ? end : at + 1;
}

/* The table that the column is said to be of: "the names of all singers". */
static SaBiTable *
owner_of(SaBiParser *p, int at)
{
	int i = at + 1;

	/* singer name, each singer's name */
	if (at > 0 && sa_builtin_pick_is_table(p, at - 1))
		return sa_builtin_pick_table(p, at - 1);
	if (at > 1 && p->items[at - 1]->tag == SA_BI_POSS &&
		sa_builtin_pick_is_table(p, at - 2))
		return sa_builtin_pick_table(p, at - 2);
	while (sa_builtin_pick_is_column(p, i) ||
		   sa_builtin_parse_tag(p, i) == SA_BI_AND ||
		   sa_builtin_parse_tag(p, i) == SA_BI_AGG ||
		   sa_builtin_parse_tag(p, i) == SA_BI_SKIP)
		i++;
	if (sa_builtin_parse_tag(p, i) != SA_BI_PREP)
		return NULL;
	for (i++; sa_builtin_parse_tag(p, i) == SA_BI_SKIP ||
			  sa_builtin_parse_tag(p, i) == SA_BI_DISTINCT ||
			  sa_builtin_parse_tag(p, i) == SA_BI_ADJ ||
			  sa_builtin_parse_tag(p, i) == SA_BI_SUP ||
			  (sa_builtin_parse_item(p, i) && p->items[i]->values);
		 i++)
		;
	return sa_builtin_pick_is_table(p, i) ? sa_builtin_pick_table(p, i) : NULL;
}

/* The word "name" behind a column or a value's column says nothing new. */
static bool
is_echo(SaBiParser *p, int at, const SaBiColumn *column)
{
	const SaBiItem *before = sa_builtin_parse_item(p, p->previous_at);
	SaBiName *said = sa_builtin_name_split(p->items[at]->text);
	ListCell *scope;
	ListCell *cell;

	if (p->aggs || before == NULL)
		return false;
	if (p->previous_at == at - 1 && p->last_column &&
		p->last_column->type == SA_BI_T_TEXT && before->columns &&
		sa_builtin_name_is(said, "name"))
		return true;
	/* "have CD or DVD as their format": said of the condition before */
	if (!p->selecting || p->after_prep)
		foreach (scope, p->query->scopes)
			foreach (cell, ((SaBiScope *) lfirst(scope))->conds)
				if (((SaBiCond *) lfirst(cell))->column == column)
					return true;
	return false;
}

/* "customers who are active": a column that is true or false. */
static bool
add_truth(SaBiParser *p, SaBiColumn *column)
{
	SaBiScope *scope = p->scope;
	bool negated = p->negated;
	SaBiCond *cond;

	if (column->truth == NULL)
		return false;
	/*
	 * "English is not official": the denial is of all that was said of that
	 * row, where it is one of several of what is spoken of.
	 */
	if (negated && scope->kind == SA_BI_SCOPE_SOME && scope->conds &&
		scope->table == column->table)
	{
		scope->kind = SA_BI_SCOPE_NO;
		p->negated = false;
	}
	cond = sa_builtin_cond_add(p, column, SA_BI_OP_EQ,
							   list_make1(pstrdup(column->truth)));
	cond->negated = cond->negated && negated;
	return true;
}

/* "the population of the capital of …": of something that is no row here. */
static bool
is_chained(SaBiParser *p, int at)
{
	int before = p->previous_at - 1;

	while (sa_builtin_parse_tag(p, before) == SA_BI_SKIP)
		before--;
	return p->previous == SA_BI_PREP && p->selecting && before >= 0 &&
		   strcmp(p->items[p->previous_at]->text, "of") == 0 &&
		   sa_builtin_pick_is_column(p, before) && p->query->select &&
		   ((SaBiTerm *) llast(p->query->select))->agg == SA_BI_AGG_NONE &&
		   strncmp(p->items[before]->token->lower, "name", 4) != 0 &&
		   strncmp(p->items[before]->token->lower, "id", 2) != 0;
}

static bool
counts_rows(SaBiParser *p)
{
	ListCell *cell;

	foreach (cell, p->query->select)
		if (((SaBiTerm *) lfirst(cell))->agg == SA_BI_AGG_COUNT)
			return true;
	return false;
}

/* A column whose own name is a superlative, and rows that have it. */
static int
superlative_name(SaBiParser *p, int at, SaBiColumn *column)
{
	SaBiToken *first[1] = {unconstify(SaBiToken *, p->items[at]->token)};
	const SaBiPhrase *phrase = sa_builtin_lexicon_find(first, 1, 0);

	if (p->selecting || column->type != SA_BI_T_NUMBER || phrase == NULL ||
		p->query->orders || p->items[at]->to - p->items[at]->from < 2 ||
		!(phrase->tag == SA_BI_SUP ||
		  (phrase->tag == SA_BI_ADJ && phrase->degree == SA_BI_SUPERLATIVE)))
		return 0;
	sa_builtin_parse_order(
		p, sa_builtin_parse_term(SA_BI_AGG_NONE, column->table, column),
		strcmp(phrase->arg, "min") != 0 && phrase->arg[0] != '-');
	p->query->limit = p->limit ? p->limit : 1;
	p->limit = 0;
	return at + 1;
}

/* "where the average age is over 30": a condition on groups. */
static int
group_condition(SaBiParser *p, SaBiColumn *column, int at)
{
	SaBiItem *item;
	SaBiScope *having;
	const char *text;
	SaBiOp op;
	int end;

	if (list_length(p->aggs) != 1 || p->selecting || p->query->having ||
		column->type != SA_BI_T_NUMBER)
		return 0;
	while (sa_builtin_parse_tag(p, at) == SA_BI_BE ||
		   sa_builtin_parse_tag(p, at) == SA_BI_SKIP ||
		   (sa_builtin_parse_tag(p, at) == SA_BI_PREP &&
			sa_builtin_parse_tag(p, at + 1) == SA_BI_OP))
		p->items[at++]->used = true;
	item = sa_builtin_parse_item(p, at);
	if (item && item->tag == SA_BI_OP)
		op = sa_builtin_cond_op(item);
	else if (item && item->tag == SA_BI_ADJ &&
			 item->phrase->degree == SA_BI_COMPARATIVE)
		op = item->phrase->arg[0] == '+' ? SA_BI_OP_GT : SA_BI_OP_LT;
	else
		return 0;
	end = sa_builtin_parse_number(p, sa_builtin_parse_skip(p, at + 1), &text);
	if (end == 0)
		return 0;
	item->used = true;
	having = palloc0(sizeof(SaBiScope));
	having->op = op;
	having->numbers = list_make1(unconstify(char *, text));
	having->by =
		sa_builtin_parse_term(linitial_int(p->aggs), column->table, column);
	p->query->having = having;
	p->aggs = NIL;
	return sa_builtin_cond_unit(p, end);
}

/* "the release year of the song": of what the column's own name says. */
static int
skip_own_word(SaBiParser *p, int at, const SaBiColumn *column)
{
	int next = at + 1;
	const SaBiItem *item;

	if (sa_builtin_parse_tag(p, at) != SA_BI_PREP ||
		strcmp(p->items[at]->text, "of") != 0)
		return at;
	while (sa_builtin_parse_tag(p, next) == SA_BI_SKIP)
		next++;
	item = sa_builtin_parse_item(p, next);
	if (item == NULL || item->tag != SA_BI_NONE || item->values ||
		sa_builtin_pick_is_table(p, next))
		return at;
	for (int i = 0; i + 1 < column->full->n; i++)
		if (strcmp(column->full->stem[i], item->token->stem) == 0)
		{
			for (int j = at; j <= next; j++)
				p->items[j]->used = true;
			return next + 1;
		}
	return at;
}

static bool
refers_to_itself(const SaBiColumn *column)
{
	ListCell *cell;

	foreach (cell, column->table->edges)
		if (((SaBiEdge *) lfirst(cell))->to == column->table &&
			list_member_ptr(((SaBiEdge *) lfirst(cell))->from_columns, column))
			return true;
	return false;
}

/* A condition that begins with the column; the place behind, or 0. */
static int
column_condition(SaBiParser *p, int at, SaBiColumn *column)
{
	bool adjective = sa_builtin_pick_is_column(p, at + 1) &&
					 p->previous != SA_BI_AND &&
					 sa_builtin_parse_tag(p, at + 1) == SA_BI_NONE;
	int end = sa_builtin_cond_read(p, column, at + 1);

	if (end)
		return end;
	if (is_echo(p, at, column))
		return at + 1;
	if ((!p->selecting || adjective || sa_builtin_pick_is_table(p, at + 1)) &&
		add_truth(p, column))
		return at + 1;
	/* "customers without an email" */
	if (p->negated && !p->selecting && column->nullable && !column->key &&
		p->main->table)
	{
		p->negated = false;
		(void) sa_builtin_cond_add(p, column, SA_BI_OP_NULL, NIL);
		return at + 1;
	}
	/* "the state with the highest elevation", where that is a column */
	return superlative_name(p, at, column);
}

/* Whether the column can be what is wished to be seen, here where it is said. */
static bool
is_wish(SaBiParser *p, int at)
{
	bool listed = p->previous == SA_BI_AND || p->previous == SA_BI_LIST ||
				  p->previous == SA_BI_WH;

	/* what is counted has no columns of its own to be shown */
	if (p->query->groups == NIL && counts_rows(p) &&
		(!p->selecting || p->after_prep || !listed))
		return false;
	if (p->previous == SA_BI_WITH && sa_builtin_parse_tag(p, 0) == SA_BI_WH)
		return false;
	/* a comparison that was not understood is no wish */
	if (!p->selecting &&
		(sa_builtin_parse_tag(p, at + 1) == SA_BI_BE || p->negated ||
		 p->previous == SA_BI_BE || p->previous == SA_BI_REL))
		return false;
	return !is_chained(p, at);
}

int
sa_builtin_noun_column(SaBiParser *p, int at)
{
	SaBiTable *owner = owner_of(p, at);
	SaBiTable *hint =
		p->scope->kind != SA_BI_SCOPE_MAIN ? p->scope->table : NULL;
	SaBiColumn *column =
		sa_builtin_pick_column(p, at, owner || p->selecting ? owner : hint);
	List *aggs = p->aggs;
	ListCell *cell;
	int end;

	/* who reports to whom needs the table twice */
	if (refers_to_itself(column))
		return 0;
	p->items[at]->used = true;
	p->last_column_at = at;
	end = group_condition(p, column, at + 1);
	if (end == 0 && p->aggs == NIL)
	{
		end = column_condition(p, at, column);
		if (end == 0 && !is_wish(p, at))
			return 0;
	}
	p->after_prep = false;
	if (end)
		return end;
	foreach (cell, sa_builtin_pick_columns(p, at, owner))
	{
		column = lfirst(cell);
		p->aggs = aggs;
		sa_builtin_noun_select(p, column->table, column);
		((SaBiTerm *) llast(p->query->select))->weak =
			sa_builtin_match_score(p->items[at]->columns) < 95;
		p->last_column = column;
	}
	return skip_own_word(p, at + 1, column);
}
