/*
 * builtin_lexicon.c
 *	  The phrases of the language's data file, kept for the life of the process.
 *
 * The file lexicon_en.txt is built in by way of a generated header; it is read
 * at the first question.
 */
#include "postgres.h"

#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "base/stem.h"
#include "base/text.h"
#include "llm/builtin_lexicon.h"
#include "llm/lexicon.gen.h"

/* Phrases are found by their first word; longer words are in no phrase. */
#define KEY_SIZE 32

static const char *const tag_names[SA_BI_NTAGS] = {
	"",		   "skip",	  "list",	   "wh",	"when",	 "where",
	"howmany", "howmuch", "distinct",  "agg",	"ratio", "op",
	"between", "after",	  "before",	   "like",	"most",	 "common",
	"sup",	   "adj",	  "ask",	   "each",	"by",	 "order",
	"dir",	   "top",	  "neg",	   "and",	"or",	 "both",
	"either",  "rel",	  "whose",	   "with",	"prep",	 "be",
	"do",	   "poss",	  "verb",	   "unit",	"past",	 "this",
	"ago",	   "today",	  "yesterday", "month", "num",	 "unitname",
	"state",   "label",	  "label2",	   "stamp", "same",	 "syn",
	"plural",  "value",	  "follow"};

typedef struct Bucket
{
	char key[KEY_SIZE];
	List *phrases; /* of SaBiPhrase *, longest first */
} Bucket;

static HTAB *by_word = NULL;	 /* first word as written */
static HTAB *by_stem = NULL;	 /* stem of the first word, for some tags */
static HTAB *value_forms = NULL; /* whole left side of value lines */
static List *by_tag[SA_BI_NTAGS];

/* Verbs come in all forms, so that their stems are compared. */
static bool
is_stemmed(SaBiTag tag)
{
	return tag == SA_BI_VERB || tag == SA_BI_LIST;
}

static HTAB *
new_table(const char *name)
{
	HASHCTL ctl = {0};

	ctl.keysize = KEY_SIZE;
	ctl.entrysize = sizeof(Bucket);
	ctl.hcxt = TopMemoryContext;
	return hash_create(name, 1024, &ctl,
					   HASH_ELEM | HASH_STRINGS | HASH_CONTEXT);
}

static Bucket *
find_bucket(HTAB *table, const char *word)
{
	char key[KEY_SIZE] = {0};

	if (strlen(word) >= KEY_SIZE)
		return NULL;
	strlcpy(key, word, KEY_SIZE);
	return hash_search(table, key, HASH_FIND, NULL);
}

static void
put(HTAB *table, const char *word, SaBiPhrase *phrase)
{
	char key[KEY_SIZE] = {0};
	bool found;
	Bucket *bucket;
	int at = 0;

	strlcpy(key, word, KEY_SIZE);
	bucket = hash_search(table, key, HASH_ENTER, &found);
	if (!found)
		bucket->phrases = NIL;
	while (at < list_length(bucket->phrases) &&
		   ((SaBiPhrase *) list_nth(bucket->phrases, at))->nwords >=
			   phrase->nwords)
		at++;
	bucket->phrases = list_insert_nth(bucket->phrases, at, phrase);
}

static SaBiTag
tag_number(const char *name, int len)
{
	for (int i = 1; i < SA_BI_NTAGS; i++)
		if ((int) strlen(tag_names[i]) == len &&
			strncmp(tag_names[i], name, len) == 0)
			return i;
	elog(ERROR, "unknown tag \"%.*s\" in the lexicon", len, name);
	return SA_BI_NONE; /* keep the compiler quiet */
}

static void
add_phrase(SaBiTag tag, const char *arg, SaBiDegree degree, char *text)
{
	SaBiPhrase *phrase = palloc0(sizeof(SaBiPhrase));
	char *equals = strstr(text, " = ");
	char *save;

	phrase->tag = tag;
	phrase->arg = arg;
	phrase->degree = degree;
	if (equals)
	{
		*equals = '\0';
		phrase->right = sa_text_trim(equals + 3);
	}
	text = sa_text_trim(text);
	if (tag == SA_BI_VALUE)
		put(value_forms, text, phrase);
	for (char *word = strtok_r(pstrdup(text), " ", &save); word;
		 word = strtok_r(NULL, " ", &save))
	{
		if (phrase->nwords >= SA_BI_MAX_NAME)
			elog(ERROR, "phrase \"%s\" of the lexicon is too long", text);
		phrase->words[phrase->nwords++] = word;
	}
	if (phrase->nwords == 0)
		return;
	by_tag[tag] = lappend(by_tag[tag], phrase);
	if (tag >= SA_BI_STATE)
		return;
	put(by_word, phrase->words[0], phrase);
	if (is_stemmed(tag))
		put(by_stem, sa_stem(phrase->words[0]), phrase);
}

/* "phrase, phrase"; for adjectives "plain; comparative; superlative | columns" */
static void
add_phrases(SaBiTag tag, const char *arg, char *text)
{
	SaBiDegree degree = SA_BI_PLAIN;
	char *next;

	for (; text; text = next)
	{
		char end = '\0';

		next = strpbrk(text, tag == SA_BI_ADJ ? ",;" : ",");
		if (next)
		{
			end = *next;
			*next++ = '\0';
		}
		add_phrase(tag, arg, degree, text);
		if (end == ';' && tag == SA_BI_ADJ)
			degree++;
	}
}

static void
read_line(char *line)
{
	char *bar = strchr(line, '|');
	int len = strcspn(line, " |");
	SaBiTag tag;
	char *arg;

	if (*line == '#' || sa_text_blank(line))
		return;
	if (bar == NULL)
		elog(ERROR, "line \"%s\" of the lexicon has no |", line);
	*bar = '\0';
	tag = tag_number(line, len);
	arg = sa_text_trim(line + len);
	if (tag == SA_BI_ADJ)
		add_phrases(tag, sa_text_trim(bar + 1), arg);
	else
		add_phrases(tag, arg, bar + 1);
}

static void
load(void)
{
	MemoryContext caller;
	char *text;
	char *end;
	bool opened;

	if (value_forms)
		return;
	opened = sa_stem_begin();
	caller = MemoryContextSwitchTo(TopMemoryContext);
	by_word = new_table("sqlagent phrases");
	by_stem = new_table("sqlagent stemmed phrases");
	value_forms = new_table("sqlagent value forms");
	text = pstrdup(SA_LEXICON_LEXICON_EN);
	for (char *line = text; line && *line; line = end)
	{
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		read_line(line);
	}
	MemoryContextSwitchTo(caller);
	sa_stem_end(opened);
}

static bool
fits(const SaBiPhrase *phrase, SaBiToken *const *tokens, int count, int at)
{
	if (at + phrase->nwords > count)
		return false;
	for (int i = 0; i < phrase->nwords; i++)
	{
		const SaBiToken *token = tokens[at + i];

		if (token->kind == SA_BI_STRING || token->kind == SA_BI_DATE)
			return false;
		if (strcmp(token->lower, phrase->words[i]) != 0)
			return false;
	}
	return true;
}

/* Whether a word is its stem with the ending of a verb, not of a noun. */
static bool
is_verb_form(const SaBiToken *token)
{
	static const char *const endings[] = {"", "s", "es", "e", "ed", "d", "ing"};
	int len = strlen(token->stem);

	if (strncmp(token->lower, token->stem, len) != 0)
		return false;
	/* planned, planning */
	if (token->lower[len] && token->lower[len] == token->lower[len - 1])
		len++;
	for (int i = 0; i < lengthof(endings); i++)
		if (strcmp(token->lower + len, endings[i]) == 0)
			return true;
	return false;
}

const SaBiPhrase *
sa_builtin_lexicon_find(SaBiToken *const *tokens, int count, int at)
{
	Bucket *bucket;
	ListCell *cell;

	load();
	if (tokens[at]->kind == SA_BI_STRING)
		return NULL;
	bucket = find_bucket(by_word, tokens[at]->lower);
	if (bucket)
		foreach (cell, bucket->phrases)
			if (fits(lfirst(cell), tokens, count, at))
				return lfirst(cell);
	if (tokens[at]->kind != SA_BI_WORD)
		return NULL;
	bucket = find_bucket(by_stem, tokens[at]->stem);
	if (bucket && is_verb_form(tokens[at]))
		foreach (cell, bucket->phrases)
			if (((SaBiPhrase *) lfirst(cell))->nwords == 1)
				return lfirst(cell);
	return NULL;
}

List *
sa_builtin_lexicon_all(SaBiTag tag)
{
	load();
	return by_tag[tag];
}

int
sa_builtin_lexicon_span(SaBiTag tag, const char *arg, SaBiToken *const *tokens,
						int count, int at)
{
	int longest = 0;
	ListCell *cell;

	foreach (cell, sa_builtin_lexicon_all(tag))
	{
		const SaBiPhrase *phrase = lfirst(cell);

		if (strcmp(phrase->arg, arg) == 0 && phrase->nwords > longest &&
			fits(phrase, tokens, count, at))
			longest = phrase->nwords;
	}
	return longest;
}

bool
sa_builtin_lexicon_is_state(const char *lower)
{
	ListCell *cell;

	foreach (cell, sa_builtin_lexicon_all(SA_BI_STATE))
		if (strcmp(((SaBiPhrase *) lfirst(cell))->words[0], lower) == 0)
			return true;
	return false;
}

List *
sa_builtin_lexicon_values(const char *lower)
{
	Bucket *bucket;
	List *result = NIL;
	ListCell *cell;

	load();
	bucket = find_bucket(value_forms, lower);
	if (bucket)
		foreach (cell, bucket->phrases)
			result = lappend(
				result,
				unconstify(char *, ((SaBiPhrase *) lfirst(cell))->right));
	return result;
}
