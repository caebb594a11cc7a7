/*
 * index.c
 *	  The words of all tables, in the worker's memory.
 *
 * A document is a table as it was read once.  When the catalog reads it again,
 * the old document is dead and the table gets a new one; when too many are
 * dead, all of it is made anew.  Most names and many words are repeated from
 * table to table, so what a name or a word comes to is remembered.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "utils/memutils.h"

#include "base/spi.h"
#include "base/wait.h"
#include "db/index.h"
#include "db/relation.h"
#include "db/words.h"
#include "queries/queries.gen.h"

/* What a word weighs, by where it stands. */
#define WEIGHT_NAME 3.0
#define WEIGHT_TABLE_COMMENT 1.5
#define WEIGHT_COLUMN 1.2
#define WEIGHT_VALUE 0.8
#define WEIGHT_SCHEMA 0.7
#define WEIGHT_OTHER_NAME 0.7
#define WEIGHT_COLUMN_COMMENT 0.5
/* A word that is repeated in a table adds this share of its weight. */
#define REPEATED 0.25
/* Of a table with few rows also the values that occur once are known. */
#define FEW_ROWS 200

/* A word as it is written; term is NULL for a stop word. */
typedef struct WrittenWord
{
	const char *text;
	SaTerm *term;
} WrittenWord;

static SaIndex *current = NULL;
static bool index_ready = false;

static uint32
hash_text(const void *key, Size keysize)
{
	const char *text = *(const char *const *) key;

	return DatumGetUInt32(hash_any((const unsigned char *) text, strlen(text)));
}

static int
match_text(const void *left, const void *right, Size keysize)
{
	return strcmp(*(const char *const *) left, *(const char *const *) right);
}

/* A hash table whose key is the text that its entries begin with. */
static HTAB *
text_table(MemoryContext context, const char *name, Size entrysize)
{
	HASHCTL ctl = {0};

	ctl.keysize = sizeof(char *);
	ctl.entrysize = entrysize;
	ctl.hash = hash_text;
	ctl.match = match_text;
	ctl.hcxt = context;
	return hash_create(name, 1024, &ctl,
					   HASH_ELEM | HASH_FUNCTION | HASH_COMPARE | HASH_CONTEXT);
}

static SaIndex *
make_index(SaCatalog *catalog)
{
	MemoryContext context = AllocSetContextCreate(
		TopMemoryContext, "sqlagent index", ALLOCSET_DEFAULT_SIZES);
	SaIndex *index = MemoryContextAllocZero(context, sizeof(SaIndex));

	index->context = context;
	index->generation = catalog->generation;
	index->terms = text_table(context, "sqlagent terms", sizeof(SaTerm));
	index->aliases = text_table(context, "sqlagent words", sizeof(WrittenWord));
	index->space = Max(catalog->nlisted, 64);
	index->documents =
		MemoryContextAlloc(context, sizeof(SaDocument) * index->space);
	index->list_space = 1024;
	index->list =
		MemoryContextAlloc(context, sizeof(SaTerm *) * index->list_space);
	return index;
}

SaTerm *
sa_index_term(SaIndex *index, const char *stem)
{
	return hash_search(index->terms, &stem, HASH_FIND, NULL);
}

static SaTerm *
enter_term(SaIndex *index, const char *stem, const char *written)
{
	bool found;
	SaTerm *term = hash_search(index->terms, &stem, HASH_ENTER, &found);

	if (found)
		return term;
	MemSet(term, 0, sizeof(SaTerm));
	term->text = MemoryContextStrdup(index->context, stem);
	term->written = MemoryContextStrdup(index->context, written);
	if (index->nlist == index->list_space)
	{
		index->list_space *= 2;
		index->list =
			repalloc(index->list, sizeof(SaTerm *) * index->list_space);
	}
	index->list[index->nlist++] = term;
	return term;
}

/* The term of a word as it is written, or NULL for a stop word. */
static SaTerm *
term_of_word(SaIndex *index, const char *word)
{
	bool found;
	WrittenWord *alias = hash_search(index->aliases, &word, HASH_ENTER, &found);
	const char *stem;

	if (found)
		return alias->term;
	alias->text = MemoryContextStrdup(index->context, word);
	stem = sa_words_stem(word);
	alias->term = stem ? enter_term(index, stem, word) : NULL;
	return alias->term;
}

static void
add_posting(SaIndex *index, SaTerm *term, int document, double weight,
			int field)
{
	SaPosting *last = term->count > 0 ? &term->postings[term->count - 1] : NULL;

	term->fields |= field;
	if ((field & SA_FIELD_NAME) && !(last && last->document == document))
		term->nnames++;
	if (last && last->document == document)
	{
		last->weight =
			Max(last->weight, weight) + REPEATED * Min(last->weight, weight);
		last->fields |= field;
		return;
	}
	if (term->postings == NULL)
	{
		term->space = 2;
		term->postings =
			MemoryContextAlloc(index->context, sizeof(SaPosting) * term->space);
	}
	else if (term->count == term->space)
	{
		term->space *= 2;
		term->postings =
			repalloc(term->postings, sizeof(SaPosting) * (Size) term->space);
	}
	term->postings[term->count++] =
		(SaPosting){document, (float) weight, field};
}

/* All words of a text; gives how many there are. */
static int
add_text(SaIndex *index, int document, const char *text, double weight,
		 int field)
{
	char word[SA_WORD_MAX + 1];
	int count = 0;

	while (text && sa_words_next(&text, word))
	{
		SaTerm *term = term_of_word(index, word);

		if (term == NULL)
			continue;
		add_posting(index, term, document, weight, field);
		count++;
	}
	return count;
}

/* "purchase_order" is also called "po", or "purchaseorder". */
static void
add_other_names(SaIndex *index, int document, const char *name)
{
	char word[SA_WORD_MAX + 1];
	char initials[8] = "";
	char joined[NAMEDATALEN] = "";
	int count = 0;

	while (count < lengthof(initials) - 1 && sa_words_next(&name, word))
	{
		if (!IS_HIGHBIT_SET(word[0]) && isalpha((unsigned char) word[0]))
			initials[count++] = word[0];
		strlcat(joined, word, sizeof(joined));
	}
	if (count < 2)
		return;
	add_posting(index, enter_term(index, initials, initials), document,
				WEIGHT_OTHER_NAME, SA_FIELD_COLUMN);
	add_text(index, document, joined, WEIGHT_OTHER_NAME, SA_FIELD_COLUMN);
}

static void
add_column(SaIndex *index, int document, const SaCatalogColumn *column)
{
	add_text(index, document, column->name, WEIGHT_COLUMN, SA_FIELD_COLUMN);
	if (column->comment)
		add_text(index, document, column->comment, WEIGHT_COLUMN_COMMENT,
				 SA_FIELD_COMMENT);
	for (int i = 0; !column->masked && i < column->type->nlabels; i++)
		add_text(index, document, column->type->labels[i], WEIGHT_VALUE,
				 SA_FIELD_VALUE);
}

static int
schema_number(const SaCatalog *catalog, Oid schema)
{
	for (int i = 0; i < catalog->nschemas; i++)
		if (catalog->schemas[i] == schema)
			return i;
	return 0;
}

static void
add_table(SaIndex *index, SaCatalog *catalog, SaTable *table)
{
	int number = index->ndocuments++;
	SaDocument *document;

	if (number == index->space)
	{
		index->space *= 2;
		index->documents =
			repalloc(index->documents, sizeof(SaDocument) * index->space);
	}
	document = &index->documents[number];
	document->oid = table->oid;
	document->table = table;
	document->schema = schema_number(catalog, table->schema_oid);
	table->document = number;
	document->nname =
		add_text(index, number, table->name, WEIGHT_NAME, SA_FIELD_NAME);
	add_other_names(index, number, table->name);
	add_text(index, number, table->schema, WEIGHT_SCHEMA, SA_FIELD_SCHEMA);
	if (table->comment)
		add_text(index, number, table->comment, WEIGHT_TABLE_COMMENT,
				 SA_FIELD_COMMENT);
	for (int i = 0; i < table->ncolumns; i++)
		add_column(index, number, &table->columns[i]);
}

/* Tables by schema and name, to find the one of a row of pg_stats. */
typedef struct NamedTable
{
	char key[NAMEDATALEN * 2];
	SaTable *table;
} NamedTable;

static void
make_key(char *key, const char *schema, const char *name)
{
	snprintf(key, NAMEDATALEN * 2, "%s.%s", schema, name);
}

static HTAB *
table_names(List *tables)
{
	HASHCTL ctl = {.keysize = NAMEDATALEN * 2, .entrysize = sizeof(NamedTable)};
	HTAB *names;
	ListCell *cell;

	ctl.hcxt = CurrentMemoryContext;
	names = hash_create("sqlagent table names", list_length(tables), &ctl,
						HASH_ELEM | HASH_STRINGS | HASH_CONTEXT);
	foreach (cell, tables)
	{
		SaTable *table = lfirst(cell);
		char key[NAMEDATALEN * 2];
		NamedTable *entry;

		make_key(key, table->schema, table->name);
		entry = hash_search(names, key, HASH_ENTER, NULL);
		entry->table = table;
	}
	return names;
}

static void
add_value_row(SaIndex *index, HTAB *names, int row)
{
	char key[NAMEDATALEN * 2];
	NamedTable *entry;
	SaCatalogColumn *column;

	make_key(key, sa_row_text(row, 1), sa_row_text(row, 2));
	entry = hash_search(names, key, HASH_FIND, NULL);
	if (entry == NULL)
		return;
	column = sa_catalog_column_named(entry->table, sa_row_text(row, 3));
	if (column == NULL || column->masked ||
		column->type->category != TYPCATEGORY_STRING)
		return;
	for (int field = 4; field <= 5; field++)
	{
		int count;
		char **values = sa_row_text_array(row, field, &count);

		for (int i = 0; i < count; i++)
			if (values[i])
				add_text(index, entry->table->document, values[i], WEIGHT_VALUE,
						 SA_FIELD_VALUE);
	}
}

/*
 * Common values, of columns with few different ones, and all values of small
 * tables.  "all" says that the tables are all there are.
 */
static void
add_values(SaIndex *index, SaCatalog *catalog, List *tables, bool all)
{
	int count = list_length(tables);
	char **names = palloc(sizeof(char *) * count);
	char **small = palloc(sizeof(char *) * count);
	int nsmall = 0;
	HTAB *by_name = table_names(tables);
	int rows;

	for (int i = 0; i < count; i++)
	{
		const SaTable *table = list_nth(tables, i);

		names[i] = table->name;
		if (table->rows > 0 && table->rows <= FEW_ROWS)
			small[nsmall++] = table->name;
	}
	rows = SA_QUERY(SA_QUERY_INDEX_VALUES,
					sa_arg_text_array(catalog->schema_names, catalog->nschemas),
					all ? sa_arg_null(TEXTARRAYOID)
						: sa_arg_text_array(names, count),
					sa_arg_text_array(small, nsmall));
	for (int i = 0; i < rows; i++)
	{
		add_value_row(index, by_name, i);
		if ((i & 255) == 0)
			sa_wait_check();
	}
}

/* Documents whose table is gone or was read again. */
static void
bury(SaIndex *index, SaCatalog *catalog)
{
	for (int i = 0; i < index->ndocuments; i++)
	{
		SaDocument *document = &index->documents[i];
		SaTable *table;

		if (document->table == NULL)
			continue;
		table = sa_catalog_table(catalog, document->oid);
		if (table == NULL || table->document != i)
		{
			document->table = NULL;
			index->ndead++;
		}
	}
}

/* Keys as pairs of documents. */
static void
link_documents(SaIndex *index, SaCatalog *catalog)
{
	ListCell *cell;

	if (index->edges)
		pfree(index->edges);
	index->nedges = 0;
	index->edges = MemoryContextAlloc(
		index->context,
		sizeof(SaEdge) * Max(list_length(catalog->foreign_keys), 1));
	foreach (cell, catalog->foreign_keys)
	{
		const SaForeignKey *key = lfirst(cell);
		const SaTable *from = sa_catalog_table(catalog, key->table);
		const SaTable *to = sa_catalog_table(catalog, key->foreign_table);

		if (from == to || from->document < 0 || to->document < 0)
			continue;
		index->edges[index->nedges++] = (SaEdge){from->document, to->document};
	}
}

/* Index the tables that are not yet. */
static void
add_new_tables(SaIndex *index, SaCatalog *catalog)
{
	List *added = NIL;
	HASH_SEQ_STATUS scan;
	SaTable *table;

	hash_seq_init(&scan, catalog->tables);
	while ((table = hash_seq_search(&scan)) != NULL)
	{
		if (!table->listed || table->document >= 0)
			continue;
		add_table(index, catalog, table);
		added = lappend(added, table);
	}
	if (added != NIL)
		add_values(index, catalog, added,
				   list_length(added) == catalog->nlisted);
}

static void
start_again(SaCatalog *catalog)
{
	HASH_SEQ_STATUS scan;
	SaTable *table;

	if (current)
		MemoryContextDelete(current->context);
	current = NULL;
	hash_seq_init(&scan, catalog->tables);
	while ((table = hash_seq_search(&scan)) != NULL)
		table->document = -1;
	current = make_index(catalog);
}

SaIndex *
sa_index_current(SaCatalog *catalog)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext work;

	if (index_ready && current->generation == catalog->generation &&
		current->version == catalog->version)
		return current;
	work = AllocSetContextCreate(caller, "sqlagent index load",
								 ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(work);
	if (!index_ready || current->generation != catalog->generation)
		start_again(catalog);
	index_ready = false;
	bury(current, catalog);
	if (current->ndead * 4 > current->ndocuments)
		start_again(catalog);
	add_new_tables(current, catalog);
	link_documents(current, catalog);
	current->version = catalog->version;
	index_ready = true;
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(work);
	return current;
}
