/*
 * guard.h
 *	  The verdict on one statement that a model, or anybody else, wrote.
 *
 * An SaGuarded can be made only here, and sa_execute() takes nothing else:
 * SQL that was not guarded cannot be executed.
 */
#ifndef SA_GUARD_H
#define SA_GUARD_H

#include "nodes/plannodes.h"

#include "base/error.h"
#include "db/lineage.h"

typedef struct SaGuarded SaGuarded;

typedef struct SaVerdict
{
	SaGuarded *guarded;	  /* NULL when refused */
	const char *rule;	  /* "R12" of the refusal, or NULL */
	const SaError *error; /* why it is refused, or NULL */
	bool touches_masked;  /* it reads a labelled column */
	double guard_ms;	  /* time of the guard without the server's steps */
	double cost;		  /* the planner's total cost; 0 when not planned */
	double rows;		  /* the planner's estimate */
	const char *costly;	  /* "Seq Scan on orders (cost …)" or NULL */
} SaVerdict;

/*
 * Parse, analyse, rewrite, walk and plan.  Must be called inside the sandbox
 * (db/sandbox.h), since analysis and planning already run functions.  A refusal
 * is a verdict, not an error; errors of the parser and analyser are raised.
 */
extern SaVerdict *sa_guard_check(const char *sql);

/* For the executor: what was vetted. */
extern const char *sa_guarded_sql(const SaGuarded *guarded);
extern Query *sa_guarded_query(const SaGuarded *guarded);
extern PlannedStmt *sa_guarded_plan(const SaGuarded *guarded);
extern const SaMask *sa_guarded_mask(const SaGuarded *guarded);
/* The tables and columns it names: List of SaObject *. */
extern List *sa_guarded_mentions(const SaGuarded *guarded);
/* What it compares columns with, see literal.h. */
extern const List *sa_guarded_literals(const SaGuarded *guarded);

#endif /* SA_GUARD_H */
