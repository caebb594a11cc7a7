/*
 * builtin_match.c
 *	  Words to tables, columns and values.
 *
 * Goes through the tokens from left to right and takes at each place what
 * explains most words: a quoted or known value, a name of the schema, a phrase
 * of the language.  Where a single word is a name and a phrase ("total",
 * "name") the item carries both, and the parser decides.
 */
#include "postgres.h"

#include <ctype.h>

#include "base/text.h"
#include "base/wait.h"
#include "llm/builtin_match.h"
#include "llm/builtin_value.h"

#define MAX_SPAN 6
/* Below this a candidate is none. */
#define MIN_SCORE 50
/* Candidates this much worse than the best are dropped. */
#define SPREAD 50

typedef struct Span
{
	int len;
	List *tables;
	List *columns;
	int score;
} Span;

int
sa_builtin_match_score(const List *cands)
{
	return cands ? ((SaBiCand *) linitial(cands))->score : 0;
}

/* Words that never are a name by themselves. */
static bool
is_function_tag(SaBiTag tag)
{
	switch (tag)
	{
		case SA_BI_SKIP:
		case SA_BI_WH:
		case SA_BI_WHEN:
		case SA_BI_WHERE:
		case SA_BI_HOWMANY:
		case SA_BI_HOWMUCH:
		case SA_BI_DISTINCT:
		case SA_BI_OP:
		case SA_BI_BETWEEN:
		case SA_BI_AFTER:
		case SA_BI_BEFORE:
		case SA_BI_EACH:
		case SA_BI_BY:
		case SA_BI_NEG:
		case SA_BI_AND:
		case SA_BI_OR:
		case SA_BI_BOTH:
		case SA_BI_EITHER:
		case SA_BI_REL:
		case SA_BI_WHOSE:
		case SA_BI_WITH:
		case SA_BI_PREP:
		case SA_BI_BE:
		case SA_BI_DO:
		case SA_BI_POSS:
		case SA_BI_MOST:
			return true;
		default:
			return false;
	}
}

static int
by_score(const ListCell *a, const ListCell *b)
{
	return ((SaBiCand *) lfirst(b))->score - ((SaBiCand *) lfirst(a))->score;
}

static void
add_cand(List **cands, int score, SaBiTable *table, SaBiColumn *column)
{
	SaBiCand *cand = palloc0(sizeof(SaBiCand));

	cand->score = score;
	cand->table = table;
	cand->column = column;
	*cands = lappend(*cands, cand);
}

static List *
best_ones(List *cands)
{
	List *result = NIL;
	ListCell *cell;

	list_sort(cands, by_score);
	foreach (cell, cands)
		if (((SaBiCand *) lfirst(cell))->score + SPREAD >=
			sa_builtin_match_score(cands))
			result = lappend(result, lfirst(cell));
	return result;
}

static int
column_score(const SaBiColumn *column, const SaBiName *said)
{
	int score = sa_builtin_name_compare(said, column->full);

	/* the name of a person who has a first and a last one is both */
	if (score < SCORE_PART_OF_NAME && said->n == 1 &&
		list_length(column->table->labels) == 2 &&
		strcmp(said->stem[0], "name") == 0 &&
		list_member_ptr(column->table->labels, column))
		score = SCORE_PART_OF_NAME;

	if (column->bare)
	{
		int bare = sa_builtin_name_compare(said, column->bare);

		/* document_name is the name of a document, not any name */
		score = Max(score, bare >= 60 ? bare - 2 : bare);
	}
	if (score < 95 && said->n > 1 && strcmp(said->raw[said->n - 1], "by") != 0)
	{
		int owned = sa_builtin_name_compare(said, column->owned);

		if (owned >= 80)
			score = Max(score, owned);
	}
	if (score < 80 && column->comment &&
		sa_builtin_name_compare(said, column->comment) >= 95)
		score = Max(score, 80);
	return score;
}

/* Two columns of one table side by side: the last one is meant. */
static int
compound_score(const SaBiTable *table, const SaBiColumn *column,
			   const SaBiName *said)
{
	SaBiName *head;
	ListCell *cell;

	int which = said->n == 2 && strcmp(said->stem[1], "name") == 0 ? 0 : 1;

	/* "country name" is the country */
	if (said->n != 2 || column->full->n != 1 ||
		strcmp(column->full->stem[0], said->stem[which]) != 0)
		return 0;
	head = sa_builtin_name_slice(said, 1 - which, 2 - which);
	foreach (cell, table->columns)
		if (strcmp(((SaBiColumn *) lfirst(cell))->full->joined_stem,
				   head->joined_stem) == 0 &&
			((SaBiColumn *) lfirst(cell))->truth == NULL)
			return 90;
	return 0;
}

static void
match_name(const SaBiSchema *schema, const SaBiName *said, Span *span)
{
	ListCell *cell;
	ListCell *column;

	foreach (cell, schema->tables)
	{
		SaBiTable *table = lfirst(cell);
		int score = sa_builtin_name_compare(said, table->name);

		if (score >= MIN_SCORE)
			add_cand(&span->tables, score, table, NULL);
		foreach (column, table->columns)
		{
			score = column_score(lfirst(column), said);
			score = Max(score, compound_score(table, lfirst(column), said));
			if (score >= MIN_SCORE)
				add_cand(&span->columns, score, table, lfirst(column));
		}
	}
}

/* "date of birth" is also "birth date". */
static SaBiName *
turned_name(const SaBiSchema *schema, SaBiToken *const *tokens, int from,
			int to)
{
	ListCell *cell;
	SaBiName *name;
	StringInfoData text;
	int of = -1;

	for (int i = from + 1; i < to - 1; i++)
		if (strcmp(tokens[i]->lower, "of") == 0)
			of = i;
	if (of < 0)
		return NULL;
	/* "name of the singer" speaks of a table */
	name = sa_builtin_name_tokens(tokens, of + 1, to);
	foreach (cell, schema->tables)
		if (sa_builtin_name_compare(name, ((SaBiTable *) lfirst(cell))->name) >=
			84)
			return NULL;
	initStringInfo(&text);
	for (int i = of + 1; i < to; i++)
		appendStringInfo(&text, "%s ", tokens[i]->lower);
	for (int i = from; i < of; i++)
		appendStringInfo(&text, "%s ", tokens[i]->lower);
	name = sa_builtin_name_split(text.data);
	return name;
}

static bool
can_be_name(SaBiToken *const *tokens, int count, int from, int to)
{
	for (int i = from; i < to; i++)
	{
		const SaBiPhrase *phrase;

		if (tokens[i]->kind != SA_BI_WORD &&
			!(tokens[i]->kind == SA_BI_NUMBER && i > from))
			return false;
		if (strcmp(tokens[i]->lower, "'s") == 0)
			return false;
		if (i != from && i != to - 1)
			continue;
		phrase = sa_builtin_lexicon_find(tokens, i + 1, i);
		if (phrase && is_function_tag(phrase->tag) && to - from < 2)
			return false;
		if (phrase && (phrase->tag == SA_BI_SKIP || phrase->tag == SA_BI_AND ||
					   phrase->tag == SA_BI_OR || phrase->tag == SA_BI_WH))
			return false;
	}
	return true;
}

/* Whether a span begins or ends with a word of grammar: "singers in". */
static bool
ends_small(SaBiToken *const *tokens, int from, int to)
{
	const SaBiPhrase *first = sa_builtin_lexicon_find(tokens, from + 1, from);
	const SaBiPhrase *last = sa_builtin_lexicon_find(tokens, to, to - 1);

	return (first && is_function_tag(first->tag)) ||
		   (last && is_function_tag(last->tag));
}

/* The longest words from here that fit a name of the schema. */
static Span
match_span(const SaBiSchema *schema, SaBiToken *const *tokens, int count,
		   int at)
{
	Span none = {0};

	for (int len = Min(MAX_SPAN, count - at); len > 0; len--)
	{
		Span span = {0};
		SaBiName *turned;
		int enough = len == 1							? MIN_SCORE
					 : ends_small(tokens, at, at + len) ? 95
														: 54;

		if (!can_be_name(tokens, count, at, at + len))
			continue;
		match_name(schema, sa_builtin_name_tokens(tokens, at, at + len), &span);
		turned = turned_name(schema, tokens, at, at + len);
		if (turned)
		{
			Span other = {0};

			match_name(schema, turned, &other);
			other.columns = best_ones(other.columns);
			if (sa_builtin_match_score(other.columns) >= 95 &&
				sa_builtin_match_score(best_ones(span.columns)) < 95)
				span.columns = other.columns;
		}
		span.tables = best_ones(span.tables);
		span.columns = best_ones(span.columns);
		span.score = Max(sa_builtin_match_score(span.tables),
						 sa_builtin_match_score(span.columns));
		span.len = len;
		if (span.score >= enough)
			return span;
	}
	return none;
}

/*
 * "first and last name": the words up to the common head, when what is made of
 * both is a column.  Gives the tokens of the first part, 0 when it is none.
 */
static Span
match_shared_head(const SaBiSchema *schema, SaBiToken *const *tokens, int count,
				  int at)
{
	Span span = {0};
	int last = at;
	SaBiToken *pair[2];

	if (tokens[at]->kind != SA_BI_WORD)
		return span;
	while (last + 2 < count && last < at + 6)
	{
		int next = last + 1;

		while (next < count && (strcmp(tokens[next]->lower, ",") == 0 ||
								strcmp(tokens[next]->lower, "and") == 0 ||
								strcmp(tokens[next]->lower, "or") == 0))
			next++;
		if (next == last + 1 || next >= count ||
			tokens[next]->kind != SA_BI_WORD)
			break;
		last = next;
	}
	if (last == at || last + 1 >= count || tokens[last + 1]->kind != SA_BI_WORD)
		return span;
	pair[1] = tokens[last + 1];
	for (int i = 0; i < 2; i++)
	{
		Span one = {0};

		pair[0] = tokens[i == 0 ? at : last];
		match_name(schema, sa_builtin_name_tokens(pair, 0, 2), &one);
		one.columns = best_ones(one.columns);
		if (sa_builtin_match_score(one.columns) < 90)
			return span;
		if (i == 0)
			span.columns = one.columns;
	}
	/* a word that is a column by itself needs no head */
	{
		Span alone = {0};

		match_name(schema, sa_builtin_name_tokens(tokens, at, at + 1), &alone);
		if (sa_builtin_match_score(best_ones(alone.columns)) >= 80)
			span.columns = NIL;
	}
	span.len = span.columns ? 1 : 0;
	span.score = sa_builtin_match_score(span.columns);
	return span;
}

/* "conducted" where there is a conductor: a verb of what is spoken of. */
static bool
is_derived(const SaBiSchema *schema, const SaBiToken *token)
{
	int len = strlen(token->stem);
	ListCell *cell;
	ListCell *column;

	if (len < 5)
		return false;
	foreach (cell, schema->tables)
	{
		const SaBiTable *table = lfirst(cell);

		for (int i = 0; i < table->name->n; i++)
			if (strncmp(table->name->stem[i], token->stem, len - 1) == 0)
				return true;
		foreach (column, table->columns)
		{
			const SaBiName *name = ((SaBiColumn *) lfirst(column))->full;

			for (int i = 0; i < name->n; i++)
				if (strncmp(name->stem[i], token->stem, len - 1) == 0)
					return true;
		}
	}
	return false;
}

static char *
span_text(SaBiToken *const *tokens, int from, int to)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int i = from; i < to; i++)
		appendStringInfo(&text, "%s%s",
						 i > from && strcmp(tokens[i]->text, "'s") != 0 ? " "
																		: "",
						 tokens[i]->text);
	return text.data;
}

static SaBiItem *
new_item(SaBiToken *const *tokens, int from, int len)
{
	SaBiItem *item = palloc0(sizeof(SaBiItem));

	item->from = from;
	item->to = from + len;
	item->token = tokens[from];
	item->text = span_text(tokens, from, from + len);
	return item;
}

static void
take_phrase(SaBiItem *item, const SaBiPhrase *phrase)
{
	item->phrase = phrase;
	item->tag = phrase->tag;
}

static void
take_span(SaBiItem *item, const Span *span)
{
	item->tables = span->tables;
	item->columns = span->columns;
}

/* Signs: the comma joins, operators are in the lexicon, others say nothing. */
static SaBiItem *
punctuation(SaBiToken *const *tokens, int count, int at)
{
	const SaBiPhrase *phrase = sa_builtin_lexicon_find(tokens, count, at);
	SaBiItem *item = new_item(tokens, at, phrase ? phrase->nwords : 1);

	if (strcmp(tokens[at]->text, ",") == 0)
		item->tag = SA_BI_AND;
	else if (phrase)
		take_phrase(item, phrase);
	else
		item->tag = SA_BI_SKIP;
	return item;
}

/* A word in capitals in a text that is not. */
static bool
is_capitals(SaBiToken *const *tokens, int count, int at)
{
	const char *p = tokens[at]->text;

	if (strlen(p) < 2 || !tokens[at]->capital)
		return false;
	for (; *p; p++)
		if (!isupper((unsigned char) *p))
			return false;
	for (int i = 0; i < count; i++)
		if (islower((unsigned char) tokens[i]->text[0]))
			return true;
	return false;
}

/* What the tokens from one place on can be. */
typedef struct Choice
{
	const SaBiPhrase *phrase;
	int phrase_len;
	bool function; /* the phrase is one of grammar */
	Span span;
	List *values;
	int value_len;
} Choice;

static Choice
find_choice(const SaBiSchema *schema, const SaBiValues *values,
			SaBiToken *const *tokens, int count, int at)
{
	Choice c = {0};

	c.phrase = sa_builtin_lexicon_find(tokens, count, at);
	c.phrase_len = c.phrase ? c.phrase->nwords : 0;
	c.function = c.phrase && is_function_tag(c.phrase->tag);
	c.span = match_span(schema, tokens, count, at);
	c.values = sa_builtin_value_match(values, tokens, count, at, &c.value_len);
	/* IT, US: no small words */
	if (c.phrase_len == 1 && c.function && is_capitals(tokens, count, at))
	{
		c.phrase = NULL;
		c.phrase_len = 0;
		c.function = false;
	}
	/* a word that has a use of its own is no value unless it looks like one */
	if (c.phrase && c.value_len == 1 && tokens[at]->kind == SA_BI_WORD &&
		(c.function ||
		 (!tokens[at]->capital &&
		  !sa_builtin_lexicon_is_state(tokens[at]->lower) &&
		  c.phrase->tag != SA_BI_UNITNAME && c.phrase->tag != SA_BI_NUM &&
		  c.phrase->tag != SA_BI_MONTH)))
		c.values = NIL;
	return c;
}

static SaBiItem *
plain_item(const SaBiSchema *schema, const Choice *c, SaBiToken *const *tokens,
		   int at)
{
	SaBiItem *item = new_item(tokens, at, Max(c->phrase_len, 1));

	if (c->phrase)
		take_phrase(item, c->phrase);
	else if (tokens[at]->kind == SA_BI_WORD)
	{
		if (!tokens[at]->capital && is_derived(schema, tokens[at]))
			item->tag = SA_BI_VERB;
		else
			item->unknown = true;
	}
	return item;
}

/* Choose what the tokens from here are. */
static SaBiItem *
next_item(const SaBiSchema *schema, const SaBiValues *values,
		  SaBiToken *const *tokens, int count, int at)
{
	Choice c = find_choice(schema, values, tokens, count, at);
	SaBiItem *item;

	if (tokens[at]->kind == SA_BI_STRING)
	{
		item = new_item(tokens, at, 1);
		item->values = c.values;
		return item;
	}
	if (tokens[at]->kind == SA_BI_PUNCT)
		return punctuation(tokens, count, at);
	if (c.span.len < 2 && c.phrase_len < 2)
	{
		Span shared = match_shared_head(schema, tokens, count, at);

		if (shared.len)
		{
			item = new_item(tokens, at, 1);
			take_span(item, &shared);
			return item;
		}
	}
	if (c.values && c.value_len >= Max(c.span.len, c.phrase_len) &&
		!(c.value_len == c.span.len && c.span.score >= 95))
	{
		item = new_item(tokens, at, c.value_len);
		item->values = c.values;
		if (c.span.len == c.value_len && c.span.score >= 60)
			take_span(item, &c.span);
		return item;
	}
	if (c.span.len && c.span.len >= c.phrase_len &&
		!(c.function && c.span.len < 2))
	{
		item = new_item(tokens, at, c.span.len);
		take_span(item, &c.span);
		if (c.phrase_len == c.span.len)
			take_phrase(item, c.phrase);
		if (c.values && c.value_len == c.span.len)
			item->values = c.values;
		return item;
	}
	return plain_item(schema, &c, tokens, at);
}

List *
sa_builtin_match_items(const SaBiSchema *schema, List *tokens, List *lookups)
{
	int count = list_length(tokens);
	SaBiToken **array = palloc(sizeof(SaBiToken *) * (count + 1));
	SaBiValues *values = sa_builtin_value_load(schema, lookups);
	List *items = NIL;
	ListCell *cell;
	int at = 0;

	foreach (cell, tokens)
		array[foreach_current_index(cell)] = lfirst(cell);
	while (at < count)
	{
		SaBiItem *item = next_item(schema, values, array, count, at);

		sa_wait_check();

		items = lappend(items, item);
		at = item->to;
	}
	return items;
}
