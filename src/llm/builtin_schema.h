/*
 * builtin_schema.h
 *	  The part of the database that the builtin provider knows of: what the
 *	  tool introspect_schema told it, as a small model.
 */
#ifndef SA_BUILTIN_SCHEMA_H
#define SA_BUILTIN_SCHEMA_H

#include "base/json.h"
#include "llm/builtin_lexicon.h"

typedef enum SaBiType
{
	SA_BI_T_TEXT,
	SA_BI_T_NUMBER,
	SA_BI_T_DATE, /* date, timestamp */
	SA_BI_T_BOOL,
	SA_BI_T_OTHER
} SaBiType;

typedef struct SaBiTable SaBiTable;

typedef struct SaBiColumn
{
	SaBiTable *table;
	const char *name; /* raw */
	SaBiType type;
	bool integer;	/* whole numbers */
	bool with_time; /* a date with a time of day */
	bool nullable;
	bool unique;	   /* by itself */
	bool primary;	   /* part of the primary key */
	bool key;		   /* of a relationship, or primary */
	bool stamp;		   /* when the row was written */
	const char *truth; /* the value that means yes, where there are two */
	SaBiName *full;	   /* the whole name */
	SaBiName *bare;	   /* without the table's name before it, or NULL */
	SaBiName *owned;   /* with the table's name before it */
	SaBiName *comment; /* words of a short comment, or NULL */
	List *values;	   /* of char *: known values */
	bool values_complete;
	int64 distinct; /* 0 = not known */
	const char *min;
	const char *max;
} SaBiColumn;

/* A way from one table to another; each is there in both directions. */
typedef struct SaBiEdge
{
	SaBiTable *from;
	SaBiTable *to;
	List *from_columns; /* of SaBiColumn * */
	List *to_columns;
	bool to_one; /* a row of from has at most one in to */
	bool declared;
} SaBiEdge;

struct SaBiTable
{
	int id;
	const char *sql;  /* as SQL writes it */
	const char *kind; /* "table", "view" … */
	SaBiName *name;
	int64 rows; /* -1 = not known */
	List *columns;
	List *primary;				 /* columns of the primary key */
	List *labels;				 /* columns that name a row to people */
	List *edges;				 /* of SaBiEdge *, from here */
	const char *comment;		 /* which may tell joins, or NULL */
	const SaJson *relationships; /* as the tool told them */
};

typedef struct SaBiSchema
{
	List *tables;
} SaBiSchema;

extern SaBiSchema *sa_builtin_schema_new(void);
/* Add the answer of introspect_schema for one table. */
extern void sa_builtin_schema_add(SaBiSchema *schema, const SaJson *answer);
/* Once all are added: keys that are not declared, labels. */
extern void sa_builtin_schema_finish(SaBiSchema *schema);

extern SaBiTable *sa_builtin_schema_table(const SaBiSchema *schema,
										  const char *sql);
extern SaBiColumn *sa_builtin_schema_column(const SaBiTable *table,
											const char *name);
/* The one column of the primary key, or NULL. */
extern SaBiColumn *sa_builtin_schema_key(const SaBiTable *table);

/*
 * The edges of the shortest way, declared ones preferred; NIL when there is
 * none, or when from and to are the same.  *cost is its length, 0 for the
 * same table, a large number for none.
 */
#define SA_BI_FAR 1000
extern List *sa_builtin_join_path(const SaBiSchema *schema, SaBiTable *from,
								  SaBiTable *to, int *cost);
extern int sa_builtin_join_cost(const SaBiSchema *schema, SaBiTable *from,
								SaBiTable *to);
/* Whether no step of the way multiplies rows. */
extern bool sa_builtin_join_to_one(const List *path);
/* Keys that are not declared. */
extern void sa_builtin_join_imply(SaBiSchema *schema);
extern void sa_builtin_join_add(SaBiTable *from, SaBiTable *to,
								List *from_columns, List *to_columns,
								bool declared);

/* builtin_naming.c */
/* The last part of a possibly qualified, possibly quoted name, unquoted. */
extern char *sa_builtin_naming_bare(const char *sql);
extern SaBiName *sa_builtin_naming_table(const char *raw);
extern void sa_builtin_naming_columns(SaBiTable *table);
/* Once all tables are known: prefixes that nearly all of them share. */
extern void sa_builtin_naming_tables(SaBiSchema *schema);

#endif /* SA_BUILTIN_SCHEMA_H */
