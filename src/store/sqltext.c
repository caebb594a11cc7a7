/*
 * sqltext.c
 *	  SQL as a row of tokens.
 *
 * Used by pattern, object and learning.  Works on text alone, with
 * standard_conforming_strings on.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "parser/scansup.h"
#include "utils/builtins.h"

#include "store/question.h"
#include "store/sqltext.h"

typedef enum TokenKind
{
	TOKEN_NAME,		   /* a word or quoted identifier; text as it is meant */
	TOKEN_LITERAL,	   /* a string or number */
	TOKEN_PLACEHOLDER, /* :name; text is the name */
	TOKEN_OTHER		   /* operators and punctuation, one character each */
} TokenKind;

typedef struct Token
{
	TokenKind kind;
	char *text;
	int start;
	int len;
} Token;

static bool
is_word_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
		   IS_HIGHBIT_SET(c);
}

static bool
is_word(char c)
{
	return is_word_start(c) || (c >= '0' && c <= '9') || c == '$';
}

/* The end of a quoted piece that begins at p; the quote doubled is itself. */
static const char *
end_of_quote(const char *p, bool backslashes)
{
	char quote = *p++;

	for (; *p; p++)
	{
		if ((backslashes && *p == '\\' && p[1]) ||
			(*p == quote && p[1] == quote))
			p++;
		else if (*p == quote)
			return p + 1;
	}
	return p;
}

/* The end of $tag$…$tag$, or NULL when p does not begin one. */
static const char *
end_of_dollar(const char *p)
{
	const char *tag_end = p + 1;
	const char *close;
	char *tag;

	while (is_word(*tag_end) && *tag_end != '$')
		tag_end++;
	if (*tag_end != '$' || (p[1] >= '0' && p[1] <= '9'))
		return NULL;
	tag = pnstrdup(p, tag_end + 1 - p);
	close = strstr(tag_end + 1, tag);
	return close ? close + strlen(tag) : p + strlen(p);
}

static const char *
end_of_number(const char *p)
{
	while (is_word(*p) || *p == '.' ||
		   ((*p == '+' || *p == '-') && (p[-1] == 'e' || p[-1] == 'E')))
		p++;
	return p;
}

/* Behind a comment or blanks at p; p itself when there are none. */
static const char *
skip_blank(const char *p)
{
	int depth = 0;

	if (p[0] == '-' && p[1] == '-')
		return p + strcspn(p, "\n");
	if (p[0] != '/' || p[1] != '*')
	{
		while (scanner_isspace(*p))
			p++;
		return p;
	}
	do
	{
		if (p[0] == '/' && p[1] == '*')
			depth++, p += 2;
		else if (p[0] == '*' && p[1] == '/')
			depth--, p += 2;
		else
			p++;
	} while (*p && depth > 0);
	return p;
}

static char *
unquote(const char *start, const char *end)
{
	char *text = palloc(end - start);
	char *out = text;

	for (const char *p = start + 1; p < end - 1; p++)
	{
		*out++ = *p;
		if (*p == '"')
			p++;
	}
	*out = '\0';
	return text;
}

static const char *
read_token(Token *token, const char *p)
{
	const char *start = p;
	const char *end;

	if (is_word_start(*p) && p[1] == '\'' && strchr("eEbBxXnN", *p))
	{
		token->kind = TOKEN_LITERAL;
		end = end_of_quote(p + 1, *p == 'e' || *p == 'E');
	}
	else if (is_word_start(*p))
	{
		token->kind = TOKEN_NAME;
		for (end = p; is_word(*end); end++)
			;
		token->text = downcase_truncate_identifier(start, end - start, false);
		return end;
	}
	else if (*p == '"')
	{
		token->kind = TOKEN_NAME;
		end = end_of_quote(p, false);
		token->text = unquote(start, end);
		return end;
	}
	else if (*p == '\'')
	{
		token->kind = TOKEN_LITERAL;
		end = end_of_quote(p, false);
	}
	else if (*p == '$' && end_of_dollar(p))
	{
		token->kind = TOKEN_LITERAL;
		end = end_of_dollar(p);
	}
	else if ((*p >= '0' && *p <= '9') ||
			 (*p == '.' && p[1] >= '0' && p[1] <= '9'))
	{
		token->kind = TOKEN_LITERAL;
		end = end_of_number(p);
	}
	else if (*p == ':' && p[1] != ':' && is_word_start(p[1]))
	{
		token->kind = TOKEN_PLACEHOLDER;
		for (end = p + 1; is_word(*end); end++)
			;
		token->text = pnstrdup(start + 1, end - start - 1);
		return end;
	}
	else
	{
		token->kind = TOKEN_OTHER;
		/* so that ::name is a cast */
		end = p + (p[0] == ':' && p[1] == ':' ? 2 : 1);
	}
	token->text = pnstrdup(start, end - start);
	return end;
}

/* List of Token *. */
static List *
scan(const char *sql)
{
	List *tokens = NIL;
	const char *p = sql;

	while (*p)
	{
		const char *next = skip_blank(p);
		Token *token;

		if (next > p)
		{
			p = next;
			continue;
		}
		token = palloc0(sizeof(Token));
		token->start = p - sql;
		p = read_token(token, p);
		token->len = p - sql - token->start;
		tokens = lappend(tokens, token);
	}
	return tokens;
}

static bool
token_is(const List *tokens, int i, const char *text)
{
	return i >= 0 && i < list_length(tokens) &&
		   strcmp(((Token *) list_nth(tokens, i))->text, text) == 0;
}

static const SaPlaceholder *
placeholder_of(const Token *token, const List *placeholders)
{
	ListCell *cell;

	if (token->kind != TOKEN_PLACEHOLDER)
		return NULL;
	foreach (cell, placeholders)
	{
		const SaPlaceholder *placeholder = lfirst(cell);

		if (strcmp(placeholder->name, token->text) == 0)
			return placeholder;
	}
	return NULL;
}

char *
sa_sqltext_fill(const char *sql, const List *placeholders)
{
	StringInfoData out;
	ListCell *cell;
	int done = 0;

	if (placeholders == NIL)
		return pstrdup(sql);
	initStringInfo(&out);
	foreach (cell, scan(sql))
	{
		const Token *token = lfirst(cell);
		const SaPlaceholder *placeholder = placeholder_of(token, placeholders);

		if (placeholder == NULL)
			continue;
		appendBinaryStringInfo(&out, sql + done, token->start - done);
		appendStringInfo(&out, "(%s",
						 placeholder->value
							 ? quote_literal_cstr(placeholder->value)
							 : "NULL");
		/* A text without a type goes with an enum or a domain as well. */
		if (strcmp(placeholder->type, "text") != 0)
			appendStringInfo(&out, "::%s", placeholder->type);
		appendStringInfoChar(&out, ')');
		done = token->start + token->len;
	}
	appendStringInfoString(&out, sql + done);
	return out.data;
}

const char *
sa_sqltext_unused(const char *sql, const List *placeholders)
{
	List *tokens = scan(sql);
	ListCell *cell;
	ListCell *token;

	foreach (cell, placeholders)
	{
		const SaPlaceholder *placeholder = lfirst(cell);
		bool used = false;

		foreach (token, tokens)
			used |=
				placeholder_of(lfirst(token), list_make1(lfirst(cell))) != NULL;
		if (!used)
			return placeholder->name;
	}
	return NULL;
}

/* A semicolon at the end says nothing. */
static List *
scan_statement(const char *sql)
{
	List *tokens = scan(sql);

	while (tokens != NIL && strcmp(((Token *) llast(tokens))->text, ";") == 0)
		tokens = list_delete_last(tokens);
	return tokens;
}

bool
sa_sqltext_same(const char *pattern, const char *sql, const List *placeholders)
{
	List *left = scan_statement(pattern);
	List *right = scan_statement(sql);
	ListCell *l;
	ListCell *r;

	if (list_length(left) != list_length(right))
		return false;
	forboth (l, left, r, right)
	{
		const Token *want = lfirst(l);
		const Token *have = lfirst(r);

		if (have->kind == TOKEN_LITERAL && placeholder_of(want, placeholders))
			continue;
		if (want->kind != have->kind || strcmp(want->text, have->text) != 0)
			return false;
	}
	return true;
}

List *
sa_sqltext_tables(const char *sql)
{
	List *tokens = scan(sql);
	List *names = NIL;

	for (int i = 1; i < list_length(tokens); i++)
	{
		const Token *token = list_nth(tokens, i);
		const char *before = ((Token *) list_nth(tokens, i - 1))->text;

		if (token->kind != TOKEN_NAME ||
			(strcmp(before, "from") != 0 && strcmp(before, "join") != 0 &&
			 strcmp(before, ",") != 0))
			continue;
		if (token_is(tokens, i + 1, ".") && i + 2 < list_length(tokens))
			names =
				lappend(names, quote_qualified_identifier(
								   token->text,
								   ((Token *) list_nth(tokens, i + 2))->text));
		else
			names = lappend(names, pstrdup(quote_identifier(token->text)));
	}
	return names;
}

double
sa_sqltext_likeness(const char *left, const char *right)
{
	List *a = scan_statement(left);
	List *b = scan_statement(right);
	int total = Max(list_length(a), list_length(b));
	int common = 0;
	ListCell *cell;

	foreach (cell, a)
	{
		ListCell *other;

		foreach (other, b)
		{
			if (strcmp(((Token *) lfirst(cell))->text,
					   ((Token *) lfirst(other))->text) != 0)
				continue;
			common++;
			b = foreach_delete_current(b, other);
			break;
		}
	}
	return total > 0 ? (double) common / total : 0;
}

static bool
is_name(const Token *token, const char *name)
{
	return token->kind == TOKEN_NAME && strcmp(token->text, name) == 0;
}

/* Whether the name stands for the table: is its own, or an alias of it. */
static bool
means_table(const List *tokens, const char *name, const char *table)
{
	if (strcmp(name, table) == 0)
		return true;
	for (int i = 0; i + 1 < list_length(tokens); i++)
	{
		int next = i + 1;

		if (!is_name(list_nth(tokens, i), table))
			continue;
		if (token_is(tokens, next, "as"))
			next++;
		if (next < list_length(tokens) && is_name(list_nth(tokens, next), name))
			return true;
	}
	return false;
}

static bool
is_meant(const List *tokens, int i, const char *table, const char *old_name)
{
	const Token *token = list_nth(tokens, i);

	if (!is_name(token, old_name) || token_is(tokens, i - 1, "as"))
		return false;
	if (strcmp(table, old_name) == 0 || !token_is(tokens, i - 1, ".") || i < 2)
		return true;
	return means_table(tokens, ((Token *) list_nth(tokens, i - 2))->text,
					   table);
}

char *
sa_sqltext_rename(const char *sql, const char *table, const char *old_name,
				  const char *new_name)
{
	List *tokens = scan(sql);
	StringInfoData out;
	int done = 0;

	initStringInfo(&out);
	for (int i = 0; i < list_length(tokens); i++)
	{
		const Token *token = list_nth(tokens, i);

		if (!is_meant(tokens, i, table, old_name))
			continue;
		appendBinaryStringInfo(&out, sql + done, token->start - done);
		appendStringInfoString(&out, quote_identifier(new_name));
		done = token->start + token->len;
	}
	appendStringInfoString(&out, sql + done);
	return out.data;
}
