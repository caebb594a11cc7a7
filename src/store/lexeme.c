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
#include "utils/hsearch.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

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
#define SMALL_TABLE 5000
/* How long what ANALYZE found is kept. */
#define KEEP_STATISTICS_MS 60000

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

static double
table_rows(SaKnowledge kind)
{
	(void) SA_QUERY("SELECT reltuples::float8 FROM pg_class "
					"WHERE oid = to_regclass('sqlagent.' || $1)",
					sa_arg_text(sa_knowledge_table(kind)));
	return sa_row_float8(0, 1);
}

/* A common lexeme, in the hash table of a kind. */
typedef struct Common
{
	char text[64]; /* hash key; a longer one counts as rare */
	double frequency;
} Common;

/*
 * The common lexemes of a kind.  Taking them out of the statistics costs more
 * than a search does, so they are kept for a while.
 */
typedef struct Statistics
{
	TimestampTz read_at;
	double rows;
	HTAB *common; /* or NULL */
} Statistics;

static Statistics statistics[SA_KNOWLEDGE_KINDS];

static void
read_common(SaKnowledge kind, Statistics *stats)
{
	HASHCTL ctl = {0};
	int count = SA_QUERY(SA_QUERY_SEARCH_FREQUENCIES,
						 sa_arg_text(sa_knowledge_table(kind)));

	ctl.keysize = sizeof(((Common *) NULL)->text);
	ctl.entrysize = sizeof(Common);
	ctl.hcxt = TopMemoryContext;
	stats->common = hash_create("sqlagent common lexemes", Max(count, 16), &ctl,
								HASH_ELEM | HASH_STRINGS | HASH_CONTEXT);
	for (int i = 0; i < count; i++)
	{
		char *text = sa_row_text(i, 1);
		Common *common;

		if (strlen(text) >= sizeof(common->text))
			continue;
		common = hash_search(stats->common, text, HASH_ENTER, NULL);
		common->frequency = sa_row_float8(i, 2);
	}
}

static const Statistics *
statistics_of(SaKnowledge kind)
{
	Statistics *stats = &statistics[kind];
	TimestampTz now = GetCurrentTimestamp();

	if (stats->read_at != 0 &&
		!TimestampDifferenceExceeds(stats->read_at, now, KEEP_STATISTICS_MS))
		return stats;
	if (stats->common)
		hash_destroy(stats->common);
	stats->common = NULL;
	stats->rows = table_rows(kind);
	if (stats->rows >= SMALL_TABLE)
		read_common(kind, stats);
	stats->read_at = now;
	return stats;
}

double
sa_lexeme_weigh(SaKnowledge kind, List *lexemes)
{
	const Statistics *stats = statistics_of(kind);
	ListCell *cell;

	foreach (cell, lexemes)
	{
		SaLexeme *lexeme = lfirst(cell);
		const Common *common = NULL;

		if (stats->common &&
			strlen(lexeme->text) < sizeof(((Common *) NULL)->text))
			common = hash_search(stats->common, lexeme->text, HASH_FIND, NULL);
		lexeme->frequency = common ? common->frequency : 0;
	}
	return stats->rows;
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
	List *words = NIL;
	int count =
		table_rows(kind) < SMALL_TABLE
			? SA_QUERY(sa_knowledge_query(SA_QUERY_VOCABULARY_ALL, kind, NULL),
					   sa_arg_text(asker))
			: SA_QUERY(SA_QUERY_VOCABULARY_COMMON,
					   sa_arg_text(sa_knowledge_table(kind)));

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
