/*
 * expand.c
 *	  From the words of a question to the words that tables have.
 */
#include "postgres.h"

#include "db/expand.h"
#include "db/words.h"

/* What another form of a word counts, against the word itself. */
#define FACTOR_PART 0.6	 /* "order" in "orderlines" */
#define FACTOR_SHORT 0.5 /* "qty" for "quantity" */
#define FACTOR_MISSPELT 0.6
#define FACTOR_JOINED 0.9 /* "order line" for "orderline" */
/* More forms than this of one word say nothing. */
#define MAX_FORMS 24

typedef struct Forms
{
	int count;
	SaExpansion forms[MAX_FORMS];
} Forms;

static void
add_form(Forms *forms, const SaTerm *term, double factor)
{
	if (term == NULL || term->count == 0)
		return;
	for (int i = 0; i < forms->count; i++)
		if (forms->forms[i].term == term)
		{
			forms->forms[i].factor = Max(forms->forms[i].factor, factor);
			return;
		}
	if (forms->count < MAX_FORMS)
		forms->forms[forms->count++] = (SaExpansion){term, factor};
}

static bool
is_vowel(char c)
{
	return strchr("aeiou", c) != NULL;
}

/*
 * Is "name" how names shorten "word"?  Its beginning ("desc" for description),
 * or that and some of the consonants that follow ("qty", "cust", "dept").
 */
static bool
is_short_for(const char *name, int len, const char *word, int word_len)
{
	int same = 0;
	const char *p;

	if (len < 2 || len > 5 || word_len < len + 2 || name[0] != word[0])
		return false;
	while (same < len && name[same] == word[same])
		same++;
	if (same == len)
		return len >= 3;
	p = word + same;
	for (int i = same; i < len; i++)
	{
		if (is_vowel(name[i]))
			return false;
		while (*p && *p != name[i])
			p++;
		if (*p == '\0')
			return false;
		p++;
	}
	return len >= 3 || name[1] == word[word_len - 1];
}

/* How another term of the index is a form of the word; 0 if it is not. */
static double
form_factor(const char *written, const char *word, int len, const SaTerm *term,
			bool known)
{
	const char *text = term->text;
	int text_len = strlen(text);
	int max;

	if (len >= 4 && text_len > len)
	{
		if (strncmp(text, word, len) == 0 ||
			strcmp(text + text_len - len, word) == 0)
			return FACTOR_PART;
	}
	if (text_len >= 4 && text_len < len && strncmp(text, word, text_len) == 0 &&
		len <= text_len + 3)
		return FACTOR_PART;
	if (is_short_for(term->written, strlen(term->written), written,
					 strlen(written)) ||
		is_short_for(written, strlen(written), term->written,
					 strlen(term->written)))
		return FACTOR_SHORT;
	/* what occurs as it is written is not misspelt */
	if (known || len < 4 || text_len < 4)
		return 0;
	max = len >= 8 ? 2 : 1;
	if (sa_words_distance(text, word, max) <= max)
		return FACTOR_MISSPELT;
	return 0;
}

static void
find_forms(SaIndex *index, const char *written, const char *stem,
		   const SaTerm *exact, Forms *forms)
{
	int len = strlen(stem);

	if (len < 2 || !isalpha((unsigned char) stem[0]))
		return;
	for (int i = 0; i < index->nlist; i++)
	{
		const SaTerm *term = index->list[i];
		double factor;

		if (term == exact ||
			!(term->fields & (SA_FIELD_NAME | SA_FIELD_COLUMN)))
			continue;
		factor = form_factor(written, stem, len, term, exact != NULL);
		if (factor > 0)
			add_form(forms, term, factor);
	}
}

/* Words that stand together in the question as names write them. */
static void
find_joined(SaIndex *index, char words[][SA_WORD_MAX + 1], int count, int first,
			Forms *forms)
{
	char joined[SA_WORD_MAX * 2 + 1];
	char initials[8];
	int ninitials = 0;

	if (first + 1 < count)
	{
		const char *stem;

		snprintf(joined, sizeof(joined), "%s%s", words[first],
				 words[first + 1]);
		stem = strlen(joined) <= SA_WORD_MAX ? sa_words_stem(joined) : NULL;
		if (stem)
			add_form(forms, sa_index_term(index, stem), FACTOR_JOINED);
	}
	for (int i = first; i < count && ninitials < 4; i++)
	{
		initials[ninitials++] = words[i][0];
		initials[ninitials] = '\0';
		if (ninitials > 1)
			add_form(forms, sa_index_term(index, initials), FACTOR_SHORT);
	}
}

static bool
seen_before(const SaQueryWord *words, int count, const char *stem)
{
	for (int i = 0; i < count; i++)
		if (strcmp(words[i].stem, stem) == 0)
			return true;
	return false;
}

SaQueryWord *
sa_expand_question(SaIndex *index, const char *question, int *count)
{
	char(*words)[SA_WORD_MAX + 1] =
		palloc(SA_EXPAND_MAX_WORDS * (SA_WORD_MAX + 1));
	SaQueryWord *query = palloc(sizeof(SaQueryWord) * SA_EXPAND_MAX_WORDS);
	int nwords = 0;

	while (nwords < SA_EXPAND_MAX_WORDS &&
		   sa_words_next(&question, words[nwords]))
		nwords++;
	*count = 0;
	for (int i = 0; i < nwords; i++)
	{
		const char *stem = sa_words_stem(words[i]);
		Forms forms = {0};
		SaQueryWord *word = &query[*count];

		if (stem == NULL || seen_before(query, *count, stem))
			continue;
		word->stem = stem;
		word->exact = sa_index_term(index, stem);
		add_form(&forms, word->exact, 1);
		find_joined(index, words, nwords, i, &forms);
		find_forms(index, words[i], stem, word->exact, &forms);
		word->count = forms.count;
		word->expansions = palloc(sizeof(SaExpansion) * Max(forms.count, 1));
		memcpy(word->expansions, forms.forms,
			   sizeof(SaExpansion) * forms.count);
		(*count)++;
	}
	return query;
}
