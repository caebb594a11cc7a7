/*
 * builtin_name.c
 *	  Names of tables and columns taken apart, and how well words fit them.
 *
 * Pure but for the stems.  A name is compared as a whole (so that "life
 * expectancy" fits lifeexpectancy), word by word, by other spellings and
 * synonyms of the lexicon, and in part.
 */
#include "postgres.h"

#include <ctype.h>

#include "lib/stringinfo.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "base/stem.h"
#include "llm/builtin_lexicon.h"

#define KEY_SIZE 32
#define MAX_GROUPS 6

#define SCORE_SAME 100
#define SCORE_SPELLING 96
#define SCORE_SYNONYM 84

/* The groups of a word or phrase: even numbers spellings, odd ones synonyms. */
struct SaBiMember
{
	char key[KEY_SIZE]; /* hash key */
	int n;
	int groups[MAX_GROUPS];
};

static HTAB *members = NULL;
static HTAB *plurals = NULL;

typedef struct Plural
{
	char key[KEY_SIZE];
	const char *singular;
} Plural;

static HTAB *
new_table(const char *name, Size entry_size)
{
	HASHCTL ctl = {0};

	ctl.keysize = KEY_SIZE;
	ctl.entrysize = entry_size;
	ctl.hcxt = TopMemoryContext;
	return hash_create(name, 256, &ctl,
					   HASH_ELEM | HASH_STRINGS | HASH_CONTEXT);
}

static void *
find(HTAB *table, const char *word)
{
	char key[KEY_SIZE] = {0};

	if (strlen(word) >= KEY_SIZE)
		return NULL;
	strlcpy(key, word, KEY_SIZE);
	return hash_search(table, key, HASH_FIND, NULL);
}

static void
add_member(const char *word, int group)
{
	char key[KEY_SIZE] = {0};
	bool found;
	SaBiMember *member;

	strlcpy(key, word, KEY_SIZE);
	member = hash_search(members, key, HASH_ENTER, &found);
	if (!found)
		member->n = 0;
	for (int i = 0; i < member->n; i++)
		if (member->groups[i] == group)
			return;
	if (member->n < MAX_GROUPS)
		member->groups[member->n++] = group;
}

/* The word whose stem is compared: the singular of an irregular plural. */
static const char *
stem_of(const char *word)
{
	Plural *plural = find(plurals, word);

	return sa_stem(plural ? plural->singular : word);
}

static void
load_plurals(void)
{
	ListCell *cell;

	plurals = new_table("sqlagent plurals", sizeof(Plural));
	foreach (cell, sa_builtin_lexicon_all(SA_BI_PLURAL))
	{
		SaBiPhrase *phrase = lfirst(cell);
		char key[KEY_SIZE] = {0};
		bool found;
		Plural *plural;

		strlcpy(key, phrase->words[0], KEY_SIZE);
		plural = hash_search(plurals, key, HASH_ENTER, &found);
		plural->singular = phrase->right;
	}
}

static const SaBiMember *
member_of(const char *raw, const char *stem)
{
	const SaBiMember *member;

	if (members == NULL)
		return NULL;
	member = find(members, stem);
	return member ? member : find(members, raw);
}

static SaBiName *
make_name(const char *const *words, int n)
{
	SaBiName *name = palloc0(sizeof(SaBiName));
	StringInfoData joined;

	initStringInfo(&joined);
	name->n = Min(n, SA_BI_MAX_NAME);
	for (int i = 0; i < name->n; i++)
	{
		name->raw[i] = words[i];
		name->stem[i] = stem_of(words[i]);
		appendStringInfoString(&joined, words[i]);
	}
	name->joined = joined.data;
	name->joined_stem = n == 1 ? name->stem[0] : sa_stem(joined.data);
	name->joined_member = member_of(name->joined, name->joined_stem);
	for (int i = 0; i < name->n; i++)
		name->member[i] = member_of(name->raw[i], name->stem[i]);
	return name;
}

static void
load_groups(SaBiTag tag, int odd)
{
	static int next_group = 0;
	ListCell *cell;
	const char *last_arg = NULL;

	/* phrases of one line share the pointer of their argument */
	foreach (cell, sa_builtin_lexicon_all(tag))
	{
		SaBiPhrase *phrase = lfirst(cell);
		SaBiName *name;

		if (phrase->arg != last_arg)
			next_group += 2;
		last_arg = phrase->arg;
		name = make_name(phrase->words, phrase->nwords);
		add_member(name->joined, next_group + odd);
		add_member(name->joined_stem, next_group + odd);
	}
}

static void
load(void)
{
	bool opened;

	if (members)
		return;
	opened = sa_stem_begin();
	load_plurals();
	members = new_table("sqlagent synonyms", sizeof(SaBiMember));
	load_groups(SA_BI_SAME, 0);
	load_groups(SA_BI_SYN, 1);
	sa_stem_end(opened);
}

SaBiName *
sa_builtin_name_split(const char *name)
{
	const char *words[SA_BI_MAX_NAME];
	int n = 0;

	load();
	while (*name && n < SA_BI_MAX_NAME)
	{
		const char *begin;
		char *word;

		while (*name && !isalnum((unsigned char) *name) &&
			   (unsigned char) *name < 0x80)
			name++;
		if (*name == '\0')
			break;
		begin = name++;
		/* a word ends at a sign, before aB, at Ab of ABb, and round digits */
		while (
			*name &&
			(isalnum((unsigned char) *name) || (unsigned char) *name >= 0x80) &&
			!(isupper((unsigned char) *name) &&
			  islower((unsigned char) name[-1])) &&
			!(isupper((unsigned char) *name) &&
			  islower((unsigned char) name[1]) &&
			  isupper((unsigned char) name[-1])) &&
			!(isdigit((unsigned char) *name) !=
			  isdigit((unsigned char) name[-1])))
			name++;
		word = pnstrdup(begin, name - begin);
		for (char *p = word; *p; p++)
			*p = pg_ascii_tolower((unsigned char) *p);
		words[n++] = word;
	}
	return make_name(words, n);
}

SaBiName *
sa_builtin_name_tokens(SaBiToken *const *tokens, int from, int to)
{
	StringInfoData text;

	load();
	initStringInfo(&text);
	/* a token may itself be a name: sender_type */
	for (int i = from; i < to; i++)
		appendStringInfo(&text, "%s ", tokens[i]->lower);
	return sa_builtin_name_split(text.data);
}

SaBiName *
sa_builtin_name_slice(const SaBiName *name, int from, int to)
{
	load();
	return make_name(name->raw + from, to - from);
}

/* director and directed, expected and expectancy; verbs are no names. */
static bool
is_derived(const char *said, const char *stem_a, const char *stem_b)
{
	int len;
	int a;
	int b;

	if (strncmp(stem_a, stem_b, 5) != 0)
		return false;
	len = strlen(said);
	a = strlen(stem_a);
	b = strlen(stem_b);
	if (Min(a, b) < 5 || abs(a - b) > 3 ||
		(len > 3 && (strcmp(said + len - 2, "ed") == 0 ||
					 strcmp(said + len - 3, "ing") == 0)))
		return false;
	return strncmp(stem_a, stem_b, Min(a, b)) == 0;
}

static int
compare_groups(const SaBiMember *a, const SaBiMember *b)
{
	int best = 0;

	if (a == NULL || b == NULL)
		return 0;
	for (int i = 0; i < a->n; i++)
		for (int j = 0; j < b->n; j++)
			if (a->groups[i] == b->groups[j])
				best = Max(best,
						   a->groups[i] % 2 ? SCORE_SYNONYM : SCORE_SPELLING);
	return best;
}

/* How well two words fit: 0, or one of the scores. */
static int
compare_words(const SaBiName *a, int i, const SaBiName *b, int j)
{
	if (strcmp(a->raw[i], b->raw[j]) == 0 ||
		strcmp(a->stem[i], b->stem[j]) == 0)
		return SCORE_SAME;
	if (is_derived(a->raw[i], a->stem[i], b->stem[j]))
		return SCORE_SYNONYM;
	return compare_groups(a->member[i], b->member[j]);
}

/* All words of said are in name; the last one of both the same counts more. */
static int
compare_part(const SaBiName *said, const SaBiName *name)
{
	bool head = false;
	int worst = SCORE_SAME;
	bool used[SA_BI_MAX_NAME] = {false};

	if (said->n == 0 || said->n >= name->n)
		return 0;
	for (int i = 0; i < said->n; i++)
	{
		int best = 0;
		int at = -1;

		for (int j = 0; j < name->n; j++)
		{
			int score = used[j] ? 0 : compare_words(said, i, name, j);

			if (score > best || (score == best && score && j == name->n - 1))
			{
				best = score;
				at = j;
			}
		}
		if (best == 0)
			return 0;
		used[at] = true;
		worst = Min(worst, best);
		if (i == said->n - 1 && at == name->n - 1)
			head = true;
	}
	return (head ? 60 : 50) + 8 * said->n / name->n - (SCORE_SAME - worst) / 4;
}

/* As a whole, so that "life expectancy" fits lifeexpectancy. */
static int
compare_joined(const SaBiName *said, const SaBiName *name)
{
	if (strcmp(said->joined, name->joined) == 0 ||
		strcmp(said->joined_stem, name->joined_stem) == 0)
		return SCORE_SAME;
	return compare_groups(said->joined_member, name->joined_member);
}

int
sa_builtin_name_compare(const SaBiName *said, const SaBiName *name)
{
	int worst;

	if (said->n == 0 || name->n == 0)
		return 0;
	worst = compare_joined(said, name);
	if (worst == SCORE_SAME)
		return worst;
	if (said->n == name->n)
	{
		int pairs = SCORE_SAME;

		for (int i = 0; i < said->n && pairs; i++)
			pairs = Min(pairs, compare_words(said, i, name, i));
		worst = Max(worst, pairs);
	}
	if (worst)
		return worst;
	return compare_part(said, name);
}

bool
sa_builtin_name_is(const SaBiName *name, const char *words)
{
	return sa_builtin_name_compare(sa_builtin_name_split(words), name) >= 95;
}
