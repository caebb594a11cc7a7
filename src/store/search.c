/*
 * search.c
 *	  Finding knowledge by words: full text, any of the words, best first.
 *
 * Called by the agent.  Row security would keep the planner from using the
 * index (a search operator could leak what it sees), so the tables are read as
 * their owner, and each statement says what the asker may see.
 *
 * With many rows the words are not just tried all at once: a word that is in
 * every third row would make each search read a third of the table.  Rows with
 * a rare word are fetched by the index; among rows that have only common words,
 * those with all of them are, or, when that would be too many to matter which,
 * the latest.
 */
#include "postgres.h"

#include <math.h>

#include "base/spi.h"
#include "base/text.h"
#include "store/lexeme.h"
#include "store/search.h"

#include "queries/queries.gen.h"

/* From here on words are told apart by how common they are. */
#define MANY_ROWS 5000
/* Rows that a word may be in to be fetched by the index without a thought. */
#define RARE_ROWS 1000
/* What ts_rank gives to one word in a name, by which it is scaled to 1. */
#define FULL_RANK 0.6079271

static const char *const fields[SA_KNOWLEDGE_KINDS][SA_MAX_FIELDS] = {
	[SA_PATTERN] = {"name", "question", "sql", "summary", "tables_used",
					"data_quality_notes", "status", "use_count"},
	[SA_LEARNING] = {"title", "description", "category", "sql", "failing_sql",
					 "tables", "status", "use_count"},
	[SA_RULE] = {"kind", "name", "description", "calculation", "solution",
				 "tables", "status", "use_count"},
};

/* Lists of tables are told as JSON. */
static bool
is_list(const char *field)
{
	return strncmp(field, "tables", 6) == 0;
}

const char *
sa_search_field(const SaHit *hit, const char *name)
{
	for (int i = 0; i < SA_MAX_FIELDS; i++)
		if (strcmp(fields[hit->kind][i], name) == 0)
			return hit->fields[i];
	elog(ERROR, "no field \"%s\"", name);
	return NULL; /* keep the compiler quiet */
}

void
sa_search_json(StringInfo out, const SaHit *hit)
{
	appendStringInfo(out, "{\"id\": " INT64_FORMAT, hit->id);
	for (int i = 0; i < SA_MAX_FIELDS; i++)
	{
		const char *name = fields[hit->kind][i];

		appendStringInfo(out, ", \"%s\": ", name);
		/* These two are JSON already. */
		if (is_list(name) || strcmp(name, "use_count") == 0)
			appendStringInfoString(out, hit->fields[i]);
		else
			sa_text_json(out, hit->fields[i]);
	}
	appendStringInfo(out, ", \"relevance_score\": %.4f}", hit->score);
}

static bool
has_hit(const List *hits, int64 id)
{
	ListCell *cell;

	foreach (cell, hits)
		if (((const SaHit *) lfirst(cell))->id == id)
			return true;
	return false;
}

static List *
add_rows(List *hits, SaKnowledge kind, int count)
{
	for (int i = 0; i < count; i++)
	{
		SaHit *hit;

		if (has_hit(hits, sa_row_int8(i, 1)))
			continue;
		hit = palloc0(sizeof(SaHit));
		hit->kind = kind;
		hit->id = sa_row_int8(i, 1);
		hit->score = Min(sa_row_float8(i, 2) / FULL_RANK, 1.0);
		for (int f = 0; f < SA_MAX_FIELDS; f++)
			hit->fields[f] = sa_row_text(i, f + 3);
		hits = lappend(hits, hit);
	}
	return hits;
}

static int
best_first(const ListCell *left, const ListCell *right)
{
	const SaHit *a = lfirst(left);
	const SaHit *b = lfirst(right);

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return a->id < b->id ? -1 : 1;
}

static const char *
query_of(const char *template, SaKnowledge kind)
{
	StringInfoData list;

	initStringInfo(&list);
	for (int i = 0; i < SA_MAX_FIELDS; i++)
		appendStringInfo(&list,
						 is_list(fields[kind][i]) ? "%sto_json(h.%s)::text"
												  : "%sh.%s",
						 i > 0 ? ", " : "", fields[kind][i]);
	return sa_knowledge_query(template, kind, list.data);
}

/* Rows that fit the query "which", ranked by all the words. */
static List *
fetch(List *hits, const SaSearch *search, SaKnowledge kind,
	  const char *template, const char *rank, const char *which)
{
	int count = SA_QUERY(query_of(template, kind), sa_arg_text(rank),
						 sa_arg_text(which), sa_arg_text(search->asker),
						 sa_arg_oid(search->role), sa_arg_int4(search->limit));

	return add_rows(hits, kind, count);
}

static int
rarest_first(const ListCell *left, const ListCell *right)
{
	double a = ((const SaLexeme *) lfirst(left))->frequency;
	double b = ((const SaLexeme *) lfirst(right))->frequency;

	return a < b ? -1 : a > b;
}

/* Rows that hold all of these words, if they were strewn at random. */
static double
expected_rows(const List *lexemes, double rows)
{
	ListCell *cell;

	foreach (cell, lexemes)
		rows *= ((const SaLexeme *) lfirst(cell))->frequency;
	return rows;
}

/*
 * Rows that have the common words: all of them, then all but the most common,
 * until there are enough.
 */
static List *
fetch_common(List *hits, const SaSearch *search, SaKnowledge kind,
			 const char *rank, List *common, double rows)
{
	while (common != NIL && list_length(hits) < search->limit)
	{
		if (expected_rows(common, rows) > RARE_ROWS)
			return fetch(hits, search, kind, SA_QUERY_SEARCH_RECENT, rank,
						 sa_lexeme_query(common, "|"));
		hits = fetch(hits, search, kind, SA_QUERY_SEARCH_INDEX, rank,
					 sa_lexeme_query(common, "&"));
		common = list_truncate(common, list_length(common) - 1);
	}
	return hits;
}

static List *
fetch_among_many(const SaSearch *search, SaKnowledge kind, List *lexemes,
				 double rows)
{
	char *rank = sa_lexeme_query(lexemes, "|");
	List *rare = NIL;
	List *common = NIL;
	List *hits = NIL;
	ListCell *cell;

	foreach (cell, lexemes)
	{
		SaLexeme *lexeme = lfirst(cell);

		if (lexeme->frequency * rows <= RARE_ROWS)
			rare = lappend(rare, lexeme);
		else
			common = lappend(common, lexeme);
	}
	list_sort(common, rarest_first);
	if (rare != NIL)
		hits = fetch(hits, search, kind, SA_QUERY_SEARCH_INDEX, rank,
					 sa_lexeme_query(rare, "|"));
	hits = fetch_common(hits, search, kind, rank, common, rows);
	list_sort(hits, best_first);
	return list_truncate(hits, search->limit);
}

static List *
find(const SaSearch *search, SaKnowledge kind, List *lexemes)
{
	double rows = sa_lexeme_weigh(kind, lexemes);
	char *query;

	if (rows > MANY_ROWS)
		return fetch_among_many(search, kind, lexemes, rows);
	query = sa_lexeme_query(lexemes, "|");
	return fetch(NIL, search, kind, SA_QUERY_SEARCH_INDEX, query, query);
}

void
sa_search(const SaSearch *search, List *hits[SA_KNOWLEDGE_KINDS])
{
	List *lexemes = sa_lexeme_list(search->words);
	bool found = false;

	memset(hits, 0, sizeof(List *) * SA_KNOWLEDGE_KINDS);
	if (lexemes == NIL)
		return;
	for (int kind = 0; kind < SA_KNOWLEDGE_KINDS; kind++)
	{
		if (!(search->kinds & (1 << kind)))
			continue;
		hits[kind] = find(search, kind, lexemes);
		found |= hits[kind] != NIL;
	}
	for (int kind = 0; !found && kind < SA_KNOWLEDGE_KINDS; kind++)
	{
		List *corrected;

		if (!(search->kinds & (1 << kind)))
			continue;
		corrected = sa_lexeme_corrected(kind, lexemes, search->asker);
		if (corrected != NIL)
			hits[kind] = find(search, kind, corrected);
	}
}

List *
sa_search_rules(const List *tables, int limit)
{
	int count = SA_QUERY(SA_QUERY_SEARCH_RULES, sa_arg_oids(tables),
						 sa_arg_int4(limit));

	return add_rows(NIL, SA_RULE, count);
}

int
sa_search_approved(void)
{
	int kinds_found = 0;

	(void) SA_QUERY0(SA_QUERY_SEARCH_APPROVED);
	for (int kind = 0; kind < SA_KNOWLEDGE_KINDS; kind++)
		if (sa_row_bool(0, kind + 1))
			kinds_found |= 1 << kind;
	return kinds_found;
}
