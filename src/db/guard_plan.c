/*
 * guard_plan.c
 *	  What the finished plan must not hold, and where its cost lies.
 *
 * Called by guard.c.  The plan is the last form of the statement: what slipped
 * into it through rewriting or planning is seen here.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "nodes/plannodes.h"
#include "optimizer/planmain.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

#include "base/guc.h"
#include "db/guard_walk.h"

/* What EXPLAIN calls the nodes that can be costly. */
static const struct
{
	NodeTag tag;
	const char *name;
} node_names[] = {
	{T_Result, "Result"},
	{T_ProjectSet, "ProjectSet"},
	{T_Append, "Append"},
	{T_MergeAppend, "Merge Append"},
	{T_RecursiveUnion, "Recursive Union"},
	{T_SeqScan, "Seq Scan"},
	{T_SampleScan, "Sample Scan"},
	{T_IndexScan, "Index Scan"},
	{T_IndexOnlyScan, "Index Only Scan"},
	{T_BitmapIndexScan, "Bitmap Index Scan"},
	{T_BitmapHeapScan, "Bitmap Heap Scan"},
	{T_TidScan, "Tid Scan"},
	{T_TidRangeScan, "Tid Range Scan"},
	{T_SubqueryScan, "Subquery Scan"},
	{T_FunctionScan, "Function Scan"},
	{T_ValuesScan, "Values Scan"},
	{T_TableFuncScan, "Table Function Scan"},
	{T_CteScan, "CTE Scan"},
	{T_WorkTableScan, "WorkTable Scan"},
	{T_ForeignScan, "Foreign Scan"},
	{T_CustomScan, "Custom Scan"},
	{T_NestLoop, "Nested Loop"},
	{T_MergeJoin, "Merge Join"},
	{T_HashJoin, "Hash Join"},
	{T_Material, "Materialize"},
	{T_Memoize, "Memoize"},
	{T_Sort, "Sort"},
	{T_IncrementalSort, "Incremental Sort"},
	{T_Group, "Group"},
	{T_Agg, "Aggregate"},
	{T_WindowAgg, "WindowAgg"},
	{T_Unique, "Unique"},
	{T_Gather, "Gather"},
	{T_GatherMerge, "Gather Merge"},
	{T_Hash, "Hash"},
	{T_SetOp, "SetOp"},
	{T_Limit, "Limit"},
};

typedef struct Costly
{
	const Plan *plan;
	double cost; /* of the node without its inputs */
} Costly;

static const char *
node_name(const Plan *plan)
{
	for (int i = 0; i < (int) lengthof(node_names); i++)
		if (node_names[i].tag == nodeTag(plan))
			return node_names[i].name;
	return "Plan Node";
}

/* The inputs of a node, wherever its kind keeps them. */
static List *
plan_inputs(const Plan *plan)
{
	List *inputs = NIL;

	if (plan->lefttree)
		inputs = lappend(inputs, plan->lefttree);
	if (plan->righttree)
		inputs = lappend(inputs, plan->righttree);
	switch (nodeTag(plan))
	{
		case T_Append:
			return list_concat(inputs, ((const Append *) plan)->appendplans);
		case T_MergeAppend:
			return list_concat(inputs,
							   ((const MergeAppend *) plan)->mergeplans);
		case T_BitmapAnd:
			return list_concat(inputs, ((const BitmapAnd *) plan)->bitmapplans);
		case T_BitmapOr:
			return list_concat(inputs, ((const BitmapOr *) plan)->bitmapplans);
		case T_SubqueryScan:
			return lappend(inputs, ((const SubqueryScan *) plan)->subplan);
		case T_CustomScan:
			return list_concat(inputs,
							   ((const CustomScan *) plan)->custom_plans);
		default:
			return inputs;
	}
}

/* Whether a node is there that must not be; notes the one that costs most. */
static bool
walk_plan(const Plan *plan, Costly *costly)
{
	double cost = plan->total_cost;
	List *inputs;
	ListCell *cell;

	check_stack_depth();
	if (IsA(plan, ModifyTable) || IsA(plan, LockRows))
		return true;
	if ((IsA(plan, ForeignScan) || IsA(plan, CustomScan)) &&
		!sa_guc_allow_foreign)
		return true;
	inputs = plan_inputs(plan);
	foreach (cell, inputs)
	{
		const Plan *input = lfirst(cell);

		cost -= input->total_cost;
		if (walk_plan(input, costly))
			return true;
	}
	if (costly->plan == NULL || cost > costly->cost)
	{
		costly->plan = plan;
		costly->cost = cost;
	}
	return false;
}

static bool
walk_statement(const PlannedStmt *plan, Costly *costly)
{
	ListCell *cell;

	if (walk_plan(plan->planTree, costly))
		return true;
	foreach (cell, plan->subplans)
		if (lfirst(cell) != NULL && walk_plan(lfirst(cell), costly))
			return true;
	return false;
}

bool
sa_guard_plan(SaWalk *walk, const PlannedStmt *plan)
{
	Costly costly = {NULL, 0};

	if (plan->commandType != CMD_SELECT || plan->hasModifyingCTE ||
		plan->rowMarks != NIL)
		return sa_guard_refuse(walk, "R04", -1,
							   "a statement that writes or locks is not "
							   "allowed");
	if (walk_statement(plan, &costly))
		return sa_guard_refuse(walk, "R23", -1,
							   "the plan reads foreign data or writes");
	if (sa_guc_max_cost > 0 && plan->planTree->total_cost > sa_guc_max_cost)
		return sa_guard_refuse(
			walk, "R50", -1,
			"the statement's cost of %.0f is above the limit of %.0f; most of "
			"it is in: %s",
			plan->planTree->total_cost, sa_guc_max_cost,
			sa_guard_costly_node(plan));
	return false;
}

/* The table that a scan reads, or NULL. */
static const char *
scanned_table(const PlannedStmt *plan, const Plan *node)
{
	switch (nodeTag(node))
	{
		case T_SeqScan:
		case T_SampleScan:
		case T_IndexScan:
		case T_IndexOnlyScan:
		case T_BitmapHeapScan:
		case T_TidScan:
		case T_TidRangeScan:
		case T_ForeignScan:
		{
			Index index = ((const Scan *) node)->scanrelid;

			if (index == 0)
				return NULL;
			return get_rel_name(rt_fetch(index, plan->rtable)->relid);
		}
		default:
			return NULL;
	}
}

const char *
sa_guard_costly_node(const PlannedStmt *plan)
{
	Costly costly = {NULL, 0};
	const char *table;

	if (walk_statement(plan, &costly) || costly.plan == NULL)
		return NULL;
	table = scanned_table(plan, costly.plan);
	return psprintf("%s%s%s (cost %.2f, %.0f rows)", node_name(costly.plan),
					table ? " on " : "", table ? table : "", costly.cost,
					costly.plan->plan_rows);
}
