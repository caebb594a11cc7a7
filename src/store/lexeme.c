/*
 * lexeme.c
 *	  The words of a search: lexemes, how common each is, and the nearest one
 *	  for a word that is misspelt.
 *
 * Called by search.  How common a lexeme is comes from the statistics that
 * ANALYZE keeps of the search vectors: nothing is counted here.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/dependency.h"
#include "catalog/namespace.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_proc.h"
#include "commands/extension.h"
#include "parser/parse_func.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "base/compat.h"
#include "base/spi.h"
#include "base/text.h"
#include "store/lexeme.h"

#include "queries/queries.gen.h"

/* A search of more words than this goes on with the first of them. */
#define MAX_LEXEMES 32
/* Bytes of a text that is searched for. */
#define MAX_TEXT 4000
/* pg_trgm's own measure of words that are alike. */
#define MIN_SIMILARITY 0.4
/* Tables above this have their common words in the statistics. */
#define SMALL_TABLE 20000

static const char *const tables[SA_KNOWLEDGE_KINDS] = {
	[SA_PATTERN] = "query_patterns",
	[SA_LEARNING] = "learnings",
	[SA_RULE] = "rules",
};

static bool
has_lexeme(const List *lexemes, const char *text)
{
	ListCell *cell;

	foreach (cell, lexemes)
		if (strcmp(((SaLexeme *) lfirst(cell))->text, text) == 0)
			return true;
	return false;
}

static SaLexeme *
make_lexeme(char *text)
{
	SaLexeme *lexeme = palloc0(sizeof(SaLexeme));

	lexeme->text = text;
	return lexeme;
}

/* OIDs of the configurations that rows were stored with, and of new ones. */
static List *
configs(void)
{
	int count = SA_QUERY0(SA_QUERY_SEARCH_CONFIGS);
	List *names = list_make1(sa_knowledge_config());
	List *oids = NIL;
	ListCell *cell;

	for (int i = 0; i < count; i++)
		names = lappend(names, sa_row_text(i, 1));
	foreach (cell, names)
	{
		Oid config =
			get_ts_config_oid(sa_qualified_name_list(lfirst(cell)), true);

		if (OidIsValid(config))
			oids = list_append_unique_oid(oids, config);
	}
	return oids;
}

List *
sa_lexeme_list(const char *text)
{
	char *clipped =
		pnstrdup(text, sa_text_clip_len(text, strlen(text), MAX_TEXT));
	List *lexemes = NIL;
	ListCell *cell;

	foreach (cell, configs())
	{
		int count = SA_QUERY(
			"SELECT lexeme FROM unnest(to_tsvector($1::regconfig, $2)) "
			"ORDER BY positions[1]",
			sa_arg_oid(lfirst_oid(cell)), sa_arg_text(clipped));

		for (int i = 0; i < count && list_length(lexemes) < MAX_LEXEMES; i++)
		{
			char *lexeme = sa_row_text(i, 1);

			if (!has_lexeme(lexemes, lexeme))
				lexemes = lappend(lexemes, make_lexeme(lexeme));
		}
	}
	return lexemes;
}

static List *
lexeme_texts(const List *lexemes)
{
	List *texts = NIL;
	ListCell *cell;

	foreach (cell, lexemes)
		texts = lappend(texts, ((SaLexeme *) lfirst(cell))->text);
	return texts;
}

static double
table_rows(SaKnowledge kind)
{
	(void) SA_QUERY("SELECT reltuples::float8 FROM pg_class "
					"WHERE oid = to_regclass('sqlagent.' || $1)",
					sa_arg_text(tables[kind]));
	return sa_row_float8(0, 1);
}

double
sa_lexeme_weigh(SaKnowledge kind, List *lexemes)
{
	double rows = table_rows(kind);
	int count;

	if (rows < SMALL_TABLE)
		return rows;
	count = SA_QUERY(SA_QUERY_SEARCH_FREQUENCIES, sa_arg_text(tables[kind]),
					 sa_arg_texts(lexeme_texts(lexemes)));
	for (int i = 0; i < count; i++)
	{
		char *text = sa_row_text(i, 1);
		ListCell *cell;

		foreach (cell, lexemes)
		{
			SaLexeme *lexeme = lfirst(cell);

			if (strcmp(lexeme->text, text) == 0)
				lexeme->frequency = sa_row_float8(i, 2);
		}
	}
	return rows;
}

char *
sa_lexeme_query(const List *lexemes, const char *operator)
{
	StringInfoData out;
	ListCell *cell;

	initStringInfo(&out);
	foreach (cell, lexemes)
	{
		if (out.len > 0)
			appendStringInfo(&out, " %s ", operator);
		appendStringInfoChar(&out, '\'');
		for (const char *p = ((SaLexeme *) lfirst(cell))->text; *p; p++)
		{
			if (*p == '\'' || *p == '\\')
				appendStringInfoChar(&out, *p);
			appendStringInfoChar(&out, *p);
		}
		appendStringInfoChar(&out, '\'');
	}
	return out.data;
}

/* similarity(text, text) of pg_trgm, or InvalidOid. */
static Oid
similarity_function(void)
{
	Oid extension = get_extension_oid("pg_trgm", true);
	Oid types[2] = {TEXTOID, TEXTOID};
	Oid function;
	char *schema;

	if (!OidIsValid(extension) ||
		SA_QUERY("SELECT extnamespace::regnamespace::name FROM pg_extension "
				 "WHERE oid = $1",
				 sa_arg_oid(extension)) == 0)
		return InvalidOid;
	schema = sa_row_text(0, 1);
	function = LookupFuncName(
		list_make2(makeString(schema), makeString(pstrdup("similarity"))), 2,
		types, true);
	/* Only its own: whoever owns the schema could have made another. */
	if (OidIsValid(function) &&
		getExtensionOfObject(ProcedureRelationId, function) != extension)
		return InvalidOid;
	return function;
}

/* The words that a kind's table knows: List of char *. */
static List *
vocabulary(SaKnowledge kind, const char *asker)
{
	static const char *const queries[SA_KNOWLEDGE_KINDS] = {
		[SA_PATTERN] = SA_QUERY_VOCABULARY_PATTERN,
		[SA_LEARNING] = SA_QUERY_VOCABULARY_LEARNING,
		[SA_RULE] = SA_QUERY_VOCABULARY_RULE,
	};
	List *words = NIL;
	int count =
		table_rows(kind) < SMALL_TABLE
			? SA_QUERY(queries[kind], sa_arg_text(asker))
			: SA_QUERY(SA_QUERY_VOCABULARY_COMMON, sa_arg_text(tables[kind]));

	for (int i = 0; i < count; i++)
		words = lappend(words, sa_row_text(i, 1));
	return words;
}

static char *
nearest(Oid similarity, const char *word, const List *known)
{
	Datum wanted = CStringGetTextDatum(word);
	double best = MIN_SIMILARITY;
	char *found = NULL;
	ListCell *cell;

	foreach (cell, known)
	{
		double likeness;

		if (strcmp(lfirst(cell), word) == 0)
			return lfirst(cell);
		likeness = DatumGetFloat4(
			OidFunctionCall2Coll(similarity, DEFAULT_COLLATION_OID, wanted,
								 CStringGetTextDatum((char *) lfirst(cell))));
		if (likeness < best)
			continue;
		best = likeness;
		found = lfirst(cell);
	}
	return found;
}

List *
sa_lexeme_corrected(SaKnowledge kind, const List *lexemes, const char *asker)
{
	Oid similarity = similarity_function();
	List *known;
	List *corrected = NIL;
	ListCell *cell;

	if (!OidIsValid(similarity))
		return NIL;
	known = vocabulary(kind, asker);
	foreach (cell, lexemes)
	{
		char *word =
			nearest(similarity, ((SaLexeme *) lfirst(cell))->text, known);

		if (word && !has_lexeme(corrected, word))
			corrected = lappend(corrected, make_lexeme(word));
	}
	return corrected;
}
