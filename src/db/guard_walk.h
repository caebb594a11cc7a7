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
	int nodes;		  /* walked so far */
	List *tables;	  /* RangeVars of the statement, for positions */
	List *types;	  /* TypeNames of the statement */
	List *views;	  /* OIDs of the views around, innermost first */
	List *queries;	  /* Querys around, innermost first */
	int place;		  /* of the outermost view in the statement; -1 */
	const char *rule; /* the refusal, or NULL */
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

/* guard_function.c */
extern bool sa_guard_function(SaWalk *walk, Oid function, int location);
/* The rule that forbids it to a statement, or NULL. */
extern const char *sa_guard_function_rule(Oid function);

/* guard_relation.c */
extern bool sa_guard_relation(SaWalk *walk, const Query *query,
							  RangeTblEntry *rte);

/* guard_plan.c */
extern bool sa_guard_plan(SaWalk *walk, const PlannedStmt *plan);
extern const char *sa_guard_costly_node(const PlannedStmt *plan);

#endif /* SA_GUARD_WALK_H */
