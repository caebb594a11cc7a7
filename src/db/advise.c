/*
 * advise.c
 *	  The classic mistakes in a statement, as far as its tree tells them.
 *
 * Called by db/query inside the sandbox, after the guard.  Looks at the analysed
 * tree alone: no planning, no rows.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_type_d.h"
#include "datatype/timestamp.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "db/advise.h"

typedef struct Advice
{
	List *texts;  /* of char * */
	Query *query; /* whose nodes are walked */
} Advice;

static void
advise(Advice *advice, const char *text)
{
	ListCell *cell;

	foreach (cell, advice->texts)
		if (strcmp(lfirst(cell), text) == 0)
			return;
	advice->texts = lappend(advice->texts, pstrdup(text));
}

static void
advise_all(Advice *advice, const List *texts)
{
	ListCell *cell;

	foreach (cell, texts)
		advise(advice, lfirst(cell));
}

static bool
is_not_null_column(const Query *query, const Node *expression)
{
	const Var *var = (const Var *) expression;
	RangeTblEntry *rte;
	HeapTuple tuple;
	bool not_null;

	if (!IsA(expression, Var) || var->varlevelsup != 0 || var->varattno <= 0)
		return false;
	rte = rt_fetch(var->varno, query->rtable);
	if (rte->rtekind != RTE_RELATION)
		return false;
	tuple = SearchSysCache2(ATTNUM, ObjectIdGetDatum(rte->relid),
							Int16GetDatum(var->varattno));
	if (!HeapTupleIsValid(tuple))
		return false;
	not_null = ((Form_pg_attribute) GETSTRUCT(tuple))->attnotnull;
	ReleaseSysCache(tuple);
	return not_null;
}

/* x NOT IN (SELECT y): one NULL among the y, and no row is left. */
static void
look_at_not(Advice *advice, const BoolExpr *expression)
{
	const SubLink *link = linitial(expression->args);
	const Query *inner;

	if (!IsA(link, SubLink) || link->subLinkType != ANY_SUBLINK)
		return;
	inner = (const Query *) link->subselect;
	if (list_length(inner->targetList) > 0 &&
		!is_not_null_column(
			inner,
			(Node *) linitial_node(TargetEntry, inner->targetList)->expr))
		advise(advice, "NOT IN finds no row at all when the subquery brings a "
					   "NULL: use NOT EXISTS");
}

/* Whether the constant is the first instant of a day, in the session's zone. */
static bool
is_midnight(const Node *node)
{
	const Const *constant = (const Const *) node;
	Datum moment;

	if (!IsA(node, Const) || constant->constisnull)
		return false;
	moment = constant->constvalue;
	if (constant->consttype == DATEOID)
		return true;
	if (constant->consttype == TIMESTAMPTZOID)
		moment = DirectFunctionCall1(timestamptz_timestamp, moment);
	else if (constant->consttype != TIMESTAMPOID)
		return false;
	return DatumGetInt64(moment) % USECS_PER_DAY == 0;
}

static bool
has_time_zone(Oid type)
{
	return type == TIMESTAMPTZOID;
}

static bool
is_moment(Oid type)
{
	return type == TIMESTAMPOID || type == TIMESTAMPTZOID || type == DATEOID;
}

static void
look_at_moments(Advice *advice, const OpExpr *op)
{
	const Node *left = linitial(op->args);
	const Node *right = lsecond(op->args);
	Oid left_type = exprType(left);
	Oid right_type = exprType(right);
	char *name;

	if (!is_moment(left_type) || !is_moment(right_type))
		return;
	name = get_opname(op->opno);
	if (name && strcmp(name, "<=") == 0 && left_type != DATEOID &&
		is_midnight(right))
		advise(advice,
			   "an upper bound <= (or BETWEEN) with a date ends at its "
			   "first instant, so that the rest of that day is missing: use < "
			   "with the next day");
	if (has_time_zone(left_type) != has_time_zone(right_type))
		advise(advice,
			   "a moment with a time zone is compared with one that has "
			   "none: the result depends on the session's time zone");
}

static void
look_at_division(Advice *advice, const OpExpr *op)
{
	static const Oid whole[] = {F_INT2DIV,	F_INT4DIV,	F_INT8DIV,
								F_INT24DIV, F_INT42DIV, F_INT28DIV,
								F_INT82DIV, F_INT48DIV, F_INT84DIV};
	Oid function = op->opfuncid ? op->opfuncid : get_opcode(op->opno);

	for (int i = 0; i < (int) lengthof(whole); i++)
		if (function == whole[i])
			advise(advice, "whole numbers are divided, which drops the "
						   "fraction: cast one of them to numeric");
}

/* A column that is turned into text to be compared. */
static void
look_at_casts(Advice *advice, const OpExpr *op)
{
	ListCell *cell;
	char *name = get_opname(op->opno);

	if (name == NULL || strcmp(name, "=") != 0)
		return;
	foreach (cell, op->args)
	{
		const CoerceViaIO *cast = lfirst(cell);

		if (IsA(cast, CoerceViaIO) && IsA(cast->arg, Var))
			advise(advice, "a column is cast to another type to be compared: "
						   "look whether these are the right columns");
	}
}

static void
look_at_op(Advice *advice, const OpExpr *op)
{
	look_at_division(advice, op);
	if (list_length(op->args) != 2)
		return;
	look_at_moments(advice, op);
	look_at_casts(advice, op);
	advise_all(advice, sa_advise_comparison(advice->query, op));
}

static bool
has_plain_union(const Node *node)
{
	const SetOperationStmt *set = (const SetOperationStmt *) node;

	if (node == NULL || !IsA(node, SetOperationStmt))
		return false;
	return (set->op == SETOP_UNION && !set->all) ||
		   has_plain_union(set->larg) || has_plain_union(set->rarg);
}

static void
look_at_query(Advice *advice, Query *query)
{
	if (has_plain_union(query->setOperations))
		advise(advice, "UNION drops rows that are equal: UNION ALL keeps them");
	if (query->limitCount && query->sortClause == NIL)
		advise(advice, "LIMIT without ORDER BY: which rows are left is not "
					   "determined");
	advise_all(advice, sa_advise_joins(query));
}

static bool
walk(Node *node, void *context)
{
	Advice *advice = context;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		Query *outer = advice->query;

		advice->query = (Query *) node;
		look_at_query(advice, advice->query);
		(void) query_tree_walker(advice->query, walk, context, 0);
		advice->query = outer;
		return false;
	}
	if (IsA(node, OpExpr))
		look_at_op(advice, (OpExpr *) node);
	else if (IsA(node, FuncExpr))
		advise_all(advice, sa_advise_cast((FuncExpr *) node));
	else if (IsA(node, BoolExpr) && ((BoolExpr *) node)->boolop == NOT_EXPR)
		look_at_not(advice, (BoolExpr *) node);
	return expression_tree_walker(node, walk, context);
}

List *
sa_advise(Query *query)
{
	Advice advice = {0};

	(void) walk((Node *) query, &advice);
	return advice.texts;
}
