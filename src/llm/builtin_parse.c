/*
 * builtin_parse.c
 *	  From the items of a question to a query.
 *
 * One pass from left to right with a small state: what is being selected, which
 * table is spoken of, which aggregate or negation awaits its object.  Each item
 * must find its place; a word without one makes the whole question refused,
 * since an answer to half a question is a wrong answer.
 */
#include "postgres.h"

#include "llm/builtin_parse.h"

SaBiItem *
sa_builtin_parse_item(SaBiParser *p, int at)
{
	return at >= 0 && at < p->n ? p->items[at] : NULL;
}

SaBiTag
sa_builtin_parse_tag(SaBiParser *p, int at)
{
	return at >= 0 && at < p->n ? p->items[at]->tag : SA_BI_NONE;
}

int
sa_builtin_parse_skip(SaBiParser *p, int at)
{
	while (sa_builtin_parse_tag(p, at) == SA_BI_SKIP)
		p->items[at++]->used = true;
	return at;
}

void
sa_builtin_parse_fail(SaBiParser *p, const char *reason)
{
	if (p->problem->reason == NULL)
		p->problem->reason = reason;
}

SaBiTerm *
sa_builtin_parse_term(SaBiAgg agg, SaBiTable *table, SaBiColumn *column)
{
	SaBiTerm *term = palloc0(sizeof(SaBiTerm));

	term->agg = agg;
	term->table = table;
	term->column = column;
	return term;
}

SaBiScope *
sa_builtin_parse_scope(SaBiParser *p, SaBiScopeKind kind, SaBiTable *table)
{
	SaBiScope *scope = palloc0(sizeof(SaBiScope));

	scope->kind = kind;
	scope->table = table;
	scope->or_previous = p->or_next;
	p->or_next = false;
	p->query->scopes = lappend(p->query->scopes, scope);
	p->scope = scope;
	return scope;
}

void
sa_builtin_parse_order(SaBiParser *p, SaBiTerm *term, bool descending)
{
	SaBiOrder *order = palloc0(sizeof(SaBiOrder));

	order->term = term;
	order->descending = descending;
	p->query->orders = lappend(p->query->orders, order);
}

int
sa_builtin_parse_number(SaBiParser *p, int at, const char **text)
{
	SaBiItem *item = sa_builtin_parse_item(p, at);
	int end = at + 1;

	if (item == NULL)
		return 0;
	if (item->token->kind == SA_BI_NUMBER && !item->token->ordinal)
		*text = item->text;
	else if (item->tag == SA_BI_NUM)
		*text = item->phrase->arg;
	else
		return 0;
	item->used = true;
	/* 3 million */
	item = sa_builtin_parse_item(p, end);
	if (item && item->tag == SA_BI_NUM && strlen(item->phrase->arg) > 2 &&
		strlen(*text) < 10)
	{
		double value = atof(*text) * atof(item->phrase->arg);

		*text = psprintf("%.0f", value);
		item->used = true;
		end++;
	}
	return end;
}

SaBiTable *
sa_builtin_parse_focus(SaBiParser *p)
{
	ListCell *cell;

	if (p->main->table)
		return p->main->table;
	foreach (cell, p->query->select)
		if (((SaBiTerm *) lfirst(cell))->table)
			return ((SaBiTerm *) lfirst(cell))->table;
	return p->mentioned ? linitial(p->mentioned) : NULL;
}

/* "shared by", where there is a column share. */
static bool
is_participle(const SaBiItem *item)
{
	int len = strlen(item->text);

	return item->to - item->from == 1 && len > 3 &&
		   pg_strcasecmp(item->text + len - 2, "ed") == 0;
}

/* Whether an item that is both a phrase and a name is the phrase here. */
static bool
is_phrase(SaBiParser *p, int at)
{
	SaBiItem *item = p->items[at];
	int score = Max(sa_builtin_match_score(item->columns),
					sa_builtin_match_score(item->tables));
	int next;

	if (item->tag == SA_BI_NONE)
		return false;
	if (score == 0 || (score < 60 && item->tag == SA_BI_VERB))
		return true;
	next = at + 1;
	while (sa_builtin_parse_tag(p, next) == SA_BI_PREP ||
		   sa_builtin_parse_tag(p, next) == SA_BI_SKIP ||
		   (item->tag == SA_BI_AGG &&
			(sa_builtin_parse_tag(p, next) == SA_BI_AND ||
			 sa_builtin_parse_tag(p, next) == SA_BI_AGG)))
		next++;
	switch (item->tag)
	{
		case SA_BI_AGG:
		case SA_BI_SUP:
		case SA_BI_ADJ:
		case SA_BI_TOP:
		case SA_BI_COMMON:
			/* the average age, but the average of stadiums that have one */
			if (item->tag == SA_BI_ADJ && item->phrase->degree == SA_BI_PLAIN)
				return false;
			return score < 95 || sa_builtin_pick_is_column(p, next) ||
				   sa_builtin_pick_is_table(p, next) ||
				   sa_builtin_parse_tag(p, next) == SA_BI_HOWMANY;
		case SA_BI_LIST:
			return sa_builtin_phrase_begins(p, at);
		case SA_BI_UNIT:
			return score < 90;
		case SA_BI_VERB:
			return score < 95 || is_participle(item);
		default:
			return score < 95;
	}
}

static int
step(SaBiParser *p, int at)
{
	SaBiItem *item = p->items[at];
	SaBiItem *next = sa_builtin_parse_item(p, at + 1);

	/* the tune "Summertime": what kind of thing it is shows in the value */
	if (item->unknown && next && next->token->kind == SA_BI_STRING &&
		list_length(next->values) == 1)
	{
		item->used = true;
		return at + 1;
	}

	if (is_phrase(p, at))
		return sa_builtin_phrase_read(p, at);
	if (item->token->kind == SA_BI_STRING || item->values)
	{
		if (item->values && !(item->columns && !item->token->capital))
			return sa_builtin_phrase_value(p, at);
		if (item->columns == NIL && item->tables == NIL)
			return 0;
	}
	if (item->token->kind == SA_BI_DATE)
		return sa_builtin_phrase_time(p, at);
	if (item->token->kind == SA_BI_NUMBER)
		return sa_builtin_phrase_number(p, at);
	if (sa_builtin_pick_is_table(p, at))
		return sa_builtin_noun_table(p, at);
	if (sa_builtin_pick_is_column(p, at))
		return sa_builtin_noun_column(p, at);
	return 0;
}

/* "singer name" speaks of the table singer. */
static void
mention_owner(SaBiParser *p, const SaBiItem *item)
{
	ListCell *cell;

	if (item->to - item->from < 2)
		return;
	foreach (cell, item->columns)
	{
		const SaBiCand *cand = lfirst(cell);
		SaBiName *said = sa_builtin_name_split(item->text);
		int words = cand->table->name->n;

		if (cand->score >= 95 && said->n > words &&
			sa_builtin_name_compare(sa_builtin_name_slice(said, 0, words),
									cand->table->name) >= 95)
			p->mentioned = list_append_unique_ptr(p->mentioned, cand->table);
	}
}

static void
find_mentioned(SaBiParser *p)
{
	for (int pass = 0; pass < 2; pass++)
	{
		List *found = NIL;

		for (int i = 0; i < p->n; i++)
			if (sa_builtin_pick_is_table(p, i) &&
				sa_builtin_match_score(p->items[i]->tables) >= 56)
				found =
					list_append_unique_ptr(found, sa_builtin_pick_table(p, i));
		p->mentioned = found;
	}
	for (int i = 0; i < p->n; i++)
		mention_owner(p, p->items[i]);
	sa_builtin_pick_mention_values(p);
}

static void
note_unplaced(SaBiParser *p)
{
	for (int i = 0; i < p->n; i++)
		if (!p->items[i]->used)
			p->problem->words = lappend(p->problem->words,
										unconstify(char *, p->items[i]->text));
}

SaBiParser *
sa_builtin_parse_begin(const SaBiSchema *schema, SaBiProblem *problem)
{
	SaBiParser *p = palloc0(sizeof(SaBiParser));

	p->schema = schema;
	p->query = palloc0(sizeof(SaBiQuery));
	p->problem = problem;
	p->items = palloc(0);
	p->main = sa_builtin_parse_scope(p, SA_BI_SCOPE_MAIN, NULL);
	p->selecting = true;
	p->previous_at = -1;
	return p;
}

void
sa_builtin_parse_add(SaBiParser *p, List *items)
{
	ListCell *cell;

	p->items =
		repalloc(p->items, sizeof(SaBiItem *) * (p->n + list_length(items)));
	foreach (cell, items)
	{
		SaBiItem *item = lfirst(cell);

		item->used = false;
		p->items[p->n++] = item;
	}
	find_mentioned(p);
}

void
sa_builtin_parse_read(SaBiParser *p)
{
	while (p->at < p->n)
	{
		int at = p->at;
		int next = step(p, at);

		if (next <= 0)
			p->items[at]->used = false;
		if (next > 0 && p->items[at]->tag != SA_BI_SKIP)
			p->previous = p->items[next - 1]->tag;
		if (next > 0 && p->items[at]->tag != SA_BI_SKIP)
			p->previous_at = next - 1;
		p->at = next > 0 ? next : at + 1;
	}
}

SaBiQuery *
sa_builtin_parse_end(SaBiParser *p)
{
	SaBiProblem *problem = p->problem;

	note_unplaced(p);
	if (problem->words == NIL && problem->reason == NULL)
		sa_builtin_finish(p);
	if (problem->words || problem->reason || problem->question)
		return NULL;
	return p->query;
}

SaBiQuery *
sa_builtin_parse(const SaBiSchema *schema, List *items, SaBiProblem *problem)
{
	SaBiParser *p = sa_builtin_parse_begin(schema, problem);

	sa_builtin_parse_add(p, items);
	sa_builtin_parse_read(p);
	return sa_builtin_parse_end(p);
}
