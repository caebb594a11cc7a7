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

/* A weight counts in full from about here on. */
#define SATURATION 1.0
/* A table all of whose name the question says. */
#define BONUS_NAME 1.5
/* What the two best tables that a key leads to add. */
#define SHARE_NEIGHBOUR 0.35
#define SHARE_SECOND 0.25
/* What the best of the same schema add. */
#define SHARE_SCHEMA 0.15

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
rarity(const SaIndex *index, const SaTerm *term)
{
	return log(1.0 + (double) index->ndocuments / (term->count + 0.5));
}

/* One word of the question: the best form of it counts for each table. */
static void
score_word(const SaIndex *index, const SaQueryWord *word, int number,
		   Scores *scores)
{
	double ceiling = word->exact && word->exact->count > 0
						 ? rarity(index, word->exact)
						 : log(1.0 + index->ndocuments);

	MemSet(scores->word, 0, sizeof(double) * scores->count);
	for (int i = 0; i < word->count; i++)
	{
		const SaExpansion *form = &word->expansions[i];
		double rare = Min(rarity(index, form->term), ceiling) * form->factor;

		for (int j = 0; j < form->term->count; j++)
		{
			const SaPosting *posting = &form->term->postings[j];
			double value =
				rare * posting->weight / (posting->weight + SATURATION);

			if (value > scores->word[posting->document])
				scores->word[posting->document] = value;
			if (posting->fields & SA_FIELD_NAME)
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

/* A table gains by those that a key leads to, and by its schema. */
static void
score_company(const SaIndex *index, int nschemas, Scores *scores)
{
	double *schemas = palloc0(sizeof(double) * Max(nschemas, 1));

	for (int i = 0; i < index->nedges; i++)
	{
		const SaEdge *edge = &index->edges[i];

		offer_neighbour(scores, edge->from, scores->own[edge->to]);
		offer_neighbour(scores, edge->to, scores->own[edge->from]);
	}
	for (int i = 0; i < scores->count; i++)
	{
		const SaDocument *document = &index->documents[i];

		if (document->table)
			schemas[document->schema] =
				Max(schemas[document->schema], scores->own[i]);
	}
	for (int i = 0; i < scores->count; i++)
		scores->total[i] = scores->own[i] + SHARE_NEIGHBOUR * scores->best[i] +
						   SHARE_SECOND * scores->second[i] +
						   SHARE_SCHEMA * schemas[index->documents[i].schema];
}

static Scores *
score_all(SaIndex *index, int nschemas, const char *question)
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
	score_company(index, nschemas, scores);
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

SaRanked *
sa_rank_tables(SaCatalog *catalog, const char *question, int *nfitting)
{
	SaIndex *index = sa_index_current(catalog);
	SaRanked *ranked = palloc(sizeof(SaRanked) * Max(index->ndocuments, 1));
	Scores *scores =
		score_all(index, catalog->nschemas, question ? question : "");
	int count = 0;

	*nfitting = 0;
	for (int i = 0; i < index->ndocuments; i++)
	{
		SaTable *table = index->documents[i].table;

		if (table == NULL)
			continue;
		ranked[count].table = table;
		ranked[count].score = scores->total[i];
		if (scores->own[i] > 0)
			(*nfitting)++;
		else
			ranked[count].score *= 0.5;
		count++;
	}
	qsort(ranked, count, sizeof(SaRanked), compare_ranked);
	return ranked;
}
