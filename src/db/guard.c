/*
 * guard.c
 *	  The verdict on one statement: the order of the checks.
 *
 * Called by db/query inside the sandbox.  Each step is the ground of the next:
 * text, parse tree, analysed tree, rewritten tree, plan.  The tree that was
 * vetted is the one that is planned and run, never its text.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "parser/analyze.h"
#include "parser/parser.h"
#include "rewrite/rewriteHandler.h"
#include "tcop/tcopprot.h"

#include "base/compat.h"
#include "base/guc.h"
#include "db/guard.h"
#include "db/guard_walk.h"
#include "db/guard_watch.h"
#include "db/lineage.h"
#include "db/literal.h"

struct SaGuarded
{
	const char *sql;
	Query *query; /* as analysed, before rules */
	PlannedStmt *plan;
	SaMask *mask;
	List *literals;
};

static bool
check_text(SaWalk *walk, const char *sql)
{
	int len = strlen(sql);

	if (len > sa_guc_max_sql_bytes)
		return sa_guard_refuse(walk, "R01", -1,
							   "the statement has %d bytes, the limit is %d",
							   len, sa_guc_max_sql_bytes);
	if (!pg_verifymbstr(sql, len, true))
		return sa_guard_refuse(walk, "R01", -1,
							   "the statement is no valid text in encoding %s",
							   GetDatabaseEncodingName());
	return false;
}

static Query *
rewrite_one(Query *query)
{
	List *rewritten = QueryRewrite(copyObject(query));

	if (list_length(rewritten) != 1)
		elog(ERROR, "a query was rewritten into %d", list_length(rewritten));
	return linitial_node(Query, rewritten);
}

/* What the guard lets through, or NULL with the refusal in the walk. */
static SaGuarded *
vet(SaWalk *walk, const char *sql, SaVerdict *verdict)
{
	SaGuarded *guarded;
	List *statements;
	Query *query;
	Query *rewritten;
	PlannedStmt *plan;

	if (check_text(walk, sql))
		return NULL;
	statements = raw_parser(sql, RAW_PARSE_DEFAULT);
	if (sa_guard_raw(walk, statements) || sa_guard_type_names(walk))
		return NULL;
	query = parse_analyze_fixedparams(linitial_node(RawStmt, statements), sql,
									  NULL, 0, NULL);
	if (sa_guard_query(walk, query))
		return NULL;
	rewritten = rewrite_one(query);
	if (sa_guard_policies(walk, rewritten))
		return NULL;
	plan = pg_plan_query(rewritten, sql, CURSOR_OPT_PARALLEL_OK, NULL);
	/* the executor asks again; a verdict without it would be a false one */
	sa_check_permissions(plan);
	verdict->cost = plan->planTree->total_cost;
	verdict->rows = plan->planTree->plan_rows;
	verdict->costly = sa_guard_costly_node(plan);
	if (sa_guard_plan(walk, plan))
		return NULL;
	guarded = palloc0(sizeof(SaGuarded));
	guarded->sql = sql;
	guarded->query = query;
	guarded->plan = plan;
	guarded->mask = sa_lineage_mask(query);
	guarded->literals = sa_literal_collect(query);
	return guarded;
}

SaVerdict *
sa_guard_check(const char *sql)
{
	SaVerdict *verdict = palloc0(sizeof(SaVerdict));
	SaWalk walk = {0};

	walk.sql = sql;
	walk.place = -1;
	sa_guard_watch_reset();
	verdict->guarded = vet(&walk, sql, verdict);
	verdict->rule = walk.rule;
	if (walk.error)
		walk.error->sql = sql;
	verdict->error = walk.error;
	verdict->touches_masked = walk.touches_masked;
	return verdict;
}

const char *
sa_guarded_sql(const SaGuarded *guarded)
{
	return guarded->sql;
}

Query *
sa_guarded_query(const SaGuarded *guarded)
{
	return guarded->query;
}

PlannedStmt *
sa_guarded_plan(const SaGuarded *guarded)
{
	return guarded->plan;
}

const SaMask *
sa_guarded_mask(const SaGuarded *guarded)
{
	return guarded->mask;
}

const List *
sa_guarded_literals(const SaGuarded *guarded)
{
	return guarded->literals;
}
