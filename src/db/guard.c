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
#include "portability/instr_time.h"
#include "rewrite/rewriteHandler.h"
#include "tcop/tcopprot.h"

#include "base/compat.h"
#include "base/guc.h"
#include "db/guard.h"
#include "db/guard_walk.h"
#include "db/guard_watch.h"
#include "db/lineage.h"
#include "db/literal.h"
#include "db/mention.h"

struct SaGuarded
{
	const char *sql;
	Query *query; /* as analysed, before rules */
	PlannedStmt *plan;
	SaMask *mask;
	List *mentions;
	List *literals;
};

static double
ms_since(instr_time start)
{
	instr_time now;

	INSTR_TIME_SET_CURRENT(now);
	INSTR_TIME_SUBTRACT(now, start);
	return INSTR_TIME_GET_MILLISEC(now);
}

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

/* The server's own steps; their time is told from that of the guard. */
static List *
parse(const char *sql, double *server_ms)
{
	instr_time start;
	List *statements;

	INSTR_TIME_SET_CURRENT(start);
	statements = raw_parser(sql, RAW_PARSE_DEFAULT);
	*server_ms += ms_since(start);
	return statements;
}

static Query *
analyse(RawStmt *statement, const char *sql, double *server_ms)
{
	instr_time start;
	Query *query;

	INSTR_TIME_SET_CURRENT(start);
	query = parse_analyze_fixedparams(statement, sql, NULL, 0, NULL);
	*server_ms += ms_since(start);
	return query;
}

static Query *
rewrite(Query *query, double *server_ms)
{
	instr_time start;
	List *rewritten;

	INSTR_TIME_SET_CURRENT(start);
	rewritten = QueryRewrite(copyObject(query));
	*server_ms += ms_since(start);
	if (list_length(rewritten) != 1)
		elog(ERROR, "a query was rewritten into %d", list_length(rewritten));
	return linitial_node(Query, rewritten);
}

/*
 * The executor asks for privileges again; a verdict without them would be a
 * false one.
 */
static PlannedStmt *
plan_query(Query *query, const char *sql, double *server_ms)
{
	instr_time start;
	PlannedStmt *plan;

	INSTR_TIME_SET_CURRENT(start);
	plan = pg_plan_query(query, sql, CURSOR_OPT_PARALLEL_OK, NULL);
	sa_check_permissions(plan);
	*server_ms += ms_since(start);
	return plan;
}

/* What the guard lets through, or NULL with the refusal in the walk. */
static SaGuarded *
vet(SaWalk *walk, const char *sql, SaVerdict *verdict, double *server_ms)
{
	SaGuarded *guarded;
	List *statements;
	Query *query;
	Query *rewritten;
	PlannedStmt *plan;

	if (check_text(walk, sql))
		return NULL;
	statements = parse(sql, server_ms);
	if (sa_guard_raw(walk, statements) || sa_guard_type_names(walk))
		return NULL;
	query = analyse(linitial_node(RawStmt, statements), sql, server_ms);
	if (sa_guard_query(walk, query))
		return NULL;
	rewritten = rewrite(query, server_ms);
	if (sa_guard_policies(walk, rewritten))
		return NULL;
	plan = plan_query(rewritten, sql, server_ms);
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
	guarded->mentions = sa_mention_list(query);
	guarded->literals = sa_literal_collect(query);
	return guarded;
}

SaVerdict *
sa_guard_check(const char *sql)
{
	SaVerdict *verdict = palloc0(sizeof(SaVerdict));
	SaWalk walk = {0};
	double server_ms = 0;
	instr_time start;

	INSTR_TIME_SET_CURRENT(start);
	walk.sql = sql;
	walk.place = -1;
	sa_guard_watch_reset();
	verdict->guarded = vet(&walk, sql, verdict, &server_ms);
	verdict->guard_ms = ms_since(start) - server_ms;
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

List *
sa_guarded_mentions(const SaGuarded *guarded)
{
	return guarded->mentions;
}

const List *
sa_guarded_literals(const SaGuarded *guarded)
{
	return guarded->literals;
}
