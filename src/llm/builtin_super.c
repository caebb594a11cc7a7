/*
 * builtin_super.c
 *	  Superlatives, order and grouping: "the oldest singer", "with the most
 *	  albums", "sorted by name", "for each country".
 */
#include "postgres.h"

#include "llm/builtin_parse.h"

/* What a superlative was said of. */
typedef struct Super
{
	SaBiTag tag;
	bool most;				/* the greatest comes first */
	const char *dimensions; /* of an adjective, or NULL */
} Super;

static bool
read_super(const SaBiItem *item, Super *super)
{
	super->tag = item->tag;
	super->dimensions = NULL;
	switch (item->tag)
	{
		case SA_BI_ADJ:
			if (item->phrase->degree != SA_BI_SUPERLATIVE)
				return false;
			super->dimensions = item->phrase->arg;
			super->most = true;
			return true;
		case SA_BI_MOST:
		case SA_BI_COMMON:
		case SA_BI_SUP:
		case SA_BI_TOP:
			super->most = strcmp(item->phrase->arg, "max") == 0;
			return true;
		case SA_BI_AGG:
			super->most = strcmp(item->phrase->arg, "max") == 0;
			return super->most || strcmp(item->phrase->arg, "min") == 0;
		default:
			return false;
	}
}

/* Whether more of the column is more of the adjective. */
static bool
direction(const Super *super, const SaBiColumn *column)
{
	char *save;

	if (super->dimensions == NULL)
		return super->most;
	for (char *word = strtok_r(pstrdup(super->dimensions), " ", &save); word;
		 word = strtok_r(NULL, " ", &save))
	{
		SaBiName *said = sa_builtin_name_split(word + 1);

		if (sa_builtin_name_compare(said, column->full) >= 50)
			return *word == '+';
	}
	/* an adjective of any column: the general direction */
	return super->dimensions[0] == '+';
}

/* Whether an adjective can be said of the column. */
static bool
speaks_of(const Super *super, const SaBiColumn *column)
{
	char *save;

	if (super->dimensions == NULL || strchr(super->dimensions, '*'))
		return true;
	for (char *word = strtok_r(pstrdup(super->dimensions), " ", &save); word;
		 word = strtok_r(NULL, " ", &save))
		if (sa_builtin_pick_has_word(column->full, word + 1))
			return true;
	return column->type == SA_BI_T_DATE && strstr(super->dimensions, "date");
}

/*
 * Put the best rows first.  Said of the table that is selected it orders the
 * query; said of another one it is a scope of its own.
 */
static void
apply(SaBiParser *p, SaBiTerm *term, bool descending)
{
	SaBiTable *table = term->table;

	if (p->scope->kind == SA_BI_SCOPE_TOP && p->limit > 1)
	{
		/* several best ones: their rows are joined and put in order */
		p->query->scopes = list_delete_ptr(p->query->scopes, p->scope);
		p->scope = p->main;
	}
	if (p->scope->kind != SA_BI_SCOPE_MAIN && p->scope->table == table &&
		term->agg == SA_BI_AGG_NONE)
	{
		p->scope->kind = SA_BI_SCOPE_TOP;
		p->scope->by = term;
		p->scope->descending = descending;
		return;
	}
	if (p->query->orders)
	{
		sa_builtin_parse_fail(p, "it asks for two orders at once");
		return;
	}
	sa_builtin_parse_order(p, term, descending);
	if (p->query->limit == 0)
		p->query->limit = p->limit ? p->limit : 1;
	p->limit = 0;
}

/* "rented most often": the table of what a verb beside it does, or NULL. */
static SaBiTable *
related_table(SaBiParser *p, int at)
{
	for (int i = Max(at - 3, 0); i < Min(at + 2, p->n); i++)
	{
		const SaBiItem *item = p->items[i];
		ListCell *cell;

		if (item->tag != SA_BI_VERB)
			continue;
		foreach (cell, p->schema->tables)
		{
			SaBiTable *table = lfirst(cell);
			const char *stem = table->name->n ? table->name->stem[0] : "";

			if (table->name->n == 1 && strlen(item->token->stem) >= 4 &&
				strncmp(stem, item->token->stem, strlen(item->token->stem)) ==
					0)
				return table;
		}
	}
	return NULL;
}

/* "the most albums", "most common country": rows are counted. */
static int
read_counted(SaBiParser *p, int at, const Super *super)
{
	SaBiTerm *term;

	if (super->tag == SA_BI_COMMON)
	{
		if (sa_builtin_pick_is_column(p, at))
		{
			SaBiColumn *column = sa_builtin_pick_column(p, at, NULL);

			term = sa_builtin_parse_term(SA_BI_AGG_NONE, column->table, column);
			p->items[at]->used = true;
			p->query->select = lappend(p->query->select, term);
			p->query->groups = lappend(p->query->groups, term);
			at++;
		}
		else if (sa_builtin_pick_is_table(p, at))
		{
			SaBiTable *table = sa_builtin_pick_table(p, at);

			term = sa_builtin_parse_term(SA_BI_AGG_NONE, table, NULL);
			p->items[at]->used = true;
			p->query->select = lappend(p->query->select, term);
			p->query->groups = lappend(p->query->groups, term);
			at++;
		}
		else
			p->query->groups = list_copy(p->query->select);
		if (p->query->groups == NIL)
			return 0;
		apply(
			p,
			sa_builtin_parse_term(SA_BI_AGG_COUNT, related_table(p, at), NULL),
			super->most);
		return at;
	}
	if (sa_builtin_pick_is_column(p, at))
	{
		/* the most languages: different values of a column */
		SaBiColumn *column = sa_builtin_pick_column(p, at, NULL);

		if (p->query->select == NIL)
			return 0;
		p->items[at]->used = true;
		term = sa_builtin_parse_term(SA_BI_AGG_COUNT, column->table, column);
		term->distinct = true;
		apply(p, term, super->most);
		return at + 1;
	}
	if (!sa_builtin_pick_is_table(p, at))
		return 0;
	p->items[at]->used = true;
	apply(p,
		  sa_builtin_parse_term(SA_BI_AGG_COUNT, sa_builtin_pick_table(p, at),
								NULL),
		  super->most);
	return at + 1;
}

/* "top 5 countries": what is ranked; by what is said later. */
static int
ranked_object(SaBiParser *p, int at, SaBiTable *table, SaBiColumn *column)
{
	p->items[at]->used = true;
	p->ranking = true;
	if (column == NULL && p->main->table == NULL)
		p->main->table = table;
	if (p->query->select == NIL)
		p->query->select =
			list_make1(sa_builtin_parse_term(SA_BI_AGG_NONE, table, column));
	return at + 1;
}

/* "the highest salary": the value is asked for, or the row that has it. */
static int
read_column(SaBiParser *p, int at, const Super *super)
{
	SaBiColumn *column = sa_builtin_pick_column(p, at, NULL);
	SaBiTerm *term;
	bool measure =
		column->type == SA_BI_T_NUMBER || column->type == SA_BI_T_DATE;
	bool most = direction(super, column);

	/* "the most recent cost" is not of the cost */
	if (measure && !speaks_of(super, column))
		return 0;
	if (!measure)
	{
		bool positive;
		SaBiColumn *by = super->dimensions
							 ? sa_builtin_pick_measure(
								   column->table, super->dimensions, &positive)
							 : NULL;

		if (super->dimensions == NULL && p->limit > 0)
			return ranked_object(p, at, column->table, column);
		if (by == NULL || !list_member_ptr(column->table->labels, column))
			return 0;
		p->items[at]->used = true;
		p->query->select = lappend(
			p->query->select,
			sa_builtin_parse_term(SA_BI_AGG_NONE, column->table, column));
		apply(p, sa_builtin_parse_term(SA_BI_AGG_NONE, column->table, by),
			  positive);
		return at + 1;
	}
	p->items[at]->used = true;
	p->last_column = column;
	if (p->selecting && p->query->select == NIL && p->main->table == NULL &&
		p->limit == 0)
	{
		p->query->select =
			lappend(p->query->select,
					sa_builtin_parse_term(most ? SA_BI_AGG_MAX : SA_BI_AGG_MIN,
										  column->table, column));
		return at + 1;
	}
	term = sa_builtin_parse_term(SA_BI_AGG_NONE, column->table, column);
	apply(p, term, most);
	return at + 1;
}

/* "the oldest singer", "the largest cities by area". */
static int
read_table(SaBiParser *p, int at, const Super *super)
{
	SaBiTable *table = sa_builtin_pick_table(p, at);
	bool positive = super->most;
	SaBiColumn *by = NULL;

	if (super->dimensions)
		by = sa_builtin_pick_measure(table, super->dimensions, &positive);
	if (super->dimensions == NULL && p->limit > 0)
		return ranked_object(p, at, table, NULL);
	if (by == NULL)
		return 0;
	p->items[at]->used = true;
	if (p->main->table == NULL)
	{
		p->main->table = table;
		if (!p->after_prep)
			p->query->select =
				lappend(p->query->select,
						sa_builtin_parse_term(SA_BI_AGG_NONE, table, NULL));
	}
	else if (p->main->table != table)
		(void) sa_builtin_parse_scope(p, SA_BI_SCOPE_TOP, table);
	apply(p, sa_builtin_parse_term(SA_BI_AGG_NONE, table, by), positive);
	p->selecting = false;
	return at + 1;
}

/* A superlative and its object; the place behind, or 0. */
int
sa_builtin_super_read(SaBiParser *p, int at)
{
	Super super;
	int next;
	int end = 0;
	const char *number;

	if (!read_super(p->items[at], &super))
		return 0;
	p->items[at]->used = true;
	next = sa_builtin_parse_skip(p, at + 1);
	end = sa_builtin_parse_number(p, next, &number);
	if (end && strlen(number) < 6 && atoi(number) > 0)
	{
		p->limit = atoi(number);
		next = sa_builtin_parse_skip(p, end);
	}
	if (sa_builtin_parse_tag(p, next) == SA_BI_DISTINCT)
	{
		p->items[next]->used = true;
		next = sa_builtin_parse_skip(p, next + 1);
	}
	if (sa_builtin_parse_tag(p, next) == SA_BI_PREP &&
		strcmp(p->items[next]->text, "of") == 0)
	{
		p->items[next]->used = true;
		next = sa_builtin_parse_skip(p, next + 1);
	}
	/* "the most sell transactions" */
	if (super.tag == SA_BI_MOST && sa_builtin_parse_item(p, next) &&
		p->items[next]->values && sa_builtin_pick_is_table(p, next + 1) &&
		p->main->table)
	{
		end = sa_builtin_cond_value(p, next);
		if (end == next + 1)
			next = end;
	}
	if (super.tag == SA_BI_MOST && sa_builtin_pick_is_column(p, next) &&
		sa_builtin_pick_column(p, next, NULL)->type == SA_BI_T_NUMBER &&
		!sa_builtin_pick_column(p, next, NULL)->key)
		super.tag = SA_BI_SUP;
	if (super.tag == SA_BI_MOST || super.tag == SA_BI_COMMON)
		return read_counted(p, next, &super);
	if (super.tag == SA_BI_SUP &&
		(sa_builtin_parse_tag(p, next) == SA_BI_AGG ||
		 sa_builtin_parse_tag(p, next) == SA_BI_HOWMANY))
	{
		/* the highest average salary, the highest number of albums */
		SaBiTag tag = sa_builtin_parse_tag(p, next);
		SaBiAgg agg = SA_BI_AGG_COUNT;
		int object = sa_builtin_parse_skip(p, next + 1);

		p->items[next]->used = true;
		if (tag == SA_BI_HOWMANY)
		{
			super.tag = SA_BI_MOST;
			return read_counted(p, object, &super);
		}
		agg = strcmp(p->items[next]->phrase->arg, "avg") == 0 ? SA_BI_AGG_AVG
															  : SA_BI_AGG_SUM;
		if (!sa_builtin_pick_is_column(p, object))
			return 0;
		p->items[object]->used = true;
		{
			SaBiColumn *column = sa_builtin_pick_column(p, object, NULL);

			apply(p, sa_builtin_parse_term(agg, column->table, column),
				  super.most);
		}
		return object + 1;
	}
	if (sa_builtin_pick_is_column(p, next))
		return read_column(p, next, &super);
	if (sa_builtin_pick_is_table(p, next))
		return read_table(p, next, &super);
	/* "which singer is the oldest": of what was spoken of before */
	if (super.dimensions && sa_builtin_parse_focus(p))
	{
		bool positive;
		SaBiTable *focus = sa_builtin_parse_focus(p);
		SaBiColumn *by =
			sa_builtin_pick_measure(focus, super.dimensions, &positive);

		if (by == NULL)
			return 0;
		apply(p, sa_builtin_parse_term(SA_BI_AGG_NONE, focus, by), positive);
		return next;
	}
	return 0;
}

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
sa_builtin_super_order(SaBiParser *p, int at)
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
sa_builtin_super_group(SaBiParser *p, int at)
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
