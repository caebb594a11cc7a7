/*
 * guard_walk.h
 *	  What the parts of the guard share: the state of one walk over a statement
 *	  and the checks of its kinds of nodes.
 *
 * Internal to db/guard*.c.  A check returns true when it has refused; the walk
 * ends there.  The rules (R01 ...) are described in guard_refuse.c.
 */
#ifndef SA_GUARD_WALK_H
#define SA_GUARD_WALK_H

#include "nodes/parsenodes.h"
#include "nodes/plannodes.h"
#include "nodes/primnodes.h"

#include "base/error.h"

/* Who wrote the text that is walked. */
typedef enum SaAuthor
{
	SA_AUTHOR_MODEL,  /* the statement itself */
	SA_AUTHOR_VIEW,	  /* the body of a user's view */
	SA_AUTHOR_POLICY, /* a row policy */
	SA_AUTHOR_SYSTEM  /* the body of an allowed system view: trusted */
} SaAuthor;

typedef struct SaWalk
{
	const char *sql;
	SaAuthor author;
	int nodes;			 /* walked so far */
	List *tables;		 /* RangeVars of the statement, for positions */
	List *types;		 /* TypeNames of the statement */
	List *views;		 /* OIDs of the views around, innermost first */
	List *queries;		 /* Querys around, innermost first */
	SubLink *sublink;	 /* whose test is walked */
	int place;			 /* of the outermost view in the statement; -1 */
	int estimates;		 /* steps of guard_length so far */
	double busy_time;	 /* ns for which one row may keep the server busy */
	bool touches_masked; /* a labelled column is read */
	const char *rule;	 /* the refusal, or NULL */
	SaError *error;
} SaWalk;

/*
 * guard_refuse.c: write down the refusal; true, for the walkers.  hint NULL =
 * the one of the rule.
 */
extern bool sa_guard_refuse_text(SaWalk *walk, const char *rule, int location,
								 const char *hint, const char *message);
#define sa_guard_refuse(walk, rule, location, ...)                             \
	sa_guard_refuse_text(walk, rule, location, NULL, psprintf(__VA_ARGS__))

/* guard_raw.c: the parse tree, before analysis. */
extern bool sa_guard_raw(SaWalk *walk, List *statements);
/* Where the statement names the relation, as a byte offset; -1 not known. */
extern int sa_guard_table_location(SaWalk *walk, Oid relation);

/* guard_walk.c: an analysed tree, and the row policies of a rewritten one. */
extern bool sa_guard_query(SaWalk *walk, Query *query);
extern bool sa_guard_policies(SaWalk *walk, Query *query);

/* One expression that stands on its own, such as the check of a domain. */
extern bool sa_guard_expression(SaWalk *walk, Node *expression);

/* guard_type.c: the type names of the text; the type of an expression; that of
 * a column which is an operand, where comparing runs functions. */
extern bool sa_guard_type_names(SaWalk *walk);
extern bool sa_guard_type(SaWalk *walk, Oid type, int location);
extern bool sa_guard_operand(SaWalk *walk, Oid type, int location);

/* guard_size.c: built-ins that cannot be interrupted; guard_xpath.c: paths. */
extern bool sa_guard_size(SaWalk *walk, Node *node);
extern bool sa_guard_xpath(SaWalk *walk, Node *node);

/* guard_source.c: of a column, a subquery or its parameter. */
extern double sa_guard_source_length(SaWalk *walk, Node *node);

/* guard_length.c: bytes that the value can have, as far as can be told. */
#define SA_LENGTH_UNBOUNDED 16e6
/* What a column of a table usually holds at most. */
#define SA_COLUMN_LENGTH 1000
extern double sa_guard_length(SaWalk *walk, Node *expression);
/* Elements of an array or of a JSON value. */
extern double sa_guard_elements(SaWalk *walk, Node *expression);
/* The largest value of an integer; can be negative for a constant. */
extern double sa_guard_int_bound(SaWalk *walk, Node *expression);
/* Widths in the pattern of format() that are let through. */
#define SA_FORMAT_MAX_WIDTH 999
/* The value of a constant, through casts; false when it is none. */
extern bool sa_guard_constant_int(Node *expression, int64 *value);
extern char *sa_guard_constant_text(Node *expression);

/* guard_function.c */
extern bool sa_guard_function(SaWalk *walk, Oid function, const Node *call);
/* The rule that forbids it to a statement, or NULL. */
extern const char *sa_guard_function_rule(Oid function);
/* Whether the administrator has listed it: what it calls is trusted. */
extern bool sa_guard_function_is_listed(Oid function);

/* guard_relation.c */
extern bool sa_guard_relation(SaWalk *walk, const Query *query,
							  RangeTblEntry *rte);

/* guard_plan.c */
extern bool sa_guard_plan(SaWalk *walk, const PlannedStmt *plan);
extern const char *sa_guard_costly_node(const PlannedStmt *plan);

#endif /* SA_GUARD_WALK_H */
