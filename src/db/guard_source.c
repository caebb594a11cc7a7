/*
 * guard_source.c
 *	  How long the values of a column can be, followed to where they come from.
 *
 * The part of guard_length that knows queries: columns of tables, views,
 * subqueries, WITH queries, functions and VALUES.
 */
#include "postgres.h"

#include "access/table.h"
#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteHandler.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "db/guard_walk.h"

#define NUMERIC_COLUMN_LENGTH 40
#define ROW_LENGTH 16000

/* Run with the queries around replaced. */
static double
length_in(SaWalk *walk, List *queries, Node *expression)
{
	List *saved = walk->queries;
	double length;

	walk->queries = queries;
	length = sa_guard_length(walk, expression);
	walk->queries = saved;
	return length;
}

/* Of one column of a subquery, over all branches of a UNION. */
static double
length_of_target(SaWalk *walk, Query *query, AttrNumber number, List *around)
{
	double length = 0;
	ListCell *cell;

	if (query->commandType != CMD_SELECT)
		return SA_LENGTH_UNBOUNDED;
	if (query->setOperations == NULL)
	{
		TargetEntry *target = get_tle_by_resno(query->targetList, number);

		if (target == NULL)
			return ROW_LENGTH;
		return length_in(walk, lcons(query, list_copy(around)),
						 (Node *) target->expr);
	}
	foreach (cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

		if (rte->rtekind == RTE_SUBQUERY)
			length =
				Max(length, length_of_target(walk, rte->subquery, number,
											 lcons(query, list_copy(around))));
	}
	return length;
}

static double
length_of_view(SaWalk *walk, Oid view, AttrNumber number)
{
	Relation rel;
	double length;

	if (number < 0 || view < FirstNormalObjectId)
		return SA_COLUMN_LENGTH;
	rel = table_open(view, AccessShareLock);
	length = length_of_target(walk, get_view_query(rel), number, NIL);
	table_close(rel, NoLock);
	return length;
}

static double
length_of_cte(SaWalk *walk, const RangeTblEntry *rte, AttrNumber number,
			  List *around)
{
	List *queries = around;
	ListCell *cell;

	for (Index level = rte->ctelevelsup; level > 0 && queries; level--)
		queries = list_copy_tail(queries, 1);
	if (queries == NIL)
		return SA_LENGTH_UNBOUNDED;
	foreach (cell, linitial_node(Query, queries)->cteList)
	{
		CommonTableExpr *cte = lfirst_node(CommonTableExpr, cell);

		if (strcmp(cte->ctename, rte->ctename) != 0)
			continue;
		if (cte->cterecursive)
			return SA_LENGTH_UNBOUNDED;
		return length_of_target(walk, castNode(Query, cte->ctequery), number,
								queries);
	}
	return SA_LENGTH_UNBOUNDED;
}

static double
length_of_values(SaWalk *walk, const RangeTblEntry *rte, AttrNumber number)
{
	double length = 0;
	ListCell *cell;

	foreach (cell, rte->values_lists)
	{
		List *row = lfirst_node(List, cell);

		if (number > 0 && number <= list_length(row))
			length =
				Max(length, sa_guard_length(walk, list_nth(row, number - 1)));
	}
	return length;
}

static double
length_of_functions(SaWalk *walk, const RangeTblEntry *rte)
{
	double length = 0;
	ListCell *cell;

	foreach (cell, rte->functions)
		length += sa_guard_length(
			walk, lfirst_node(RangeTblFunction, cell)->funcexpr);
	return Min(length, SA_LENGTH_UNBOUNDED);
}

static double
length_of_row_source(SaWalk *walk, Query *query, Index index, AttrNumber number)
{
	RangeTblEntry *rte;

	if (index == 0 || index > list_length(query->rtable))
		return SA_LENGTH_UNBOUNDED;
	rte = rt_fetch(index, query->rtable);
	if (number == InvalidAttrNumber && rte->rtekind != RTE_RELATION)
		return SA_LENGTH_UNBOUNDED;
	switch (rte->rtekind)
	{
		case RTE_RELATION:
			if (number == InvalidAttrNumber)
				return ROW_LENGTH;
			if (rte->relkind == RELKIND_VIEW &&
				!list_member_oid(walk->views, rte->relid))
				return length_of_view(walk, rte->relid, number);
			return SA_COLUMN_LENGTH;
		case RTE_SUBQUERY:
			return length_of_target(walk, rte->subquery, number, walk->queries);
		case RTE_CTE:
			return length_of_cte(walk, rte, number, walk->queries);
		case RTE_JOIN:
			if (number > list_length(rte->joinaliasvars))
				return SA_LENGTH_UNBOUNDED;
			return sa_guard_length(walk,
								   list_nth(rte->joinaliasvars, number - 1));
		case RTE_VALUES:
			return length_of_values(walk, rte, number);
		case RTE_FUNCTION:
			return length_of_functions(walk, rte);
		case RTE_TABLEFUNC:
			return sa_guard_length(walk, rte->tablefunc->docexpr);
		default:
			if (sa_rte_is_group(rte))
				return sa_guard_length(walk,
									   sa_rte_group_expression(rte, number));
			return SA_LENGTH_UNBOUNDED;
	}
}

static double
length_of_var(SaWalk *walk, const Var *var)
{
	List *queries = walk->queries;
	List *saved = walk->queries;
	double length;

	if (var->varlevelsup >= list_length(queries))
		return SA_LENGTH_UNBOUNDED;
	if (var->varlevelsup > 0)
		queries = list_copy_tail(queries, var->varlevelsup);
	walk->queries = queries;
	length = length_of_row_source(walk, linitial_node(Query, queries),
								  var->varno, var->varattno);
	walk->queries = saved;
	if (length == SA_COLUMN_LENGTH && var->vartype == NUMERICOID)
		return NUMERIC_COLUMN_LENGTH;
	return length;
}

static double
length_of_sublink(SaWalk *walk, SubLink *link)
{
	Query *query = castNode(Query, link->subselect);

	if (link->subLinkType == EXPR_SUBLINK)
		return length_of_target(walk, query, 1, walk->queries);
	return SA_LENGTH_UNBOUNDED; /* an array of any number of rows */
}

/* In x LIKE ANY (SELECT ...) the parameter is the subquery's column. */
static double
length_of_param(SaWalk *walk, const Param *param)
{
	if (param->paramkind != PARAM_SUBLINK || walk->sublink == NULL)
		return SA_LENGTH_UNBOUNDED;
	return length_of_target(walk, castNode(Query, walk->sublink->subselect),
							param->paramid, walk->queries);
}

double
sa_guard_source_length(SaWalk *walk, Node *node)
{
	check_stack_depth();
	switch (nodeTag(node))
	{
		case T_Var:
			return length_of_var(walk, (Var *) node);
		case T_SubLink:
			return length_of_sublink(walk, (SubLink *) node);
		case T_Param:
			return length_of_param(walk, (Param *) node);
		default:
			return SA_LENGTH_UNBOUNDED;
	}
}
