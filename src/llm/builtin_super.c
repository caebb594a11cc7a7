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
	/* "the latest invoice": by its date, however that is called */
	if (by == NULL && super->dimensions && strstr(super->dimensions, "date"))
	{
		by = sa_builtin_pick_date_of(table);
		positive = super->dimensions[0] == '+';
	}
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

/* "the highest average salary", "the highest number of albums". */
static int
read_aggregate(SaBiParser *p, int at, Super *super)
{
	SaBiItem *item = p->items[at];
	int object = sa_builtin_parse_skip(p, at + 1);
	bool most = super->dimensions ? super->dimensions[0] == '+' : super->most;
	SaBiColumn *column;
	SaBiAgg agg;

	item->used = true;
	if (item->tag == SA_BI_HOWMANY)
	{
		super->tag = SA_BI_MOST;
		super->most = most;
		return read_counted(p, object, super);
	}
	agg = sa_builtin_noun_agg(item->phrase->arg);
	if (!sa_builtin_pick_is_column(p, object) ||
		(agg != SA_BI_AGG_AVG && agg != SA_BI_AGG_SUM))
		return 0;
	p->items[object]->used = true;
	column = sa_builtin_pick_column(p, object, NULL);
	apply(p, sa_builtin_parse_term(agg, column->table, column), most);
	return object + 1;
}

/* "which singer is the oldest": of what was spoken of before. */
static int
read_alone(SaBiParser *p, int at, const Super *super)
{
	SaBiTable *focus = sa_builtin_parse_focus(p);
	bool positive;
	SaBiColumn *by;

	if (super->dimensions == NULL || focus == NULL)
		return 0;
	by = sa_builtin_pick_measure(focus, super->dimensions, &positive);
	if (by == NULL)
		return 0;
	apply(p, sa_builtin_parse_term(SA_BI_AGG_NONE, focus, by), positive);
	return at;
}

/* A number, "of", "different" and a value between a superlative and its noun. */
static int
skip_between(SaBiParser *p, int at, const Super *super)
{
	const char *number;
	int next = sa_builtin_parse_skip(p, at);
	int end = sa_builtin_parse_number(p, next, &number);

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
	if (super->tag == SA_BI_MOST && sa_builtin_parse_item(p, next) &&
		p->items[next]->values && sa_builtin_pick_is_table(p, next + 1) &&
		p->main->table && sa_builtin_cond_value(p, next) == next + 1)
		next++;
	return next;
}

/* A superlative and its object; the place behind, or 0. */
int
sa_builtin_super_read(SaBiParser *p, int at)
{
	Super super;
	int next;

	if (!read_super(p->items[at], &super))
		return 0;
	p->items[at]->used = true;
	next = skip_between(p, at + 1, &super);
	if (super.tag == SA_BI_MOST && sa_builtin_pick_is_column(p, next))
	{
		SaBiColumn *column = sa_builtin_pick_column(p, next, NULL);

		if (column->type == SA_BI_T_NUMBER && !column->key)
			super.tag = SA_BI_SUP;
	}
	if (super.tag == SA_BI_MOST || super.tag == SA_BI_COMMON)
		return read_counted(p, next, &super);
	if ((super.tag == SA_BI_SUP ||
		 (super.dimensions && strchr(super.dimensions, '*'))) &&
		(sa_builtin_parse_tag(p, next) == SA_BI_AGG ||
		 sa_builtin_parse_tag(p, next) == SA_BI_HOWMANY))
		return read_aggregate(p, next, &super);
	if (sa_builtin_pick_is_column(p, next))
		return read_column(p, next, &super);
	if (sa_builtin_pick_is_table(p, next))
		return read_table(p, next, &super);
	return read_alone(p, next, &super);
}
