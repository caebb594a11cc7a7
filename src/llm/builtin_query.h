/*
 * builtin_query.h
 *	  What a question asks for, between the words and the SQL.
 *
 * A query has a main table, what is selected, how it is grouped and ordered,
 * and scopes: the main one and further ones ("customers who have an invoice
 * over 10"), each with the conditions that hold for one row of its table.
 */
#ifndef SA_BUILTIN_QUERY_H
#define SA_BUILTIN_QUERY_H

#include "lib/stringinfo.h"
#include "llm/builtin_match.h"

typedef enum SaBiAgg
{
	SA_BI_AGG_NONE,
	SA_BI_AGG_COUNT,
	SA_BI_AGG_SUM,
	SA_BI_AGG_AVG,
	SA_BI_AGG_MIN,
	SA_BI_AGG_MAX,
	SA_BI_AGG_MEDIAN
} SaBiAgg;

/* A column, an entity (column NULL), or an aggregate of either. */
typedef struct SaBiTerm
{
	SaBiAgg agg;
	bool distinct;
	SaBiTable *table;
	SaBiColumn *column;
	const char *bucket;	   /* date_trunc field, or NULL */
	struct SaBiTerm *over; /* a ratio: what it is divided by, or NULL */
	bool weak;			   /* only part of the column's name was said */
} SaBiTerm;

typedef enum SaBiOp
{
	SA_BI_OP_EQ,
	SA_BI_OP_NE,
	SA_BI_OP_LT,
	SA_BI_OP_LE,
	SA_BI_OP_GT,
	SA_BI_OP_GE,
	SA_BI_OP_BETWEEN, /* values are both ends */
	SA_BI_OP_CONTAINS,
	SA_BI_OP_PREFIX,
	SA_BI_OP_SUFFIX,
	SA_BI_OP_NULL,
	SA_BI_OP_PERIOD /* from values[0] to before values[1]; SQL expressions */
} SaBiOp;

typedef struct SaBiCond
{
	SaBiColumn *column;
	SaBiOp op;
	List *values; /* of char *: as text; several of EQ are alternatives */
	bool negated;
	bool or_previous; /* OR with the condition before, instead of AND */
	List *than_conds; /* of the rows that the aggregate is of */
	SaBiTerm *than;	  /* compared with an aggregate instead of a value */
	bool than_all;	  /* "than any": kept for aggregates over the same scope */
} SaBiCond;

typedef enum SaBiScopeKind
{
	SA_BI_SCOPE_MAIN,
	SA_BI_SCOPE_SOME,  /* there is such a row */
	SA_BI_SCOPE_NO,	   /* there is none */
	SA_BI_SCOPE_COUNT, /* there are so many */
	SA_BI_SCOPE_TOP	   /* it is the first one in some order */
} SaBiScopeKind;

typedef struct SaBiScope
{
	SaBiScopeKind kind;
	SaBiTable *table;
	List *conds;		 /* of SaBiCond * */
	SaBiOp op;			 /* COUNT */
	List *numbers;		 /* of char *; COUNT */
	SaBiColumn *counted; /* COUNT: its different values, NULL = rows */
	SaBiTerm *by;		 /* TOP */
	bool descending;	 /* TOP */
	bool or_previous;	 /* OR with the scope or condition before */
} SaBiScope;

typedef struct SaBiOrder
{
	SaBiTerm *term;
	bool descending;
} SaBiOrder;

typedef struct SaBiQuery
{
	SaBiTable *main;
	List *select;	   /* of SaBiTerm * */
	List *groups;	   /* of SaBiTerm * */
	List *scopes;	   /* of SaBiScope *; the first is the main one */
	List *orders;	   /* of SaBiOrder * */
	SaBiScope *having; /* of each group: so many rows, or so much of by */
	int limit;		   /* 0 = none */
	bool distinct;
	bool scalar; /* the terms are statements of their own: no FROM */
} SaBiQuery;

/* Why a question is not answered. */
typedef struct SaBiProblem
{
	List *words;		  /* of char *: what could not be placed */
	const char *reason;	  /* or NULL */
	const char *question; /* two readings of equal weight: asked back */
} SaBiProblem;

/* NULL with *problem set when the question is not understood. */
extern SaBiQuery *sa_builtin_parse(const SaBiSchema *schema, List *items,
								   SaBiProblem *problem);

/* A question of a conversation. */
typedef struct SaBiSaying
{
	List *tokens;
	List *items;
} SaBiSaying;

/* Whether its words refer to a question before. */
extern bool sa_builtin_follow_refers(const SaBiSaying *saying);
/* Whether it is to be taken by itself. */
extern bool sa_builtin_follow_stands(const SaBiSchema *schema,
									 const SaBiSaying *saying);
/*
 * The last of the sayings (the oldest first), by itself or as a change of those
 * before.
 */
extern SaBiQuery *sa_builtin_follow_parse(const SaBiSchema *schema,
										  List *sayings, SaBiProblem *problem);

/* The statement; NULL when the tables do not hang together. */
extern char *sa_builtin_compose(const SaBiSchema *schema,
								const SaBiQuery *query, SaBiProblem *problem);

#endif /* SA_BUILTIN_QUERY_H */
