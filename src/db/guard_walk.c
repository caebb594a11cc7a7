/*
 * guard_walk.c
 *	  The walk over an analysed query, with the bodies of the views it reads,
 *	  and over the row policies that the rewriter has added.
 *
 * Called by guard.c.  What hides in an expression is found here, by OID and
 * not by name; the judgement on each kind of find is in the other guard files.
 */
#include "postgres.h"

#include "access/table.h"
#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "rewrite/rewriteHandler.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "db/guard_walk.h"

/* with the bodies of views, as often as they are named */
#define MAX_NODES 200000
#define MAX_COLUMNS 500
#define MAX_VIEW_DEPTH 50

typedef struct NodeCheck
{
	SaWalk *walk;
	Node *node;
} NodeCheck;

static bool node_walker(Node *node, void *context);

static bool
check_function(Oid function, void *context)
{
	NodeCheck *check = context;

	return sa_guard_function(check->walk, function, check->node);
}

static bool
check_operator(SaWalk *walk, Oid operator)
{
	if (!OidIsValid(operator))
		return false;
	return sa_guard_function(walk, get_opcode(operator), NULL);
}

/* Sorting and grouping call the operators of a type. */
static bool
check_sort_group(SaWalk *walk, SortGroupClause *clause)
{
	return check_operator(walk, clause->eqop) ||
		   check_operator(walk, clause->sortop);
}

static bool
check_window(SaWalk *walk, WindowClause *clause)
{
	if (OidIsValid(clause->startInRangeFunc) &&
		sa_guard_function(walk, clause->startInRangeFunc, NULL))
		return true;
	return OidIsValid(clause->endInRangeFunc) &&
		   sa_guard_function(walk, clause->endInRangeFunc, NULL);
}

/* The body of a view, or of a materialized one for its labels. */
static bool
walk_view(SaWalk *walk, Oid view)
{
	SaAuthor author = walk->author;
	int place = walk->place;
	Relation rel;
	bool refused;

	/* a rule of version 15 refers to its own view as OLD and NEW */
	if (list_member_oid(walk->views, view))
		return false;
	if (list_length(walk->views) >= MAX_VIEW_DEPTH)
		return sa_guard_refuse(walk, "R03", -1,
							   "views are nested more than %d deep",
							   MAX_VIEW_DEPTH);
	rel = table_open(view, AccessShareLock);
	if (walk->views == NIL)
		walk->place = sa_guard_table_location(walk, view);
	if (view < FirstNormalObjectId)
		walk->author = SA_AUTHOR_SYSTEM;
	else if (author == SA_AUTHOR_MODEL)
		walk->author = SA_AUTHOR_VIEW;
	walk->views = lcons_oid(view, walk->views);
	refused = sa_guard_query(walk, get_view_query(rel));
	walk->views = list_delete_first(walk->views);
	walk->author = author;
	walk->place = place;
	table_close(rel, NoLock);
	return refused;
}

static bool
check_range_table_entry(SaWalk *walk, RangeTblEntry *rte)
{
	switch (rte->rtekind)
	{
		case RTE_RELATION:
			if (sa_guard_relation(walk, linitial(walk->queries), rte))
				return true;
			return rte->relkind == RELKIND_VIEW && walk_view(walk, rte->relid);
		case RTE_SUBQUERY:
		case RTE_JOIN:
		case RTE_FUNCTION:
		case RTE_TABLEFUNC:
		case RTE_VALUES:
		case RTE_CTE:
		case RTE_RESULT:
			return false;
		default:
			if (sa_rte_is_group(rte))
				return false;
			return sa_guard_refuse(walk, "R05", -1,
								   "this kind of FROM item is not allowed");
	}
}

static bool
check_types(SaWalk *walk, List *types)
{
	ListCell *cell;

	foreach (cell, types)
		if (sa_guard_type(walk, lfirst_oid(cell), -1))
			return true;
	return false;
}

/* Comparing columns of some types runs functions, also in the planner. */
static bool
check_operands(SaWalk *walk, List *arguments)
{
	ListCell *cell;

	foreach (cell, arguments)
	{
		Node *argument = lfirst(cell);

		if (IsA(argument, Var) &&
			sa_guard_operand(walk, ((Var *) argument)->vartype,
							 ((Var *) argument)->location))
			return true;
	}
	return false;
}

/* Expressions that make a value: its type, and how large it can be. */
static bool
check_expression(SaWalk *walk, Node *node)
{
	Oid type;

	switch (nodeTag(node))
	{
		case T_Const:
		case T_CoerceViaIO:
		case T_CoerceToDomain:
		case T_ArrayCoerceExpr:
		case T_ConvertRowtypeExpr:
		case T_RowExpr:
		case T_FieldStore:
		case T_MinMaxExpr:
		case T_Aggref:
		case T_WindowFunc:
			break;
		case T_FuncExpr:
			if (check_operands(walk, ((FuncExpr *) node)->args))
				return true;
			break;
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
			if (check_operands(walk, ((OpExpr *) node)->args))
				return true;
			break;
		case T_ScalarArrayOpExpr:
			if (check_operands(walk, ((ScalarArrayOpExpr *) node)->args))
				return true;
			break;
		default:
			if (!sa_is_json_value(node))
				return false;
	}
	type = exprType(node);
	/* input functions take any type's OID and run its checks */
	if (type == CSTRINGOID && walk->author != SA_AUTHOR_SYSTEM)
		return sa_guard_refuse(walk, "R11", exprLocation(node),
							   "values of type cstring are not allowed");
	/* the place is looked for in all that is below: only when it is needed */
	return type >= FirstNormalObjectId &&
		   sa_guard_type(walk, type, exprLocation(node));
}

/* Nodes that call more than check_functions_in_node() sees. */
static bool
check_node(SaWalk *walk, Node *node)
{
	switch (nodeTag(node))
	{
		case T_RangeTblEntry:
			return check_range_table_entry(walk, (RangeTblEntry *) node);
		case T_SortGroupClause:
			return check_sort_group(walk, (SortGroupClause *) node);
		case T_WindowClause:
			return check_window(walk, (WindowClause *) node);
		case T_RangeTblFunction:
			return check_types(walk, ((RangeTblFunction *) node)->funccoltypes);
		case T_TableFunc:
			return check_types(walk, ((TableFunc *) node)->coltypes) ||
				   sa_guard_xpath(walk, node);
		case T_TableSampleClause:
			return sa_guard_function(
				walk, ((TableSampleClause *) node)->tsmhandler, NULL);
		case T_CTECycleClause:
			return check_operator(walk,
								  ((CTECycleClause *) node)->cycle_mark_neop);
		case T_SetOperationStmt:
			/* expression_tree_walker leaves these out */
			return node_walker(
				(Node *) ((SetOperationStmt *) node)->groupClauses, walk);
		case T_Param:
			if (((Param *) node)->paramkind != PARAM_EXTERN)
				return false;
			return sa_guard_refuse(walk, "R06", ((Param *) node)->location,
								   "there are no parameters");
		case T_CurrentOfExpr:
		case T_NextValueExpr:
		case T_SetToDefault:
		case T_InferenceElem:
			return sa_guard_refuse(walk, "R05", exprLocation(node),
								   "this kind of expression is not allowed");
		default:
			return false;
	}
}

/* The parameters of its test are the columns of its query. */
static bool
walk_sublink(SaWalk *walk, SubLink *link)
{
	SubLink *outer = walk->sublink;
	bool refused;

	walk->sublink = link;
	refused = node_walker(link->testexpr, walk);
	walk->sublink = NULL;
	refused = refused || node_walker(link->subselect, walk);
	walk->sublink = outer;
	return refused;
}

static bool
node_walker(Node *node, void *context)
{
	SaWalk *walk = context;
	NodeCheck check = {walk, node};

	if (node == NULL)
		return false;
	/* views that join views to themselves grow without end */
	if (++walk->nodes > MAX_NODES)
		return sa_guard_refuse(walk, "R03", -1,
							   "the statement and its views have more than %d "
							   "parts",
							   MAX_NODES);
	if (walk->nodes % 1024 == 0)
		CHECK_FOR_INTERRUPTS();
	if (IsA(node, Query))
		return sa_guard_query(walk, (Query *) node);
	if (IsA(node, List))
		return expression_tree_walker(node, node_walker, context);
	if (check_node(walk, node))
		return true;
	if (IsA(node, RangeTblEntry))
		return false; /* query_tree_walker goes on with its parts */
	if (IsA(node, SubLink))
		return walk_sublink(walk, (SubLink *) node);
	if (check_functions_in_node(node, check_function, &check) ||
		check_expression(walk, node))
		return true;
	/* the operands of an operator first: they are what is too long */
	if (IsA(node, OpExpr) || IsA(node, ScalarArrayOpExpr))
		return expression_tree_walker(node, node_walker, context) ||
			   sa_guard_size(walk, node);
	return sa_guard_size(walk, node) ||
		   expression_tree_walker(node, node_walker, context);
}

bool
sa_guard_expression(SaWalk *walk, Node *expression)
{
	return node_walker(expression, walk);
}

static int
count_columns(const Query *query)
{
	int count = 0;
	ListCell *cell;

	foreach (cell, query->targetList)
		if (!lfirst_node(TargetEntry, cell)->resjunk)
			count++;
	return count;
}

bool
sa_guard_query(SaWalk *walk, Query *query)
{
	bool refused;

	if (query->commandType != CMD_SELECT || query->hasModifyingCTE ||
		query->rowMarks != NIL || query->hasForUpdate ||
		query->resultRelation != 0 || query->utilityStmt != NULL)
		return sa_guard_refuse(walk, "R04", -1,
							   "a statement that writes or locks is not "
							   "allowed");
	if (walk->queries == NIL && count_columns(query) > MAX_COLUMNS)
		return sa_guard_refuse(walk, "R30", -1,
							   "the result has more than %d columns",
							   MAX_COLUMNS);
	walk->queries = lcons(query, walk->queries);
	refused =
		query_tree_walker(query, node_walker, walk,
						  QTW_EXAMINE_RTES_BEFORE | QTW_EXAMINE_SORTGROUP);
	walk->queries = list_delete_first(walk->queries);
	return refused;
}

static bool
policy_walker(Node *node, void *context)
{
	SaWalk *walk = context;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		bool refused;

		walk->queries = lcons(node, walk->queries);
		refused = query_tree_walker((Query *) node, policy_walker, context,
									QTW_EXAMINE_RTES_BEFORE);
		walk->queries = list_delete_first(walk->queries);
		return refused;
	}
	if (IsA(node, RangeTblEntry))
		return node_walker((Node *) ((RangeTblEntry *) node)->securityQuals,
						   walk);
	return expression_tree_walker(node, policy_walker, context);
}

bool
sa_guard_policies(SaWalk *walk, Query *query)
{
	walk->author = SA_AUTHOR_POLICY;
	return policy_walker((Node *) query, walk);
}
