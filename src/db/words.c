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
#include "utils/formatting.h"

#include "db/words.h"

/* A longer word is no word. */
#define MAX_WORD 64

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

static char *
stem_word(TSDictionaryCacheEntry *dictionary, char *word)
{
	TSLexeme *lexemes;

	if (dictionary == NULL)
		return word;
	lexemes = (TSLexeme *) DatumGetPointer(FunctionCall4(
		&dictionary->lexize, PointerGetDatum(dictionary->dictData),
		PointerGetDatum(word), Int32GetDatum(strlen(word)),
		PointerGetDatum(NULL)));
	if (lexemes == NULL)
		return word;
	return lexemes->lexeme;
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

static void
add_word(List **words, TSDictionaryCacheEntry *dictionary, const char *start,
		 int len)
{
	SaWord *word;

	if (len <= 0 || len > MAX_WORD)
		return;
	word = palloc(sizeof(SaWord));
	word->text = sa_words_lower(start, len);
	word->stem = stem_word(dictionary, word->text);
	*words = lappend(*words, word);
}

List *
sa_words_split(const char *text)
{
	TSDictionaryCacheEntry *dictionary = stemmer();
	List *words = NIL;
	const char *start = text;
	CharClass before = CHAR_OTHER;
	const char *p;

	for (p = text; *p; p++)
	{
		CharClass here = classify((unsigned char) *p);
		CharClass next = p[1] ? classify((unsigned char) p[1]) : CHAR_OTHER;

		if (is_boundary(before, here, next))
		{
			if (before != CHAR_OTHER)
				add_word(&words, dictionary, start, p - start);
			start = p;
		}
		before = here;
	}
	if (before != CHAR_OTHER)
		add_word(&words, dictionary, start, p - start);
	return words;
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
	int rows[3][MAX_WORD + 1];
	int *previous = rows[0];
	int *row = rows[1];
	int *older = rows[2];

	if (abs(nleft - nright) > max || nright > MAX_WORD)
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
