/*
 * rank.c
 *	  Which tables fit a question: each by its own words, then by the company
 *	  that it keeps, since a question needs tables that go together.
 */
#include "postgres.h"

#include <math.h>

#include "port/pg_bitutils.h"

#include "base/text.h"
#include "db/expand.h"
#include "db/index.h"
#include "db/rank.h"
#include "db/words.h"

/* A weight counts in full from about here on. */
#define SATURATION 1.0
/* A table all of whose name the question says. */
#define BONUS_NAME 1.5
/* What a table that is likely for another reason gains at most: the best score
 * by words, and no less than this. */
#define LEAST_LIKELY 1.0
/* What the two best tables that a key leads to add. */
#define SHARE_NEIGHBOUR 0.35
#define SHARE_SECOND 0.25
/* What the best of the same schema add, when it is of at most so many tables. */
#define SHARE_SCHEMA 0.2
#define SMALL_SCHEMA 60
#define SCHEMA_BEST 3
/* The tables next to the best ones come at least at this share of theirs. */
#define SHARE_NEXT 0.4
#define NEXT_BEST 5
/* More tables that refer to one are not all next to it. */
#define MAX_INCOMING 8

/* Tables with a smaller share of the best one's score are not sorted. */
#define LEAST_SORTED 0.1

/* What a schema holds. */
typedef struct SchemaScore
{
	int count;
	double best[SCHEMA_BEST];
	double score;
} SchemaScore;

typedef struct Scores
{
	int count;
	double *own;
	double *word;  /* of the word at hand */
	uint64 *named; /* which words of the question its name has */
	double *best;  /* of its neighbours */
	double *second;
	double *total;
} Scores;

static double
rarity(const SaIndex *index, int count)
{
	return log(1.0 + (double) index->ndocuments / (count + 0.5));
}

/* One word of the question: the best form of it counts for each table. */
static void
score_word(const SaIndex *index, const SaQueryWord *word, int number,
		   Scores *scores)
{
	double ceiling = word->exact && word->exact->count > 0
						 ? rarity(index, word->exact->count)
						 : log(1.0 + index->ndocuments);
	double name_ceiling = word->exact && word->exact->nnames > 0
							  ? rarity(index, word->exact->nnames)
							  : log(1.0 + index->ndocuments);

	MemSet(scores->word, 0, sizeof(double) * scores->count);
	for (int i = 0; i < word->count; i++)
	{
		const SaExpansion *form = &word->expansions[i];
		double rare = Min(rarity(index, form->term->count), ceiling);
		double rare_name = Min(rarity(index, form->term->nnames), name_ceiling);

		for (int j = 0; j < form->term->count; j++)
		{
			const SaPosting *posting = &form->term->postings[j];
			bool name = (posting->fields & SA_FIELD_NAME) != 0;
			double value = (name ? rare_name : rare) * form->factor *
						   posting->weight / (posting->weight + SATURATION);

			if (value > scores->word[posting->document])
				scores->word[posting->document] = value;
			if (name)
				scores->named[posting->document] |= UINT64CONST(1) << number;
		}
	}
	for (int i = 0; i < scores->count; i++)
		scores->own[i] += scores->word[i];
}

/* A name that the question says as a whole is more than its words. */
static void
score_names(const SaIndex *index, Scores *scores)
{
	for (int i = 0; i < scores->count; i++)
	{
		const SaDocument *document = &index->documents[i];
		int said = pg_popcount64(scores->named[i]);

		if (said == 0 || document->nname == 0)
			continue;
		scores->own[i] *=
			1 + (BONUS_NAME - 1) * Min(1.0, (double) said / document->nname);
	}
}

/* What was asked about a table before says more than its name may. */
static void
score_likely(SaCatalog *catalog, const List *likely, Scores *scores)
{
	double best = LEAST_LIKELY;
	ListCell *cell;

	for (int i = 0; likely != NIL && i < scores->count; i++)
		best = Max(best, scores->own[i]);
	foreach (cell, likely)
	{
		const SaLikely *one = lfirst(cell);
		const SaTable *table = sa_catalog_table(catalog, one->table);

		if (table && table->document >= 0)
			scores->own[table->document] += one->weight * best;
	}
}

static void
offer_neighbour(Scores *scores, int document, double score)
{
	if (score > scores->best[document])
	{
		scores->second[document] = scores->best[document];
		scores->best[document] = score;
	}
	else if (score > scores->second[document])
		scores->second[document] = score;
}

/* The sum of the best tables of each schema, against the best schema. */
static SchemaScore *
score_schemas(const SaIndex *index, int nschemas, const Scores *scores)
{
	SchemaScore *schemas = palloc0(sizeof(SchemaScore) * Max(nschemas, 1));
	double best = 0;

	for (int i = 0; i < scores->count; i++)
	{
		SchemaScore *schema = &schemas[index->documents[i].schema];
		double score = scores->own[i];

		if (index->documents[i].table == NULL)
			continue;
		schema->count++;
		for (int j = 0; j < SCHEMA_BEST; j++)
			if (score > schema->best[j])
			{
				double next = schema->best[j];

				schema->best[j] = score;
				score = next;
			}
	}
	for (int i = 0; i < nschemas; i++)
	{
		for (int j = 0; j < SCHEMA_BEST; j++)
			schemas[i].score += schemas[i].best[j];
		best = Max(best, schemas[i].score);
	}
	for (int i = 0; i < nschemas && best > 0; i++)
		schemas[i].score *= Min(1.0, (double) SMALL_SCHEMA / schemas[i].count) *
							schemas[i].best[0] / best;
	return schemas;
}

/* A table gains by those that a key leads to, and by its schema. */
static void
score_company(const SaIndex *index, int nschemas, Scores *scores)
{
	const SchemaScore *schemas = score_schemas(index, nschemas, scores);

	for (int i = 0; i < index->nedges; i++)
	{
		const SaEdge *edge = &index->edges[i];

		offer_neighbour(scores, edge->from, scores->own[edge->to]);
		offer_neighbour(scores, edge->to, scores->own[edge->from]);
	}
	for (int i = 0; i < scores->count; i++)
		scores->total[i] =
			scores->own[i] + SHARE_NEIGHBOUR * scores->best[i] +
			SHARE_SECOND * scores->second[i] +
			SHARE_SCHEMA * schemas[index->documents[i].schema].score;
}

static Scores *
score_all(SaCatalog *catalog, SaIndex *index, const char *question,
		  const List *likely)
{
	Scores *scores = palloc(sizeof(Scores));
	Size size = sizeof(double) * Max(index->ndocuments, 1);
	int nwords;
	SaQueryWord *words = sa_expand_question(index, question, &nwords);

	scores->count = index->ndocuments;
	scores->own = palloc0(size);
	scores->word = palloc(size);
	scores->named = palloc0(size);
	scores->best = palloc0(size);
	scores->second = palloc0(size);
	scores->total = palloc0(size);
	for (int i = 0; i < nwords; i++)
		score_word(index, &words[i], i, scores);
	score_names(index, scores);
	score_likely(catalog, likely, scores);
	score_company(index, catalog->nschemas, scores);
	return scores;
}

static int
compare_ranked(const void *left, const void *right)
{
	const SaRanked *a = left;
	const SaRanked *b = right;
	int order;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	order = strcmp(a->table->name, b->table->name);
	return order ? order : strcmp(a->table->schema, b->table->schema);
}

/* Place of each document among the ranked; -1 = not there. */
static int *
make_places(const SaIndex *index, const SaRanked *ranked, int count)
{
	int *places = palloc(sizeof(int) * Max(index->ndocuments, 1));

	memset(places, -1, sizeof(int) * index->ndocuments);
	for (int i = 0; i < count; i++)
		places[ranked[i].table->document] = i;
	return places;
}

/* The best few, in order. */
static int
find_best(const SaRanked *ranked, int count, SaRanked best[NEXT_BEST])
{
	int nbest = 0;

	for (int i = 0; i < count; i++)
	{
		int place = nbest;

		while (place > 0 && compare_ranked(&ranked[i], &best[place - 1]) < 0)
			place--;
		if (place == NEXT_BEST)
			continue;
		nbest = Min(nbest + 1, NEXT_BEST);
		memmove(&best[place + 1], &best[place],
				sizeof(SaRanked) * (nbest - place - 1));
		best[place] = ranked[i];
	}
	return nbest;
}

/*
 * The tables that the best ones refer to, and those that refer to them unless
 * these are many, are needed to join them.
 */
static void
raise_next(SaCatalog *catalog, const SaIndex *index, SaRanked *ranked,
		   int count)
{
	SaRanked best[NEXT_BEST];
	int nbest = find_best(ranked, count, best);
	int *places = make_places(index, ranked, count);

	for (int i = 0; i < nbest; i++)
	{
		const SaTable *table = best[i].table;
		double score = best[i].score * SHARE_NEXT;
		int incoming = 0;
		ListCell *cell;

		foreach (cell, table->foreign_keys)
			if (((SaForeignKey *) lfirst(cell))->table != table->oid)
				incoming++;
		foreach (cell, table->foreign_keys)
		{
			const SaForeignKey *key = lfirst(cell);
			bool outgoing = key->table == table->oid;
			const SaTable *other = sa_catalog_table(
				catalog, outgoing ? key->foreign_table : key->table);
			int place = other->document >= 0 ? places[other->document] : -1;

			if (place >= 0 && (outgoing || incoming <= MAX_INCOMING))
				ranked[place].score = Max(ranked[place].score, score);
		}
	}
}

/* Sort what is near enough to the best to be shown; the rest stays behind it. */
static void
sort_ranked(SaRanked *ranked, int count)
{
	double least = 0;
	int near = 0;

	for (int i = 0; i < count; i++)
		least = Max(least, ranked[i].score * LEAST_SORTED);
	for (int i = 0; i < count; i++)
		if (ranked[i].score >= least)
		{
			SaRanked other = ranked[near];

			ranked[near++] = ranked[i];
			ranked[i] = other;
		}
	qsort(ranked, near, sizeof(SaRanked), compare_ranked);
}

SaRanked *
sa_rank_tables(SaCatalog *catalog, const char *question, const List *likely,
			   bool fitting, int *count)
{
	SaIndex *index = sa_index_current(catalog);
	SaRanked *ranked = palloc(sizeof(SaRanked) * Max(index->ndocuments, 1));
	Scores *scores =
		score_all(catalog, index, question ? question : "", likely);

	*count = 0;
	for (int i = 0; i < index->ndocuments; i++)
	{
		SaTable *table = index->documents[i].table;

		if (table && (!fitting || scores->own[i] > 0))
			ranked[(*count)++] =
				(SaRanked){table, scores->own[i],
						   fitting ? scores->own[i] : scores->total[i]};
	}
	if (!fitting)
		raise_next(catalog, index, ranked, *count);
	sort_ranked(ranked, *count);
	return ranked;
}

/* Is one of the words of the text a form of a word of the question? */
static bool
is_spoken_of(const char *text, const SaQueryWord *words, int nwords)
{
	char word[SA_WORD_MAX + 1];

	while (text && sa_words_next(&text, word))
	{
		const char *stem = sa_words_stem(word);

		for (int i = 0; stem && i < nwords; i++)
			for (int j = 0; j < words[i].count; j++)
				if (strcmp(words[i].expansions[j].term->text, stem) == 0)
					return true;
	}
	return false;
}

bool *
sa_rank_columns(SaCatalog *catalog, const SaTable *table, const char *question)
{
	bool *fits = palloc0(sizeof(bool) * Max(table->ncolumns, 1));
	int nwords;
	const SaQueryWord *words =
		sa_expand_question(sa_index_current(catalog), question, &nwords);

	for (int i = 0; i < table->ncolumns; i++)
	{
		const SaCatalogColumn *column = &table->columns[i];

		fits[i] = is_spoken_of(column->name, words, nwords) ||
				  is_spoken_of(column->comment, words, nwords);
		for (int j = 0; !column->masked && j < column->type->nlabels; j++)
			fits[i] |= is_spoken_of(column->type->labels[j], words, nwords);
	}
	return fits;
}
