/*
 * builtin_phrase.c
 *	  What each kind of phrase does to the parser: a table of handlers, one a tag
 *	  of the lexicon.
 *
 * A handler gives the place behind what it understood; 0 leaves the phrase
 * without a place, and the question refused.
 */
#include "postgres.h"

#include "llm/builtin_parse.h"

/* At the beginning, or behind "please", "can you" or the end of a sentence. */
bool
sa_builtin_phrase_begins(SaBiParser *p, int at)
{
	static const char *const articles[] = {"the", "a",	   "an",
										   "all", "their", "its"};

	if (at == 0)
		return true;
	if (p->items[at - 1]->tag != SA_BI_SKIP)
		return false;
	if (strpbrk(p->items[at - 1]->text, ".?!;"))
		return true;
	for (int i = 0; i < lengthof(articles); i++)
		if (strcmp(p->items[at - 1]->token->lower, articles[i]) == 0)
			return false;
	return sa_builtin_phrase_begins(p, at - 1);
}

int
sa_builtin_phrase_value(SaBiParser *p, int at)
{
	p->after_prep = false;
	return sa_builtin_cond_value(p, at);
}

/* Whether a number before this is of what is listed: "5 customers". */
static bool
limits(SaBiParser *p, int at)
{
	SaBiTag tag;

	at = sa_builtin_parse_skip(p, at);
	tag = sa_builtin_parse_tag(p, at);
	return sa_builtin_pick_is_table(p, at) ||
		   sa_builtin_pick_is_column(p, at) || tag == SA_BI_SUP ||
		   tag == SA_BI_ADJ || tag == SA_BI_MOST || tag == SA_BI_COMMON ||
		   tag == SA_BI_DISTINCT || tag == SA_BI_TOP ||
		   (at < p->n && p->items[at]->values != NIL);
}

/* Whether a superlative follows. */
static bool
ranks(SaBiParser *p, int at)
{
	SaBiItem *item = sa_builtin_parse_item(p, sa_builtin_parse_skip(p, at));

	return item && (item->tag == SA_BI_SUP || item->tag == SA_BI_MOST ||
					item->tag == SA_BI_COMMON ||
					(item->tag == SA_BI_ADJ &&
					 item->phrase->degree == SA_BI_SUPERLATIVE));
}

int
sa_builtin_phrase_number(SaBiParser *p, int at)
{
	int end;
	const char *text;

	if (p->after_prep || p->verb ||
		(p->both && p->previous == SA_BI_AND && !p->selecting) ||
		(strlen(p->items[at]->text) == 4 && !p->selecting &&
		 !limits(p, at + 1)))
	{
		end = sa_builtin_time_read(p, NULL, at, SA_BI_OP_EQ);
		if (end)
			return end;
	}
	end = sa_builtin_op_number(p, at);
	if (end)
		return end;
	/* "of the 10 cheapest invoices" */
	end = sa_builtin_parse_number(p, at, &text);
	if (end && strlen(text) < 6 && atoi(text) > 0 && ranks(p, end))
	{
		p->limit = atoi(text);
		return end;
	}
	/* "all 50 states" is all of them */
	if (at > 0 && strcmp(p->items[at - 1]->token->lower, "all") == 0 &&
		sa_builtin_pick_is_table(p, at + 1))
	{
		p->items[at]->used = true;
		return at + 1;
	}
	/* "5 customers", "3 oldest": a limit */
	end = sa_builtin_parse_number(p, at, &text);
	if (end && p->selecting && !p->after_prep && limits(p, end) &&
		p->previous != SA_BI_VERB && p->previous != SA_BI_OP &&
		strlen(text) < 6 && atoi(text) > 0)
	{
		p->limit = atoi(text);
		return end;
	}
	p->items[at]->used = false;
	return 0;
}

static int
on_agg(SaBiParser *p, int at)
{
	SaBiAgg agg = sa_builtin_noun_agg(p->items[at]->phrase->arg);

	/* "with the maximum age" is a superlative */
	if (!p->selecting && (agg == SA_BI_AGG_MIN || agg == SA_BI_AGG_MAX))
		return sa_builtin_super_read(p, at);
	p->items[at]->used = true;
	p->aggs = lappend_int(p->aggs, agg);
	return at + 1;
}

static int
on_howmany(SaBiParser *p, int at)
{
	SaBiTag next;

	p->items[at]->used = true;
	/* "sum of the number", "average number of": an aggregate of counts */
	if (p->aggs)
	{
		sa_builtin_parse_fail(p, "it asks for an aggregate of counts");
		return at + 1;
	}
	p->aggs = list_make1_int(SA_BI_AGG_COUNT);
	p->selecting = true;
	next = sa_builtin_parse_tag(p, sa_builtin_parse_skip(p, at + 1));
	if (next == SA_BI_PREP)
		return sa_builtin_parse_skip(p, at + 1) + 1;
	return at + 1;
}

static int
on_super(SaBiParser *p, int at)
{
	SaBiItem *item = p->items[at];
	int end;

	/* "first 5", "last month" */
	if (sa_builtin_time_begins(p, at) && !p->selecting)
		return sa_builtin_time_read(p, NULL, at, SA_BI_OP_EQ);
	if (item->tag == SA_BI_ADJ && item->phrase->degree == SA_BI_COMPARATIVE)
		return sa_builtin_op_read(p, at);
	end = sa_builtin_super_read(p, at);
	p->after_prep = false;
	return end;
}

static int
on_by(SaBiParser *p, int at)
{
	SaBiItem *next = sa_builtin_parse_item(p, sa_builtin_parse_skip(p, at + 1));
	int end;

	p->items[at]->used = true;
	if (next == NULL)
		return 0;
	/* "taken by students": who does it */
	if (p->previous == SA_BI_VERB && p->limit == 0)
	{
		p->after_prep = true;
		return at + 1;
	}
	/* "top 5 countries by sales": the order */
	if ((p->limit && p->ranking) ||
		(p->query->limit && p->query->orders == NIL))
	{
		if (p->query->limit == 0)
			p->query->limit = p->limit;
		p->limit = 0;
		end = sa_builtin_order_read(p, at + 1);
		if (end && p->query->orders)
			((SaBiOrder *) llast(p->query->orders))->descending = true;
		p->ranked = true;
		return end;
	}
	if (next->values == NIL || next->columns || next->tables)
	{
		end = sa_builtin_order_group(p, at + 1);
		if (end)
		{
			p->per = true;
			return end;
		}
	}
	p->after_prep = true;
	return at + 1;
}

/* Whether something is counted or summed anywhere in the question. */
static bool
aggregates(SaBiParser *p)
{
	for (int i = 0; i < p->n; i++)
		if (p->items[i]->tag == SA_BI_HOWMANY ||
			p->items[i]->tag == SA_BI_AGG || p->items[i]->tag == SA_BI_MOST)
			return true;
	return false;
}

static int
on_each(SaBiParser *p, int at)
{
	const char *text = p->items[at]->token->lower;
	const char *last = strrchr(p->items[at]->text, ' ');
	SaBiTerm *term;
	ListCell *cell;
	int end;

	p->items[at]->used = true;
	/* "each owner's name": the same as all of them */
	if ((strcmp(text, "each") == 0 || strcmp(text, "every") == 0) &&
		!aggregates(p))
		return at + 1;
	/* "the average price per item", of items: the same as without */
	term = p->query->select ? llast(p->query->select) : NULL;
	end = sa_builtin_parse_skip(p, at + 1);
	if (strcmp(text, "per") == 0 && term && term->column &&
		term->agg == SA_BI_AGG_AVG && sa_builtin_pick_is_table(p, end) &&
		sa_builtin_pick_table(p, end) == term->table)
	{
		p->items[end]->used = true;
		return end + 1;
	}
	end = sa_builtin_order_group(p, at + 1);
	p->after_prep = false;
	if (strcmp(text, "per") == 0)
		p->per = true;
	/* "how many … does each have": each of what was named before */
	if (end == 0 && strcmp(last ? last + 1 : text, "each") == 0)
		foreach (cell, p->query->select)
			if (((SaBiTerm *) lfirst(cell))->agg == SA_BI_AGG_NONE)
			{
				p->query->groups = lappend(p->query->groups, lfirst(cell));
				return at + 1;
			}
	return end;
}

static int
on_order(SaBiParser *p, int at)
{
	return sa_builtin_order_read(p, at);
}

static int
on_neg(SaBiParser *p, int at)
{
	p->items[at]->used = true;
	p->negated = true;
	p->selecting = false;
	return at + 1;
}

static int
on_op(SaBiParser *p, int at)
{
	p->after_prep = false;
	return sa_builtin_op_read(p, at);
}

int
sa_builtin_phrase_time(SaBiParser *p, int at)
{
	SaBiTag tag = p->items[at]->tag;
	int from = at;
	SaBiOp op = SA_BI_OP_EQ;
	int end;

	if (tag == SA_BI_AFTER || tag == SA_BI_BEFORE)
	{
		op = tag == SA_BI_AFTER ? SA_BI_OP_GT : SA_BI_OP_LT;
		if (strcmp(p->items[at]->text, "since") == 0)
			op = SA_BI_OP_GE;
		from = at + 1;
	}
	end = sa_builtin_time_read(p, NULL, from, op);
	if (end)
		p->items[at]->used = true;
	p->after_prep = false;
	return end;
}

static int
on_unit(SaBiParser *p, int at)
{
	/* "monthly revenue" */
	p->items[at]->used = true;
	p->unit = p->items[at]->phrase->arg;
	return at + 1;
}

static int
on_list(SaBiParser *p, int at)
{
	p->items[at]->used = true;
	p->selecting = true;
	p->after_prep = false;
	return at + 1;
}

static int
on_howmuch(SaBiParser *p, int at)
{
	p->want_amount = true;
	return on_list(p, at);
}

static int
on_rel(SaBiParser *p, int at)
{
	p->items[at]->used = true;
	p->selecting = false;
	p->after_prep = false;
	return at + 1;
}

/* "which" begins what is wanted, or a clause in the middle. */
static int
on_wh(SaBiParser *p, int at)
{
	bool begins = at == 0;

	for (int i = at - 1; i >= 0 && !begins; i--)
	{
		if (p->items[i]->tag == SA_BI_SKIP || p->items[i]->tag == SA_BI_AND)
			begins = i == 0 || strpbrk(p->items[i]->text, ".?!;") != NULL ||
					 p->items[i]->tag == SA_BI_AND;
		else if (p->items[i]->tag == SA_BI_LIST ||
				 p->items[i]->tag == SA_BI_PREP)
			begins = true;
		else
			break;
	}
	p->items[at]->used = true;
	p->selecting = begins;
	p->after_prep = false;
	return at + 1;
}

static int
on_prep(SaBiParser *p, int at)
{
	p->items[at]->used = true;
	p->after_prep = true;
	return at + 1;
}

static int
on_and(SaBiParser *p, int at)
{
	p->items[at]->used = true;
	p->after_prep = false;
	return at + 1;
}

static int
on_or(SaBiParser *p, int at)
{
	p->items[at]->used = true;
	p->or_next = true;
	return at + 1;
}

static int
on_small(SaBiParser *p, int at)
{
	switch (p->items[at]->tag)
	{
		case SA_BI_UNITNAME:
			if (p->aggs)
				return 0;
			break;
		case SA_BI_DISTINCT:
			p->distinct = true;
			break;
		case SA_BI_BOTH:
			p->both = true;
			break;
		case SA_BI_WHEN:
			if (!sa_builtin_phrase_begins(p, at))
				return on_rel(p, at);
			p->want_date = true;
			p->selecting = true;
			break;
		case SA_BI_WHERE:
			if (!sa_builtin_phrase_begins(p, at))
				return on_rel(p, at);
			p->want_place = true;
			p->selecting = true;
			break;
		default:
			break;
	}
	p->items[at]->used = true;
	return at + 1;
}

static int
on_between(SaBiParser *p, int at)
{
	return sa_builtin_op_between(p, at);
}

static int
on_like(SaBiParser *p, int at)
{
	int next = sa_builtin_parse_skip(p, at + 1);

	if (sa_builtin_pick_is_table(p, next) ||
		sa_builtin_parse_tag(p, next) == SA_BI_OP ||
		sa_builtin_parse_tag(p, next) == SA_BI_BOTH)
	{
		p->items[at]->used = true;
		p->selecting = false;
		return at + 1;
	}
	return sa_builtin_op_like(p, at);
}

/* "how old": the column that the adjective speaks of. */
static int
on_ask(SaBiParser *p, int at)
{
	SaBiTable *focus = sa_builtin_parse_focus(p);
	bool positive;
	SaBiColumn *column = NULL;
	ListCell *cell;

	foreach (cell, sa_builtin_lexicon_all(SA_BI_ASK))
	{
		const SaBiPhrase *phrase = lfirst(cell);
		bool same = phrase->nwords == p->items[at]->phrase->nwords;

		for (int i = 0; same && i < phrase->nwords; i++)
			same =
				strcmp(phrase->words[i], p->items[at]->phrase->words[i]) == 0;
		if (same && focus && column == NULL)
			column = sa_builtin_pick_measure(
				focus, psprintf("+%s", phrase->right), &positive);
		if (same && focus && column == NULL)
			column = sa_builtin_pick_word(focus, phrase->right);
	}
	if (column == NULL)
		return 0;
	p->items[at]->used = true;
	if (p->items[at]->phrase->nwords > 1 &&
		strcmp(p->items[at]->phrase->words[1], "many") == 0 && p->aggs == NIL)
		p->aggs = list_make1_int(SA_BI_AGG_SUM);
	sa_builtin_noun_select(p, column->table, column);
	return at + 1;
}

typedef int (*Handler)(SaBiParser *p, int at);

static const Handler handlers[SA_BI_NTAGS] = {
	[SA_BI_SKIP] = on_small,
	[SA_BI_LIST] = on_list,
	[SA_BI_WH] = on_wh,
	[SA_BI_WHEN] = on_small,
	[SA_BI_WHERE] = on_small,
	[SA_BI_HOWMANY] = on_howmany,
	[SA_BI_HOWMUCH] = on_howmuch,
	[SA_BI_DISTINCT] = on_small,
	[SA_BI_AGG] = on_agg,
	[SA_BI_RATIO] = sa_builtin_ratio_read,
	[SA_BI_OP] = on_op,
	[SA_BI_BETWEEN] = on_between,
	[SA_BI_AFTER] = sa_builtin_phrase_time,
	[SA_BI_BEFORE] = sa_builtin_phrase_time,
	[SA_BI_LIKE] = on_like,
	[SA_BI_MOST] = on_super,
	[SA_BI_COMMON] = on_super,
	[SA_BI_SUP] = on_super,
	[SA_BI_ADJ] = on_super,
	[SA_BI_ASK] = on_ask,
	[SA_BI_EACH] = on_each,
	[SA_BI_BY] = on_by,
	[SA_BI_ORDER] = on_order,
	[SA_BI_DIR] = on_order,
	[SA_BI_TOP] = on_super,
	[SA_BI_NEG] = on_neg,
	[SA_BI_AND] = on_and,
	[SA_BI_OR] = on_or,
	[SA_BI_BOTH] = on_small,
	[SA_BI_EITHER] = on_small,
	[SA_BI_REL] = on_rel,
	[SA_BI_WHOSE] = on_rel,
	[SA_BI_WITH] = on_rel,
	[SA_BI_PREP] = on_prep,
	[SA_BI_BE] = on_small,
	[SA_BI_DO] = on_small,
	[SA_BI_POSS] = on_small,
	[SA_BI_VERB] = sa_builtin_verb_read,
	[SA_BI_UNIT] = on_unit,
	[SA_BI_PAST] = sa_builtin_phrase_time,
	[SA_BI_THIS] = sa_builtin_phrase_time,
	[SA_BI_TODAY] = sa_builtin_phrase_time,
	[SA_BI_YESTERDAY] = sa_builtin_phrase_time,
	[SA_BI_MONTH] = sa_builtin_phrase_time,
	[SA_BI_NUM] = sa_builtin_phrase_number,
	[SA_BI_UNITNAME] = on_small,
};

int
sa_builtin_phrase_read(SaBiParser *p, int at)
{
	Handler handler = handlers[p->items[at]->tag];

	return handler ? handler(p, at) : 0;
}
