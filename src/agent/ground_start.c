/*
 * ground_start.c
 *	  Names at the beginning of a sentence, where every word has a capital.
 *
 * Called by ground_name.c.  English only.  What a word is there is told by what
 * follows: "Bob earns", "Bob's salary", "Bob and Alice", "Bob has the highest".
 * Better to miss a name than to doubt an ordinary word.
 */
#include "postgres.h"

#include <ctype.h>

#include "agent/ground_start.h"

/* What begins sentences of these forms and is nobody's name. */
static const char *const ordinary_words[] = {
	"nobody",	 "everybody", "everyone",  "somebody", "someone",  "anybody",
	"anyone",	 "nothing",	  "something", "they",	   "he",	   "she",
	"we",		 "you",		  "who",	   "whoever",  "people",   "most",
	"some",		 "many",	  "few",	   "several",  "either",   "neither",
	"others",	 "another",	  "one",	   "two",	   "three",	   "four",
	"five",		 "first",	  "second",	   "third",	   "last",	   "next",
	"today",	 "yesterday", "tomorrow",  "what",	   "let",	   "where",
	"how",		 "now",		  "which",	   "spring",   "summer",   "autumn",
	"winter",	 "fall",	  "weekend",   "morning",  "evening",  "night",
	"revenue",	 "income",	  "pay",	   "salary",   "growth",   "management",
	"staff",	 "world",	  "year",	   "month",	   "week",	   "day",
	"average",	 "median",	  "data",	   "database", "whose",	   "business",
	"company",	 "country",	  "customer",  "product",  "employee", "department",
	"everything"};

/* What people, firms and places do; with the ending that tells one of them. */
static const char *const present_verbs[] = {
	"earns", "writes", "sells",	  "buys",	  "spends",	 "lives",
	"works", "leads",  "manages", "receives", "handles", "pays"};
static const char *const past_verbs[] = {
	"earned", "wrote",	 "sold",	 "bought",	"spent",   "lived", "worked",
	"led",	  "managed", "received", "handled", "ordered", "paid",	"joined"};

/* Before which "the highest" tells a time or place, not a kind of thing. */
static const char *const prepositions[] = {
	"in",	"on",	"at",	"for",	"since", "of",	  "ever", "during", "by",
	"with", "when", "this", "last", "that",	 "among", "so",	  "and"};

static int
word_len(const char *at)
{
	int len = 0;

	while (isalpha((unsigned char) at[len]))
		len++;
	return len;
}

static bool
is_one_of(const char *at, int len, const char *const *list, int count)
{
	for (int i = 0; i < count; i++)
		if ((int) strlen(list[i]) == len &&
			pg_strncasecmp(at, list[i], len) == 0)
			return true;
	return false;
}

/* The end of the word if it is this one after one blank, else NULL. */
static const char *
skip_word(const char *at, const char *word)
{
	size_t len = strlen(word);

	if (*at != ' ' || strncmp(at + 1, word, len) != 0 ||
		isalpha((unsigned char) at[1 + len]))
		return NULL;
	return at + 1 + len;
}

/* "highest", "best-paid", "most"; the end of it, else NULL. */
static const char *
skip_superlative(const char *at)
{
	static const char *const irregular[] = {"most", "least", "best", "worst",
											"top"};
	const char *word = at + 1;
	int len;

	if (*at != ' ')
		return NULL;
	len = word_len(word);
	if (!is_one_of(word, len, irregular, lengthof(irregular)) &&
		(len < 6 || strncmp(word + len - 3, "est", 3) != 0))
		return NULL;
	at = word + len;
	while (*at == '-')
		at += 1 + word_len(at + 1);
	return at;
}

/* "has the highest salary", "is the best-paid employee" */
static bool
is_ranked(const char *behind)
{
	const char *have = skip_word(behind, "has");
	const char *be = skip_word(behind, "is");
	const char *at;

	have = have ? have : skip_word(behind, "had");
	be = be ? be : skip_word(behind, "was");
	if (have == NULL && be == NULL)
		return false;
	at = skip_word(have ? have : be, "the");
	at = at ? skip_superlative(at) : NULL;
	if (at == NULL || *at != ' ')
		return false;
	return have || (word_len(at + 1) > 0 &&
					!is_one_of(at + 1, word_len(at + 1), prepositions,
							   lengthof(prepositions)));
}

bool
sa_start_is_name(const char *word, int len)
{
	const char *behind = word + len;
	const char *next;

	if (is_one_of(word, len, ordinary_words, lengthof(ordinary_words)))
		return false;
	if (strncmp(behind, "'s ", 3) == 0 || is_ranked(behind))
		return true;
	next = skip_word(behind, "and");
	if (next && *next == ' ' && next[1] >= 'A' && next[1] <= 'Z' &&
		next[2] >= 'a' && next[2] <= 'z')
		return true;
	if (*behind != ' ')
		return false;
	behind++;
	if (is_one_of(behind, word_len(behind), present_verbs,
				  lengthof(present_verbs)))
		return true;
	/* "Customers bought" */
	return word[len - 1] != 's' && is_one_of(behind, word_len(behind),
											 past_verbs, lengthof(past_verbs));
}
