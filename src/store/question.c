/*
 * question.c
 *	  When two questions are the same, and what a question says in the places
 *	  that a pattern leaves open.
 *
 * Used by pattern and row.  Works on text alone.
 *
 * Only punctuation at the ends of words is left out: 2.5 and 25, -5 and 5, and
 * a > b and a < b are not the same question.
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "mb/pg_wchar.h"
#include "utils/formatting.h"

#include "base/text.h"
#include "store/question.h"

/* A longer key is cut, and the rest told apart by its hash. */
#define MAX_KEY 1000
/* Words that one placeholder of type text may stand for. */
#define MAX_VALUE_WORDS 8

typedef struct Word
{
	char *key;		   /* lower case; of a placeholder its name, as written */
	const char *start; /* in the question, without punctuation */
	const char *end;
	const char *type; /* of a placeholder, or NULL */
} Word;

static const char *const edge_marks[] = {
	"?", "!", ".", ",", ";", ":", "\"", "'",  "`",	"(",  ")",
	"[", "]", "{", "}", "¿", "¡", "«",	"»",  "“",	"”",  "„",
	"‘", "’", "‚", "…", "–", "—", "、", "。", "？", "！", "，"};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Length of the blank at p, or 0; also no-break and ideographic ones. */
static int
blank_len(const char *p)
{
	if (*p == ' ' || (*p >= '\t' && *p <= '\r'))
		return 1;
	if (GetDatabaseEncoding() != PG_UTF8)
		return 0;
	if (strncmp(p, "\xC2\xA0", 2) == 0)
		return 2;
	if (strncmp(p, "\xE3\x80\x80", 3) == 0)
		return 3;
	return 0;
}

static bool
is_mark(const char *p, const char *mark, int len)
{
	if ((unsigned char) mark[0] >= 0x80 && GetDatabaseEncoding() != PG_UTF8)
		return false;
	return strncmp(p, mark, len) == 0;
}

/* Length of the mark that the text begins with, or 0. */
static int
mark_at_start(const char *start, const char *end)
{
	/* .5 is a number */
	if (*start == '.' && end - start > 1 && is_digit(start[1]))
		return 0;
	for (int i = 0; i < (int) lengthof(edge_marks); i++)
	{
		int len = strlen(edge_marks[i]);

		if (len <= end - start && is_mark(start, edge_marks[i], len))
			return len;
	}
	return 0;
}

static int
mark_at_end(const char *start, const char *end)
{
	for (int i = 0; i < (int) lengthof(edge_marks); i++)
	{
		int len = strlen(edge_marks[i]);

		if (len <= end - start && is_mark(end - len, edge_marks[i], len))
			return len;
	}
	return 0;
}

/* Types of placeholders, by the names that people use. */
static const struct
{
	const char *name;
	const char *type;
} types[] = {
	{"text", "text"},
	{"varchar", "text"},
	{"string", "text"},
	{"integer", "integer"},
	{"int", "integer"},
	{"bigint", "bigint"},
	{"smallint", "smallint"},
	{"numeric", "numeric"},
	{"decimal", "numeric"},
	{"number", "numeric"},
	{"real", "real"},
	{"float", "double precision"},
	{"date", "date"},
	{"timestamp", "timestamp"},
	{"timestamptz", "timestamptz"},
	{"boolean", "boolean"},
	{"uuid", "uuid"},
};

static const char *
type_named(const char *start, const char *end)
{
	for (int i = 0; i < (int) lengthof(types); i++)
		if (strlen(types[i].name) == (size_t) (end - start) &&
			pg_strncasecmp(types[i].name, start, end - start) == 0)
			return types[i].type;
	return NULL;
}

/* The word from start to end without marks; NULL when nothing is left. */
static Word *
make_word(const char *start, const char *end, bool placeholders)
{
	Word *word;
	bool placeholder = placeholders && end - start > 1 && *start == ':' &&
					   is_name_start(start[1]);
	int len;

	while (!placeholder && start < end && (len = mark_at_start(start, end)) > 0)
		start += len;
	while (start < end && (len = mark_at_end(start, end)) > 0)
		end -= len;
	if (start >= end)
		return NULL;
	word = palloc0(sizeof(Word));
	word->start = start;
	word->end = end;
	if (placeholder)
	{
		const char *name = start + 1;
		const char *stop = name;

		while (stop < end && (is_name_start(*stop) || is_digit(*stop)))
			stop++;
		word->key = pnstrdup(name, stop - name);
		word->type = "text";
		/* :year::integer */
		if (end - stop > 2 && strncmp(stop, "::", 2) == 0 &&
			type_named(stop + 2, end))
			word->type = type_named(stop + 2, end);
	}
	else
		word->key = str_tolower(start, end - start, DEFAULT_COLLATION_OID);
	return word;
}

/* List of Word *; placeholders are looked for only in a pattern. */
static List *
split(const char *question, bool placeholders)
{
	List *words = NIL;
	Word *last = NULL;
	const char *p = question;
	int len;

	while (*p)
	{
		const char *start;
		Word *word;

		while ((len = blank_len(p)) > 0)
			p += len;
		start = p;
		while (*p && blank_len(p) == 0)
			p += pg_mblen(p);
		if (p == start)
			break;
		word = make_word(start, p, placeholders);
		if (word == NULL)
			continue;
		if (last && last->type && !word->type &&
			type_named(word->start, word->end))
		{
			last->type = type_named(word->start, word->end);
			last = NULL;
			continue;
		}
		words = lappend(words, word);
		last = word;
	}
	return words;
}

/* Keep a key short enough for an index. */
static char *
bound(char *key, int len)
{
	int cut;

	if (len <= MAX_KEY)
		return key;
	cut = sa_text_clip_len(key, len, MAX_KEY - 33);
	return psprintf("%.*s %s", cut, key, sa_text_hash(key));
}

static void
add_word(StringInfo out, const Word *word)
{
	appendStringInfo(out, "%s%s%s", out->len > 0 ? " " : "",
					 word->type ? ":" : "",
					 word->type ? word->type : word->key);
}

static char *
join(const List *words)
{
	StringInfoData out;
	ListCell *cell;

	initStringInfo(&out);
	foreach (cell, words)
		add_word(&out, lfirst(cell));
	return bound(out.data, out.len);
}

char *
sa_question_key(const char *question)
{
	return join(split(question, true));
}

char *
sa_question_prefix(const char *question)
{
	List *words = split(question, true);
	ListCell *cell;

	foreach (cell, words)
	{
		const Word *word = lfirst(cell);

		if (word->type)
			return join(list_truncate(words, foreach_current_index(cell)));
	}
	return NULL;
}

List *
sa_question_prefixes(const char *question)
{
	List *prefixes = list_make1(pstrdup(""));
	StringInfoData out;
	ListCell *cell;

	initStringInfo(&out);
	foreach (cell, split(question, false))
	{
		add_word(&out, lfirst(cell));
		if (out.len > MAX_KEY)
			break;
		prefixes = lappend(prefixes, pstrdup(out.data));
	}
	return prefixes;
}

List *
sa_question_placeholders(const char *question)
{
	List *placeholders = NIL;
	ListCell *cell;

	foreach (cell, split(question, true))
	{
		const Word *word = lfirst(cell);
		SaPlaceholder *placeholder;

		if (word->type == NULL)
			continue;
		placeholder = palloc0(sizeof(SaPlaceholder));
		placeholder->name = word->key;
		placeholder->type = word->type;
		placeholders = lappend(placeholders, placeholder);
	}
	return placeholders;
}

/* What the values of the narrow types are made of. */
static const struct
{
	const char *type;
	const char *characters; /* beside digits */
	bool needs_digit;
} shapes[] = {
	{"integer", "+-", true},
	{"bigint", "+-", true},
	{"smallint", "+-", true},
	{"numeric", "+-.", true},
	{"real", "+-.eE", true},
	{"double precision", "+-.eE", true},
	{"date", "-/.", true},
	{"timestamp", "-/.:T", true},
	{"timestamptz", "-/.:T+Z", true},
	{"boolean", "trufalseTRUFALSEyonYON", false},
	{"uuid", "-abcdefABCDEF", true},
};

static bool
has_shape(const char *type, const char *start, const char *end)
{
	for (int i = 0; i < (int) lengthof(shapes); i++)
	{
		bool digit = false;

		if (strcmp(shapes[i].type, type) != 0)
			continue;
		for (const char *p = start; p < end; p++)
		{
			if (!is_digit(*p) && strchr(shapes[i].characters, *p) == NULL)
				return false;
			digit |= is_digit(*p);
		}
		return digit || !shapes[i].needs_digit;
	}
	return true; /* text */
}

/* Fit the words from i on to the pattern from p on; sets values on success. */
static bool
fit(const List *pattern, int p, const List *words, int i, List *values)
{
	const Word *want;
	SaPlaceholder *place;
	int longest;

	if (p == list_length(pattern))
		return i == list_length(words);
	if (i == list_length(words))
		return false;
	want = list_nth(pattern, p);
	if (want->type == NULL)
	{
		const Word *have = list_nth(words, i);

		return strcmp(want->key, have->key) == 0 &&
			   fit(pattern, p + 1, words, i + 1, values);
	}
	place = linitial(values);
	longest = strcmp(want->type, "text") == 0 ? MAX_VALUE_WORDS : 1;
	for (int n = 1; n <= longest && i + n <= list_length(words); n++)
	{
		const Word *first = list_nth(words, i);
		const Word *last = list_nth(words, i + n - 1);

		if (!has_shape(want->type, first->start, last->end) ||
			!fit(pattern, p + 1, words, i + n, list_copy_tail(values, 1)))
			continue;
		place->value = pnstrdup(first->start, last->end - first->start);
		return true;
	}
	return false;
}

bool
sa_question_fits(const char *pattern, const char *question, List **placeholders)
{
	*placeholders = sa_question_placeholders(pattern);
	return fit(split(pattern, true), 0, split(question, false), 0,
			   *placeholders);
}
