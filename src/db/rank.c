/*
 * rank.c
 *	  Which tables fit a question.
 */
#include "postgres.h"

#include "base/text.h"
#include "db/rank.h"
#include "db/words.h"

static double
overlap(List *words, const char *text)
{
	double score = 0;
	ListCell *cell;

	if (text == NULL)
		return 0;
	foreach (cell, sa_words_split(text))
	{
		const SaWord *word = lfirst(cell);
		ListCell *other;

		foreach (other, words)
		{
			const SaWord *asked = lfirst(other);

			if (word->stem && asked->stem &&
				strcmp(word->stem, asked->stem) == 0)
				score += 1;
		}
	}
	return score;
}

static double
score_table(const SaTable *table, List *words)
{
	double score =
		3 * overlap(words, table->name) + overlap(words, table->comment);

	for (int i = 0; i < table->ncolumns; i++)
		score += overlap(words, table->columns[i].name) +
				 0.5 * overlap(words, table->columns[i].comment);
	return score;
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
	List *words = sa_text_blank(question) ? NIL : sa_words_split(question);
	SaRanked *ranked = palloc(sizeof(SaRanked) * Max(catalog->nlisted, 1));
	HASH_SEQ_STATUS scan;
	SaTable *table;
	int count = 0;

	*nfitting = 0;
	hash_seq_init(&scan, catalog->tables);
	while ((table = hash_seq_search(&scan)) != NULL)
	{
		if (!table->listed)
			continue;
		ranked[count].table = table;
		ranked[count].score = score_table(table, words);
		if (ranked[count].score > 0)
			(*nfitting)++;
		count++;
	}
	qsort(ranked, count, sizeof(SaRanked), compare_ranked);
	return ranked;
}
