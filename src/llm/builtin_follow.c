/*
 * builtin_follow.c
 *	  Questions about the question before: "only Germany", "and for 2010?", "the
 *	  top 3", "how many is that?".
 *
 * Called by builtin.c with the questions of the thread.  A question that stands
 * for itself is taken for itself.  Any other one is read by the parser that
 * has read the one before, as if it went on; what it says replaces what was said
 * of the same thing (builtin_merge.c).  SQL is never edited: the plan is made
 * anew from the words.
 */
#include "postgres.h"

#include "llm/builtin_parse.h"

static SaBiToken **
token_array(const List *tokens)
{
	SaBiToken **array = palloc(sizeof(SaBiToken *) * (list_length(tokens) + 1));
	ListCell *cell;

	foreach (cell, tokens)
		array[foreach_current_index(cell)] = lfirst(cell);
	return array;
}

static bool
is_table(const SaBiItem *item)
{
	return sa_builtin_match_score(item->tables) >= 56;
}

static bool
names_table(const SaBiSaying *saying)
{
	ListCell *cell;

	foreach (cell, saying->items)
		if (is_table(lfirst(cell)))
			return true;
	return false;
}

/* How many words at the beginning only say that the question goes on. */
static int
opening(const SaBiSaying *saying, const char *kind)
{
	return sa_builtin_lexicon_span(SA_BI_FOLLOW, kind,
								   token_array(saying->tokens),
								   list_length(saying->tokens), 0);
}

/* "which of those are …", "how many is that", "those customers". */
static bool
has_pronoun(const SaBiSaying *saying)
{
	SaBiToken **tokens = token_array(saying->tokens);
	int count = list_length(saying->tokens);
	bool bare = !names_table(saying);
	ListCell *cell;

	foreach (cell, saying->items)
	{
		const SaBiItem *item = lfirst(cell);

		if (is_table(item))
			return false;
		for (int at = item->from; at < item->to; at++)
		{
			int len = sa_builtin_lexicon_span(SA_BI_FOLLOW, "demonstrative",
											  tokens, count, at);
			ListCell *other;

			foreach (other, saying->items)
				if (len && ((SaBiItem *) lfirst(other))->from == at + len &&
					is_table(lfirst(other)))
					return true;
			if (sa_builtin_lexicon_span(SA_BI_FOLLOW, "inside", tokens, count,
										at) ||
				(bare && sa_builtin_lexicon_span(SA_BI_FOLLOW, "bare", tokens,
												 count, at)))
				return true;
		}
	}
	return false;
}

/*
 * Whether it says what is wanted and of what, with a condition or an order of
 * its own: "and which employee earns most?".
 */
static bool
is_whole(const SaBiSaying *saying)
{
	bool asks = false;
	bool says = false;
	ListCell *cell;

	foreach (cell, saying->items)
	{
		const SaBiItem *item = lfirst(cell);

		switch (item->tag)
		{
			case SA_BI_LIST:
			case SA_BI_WH:
			case SA_BI_WHEN:
			case SA_BI_WHERE:
			case SA_BI_HOWMANY:
			case SA_BI_HOWMUCH:
				asks = true;
				break;
			case SA_BI_SUP:
			case SA_BI_ADJ:
			case SA_BI_MOST:
			case SA_BI_COMMON:
			case SA_BI_OP:
			case SA_BI_EACH:
			case SA_BI_BY:
			case SA_BI_WITH:
			case SA_BI_NEG:
			case SA_BI_WHOSE:
			case SA_BI_AFTER:
			case SA_BI_BEFORE:
			case SA_BI_BETWEEN:
			case SA_BI_LIKE:
				says = true;
				break;
			default:
				says = says || item->values;
				break;
		}
	}
	return asks && says && names_table(saying);
}

bool
sa_builtin_follow_refers(const SaBiSaying *saying)
{
	return opening(saying, "start") || has_pronoun(saying) ||
		   (opening(saying, "weak") && !is_whole(saying));
}

/* Whether a question that can be read by itself also says what it is about. */
static bool
stands_alone(const SaBiSaying *saying)
{
	const SaBiItem *first = NULL;
	ListCell *cell;

	foreach (cell, saying->items)
	{
		const SaBiItem *item = lfirst(cell);

		if (item->tag == SA_BI_LIST || item->tag == SA_BI_WH ||
			item->tag == SA_BI_AGG || item->tag == SA_BI_HOWMANY ||
			item->tag == SA_BI_HOWMUCH || item->tag == SA_BI_WHEN ||
			item->tag == SA_BI_WHERE || item->tag == SA_BI_ASK)
			return true;
		if (first == NULL && item->tag != SA_BI_SKIP)
			first = item;
	}
	/* "by genre", "with an invoice", "in the rock genre" go on */
	return first && names_table(saying) && first->tag != SA_BI_BY &&
		   first->tag != SA_BI_EACH && first->tag != SA_BI_PREP &&
		   first->tag != SA_BI_ORDER && first->tag != SA_BI_WITH &&
		   first->tag != SA_BI_REL;
}

static SaBiQuery *
parse_alone(const SaBiSchema *schema, const SaBiSaying *saying,
			SaBiProblem *problem)
{
	SaBiQuery *query = sa_builtin_parse(schema, saying->items, problem);

	if (query == NULL || stands_alone(saying))
		return query;
	problem->reason = "it does not say what it is about";
	return NULL;
}

bool
sa_builtin_follow_stands(const SaBiSchema *schema, const SaBiSaying *saying)
{
	SaBiProblem problem = {0};

	return !sa_builtin_follow_refers(saying) &&
		   parse_alone(schema, saying, &problem);
}

/* The words that open a follow-up are read by it, and pronouns say nothing. */
static void
take_opening(SaBiParser *p, const SaBiSaying *saying, int begin)
{
	int len = Max(opening(saying, "start"), opening(saying, "weak"));
	SaBiToken **tokens = token_array(saying->tokens);
	int count = list_length(saying->tokens);

	p->at = begin;
	while (p->at < p->n && p->items[p->at]->from < len)
		p->items[p->at++]->used = true;
	for (int i = p->at; i < p->n; i++)
	{
		SaBiItem *item = p->items[i];
		int words = item->to - item->from;

		if (item->tables == NIL && item->columns == NIL &&
			(sa_builtin_lexicon_span(SA_BI_FOLLOW, "bare", tokens, count,
									 item->from) == words ||
			 sa_builtin_lexicon_span(SA_BI_FOLLOW, "inside", tokens, count,
									 item->from) == words))
			item->tag = SA_BI_SKIP;
	}
}

/* A value that the question before had one of the same column of is of that. */
static void
prefer_known_columns(SaBiParser *p)
{
	for (int i = p->at; i < p->n; i++)
	{
		List *known = NIL;
		ListCell *cell;

		foreach (cell, p->items[i]->values)
			if (sa_builtin_merge_is_condition(
					p, ((SaBiCand *) lfirst(cell))->column))
				known = lappend(known, lfirst(cell));
		if (known)
			p->items[i]->values = known;
	}
}

/* What is left of a follow-up beside words that say nothing. */
typedef struct Rest
{
	SaBiItem *items[3];
	int places[3];
	int n; /* 4 = more than three */
} Rest;

static Rest
rest_of(SaBiParser *p)
{
	Rest rest = {0};

	for (int i = p->at; i < p->n && rest.n < 4; i++)
	{
		SaBiItem *item = p->items[i];

		if (item->tag == SA_BI_SKIP || item->tag == SA_BI_BE ||
			item->tag == SA_BI_WH || item->tag == SA_BI_DO ||
			(item->tag == SA_BI_LIST && item->columns == NIL))
			continue;
		if (rest.n < 3)
		{
			rest.items[rest.n] = item;
			rest.places[rest.n] = i;
		}
		rest.n++;
	}
	return rest;
}

static bool
use_all(SaBiParser *p)
{
	for (; p->at < p->n; p->at++)
		p->items[p->at]->used = true;
	return true;
}

/* "first" and "last" are of a date, or of an order where there is one. */
static const SaBiPhrase *
place_in_order(const SaBiItem *item)
{
	ListCell *cell;

	foreach (cell, sa_builtin_lexicon_all(SA_BI_TOP))
	{
		const SaBiPhrase *phrase = lfirst(cell);

		if (phrase->nwords == 1 && item->to == item->from + 1 &&
			strcmp(phrase->words[0], item->token->lower) == 0)
			return phrase;
	}
	return NULL;
}

/* "the top 3", "the 5 lowest", "the worst". */
static bool
read_rank(SaBiParser *p, const Rest *rest)
{
	int number = 0;
	const SaBiPhrase *word = NULL;

	if (rest->n == 0 || rest->n > 2)
		return false;
	for (int i = 0; i < rest->n; i++)
	{
		SaBiItem *item = rest->items[i];
		const char *text;

		if (sa_builtin_parse_number(p, rest->places[i], &text) &&
			strlen(text) < 6)
			number = atoi(text);
		else if (item->tag == SA_BI_TOP || item->tag == SA_BI_SUP ||
				 (item->tag == SA_BI_ADJ &&
				  item->phrase->degree == SA_BI_SUPERLATIVE &&
				  strchr(item->phrase->arg, '*')))
			word = item->phrase;
		else if (item->tag == SA_BI_ADJ && p->query->orders)
			word = place_in_order(item);
		else
			return false;
	}
	if (word == NULL)
		return false;
	sa_builtin_merge_rank(p, word->tag != SA_BI_ADJ,
						  word->tag == SA_BI_ADJ
							  ? word->arg[0] == '+'
							  : strcmp(word->arg, "max") == 0,
						  number);
	return use_all(p);
}

/* Follow-ups that only make sense of the one before. */
static bool
read_short(SaBiParser *p)
{
	Rest rest = rest_of(p);
	SaBiAgg agg;

	if (read_rank(p, &rest))
		return true;
	if (rest.n == 1 && rest.items[0]->tag == SA_BI_ORDER)
	{
		sa_builtin_merge_sort(p);
		return use_all(p);
	}
	if (rest.n == 1 && rest.items[0]->tag == SA_BI_AGG)
	{
		agg = sa_builtin_noun_agg(rest.items[0]->phrase->arg);
		sa_builtin_merge_aggregate(p, agg);
		return use_all(p);
	}
	if (rest.n == 1 && sa_builtin_pick_is_table(p, rest.places[0]) &&
		is_table(rest.items[0]))
	{
		SaBiTable *table = sa_builtin_pick_table(p, rest.places[0]);

		if (table == p->main->table)
			return false;
		sa_builtin_merge_table(p, table);
		return use_all(p);
	}
	return false;
}

/* Let the parser go on with a follow-up. */
static void
go_on(SaBiParser *p, const SaBiSaying *saying)
{
	int begin = p->n;

	sa_builtin_parse_add(p, saying->items);
	take_opening(p, saying, begin);
	prefer_known_columns(p);
	if (!read_short(p))
	{
		SaBiBefore *before = sa_builtin_merge_begin(p);

		sa_builtin_parse_read(p);
		sa_builtin_merge_end(p, before, has_pronoun(saying));
	}
}

/* The newest question before the last that can be read by itself; -1: none. */
static int
find_base(const SaBiSchema *schema, List *sayings)
{
	for (int i = list_length(sayings) - 2; i >= 0; i--)
	{
		SaBiProblem problem = {0};
		const SaBiSaying *saying = list_nth(sayings, i);

		if (!(i > 0 && sa_builtin_follow_refers(saying)) &&
			parse_alone(schema, saying, &problem))
			return i;
	}
	return -1;
}

SaBiQuery *
sa_builtin_follow_parse(const SaBiSchema *schema, List *sayings,
						SaBiProblem *problem)
{
	const SaBiSaying *last = llast(sayings);
	bool refers = list_length(sayings) > 1 && sa_builtin_follow_refers(last);
	SaBiProblem alone = {0};
	SaBiParser *p;
	int base;

	if (list_length(sayings) == 1)
		return sa_builtin_parse(schema, last->items, problem);
	if (!refers)
	{
		SaBiQuery *query = parse_alone(schema, last, &alone);

		if (query)
			return query;
	}
	base = find_base(schema, sayings);
	if (base < 0)
	{
		*problem = alone;
		if (refers)
			problem->reason = "it goes on with an earlier one of the thread "
							  "that is not understood either";
		return NULL;
	}
	p = sa_builtin_parse_begin(schema, problem);
	for (int i = base; i < list_length(sayings); i++)
		if (i > base)
			go_on(p, list_nth(sayings, i));
		else
		{
			sa_builtin_parse_add(p,
								 ((SaBiSaying *) list_nth(sayings, i))->items);
			sa_builtin_parse_read(p);
		}
	return sa_builtin_parse_end(p);
}
