/*
 * stem.c
 *	  Stems of words, by PostgreSQL's own text search dictionary.
 *
 * The builtin provider compares some hundred words a question, mostly the
 * same ones: what was looked up once is kept for the life of the process.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "nodes/value.h"
#include "tsearch/ts_cache.h"
#include "tsearch/ts_public.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "base/spi.h"
#include "base/stem.h"

/* Longer words are their own stem. */
#define MAX_WORD 48
/* At so many words the memory is started anew. */
#define MAX_KEPT 20000

typedef struct KeptStem
{
	char word[MAX_WORD]; /* hash key */
	char stem[MAX_WORD];
} KeptStem;

static HTAB *kept_stems = NULL;
static MemoryContext kept_context = NULL;

static void
start_memory(void)
{
	HASHCTL ctl = {0};

	if (kept_stems && hash_get_num_entries(kept_stems) < MAX_KEPT)
		return;
	if (kept_context == NULL)
		kept_context = AllocSetContextCreate(TopMemoryContext, "sqlagent stems",
											 ALLOCSET_DEFAULT_SIZES);
	if (kept_stems)
		hash_destroy(kept_stems);
	ctl.keysize = MAX_WORD;
	ctl.entrysize = sizeof(KeptStem);
	ctl.hcxt = kept_context;
	kept_stems = hash_create("sqlagent stems", 1024, &ctl,
							 HASH_ELEM | HASH_STRINGS | HASH_CONTEXT);
}

/* Ask the dictionary; needs a transaction. */
static void
look_up(const char *word, char *stem)
{
	Oid dictionary =
		get_ts_dict_oid(list_make2(makeString(pstrdup("pg_catalog")),
								   makeString(pstrdup("english_stem"))),
						true);
	TSDictionaryCacheEntry *entry;
	TSLexeme *lexemes;

	strlcpy(stem, word, MAX_WORD);
	if (!OidIsValid(dictionary))
		return;
	entry = lookup_ts_dictionary_cache(dictionary);
	lexemes = (TSLexeme *) DatumGetPointer(FunctionCall4(
		&entry->lexize, PointerGetDatum(entry->dictData),
		PointerGetDatum(pstrdup(word)), Int32GetDatum((int32) strlen(word)),
		PointerGetDatum(NULL)));
	if (lexemes && lexemes->lexeme)
		strlcpy(stem, lexemes->lexeme, MAX_WORD);
}

bool
sa_stem_begin(void)
{
	if (sa_tx_is_open())
		return false;
	sa_tx_begin(SA_TX_ASKER);
	return true;
}

void
sa_stem_end(bool opened)
{
	if (opened)
		sa_tx_commit();
}

char *
sa_stem(const char *word)
{
	char key[MAX_WORD] = {0};
	char stem[MAX_WORD];
	bool opened;
	bool found;
	KeptStem *entry;

	if (strlen(word) >= MAX_WORD)
		return pstrdup(word);
	strlcpy(key, word, MAX_WORD);
	if (kept_stems)
	{
		entry = hash_search(kept_stems, key, HASH_FIND, NULL);
		if (entry)
			return pstrdup(entry->stem);
	}
	opened = sa_stem_begin();
	look_up(key, stem);
	sa_stem_end(opened);
	start_memory();
	entry = hash_search(kept_stems, key, HASH_ENTER, &found);
	strlcpy(entry->stem, stem, MAX_WORD);
	return pstrdup(stem);
}
