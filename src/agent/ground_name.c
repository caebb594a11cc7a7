/*
 * ground_name.c
 *	  The proper names in a text, as far as capital letters tell them.
 *
 * A name is a run of words that begin with a capital letter.  The first word of
 * a sentence begins with one anyway, so that by itself it counts only where
 * ground_start.c says so; in a language that writes all nouns so, only runs of
 * two and more count.  Scripts without capitals: what stands in quotation marks.
 * Better to miss a name than to doubt an ordinary word.
 */
#include "postgres.h"

#include <wctype.h>

#include "lib/stringinfo.h"

#include "mb/pg_wchar.h"

#include "agent/ground_claim.h"
#include "agent/ground_name.h"
#include "agent/ground_start.h"
#include "base/wait.h"

typedef struct Word
{
	const char *start;
	int len;
	bool capital;
	bool starts_sentence;
	bool follows; /* only blanks lie between it and the word before */
} Word;

/* Words in capitals that are no names. */
static const char *const common_words[] = {
	"i",	   "the",		"a",		 "an",		"in",		 "on",
	"at",	   "of",		"for",		 "and",		"or",		 "but",
	"with",	   "from",		"by",		 "to",		"as",		 "all",
	"this",	   "that",		"these",	 "those",	"it",		 "its",
	"there",   "no",		"only",		 "both",	"each",		 "our",
	"your",	   "their",		"total",	 "while",	"however",	 "here",
	"is",	   "are",		"was",		 "were",	"not",		 "none",
	"january", "february",	"march",	 "april",	"may",		 "june",
	"july",	   "august",	"september", "october", "november",	 "december",
	"jan",	   "feb",		"mar",		 "apr",		"jun",		 "jul",
	"aug",	   "sep",		"oct",		 "nov",		"dec",		 "monday",
	"tuesday", "wednesday", "thursday",	 "friday",	"saturday",	 "sunday",
	"dollar",  "dollars",	"euro",		 "euros",	"yes",		 "null",
	"note",	   "answer",	"result",	 "sql",		"postgresql"};

/* Where every noun has a capital. */
static const char *const german_words[] = {"der", "die", "das",	 "und", "ist",
										   "mit", "von", "den",	 "dem", "ein",
										   "im",  "es",	 "sind", "hat"};

/* The character at the place as libc's wide character; 0 at the end. */
static wint_t
char_at(const char *at, int *len)
{
	*len = *at ? pg_mblen(at) : 0;
	if (*len == 1 || *at == '\0')
		return (unsigned char) *at;
	if (GetDatabaseEncoding() == PG_UTF8)
		return utf8_to_unicode((const unsigned char *) at);
	return WEOF;
}

static bool
is_letter(wint_t c)
{
	return c >= 0x80 || (c < 0x80 && iswalpha(c));
}

static bool
is_capital(wint_t c)
{
	return c != WEOF && iswupper(c);
}

char *
sa_claims_fold(const char *text)
{
	StringInfoData out;
	int len;

	initStringInfo(&out);
	for (; *text; text += len)
	{
		wint_t c = char_at(text, &len);

		if (len == 1 || c == WEOF || !iswupper(c))
			appendBinaryStringInfo(&out, text, len);
		else
		{
			unsigned char folded[8] = {0};

			(void) unicode_to_utf8((pg_wchar) towlower(c), folded);
			appendStringInfoString(&out, (char *) folded);
		}
		if (len == 1)
			out.data[out.len - 1] =
				(char) pg_tolower((unsigned char) out.data[out.len - 1]);
	}
	return out.data;
}

/* A dash or an apostrophe inside a word belongs to it. */
static int
word_len(const char *start)
{
	const char *at = start;
	int len;

	for (;;)
	{
		wint_t c = char_at(at, &len);

		if (c == 0)
			break;
		if (!is_letter(c) && !((c == '-' || c == '\'') && at > start &&
							   is_letter(char_at(at + 1, &len))))
			break;
		(void) char_at(at, &len);
		at += len;
	}
	/* "Bob's" is about Bob. */
	if (at - start > 2 && at[-2] == '\'' && at[-1] == 's')
		at -= 2;
	return (int) (at - start);
}

/* Whether what lies before the word ends a sentence. */
static bool
starts_sentence(const char *text, const char *at)
{
	while (at > text && strchr(" \t\"'*_(`", at[-1]))
		at--;
	return at == text || strchr(".!?:;\n-#|>", at[-1]) != NULL;
}

static bool
only_blanks(const char *from, const char *to)
{
	for (; from < to; from++)
		if (*from != ' ')
			return false;
	return true;
}

static List *
split_words(const char *text)
{
	List *words = NIL;
	const char *at = text;
	const char *end_of_last = NULL;

	while (*at)
	{
		int len;
		wint_t c = char_at(at, &len);
		Word *word;

		if (!is_letter(c))
		{
			at += len;
			continue;
		}
		word = palloc(sizeof(Word));
		word->start = at;
		word->len = word_len(at);
		word->capital = is_capital(c);
		word->starts_sentence = starts_sentence(text, at);
		word->follows = end_of_last && only_blanks(end_of_last, at);
		words = lappend(words, word);
		at += Max(word->len, len);
		end_of_last = at;
	}
	return words;
}

static bool
is_one_of(const Word *word, const char *const *list, int count)
{
	for (int i = 0; i < count; i++)
		if ((int) strlen(list[i]) == word->len &&
			pg_strncasecmp(list[i], word->start, word->len) == 0)
			return true;
	return false;
}

static bool
is_german(const List *words)
{
	int count = 0;
	ListCell *cell;

	foreach (cell, words)
		if (is_one_of(lfirst(cell), german_words, lengthof(german_words)))
			count++;
	return count >= 2;
}

/* USD, ID: more likely an abbreviation than a name. */
static bool
is_abbreviation(const Word *word)
{
	for (int i = 0; i < word->len; i++)
		if (word->start[i] < 'A' || word->start[i] > 'Z')
			return false;
	return true;
}

static bool
may_be_name(const Word *word)
{
	return word->capital && word->len > 1 && !is_abbreviation(word) &&
		   !is_one_of(word, common_words, lengthof(common_words)) &&
		   !is_one_of(word, german_words, lengthof(german_words));
}

/* A heading is written with capitals. */
static bool
in_heading(const char *text, const char *at)
{
	const char *end = at + strcspn(at, "\n");

	while (at > text && at[-1] != '\n')
		at--;
	at += strspn(at, " \t");
	if (*at == '#' || *at == '|')
		return true;
	while (end > at && strchr(" \t:", end[-1]))
		end--;
	return strncmp(at, "**", 2) == 0 && end - at > 4 && end[-1] == '*';
}

static SaClaim *
make_claim(const List *words, int from, int to)
{
	const Word *first = list_nth(words, from);
	const Word *last = list_nth(words, to - 1);
	SaClaim *claim = palloc0(sizeof(SaClaim));

	claim->kind = SA_CLAIM_NAME;
	claim->text =
		pnstrdup(first->start, last->start + last->len - first->start);
	for (int i = from; i < to; i++)
	{
		const Word *word = list_nth(words, i);

		claim->words = lappend(
			claim->words, sa_claims_fold(pnstrdup(word->start, word->len)));
	}
	return claim;
}

/* Quotation marks, and what closes each. */
static const struct
{
	const char *open;
	const char *close;
} quotes[] = {{"\xe3\x80\x8c", "\xe3\x80\x8d"}, /* corner brackets */
			  {"\xe3\x80\x8e", "\xe3\x80\x8f"}, /* white ones */
			  {"\xe2\x80\x9c", "\xe2\x80\x9d"}, /* high double ones */
			  {"\xc2\xab", "\xc2\xbb"},			/* pointed ones */
			  {"\"", "\""}};

/* Above Hebrew there are no capitals, but for a few scripts and signs. */
#define FIRST_WITHOUT_CAPITALS 0x0590

/* Whether all of its letters are of scripts without capitals. */
static bool
has_no_capitals(const char *at, const char *end)
{
	bool found = false;

	while (at < end)
	{
		int len;
		wint_t c = char_at(at, &len);

		if (c == WEOF || c == '\n' ||
			(c < FIRST_WITHOUT_CAPITALS && is_letter(c)))
			return false;
		found = found || c >= FIRST_WITHOUT_CAPITALS;
		at += len;
	}
	return found;
}

static List *
find_quoted(const char *text)
{
	List *claims = NIL;

	for (const char *at = text; *at; at++)
		for (int i = 0; i < (int) lengthof(quotes); i++)
		{
			const char *start = at + strlen(quotes[i].open);
			const char *end;
			SaClaim *claim;

			if (strncmp(at, quotes[i].open, start - at) != 0)
				continue;
			end = strstr(start, quotes[i].close);
			if (end == NULL || !has_no_capitals(start, end))
				continue;
			claim = palloc0(sizeof(SaClaim));
			claim->kind = SA_CLAIM_QUOTED;
			claim->text = pnstrdup(start, end - start);
			claims = lappend(claims, claim);
			at = end;
			break;
		}
	return claims;
}

/* Whether these words that have capitals are a name. */
static bool
is_name(const char *text, const Word *first, int count, bool german)
{
	if (in_heading(text, first->start))
		return false;
	if (count > 1)
		return true;
	return count == 1 && !german &&
		   (!first->starts_sentence ||
			sa_start_is_name(first->start, first->len));
}

List *
sa_names_find(const char *text)
{
	List *words = split_words(text);
	bool german = is_german(words);
	List *claims = NIL;
	int i = 0;

	while (i < list_length(words))
	{
		const Word *word = list_nth(words, i);
		int end = i;

		sa_wait_check();
		while (end < list_length(words) && may_be_name(list_nth(words, end)) &&
			   (end == i || ((Word *) list_nth(words, end))->follows))
			end++;
		if (is_name(text, word, end - i, german))
			claims = lappend(claims, make_claim(words, i, end));
		i = Max(end, i + 1);
	}
	if (GetDatabaseEncoding() == PG_UTF8)
		claims = list_concat(claims, find_quoted(text));
	return claims;
}
