/*
 * words.c
 *	  Text into words that can be compared.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_collation.h"
#include "mb/pg_wchar.h"
#include "nodes/makefuncs.h"
#include "tsearch/ts_cache.h"
#include "tsearch/ts_public.h"
#include "utils/builtins.h"
#include "utils/formatting.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "base/guc.h"
#include "db/words.h"

/* What the default parser of text search calls a word. */
#define DEFAULT_PARSER 3722
#define TOKEN_WORD 2

typedef enum CharClass
{
	CHAR_OTHER,
	CHAR_LOWER,
	CHAR_UPPER,
	CHAR_DIGIT,
	CHAR_LETTER /* beyond ASCII */
} CharClass;

static CharClass
classify(unsigned char c)
{
	if (c >= 'a' && c <= 'z')
		return CHAR_LOWER;
	if (c >= 'A' && c <= 'Z')
		return CHAR_UPPER;
	if (c >= '0' && c <= '9')
		return CHAR_DIGIT;
	return IS_HIGHBIT_SET(c) ? CHAR_LETTER : CHAR_OTHER;
}

char *
sa_words_lower(const char *text, int len)
{
	return str_tolower(text, len, DEFAULT_COLLATION_OID);
}

/* The server's English stemmer; NULL where it was dropped. */
static TSDictionaryCacheEntry *
stemmer(void)
{
	Oid oid = get_ts_dict_oid(
		list_make2(makeString("pg_catalog"), makeString("english_stem")), true);

	return OidIsValid(oid) ? lookup_ts_dictionary_cache(oid) : NULL;
}

static Oid language = InvalidOid;

Oid
sa_words_language(void)
{
	const char *name = *sa_guc_text_search_config ? sa_guc_text_search_config
												  : TSCurrentConfig;
	Oid config;
	const TSConfigCacheEntry *entry;
	const ListDictionary *dictionaries;

	if (strcmp(name, "english") == 0 || strcmp(name, "pg_catalog.english") == 0)
		return InvalidOid;
	config = get_ts_config_oid(sa_qualified_name_list(name), true);
	if (!OidIsValid(config))
		return InvalidOid;
	entry = lookup_ts_config_cache(config);
	if (entry->prsId != DEFAULT_PARSER || entry->lenmap <= TOKEN_WORD)
		return InvalidOid;
	dictionaries = &entry->map[TOKEN_WORD];
	return dictionaries->len > 0 ? dictionaries->dictIds[dictionaries->len - 1]
								 : InvalidOid;
}

/* NULL when the dictionary does not know the word. */
static TSLexeme *
look_up(TSDictionaryCacheEntry *dictionary, const char *word)
{
	return (TSLexeme *) DatumGetPointer(FunctionCall4(
		&dictionary->lexize, PointerGetDatum(dictionary->dictData),
		PointerGetDatum(word), Int32GetDatum(strlen(word)),
		PointerGetDatum(NULL)));
}

/* A stop word of that language may well be a name: it is left as it is. */
static char *
stem_in_language(char *word)
{
	TSLexeme *lexemes = NULL;

	if (OidIsValid(language))
		lexemes = look_up(lookup_ts_dictionary_cache(language), word);
	return lexemes && lexemes->lexeme ? lexemes->lexeme : word;
}

/* Plurals that no stemmer knows. */
static const struct
{
	const char *plural;
	const char *singular;
} irregular[] = {{"people", "person"},	{"persons", "person"},
				 {"children", "child"}, {"men", "man"},
				 {"women", "woman"},	{"feet", "foot"},
				 {"mice", "mouse"},		{"indices", "index"}};

static char *
find_stem(const char *word)
{
	TSDictionaryCacheEntry *dictionary = stemmer();
	TSLexeme *lexemes;

	for (int i = 0; i < lengthof(irregular); i++)
		if (strcmp(word, irregular[i].plural) == 0)
			word = irregular[i].singular;
	lexemes = dictionary ? look_up(dictionary, word) : NULL;
	if (lexemes && lexemes->lexeme == NULL)
		return NULL;
	return stem_in_language(lexemes ? lexemes->lexeme : pstrdup(word));
}

/* Words whose stem was asked for; most of them are asked for again. */
typedef struct KnownWord
{
	char word[SA_WORD_MAX + 1]; /* hash key */
	bool stop;
	char stem[SA_WORD_MAX + 1];
} KnownWord;

/* Forget them all at this number. */
#define MAX_KNOWN 50000

static HTAB *known_words = NULL;

static void
make_known_words(void)
{
	HASHCTL ctl = {0};

	ctl.keysize = SA_WORD_MAX + 1;
	ctl.entrysize = sizeof(KnownWord);
	ctl.hcxt = TopMemoryContext;
	known_words = hash_create("sqlagent words", 1024, &ctl,
							  HASH_ELEM | HASH_STRINGS | HASH_CONTEXT);
}

static void
forget_known_words(void)
{
	if (known_words)
		hash_destroy(known_words);
	known_words = NULL;
}

void
sa_words_limit(void)
{
	if (known_words && hash_get_num_entries(known_words) >= MAX_KNOWN)
		forget_known_words();
}

void
sa_words_speak(Oid dictionary)
{
	if (dictionary == language)
		return;
	forget_known_words();
	language = dictionary;
}

const char *
sa_words_stem(const char *word)
{
	KnownWord *known;
	char *stem;

	if (known_words == NULL)
		make_known_words();
	known = hash_search(known_words, word, HASH_FIND, NULL);
	if (known == NULL)
	{
		stem = find_stem(word);
		known = hash_search(known_words, word, HASH_ENTER, NULL);
		known->stop = stem == NULL;
		strlcpy(known->stem, stem ? stem : "", sizeof(known->stem));
	}
	return known->stop ? NULL : known->stem;
}

/* Does a new word begin between these two characters? */
static bool
is_boundary(CharClass before, CharClass here, CharClass next)
{
	if (here == CHAR_OTHER || before == CHAR_OTHER)
		return true;
	if ((before == CHAR_DIGIT) != (here == CHAR_DIGIT))
		return true;
	if (before == CHAR_LOWER && here == CHAR_UPPER)
		return true;
	/* the last capital of "HTTPServer" begins the next word */
	return before == CHAR_UPPER && here == CHAR_UPPER && next == CHAR_LOWER;
}

/* Lower case into word; false when it is too long. */
static bool
copy_word(const char *start, int len, bool ascii, char *word)
{
	char *lower;

	if (len > SA_WORD_MAX)
		return false;
	if (ascii)
	{
		for (int i = 0; i < len; i++)
			word[i] = pg_ascii_tolower((unsigned char) start[i]);
		word[len] = '\0';
		return true;
	}
	lower = sa_words_lower(start, len);
	if (strlen(lower) > SA_WORD_MAX)
		return false;
	strlcpy(word, lower, SA_WORD_MAX + 1);
	pfree(lower);
	return true;
}

bool
sa_words_next(const char **text, char word[SA_WORD_MAX + 1])
{
	const char *p = *text;

	while (*p)
	{
		const char *start;
		CharClass before;
		bool ascii = true;

		while (*p && classify((unsigned char) *p) == CHAR_OTHER)
			p++;
		start = p;
		before = CHAR_OTHER;
		for (; *p; p++)
		{
			CharClass here = classify((unsigned char) *p);
			CharClass next = p[1] ? classify((unsigned char) p[1]) : CHAR_OTHER;

			if (p > start && is_boundary(before, here, next))
				break;
			ascii = ascii && here != CHAR_LETTER;
			before = here;
		}
		*text = p;
		if (p > start && copy_word(start, p - start, ascii, word))
			return true;
	}
	*text = p;
	return false;
}

/* Smallest of three. */
static int
least(int a, int b, int c)
{
	return Min(a, Min(b, c));
}

int
sa_words_distance(const char *left, const char *right, int max)
{
	int nleft = strlen(left);
	int nright = strlen(right);
	int rows[3][SA_WORD_MAX + 1];
	int *previous = rows[0];
	int *row = rows[1];
	int *older = rows[2];

	if (abs(nleft - nright) > max || nright > SA_WORD_MAX)
		return max + 1;
	for (int j = 0; j <= nright; j++)
		previous[j] = j;
	for (int i = 1; i <= nleft; i++)
	{
		int best = row[0] = i;
		int *spare;

		for (int j = 1; j <= nright; j++)
		{
			int change = left[i - 1] != right[j - 1];

			row[j] = least(previous[j] + 1, row[j - 1] + 1,
						   previous[j - 1] + change);
			if (i > 1 && j > 1 && left[i - 1] == right[j - 2] &&
				left[i - 2] == right[j - 1])
				row[j] = Min(row[j], older[j - 2] + 1);
			best = Min(best, row[j]);
		}
		if (best > max)
			return max + 1;
		spare = older;
		older = previous;
		previous = row;
		row = spare;
	}
	return previous[nright];
}
