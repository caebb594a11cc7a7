/*
 * builtin_value.c
 *	  Which words are values of columns, and what find_values should be asked.
 *
 * Only values that are the same but for case, accents, plural or a form of the
 * lexicon (french for France) are taken; a merely similar one is no answer to
 * what was asked.
 */
#include "postgres.h"

#include "catalog/pg_collation_d.h"
#include "utils/formatting.h"
#include "utils/hsearch.h"

#include "base/stem.h"
#include "base/text.h"
#include "llm/builtin_value.h"

#define KEY_SIZE 64
#define MAX_SPAN 8
/* Calls of find_values in one round. */
#define MAX_LOOKUPS 40
/* Tables this far from the mentioned ones are not searched. */
#define MAX_DISTANCE 26

struct SaBiValues
{
	HTAB *by_text; /* lower-case text, or stem of one word */
};

typedef struct Entry
{
	char key[KEY_SIZE];
	List *cands;
} Entry;

static char *
lower(const char *text)
{
	return str_tolower(text, strlen(text), DEFAULT_COLLATION_OID);
}

static void
add(SaBiValues *values, const char *key, int score, SaBiColumn *column,
	const char *value)
{
	char padded[KEY_SIZE] = {0};
	SaBiCand *cand;
	Entry *entry;
	bool found;
	ListCell *cell;

	if (strlen(key) >= KEY_SIZE || *key == '\0')
		return;
	strlcpy(padded, key, KEY_SIZE);
	entry = hash_search(values->by_text, padded, HASH_ENTER, &found);
	if (!found)
		entry->cands = NIL;
	foreach (cell, entry->cands)
		if (((SaBiCand *) lfirst(cell))->column == column)
			return;
	cand = palloc0(sizeof(SaBiCand));
	cand->score = score;
	cand->table = column->table;
	cand->column = column;
	cand->value = value;
	entry->cands = lappend(entry->cands, cand);
}

/* The text with the last word's stem in its place: account managers. */
static char *
stem_last(const char *text)
{
	const char *last = strrchr(text, ' ');

	return psprintf("%.*s %s", (int) (last - text), text, sa_stem(last + 1));
}

static void
load_statistics(SaBiValues *values, const SaBiSchema *schema)
{
	ListCell *table;
	ListCell *cell;
	ListCell *value;

	foreach (table, schema->tables)
		foreach (cell, ((SaBiTable *) lfirst(table))->columns)
		{
			SaBiColumn *column = lfirst(cell);

			if (column->type != SA_BI_T_TEXT)
				continue;
			foreach (value, column->values)
			{
				char *key = lower(sa_text_trim(lfirst(value)));

				add(values, key, 100, column, lfirst(value));
				if (strchr(key, ' '))
					add(values, stem_last(key), 95, column, lfirst(value));
				if (strlen(key) > 3 && strchr(key, ' ') == NULL)
					add(values, sa_stem(key), 95, column, lfirst(value));
			}
		}
}

/* Whether a way in which find_values matched is sure enough. */
static bool
is_sure(const char *match)
{
	return match &&
		   (strcmp(match, "exact") == 0 || strcmp(match, "case") == 0 ||
			strcmp(match, "accent") == 0);
}

static void
load_lookups(SaBiValues *values, const SaBiSchema *schema, List *lookups)
{
	ListCell *cell;

	foreach (cell, lookups)
	{
		const SaBiLookup *lookup = lfirst(cell);
		SaJson *found = sa_json_get(lookup->answer, "values");
		SaBiTable *table = sa_builtin_schema_table(schema, lookup->table);
		SaBiColumn *column =
			table ? sa_builtin_schema_column(table, lookup->column) : NULL;

		if (column == NULL)
			continue;
		for (int i = 0; i < sa_json_length(found); i++)
		{
			SaJson *one = sa_json_at(found, i);

			if (is_sure(sa_json_get_string(one, "match")))
			{
				add(values, lower(lookup->text), 100, column,
					sa_json_get_string(one, "value"));
				break;
			}
		}
	}
}

SaBiValues *
sa_builtin_value_load(const SaBiSchema *schema, List *lookups)
{
	SaBiValues *values = palloc0(sizeof(SaBiValues));
	HASHCTL ctl = {0};

	ctl.keysize = KEY_SIZE;
	ctl.entrysize = sizeof(Entry);
	ctl.hcxt = CurrentMemoryContext;
	values->by_text = hash_create("sqlagent values", 256, &ctl,
								  HASH_ELEM | HASH_STRINGS | HASH_CONTEXT);
	load_statistics(values, schema);
	load_lookups(values, schema, lookups);
	return values;
}

static List *
find(const SaBiValues *values, const char *key)
{
	char padded[KEY_SIZE] = {0};
	Entry *entry;

	if (strlen(key) >= KEY_SIZE)
		return NIL;
	strlcpy(padded, key, KEY_SIZE);
	entry = hash_search(values->by_text, padded, HASH_FIND, NULL);
	return entry ? entry->cands : NIL;
}

/* The words themselves, their stem, or another form of the lexicon. */
static List *
find_forms(const SaBiValues *values, const char *text)
{
	List *result = list_copy(find(values, text));
	ListCell *cell;

	if (result == NIL)
		foreach (cell, sa_builtin_lexicon_values(text))
			result = list_concat_unique_ptr(result, find(values, lfirst(cell)));
	if (result == NIL && strchr(text, ' '))
		result = list_copy(find(values, stem_last(text)));
	if (result == NIL && strchr(text, ' ') == NULL && strlen(text) > 3)
		result = list_copy(find(values, sa_stem(text)));
	return result;
}

List *
sa_builtin_value_match(const SaBiValues *values, SaBiToken *const *tokens,
					   int count, int at, int *len)
{
	*len = 0;
	if (tokens[at]->kind == SA_BI_STRING)
	{
		*len = 1;
		return find_forms(values, lower(sa_text_trim(tokens[at]->text)));
	}
	for (int n = Min(MAX_SPAN, count - at); n > 0; n--)
	{
		StringInfoData text;
		List *found;
		bool words = true;

		initStringInfo(&text);
		for (int i = at; i < at + n; i++)
		{
			if (tokens[i]->kind == SA_BI_STRING ||
				(n == 1 && tokens[i]->kind != SA_BI_WORD))
				words = false;
			appendStringInfo(&text, "%s%s",
							 i > at && tokens[i]->kind != SA_BI_PUNCT &&
									 strcmp(tokens[i]->lower, "'s") != 0
								 ? " "
								 : "",
							 tokens[i]->lower);
		}
		if (!words)
			continue;
		found = find_forms(values, text.data);
		if (found)
		{
			*len = n;
			return found;
		}
	}
	return NIL;
}

/* Tables that the question speaks of, by name or by an exact column. */
static List *
mentioned_tables(List *items)
{
	List *tables = NIL;
	ListCell *cell;

	foreach (cell, items)
	{
		const SaBiItem *item = lfirst(cell);
		ListCell *cand;

		foreach (cand, item->tables)
			if (((SaBiCand *) lfirst(cand))->score >= 80)
				tables = list_append_unique_ptr(
					tables, ((SaBiCand *) lfirst(cand))->table);
	}
	if (tables)
		return tables;
	foreach (cell, items)
	{
		const SaBiItem *item = lfirst(cell);
		ListCell *cand;

		foreach (cand, item->columns)
			if (((SaBiCand *) lfirst(cand))->score >= 60)
				tables = list_append_unique_ptr(
					tables, ((SaBiCand *) lfirst(cand))->table);
	}
	return tables;
}

typedef struct Place
{
	SaBiColumn *column;
	int rank; /* small ones first */
} Place;

static int
by_rank(const ListCell *a, const ListCell *b)
{
	return ((Place *) lfirst(a))->rank - ((Place *) lfirst(b))->rank;
}

static bool
column_said(List *items, const SaBiColumn *column)
{
	ListCell *cell;
	ListCell *cand;

	foreach (cell, items)
		foreach (cand, ((SaBiItem *) lfirst(cell))->columns)
			if (((SaBiCand *) lfirst(cand))->column == column)
				return true;
	return false;
}

/* Text columns where a value may be, the likeliest first. */
static List *
places(const SaBiSchema *schema, List *items)
{
	List *tables = mentioned_tables(items);
	List *result = NIL;
	ListCell *cell;
	ListCell *column_cell;
	ListCell *from;

	foreach (cell, schema->tables)
	{
		SaBiTable *table = lfirst(cell);
		int distance = tables ? SA_BI_FAR : 0;

		foreach (from, tables)
			distance = Min(distance,
						   sa_builtin_join_cost(schema, lfirst(from), table));
		if (distance > MAX_DISTANCE)
			continue;
		foreach (column_cell, table->columns)
		{
			SaBiColumn *column = lfirst(column_cell);
			Place *place;

			if (column->type != SA_BI_T_TEXT || column->values_complete)
				continue;
			place = palloc(sizeof(Place));
			place->column = column;
			place->rank = distance * 2 - (column_said(items, column) ? 30 : 0) -
						  (list_member_ptr(table->labels, column) ? 40 : 0) +
						  (column->key ? 5 : 0);
			result = lappend(result, place);
		}
	}
	list_sort(result, by_rank);
	return result;
}

static bool
asked_already(List *lookups, const SaBiColumn *column, const char *text)
{
	ListCell *cell;

	foreach (cell, lookups)
	{
		const SaBiLookup *lookup = lfirst(cell);

		if (strcmp(lookup->table, column->table->sql) == 0 &&
			strcmp(lookup->column, column->name) == 0 &&
			strcmp(lookup->text, text) == 0)
			return true;
	}
	return false;
}

static List *
add_lookup(List *result, List *lookups, const SaBiColumn *column,
		   const char *text)
{
	SaBiLookup *lookup;

	if (list_length(result) >= MAX_LOOKUPS || *text == '\0' ||
		asked_already(lookups, column, text) ||
		asked_already(result, column, text))
		return result;
	lookup = palloc0(sizeof(SaBiLookup));
	lookup->table = column->table->sql;
	lookup->column = column->name;
	lookup->text = text;
	return lappend(result, lookup);
}

/* Part of a name in capitals, or a word that is nothing else. */
static bool
may_be_value(const SaBiItem *item, bool inside)
{
	if (item->values)
		return false;
	if (item->unknown || sa_builtin_lexicon_is_state(item->token->lower))
		return true;
	if (item->token->kind != SA_BI_WORD)
		return inside && item->token->kind == SA_BI_NUMBER;
	if (item->token->capital &&
		(item->tag == SA_BI_NONE || item->tag == SA_BI_VERB ||
		 item->tag == SA_BI_MONTH || item->tag == SA_BI_ADJ ||
		 item->tag == SA_BI_LIST))
		return true;
	return false;
}

/* Whether one of the tables has the value, by what is known so far. */
static bool
value_is_near(const SaBiItem *item, List *tables)
{
	ListCell *cell;

	foreach (cell, item->values)
		if (list_member_ptr(tables, ((SaBiCand *) lfirst(cell))->table))
			return true;
	return false;
}

/* Two words in capitals side by side, whatever else they mean. */
static bool
begins_run(List *items, int at)
{
	for (int i = at; i <= at + 1; i++)
	{
		const SaBiItem *item =
			i < list_length(items) ? list_nth(items, i) : NULL;

		if (item == NULL || item->values || !item->token->capital ||
			item->token->kind != SA_BI_WORD)
			return false;
	}
	return true;
}

/* A word with a meaning of its own that is no word of grammar. */
static bool
is_plain_word(const SaBiItem *item)
{
	if (item->token->kind == SA_BI_NUMBER)
		return true;
	return item->token->kind == SA_BI_WORD && item->to - item->from == 1 &&
		   (item->tag == SA_BI_NONE || item->tag == SA_BI_ADJ ||
			item->tag == SA_BI_VERB || item->tag == SA_BI_UNIT);
}

/* The last of the words that may form a value together with the first. */
static int
end_of_words(List *items, int first)
{
	int n = list_length(items);
	int last = first;
	int gap =
		((const SaBiItem *) list_nth(items, first))->token->capital ? 3 : 2;

	while (last + 1 < n && begins_run(items, last))
		last++;
	for (int j = last + 1; j < n && j <= last + gap; j++)
	{
		const SaBiItem *next = list_nth(items, j);

		if (may_be_value(next, true))
			last = j;
		else if (next->tag == SA_BI_AND || next->tag == SA_BI_OR ||
				 next->tag == SA_BI_REL || next->tag == SA_BI_BE ||
				 next->token->kind == SA_BI_PUNCT)
			break;
	}
	return last;
}

static char *
words_text(List *items, int first, int last)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int j = first; j <= last; j++)
	{
		const SaBiItem *part = list_nth(items, j);
		bool gap = j > first && part->token->kind != SA_BI_PUNCT &&
				   part->tag != SA_BI_POSS;

		appendStringInfo(&text, "%s%s", gap ? " " : "", part->text);
	}
	return text.data;
}

/* The words together, with a known word beside them, and one by one. */
static List *
forms_of_words(List *items, int first, int last)
{
	List *texts = list_make1(words_text(items, first, last));

	/* "new york", "bay area" */
	if (first > 0 && is_plain_word(list_nth(items, first - 1)))
		texts = lappend(texts, words_text(items, first - 1, last));
	if (last + 1 < list_length(items) &&
		is_plain_word(list_nth(items, last + 1)))
		texts = lappend(texts, words_text(items, first, last + 1));
	/* first and last names */
	for (int j = first; last > first && j <= last; j++)
		if (may_be_value(list_nth(items, j), true))
			texts = lappend(texts, words_text(items, j, j));
	return texts;
}

/* Texts that may be values: quoted, or words that are nothing else. */
static List *
unknown_texts(List *items, List *near)
{
	List *texts = NIL;

	for (int i = 0; i < list_length(items); i++)
	{
		const SaBiItem *item = list_nth(items, i);
		int last;

		/* known of a table that is not spoken of: it may be in one that is */
		if (item->values ? !value_is_near(item, near)
						 : item->token->kind == SA_BI_STRING)
		{
			texts = lappend(texts, sa_text_trim(item->text));
			continue;
		}
		if (!may_be_value(item, false) && !begins_run(items, i))
			continue;
		last = end_of_words(items, i);
		texts = list_concat(texts, forms_of_words(items, i, last));
		i = last;
	}
	return texts;
}

List *
sa_builtin_match_lookups(const SaBiSchema *schema, List *items, List *lookups)
{
	List *texts = unknown_texts(items, mentioned_tables(items));
	List *where = texts ? places(schema, items) : NIL;
	List *result = NIL;
	ListCell *text;
	ListCell *cell;
	ListCell *form;

	foreach (cell, where)
		foreach (text, texts)
		{
			const SaBiColumn *column = ((Place *) lfirst(cell))->column;

			result = add_lookup(result, lookups, column, lfirst(text));
			foreach (form, sa_builtin_lexicon_values(lower(lfirst(text))))
				result = add_lookup(result, lookups, column, lfirst(form));
		}
	return result;
}
