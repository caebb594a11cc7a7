/*
 * catalog.h
 *	  What the asker may read, in the worker's memory: tables, columns, keys,
 *	  comments, types; and statistics of the tables that were looked at closely.
 *
 * Used by introspect, describe, rank, relation and values.  Kept current by
 * invalidation messages and a fingerprint of the comments (which send none).
 * Nothing here opens a table of the user, so listing takes no lock on one.
 *
 * sa_catalog_open() begins the transaction that all else here needs; pointers
 * into the catalog are valid until it is called again.
 */
#ifndef SA_CATALOG_H
#define SA_CATALOG_H

#include "nodes/pg_list.h"
#include "utils/hsearch.h"

/* A type that has something to say beyond its name. */
typedef struct SaType
{
	Oid oid; /* hash key */
	int nlabels;
	char **labels;	   /* of an enum, in its order */
	char *base;		   /* of a domain, as format_type says it */
	int nchecks;	   /* of a domain */
	char **checks;	   /* "CHECK (…)" */
	bool not_null;	   /* of a domain */
	bool described;	   /* labels, base and checks were read */
	uint32 cache_hash; /* by which an invalidation message names it */
	char category;	   /* TYPCATEGORY_* of the base type */
} SaType;

/* From pg_stats, as far as the asker may read the column. */
typedef struct SaStatistics
{
	double null_fraction;
	double distinct; /* number of values; -1 = not known */
	int ncommon;
	char **common;	   /* most common first */
	double *frequency; /* of each */
	char *min;		   /* or NULL */
	char *max;
	bool complete; /* common are all the values there are */
} SaStatistics;

typedef struct SaCatalogColumn
{
	int16 attnum;
	bool not_null;
	bool identity;
	bool generated;
	bool masked;
	char *name;
	char *type_name;
	char *comment;		/* or NULL */
	const SaType *type; /* never NULL */
	/* known only when the table's details are */
	char *fallback;		 /* default or generation expression, or NULL */
	SaStatistics *stats; /* or NULL */
} SaCatalogColumn;

/* A primary key (the first, if there is one) or a unique constraint. */
typedef struct SaKey
{
	bool primary;
	int ncolumns;
	int16 *columns; /* attnums */
} SaKey;

/* One direction is kept; both tables list it. */
typedef struct SaForeignKey
{
	Oid table; /* refers */
	Oid foreign_table;
	int ncolumns;
	int16 *columns;
	int16 *foreign_columns;
	bool implied;  /* not declared, but names and types say so */
	bool presumed; /* nor is what it refers to declared to be unique */
} SaForeignKey;

typedef struct SaTable
{
	Oid oid; /* hash key */
	Oid schema_oid;
	char *schema;
	char *name;
	char *comment; /* or NULL */
	char kind;	   /* relkind */
	bool listed;   /* false: a partition, which stands behind its parent */
	double rows;   /* estimate; -1 = not known */
	int ncolumns;
	SaCatalogColumn *columns; /* by attnum; only those the asker may read */
	int nkeys;
	SaKey *keys;
	List *foreign_keys;	 /* SaForeignKey that refer from here or to here */
	uint32 shape;		 /* hash of name, columns, types and own keys */
	uint32 reference;	 /* hash of the foreign keys that refer from here */
	int document;		 /* number in the index of rank.c */
	uint32 comment_hash; /* which versions of its comments were read */
	/* details */
	MemoryContext details; /* NULL = not loaded */
	bool incomplete;	   /* the details, for a lock that was not free */
	int nchecks;
	char **checks;
	char *definition; /* of a view, or NULL */
	bool analyzed;	  /* there are statistics */
} SaTable;

typedef struct SaCatalog
{
	MemoryContext context;
	HTAB *tables; /* SaTable by oid */
	HTAB *types;  /* SaType by oid */
	HTAB *names;  /* interned names: most are those of many columns */
	Oid *schemas; /* those that the asker may use and the settings name */
	int nschemas;
	char **schema_names;
	int nlisted;
	List *foreign_keys; /* SaForeignKey */
	MemoryContext keys; /* where those and the lists of them are */
	uint64 generation;	/* changes when all of it is read anew */
	uint64 version;		/* changes whenever anything in it does */
	int ntype_hashes;	/* of the types that columns have */
	uint32 *type_hashes;
	uint32 label_hash; /* of all labels */
	int ncomments;	   /* of the users' objects */
	uint32 comment_hash;
} SaCatalog;

/*
 * Begin an SA_TX_ASKER transaction and bring the catalog up to date.  The
 * caller ends the transaction.
 */
extern SaCatalog *sa_catalog_open(void);

/* A table of it, or NULL; also loads a partition that is asked for by name. */
extern SaTable *sa_catalog_table(SaCatalog *catalog, Oid oid);

/* The table that SQL would find by this name, or the only one that is meant. */
extern SaTable *sa_catalog_find(SaCatalog *catalog, const char *name);

/* The name as SQL writes it: quoted, with schema if the path finds another. */
extern char *sa_catalog_name(const SaTable *table);

extern const char *sa_catalog_kind(const SaTable *table);
extern SaCatalogColumn *sa_catalog_column(const SaTable *table, int attnum);
extern SaCatalogColumn *sa_catalog_column_named(const SaTable *table,
												const char *name);

/* Load defaults, checks, statistics and definitions of these SaTables. */
extern void sa_detail_load(SaCatalog *catalog, List *tables);
extern void sa_detail_forget(SaTable *table);

#endif /* SA_CATALOG_H */
