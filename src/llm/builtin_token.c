/*
 * builtin_token.c
 *	  Cuts a question into words, numbers, dates and quoted strings.
 *
 * Pure: knows no language but the English apostrophes.  The text may be
 * anything; it is read byte by byte, and every byte above ASCII is part of a
 * word, which holds in all server encodings.
 */
#include "postgres.h"

#include <ctype.h>

#include "catalog/pg_collation_d.h"
#include "utils/formatting.h"

#include "base/stem.h"
#include "llm/builtin_lexicon.h"

#define MAX_QUESTION 4000

typedef struct Reader
{
	const char *at;
	const char *begin;
	bool sentence_start;
	List *tokens;
} Reader;

/* Typographic quotes in UTF-8, and the ASCII quote that each stands for. */
static const struct
{
	const char *bytes;
	char plain;
} quote_marks[] = {
	{"\xe2\x80\x98", '\''}, {"\xe2\x80\x99", '\''}, {"\xe2\x80\x9c", '"'},
	{"\xe2\x80\x9d", '"'},	{"\xe2\x80\x9e", '"'},	{"\xc2\xab", '"'},
	{"\xc2\xbb", '"'},
};

static bool
is_word_byte(unsigned char c)
{
	return isalnum(c) || c == '_' || c >= 0x80;
}

/* Typographic quotes become plain ones; control characters become blanks. */
static char *
plain_text(const char *text)
{
	StringInfoData out;

	initStringInfo(&out);
	while (*text)
	{
		int i;

		for (i = 0; i < lengthof(quote_marks); i++)
			if (strncmp(text, quote_marks[i].bytes,
						strlen(quote_marks[i].bytes)) == 0)
				break;
		if (i < lengthof(quote_marks))
		{
			appendStringInfoChar(&out, quote_marks[i].plain);
			text += strlen(quote_marks[i].bytes);
		}
		else
		{
			appendStringInfoChar(
				&out,
				(unsigned char) *text < ' ' || *text == 127 ? ' ' : *text);
			text++;
		}
	}
	return out.data;
}

static void
add(Reader *reader, SaBiTokenKind kind, const char *text)
{
	SaBiToken *token = palloc0(sizeof(SaBiToken));

	token->kind = kind;
	token->text = text;
	token->lower = str_tolower(text, strlen(text), DEFAULT_COLLATION_OID);
	token->capital = !reader->sentence_start && isupper((unsigned char) *text);
	token->stem = kind == SA_BI_WORD ? sa_stem(token->lower) : token->lower;
	reader->tokens = lappend(reader->tokens, token);
	reader->sentence_start =
		kind == SA_BI_PUNCT && strchr(".?!", *text) != NULL;
}

/* A string in quotes; false when the quote is not one. */
static bool
read_string(Reader *reader)
{
	char quote = *reader->at == '`' ? '`' : *reader->at;
	const char *end = reader->at;

	if (quote == '\'' && reader->at > reader->begin &&
		is_word_byte(reader->at[-1]))
		return false;
	do
		end = strchr(end + 1, quote);
	while (end && quote == '\'' && is_word_byte(end[1]));
	if (end == NULL || end == reader->at + 1)
		return false;
	add(reader, SA_BI_STRING, pnstrdup(reader->at + 1, end - reader->at - 1));
	reader->at = end + 1;
	return true;
}

/* yyyy-mm-dd or yyyy/mm/dd. */
static bool
read_date(Reader *reader)
{
	const char *p = reader->at;
	int year;
	int month;
	int day;
	int len = 0;

	if ((sscanf(p, "%4d-%2d-%2d%n", &year, &month, &day, &len) < 3 &&
		 sscanf(p, "%4d/%2d/%2d%n", &year, &month, &day, &len) < 3) ||
		len < 8 || is_word_byte(p[len]) || year < 1000 || month < 1 ||
		month > 12 || day < 1 || day > 31)
		return false;
	add(reader, SA_BI_DATE, psprintf("%04d-%02d-%02d", year, month, day));
	reader->at += len;
	return true;
}

static bool
read_number(Reader *reader)
{
	StringInfoData out;
	const char *p = reader->at;

	if (read_date(reader))
		return true;
	initStringInfo(&out);
	if (*p == '-')
		appendStringInfoChar(&out, *p++);
	while (isdigit((unsigned char) *p) ||
		   ((*p == ',' || *p == '.') && isdigit((unsigned char) p[1]) &&
			isdigit((unsigned char) p[-1])))
	{
		/* 1,000 is one number, "2,3" are two */
		if (*p == ',' &&
			!(isdigit((unsigned char) p[2]) && isdigit((unsigned char) p[3]) &&
			  !isdigit((unsigned char) p[4])))
			break;
		if (*p != ',')
			appendStringInfoChar(&out, *p);
		p++;
	}
	if ((strncmp(p, "st", 2) == 0 || strncmp(p, "nd", 2) == 0 ||
		 strncmp(p, "rd", 2) == 0 || strncmp(p, "th", 2) == 0) &&
		!is_word_byte(p[2]))
	{
		add(reader, SA_BI_NUMBER, out.data);
		((SaBiToken *) llast(reader->tokens))->ordinal = true;
		reader->at = p + 2;
		return true;
	}
	if (is_word_byte(*p) || (strchr(out.data, '.') != strrchr(out.data, '.')))
		return false; /* 3rd-party, 10.0.0.1: a word */
	add(reader, SA_BI_NUMBER, out.data);
	reader->at = p;
	return true;
}

/* "doesn't" is does not; "what's" keeps its 's as a token. */
static bool
read_apostrophe(Reader *reader, const char *word, const char *end)
{
	int len = end - word;

	if (len > 2 && end[-1] == 'n' && end[0] == '\'' && end[1] == 't')
	{
		bool whole = len == 3 && strncmp(word, "can", 3) == 0;

		add(reader, SA_BI_WORD, pnstrdup(word, whole ? len : len - 1));
		add(reader, SA_BI_WORD, "not");
		reader->at = end + 2;
		return true;
	}
	if (end[0] == '\'' && (end[1] == 's' || end[1] == 'S') &&
		!is_word_byte(end[2]))
	{
		add(reader, SA_BI_WORD, pnstrdup(word, len));
		add(reader, SA_BI_WORD, "'s");
		reader->at = end + 2;
		return true;
	}
	return false;
}

static void
read_word(Reader *reader)
{
	const char *word = reader->at;
	const char *end = word;

	while (is_word_byte(*end) ||
		   (end > word && strchr("-.@/'", *end) && *end &&
			is_word_byte(end[1]) && is_word_byte(end[-1])))
	{
		if (*end == '\'' &&
			(((end[1] == 's' || end[1] == 'S') && !is_word_byte(end[2])) ||
			 (end[1] == 't' && end[-1] == 'n')))
			break;
		end++;
	}
	if (read_apostrophe(reader, word, end))
		return;
	add(reader, SA_BI_WORD, pnstrdup(word, end - word));
	reader->at = end;
	/* the plural's apostrophe: students' names */
	if (*end == '\'' && end[-1] == 's' && !is_word_byte(end[1]))
	{
		add(reader, SA_BI_WORD, "'s");
		reader->at = end + 1;
	}
}

static void
read_punctuation(Reader *reader)
{
	static const char *const two[] = {"<=", ">=", "<>", "!=", "=="};
	int len = 1;

	for (int i = 0; i < lengthof(two); i++)
		if (strncmp(reader->at, two[i], 2) == 0)
			len = 2;
	add(reader, SA_BI_PUNCT, pnstrdup(reader->at, len));
	reader->at += len;
}

static bool
begins_number(const Reader *reader)
{
	const char *p = reader->at;

	if (*p == '-' && (p == reader->begin || p[-1] == ' '))
		p++;
	return isdigit((unsigned char) *p);
}

List *
sa_builtin_lexicon_tokens(const char *text)
{
	Reader reader = {0};

	if (strlen(text) > MAX_QUESTION)
		return NIL;
	reader.begin = reader.at = plain_text(text);
	reader.sentence_start = true;
	while (*reader.at)
	{
		unsigned char c = *reader.at;

		if (c == ' ')
		{
			reader.at++;
			continue;
		}
		if ((strchr("\"'`", c) && read_string(&reader)) ||
			(begins_number(&reader) && read_number(&reader)))
			continue;
		if (is_word_byte(c))
			read_word(&reader);
		else
			read_punctuation(&reader);
		if (list_length(reader.tokens) > SA_BI_MAX_TOKENS)
			return NIL;
	}
	return reader.tokens;
}
