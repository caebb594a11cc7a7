/*
 * index.h
 *	  The words of all tables, in the worker's memory: which table has which
 *	  word in its name, columns, comments, labels and common values.
 *
 * Used by rank and expand.  Kept along with the catalog: a table that was read
 * again there is indexed again here.
 */
#ifndef SA_INDEX_H
#define SA_INDEX_H

#include "db/catalog.h"

/* Where a word stands. */
#define SA_FIELD_NAME 1
#define SA_FIELD_COLUMN 2
#define SA_FIELD_COMMENT 4
#define SA_FIELD_VALUE 8
#define SA_FIELD_SCHEMA 16

typedef struct SaPosting
{
	int document;
	float weight;
	int fields; /* SA_FIELD_* */
} SaPosting;

typedef struct SaTerm
{
	const char *text;	 /* a stem; hash key */
	const char *written; /* a word that has it */
	int fields;			 /* anywhere */
	int nnames;			 /* postings that are in names */
	int count;
	int space;
	SaPosting *postings;
} SaTerm;

typedef struct SaDocument
{
	Oid oid;
	SaTable *table; /* NULL: gone, or indexed again */
	int nname;		/* words of its name */
	int schema;		/* number of its schema */
} SaDocument;

/* Two documents with a key between them. */
typedef struct SaEdge
{
	int from;
	int to;
} SaEdge;

typedef struct SaIndex
{
	MemoryContext context;
	uint64 generation; /* of the catalog that it was made from */
	uint64 version;
	int ndocuments;
	int space;
	SaDocument *documents;
	int ndead;
	HTAB *terms;   /* SaTerm by text */
	HTAB *aliases; /* words as written, and their terms */
	int nlist;
	int list_space;
	SaTerm **list; /* all terms */
	int nedges;
	SaEdge *edges;
} SaIndex;

/* The index of the catalog as it is now. */
extern SaIndex *sa_index_current(SaCatalog *catalog);

/* The term of a stem, or NULL. */
extern SaTerm *sa_index_term(SaIndex *index, const char *stem);

#endif /* SA_INDEX_H */
