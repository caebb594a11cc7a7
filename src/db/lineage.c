/*
 * lineage.c
 *	  From which labelled columns the columns of a result are derived.
 *
 * Used by the guard and by label.c.  A value is derived from every column that
 * its expression mentions, through subqueries, WITH clauses, set operations,
 * views and aggregates.  Not from what it is only filtered, joined, grouped,
 * sorted or counted by.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteHandler.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "db/label_store.h"
#include "db/lineage.h"

/* What is known of a recursive WITH query while its fixed point is sought. */
typedef struct Recursion
{
	const CommonTableExpr *cte;
	SaLabel *columns;
} Recursion;

typedef struct Lineage
{
	List *queries;	  /* Querys around, innermost first */
	List *recursions; /* Recursions that are going on, innermost first */
	List *views;	  /* OIDs of the views around */
	HTAB *known;	  /* labels of columns of subqueries */
	int generation;	  /* what was found in another one does not count */
	SaLabel label;	  /* the strictest so far */
} Lineage;

typedef struct KnownColumnKey
{
	const Query *query;
	int column;
	int generation;
} KnownColumnKey;

typedef struct KnownColumn
{
	KnownColumnKey key;
	SaLabel label;
} KnownColumn;

static bool lineage_walker(Node *node, void *context);

static SaLabel
label_of_expression(Lineage *lineage, Node *expression)
{
	SaLabel outer = lineage->label;
	SaLabel label;

	lineage->label = SA_LABEL_NONE;
	(void) lineage_walker(expression, lineage);
	label = lineage->label;
	lineage->label = outer;
	return label;
}

/* Within other queries around. */
static SaLabel
label_within(Lineage *lineage, List *queries, Node *expression)
{
	List *saved = lineage->queries;
	SaLabel label;

	lineage->queries = queries;
	label = label_of_expression(lineage, expression);
	lineage->queries = saved;
	return label;
}

static SaLabel label_of_column(Lineage *lineage, Query *query, int column,
							   List *around);

/* Of one column of a query, over all branches of a UNION; 0 = all columns. */
static SaLabel
find_label(Lineage *lineage, Query *query, int column, List *around)
{
	List *queries = lcons(query, list_copy(around));
	SaLabel label = SA_LABEL_NONE;
	ListCell *cell;

	if (query->setOperations)
	{
		foreach (cell, query->rtable)
		{
			RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

			if (rte->rtekind == RTE_SUBQUERY)
				label = Max(label, label_of_column(lineage, rte->subquery,
												   column, queries));
		}
		return label;
	}
	foreach (cell, query->targetList)
	{
		TargetEntry *target = lfirst_node(TargetEntry, cell);

		if (!target->resjunk && (column == 0 || target->resno == column))
			label = Max(label,
						label_within(lineage, queries, (Node *) target->expr));
	}
	return label;
}

/* Likewise; found once, since nested queries would take exponential time. */
static SaLabel
label_of_column(Lineage *lineage, Query *query, int column, List *around)
{
	KnownColumnKey key;
	KnownColumn *known;
	SaLabel label;
	bool found;

	memset(&key, 0, sizeof(key));
	key.query = query;
	key.column = column;
	key.generation = lineage->generation;
	check_stack_depth();
	known = hash_search(lineage->known, &key, HASH_FIND, NULL);
	if (known)
		return known->label;
	label = find_label(lineage, query, column, around);
	known = hash_search(lineage->known, &key, HASH_ENTER, &found);
	known->label = label;
	return label;
}

static SaLabel
label_of_view_column(Lineage *lineage, Oid view, AttrNumber number)
{
	SaLabel label = sa_label_store_column(view, number);
	Relation rel;

	if (number < 0 || list_member_oid(lineage->views, view))
		return label;
	rel = table_open(view, AccessShareLock);
	lineage->views = lcons_oid(view, lineage->views);
	label =
		Max(label, label_of_column(lineage, get_view_query(rel), number, NIL));
	lineage->views = list_delete_first(lineage->views);
	table_close(rel, NoLock);
	return label;
}

static SaLabel
label_of_relation(Lineage *lineage, const RangeTblEntry *rte, AttrNumber number)
{
	if (sa_label_store_table_hidden(rte->relid))
		return SA_LABEL_HIDDEN;
	if (rte->relkind == RELKIND_VIEW || rte->relkind == RELKIND_MATVIEW)
		return label_of_view_column(lineage, rte->relid, number);
	return sa_label_store_column(rte->relid, number);
}

/* Of all columns of a recursive query: again until nothing changes. */
static SaLabel
label_of_recursion(Lineage *lineage, const CommonTableExpr *cte, int column,
				   List *around)
{
	Query *query = castNode(Query, cte->ctequery);
	int count = list_length(query->targetList);
	Recursion recursion = {cte, palloc0((count + 1) * sizeof(SaLabel))};
	int generation = lineage->generation;
	SaLabel label = SA_LABEL_NONE;
	bool changed;

	lineage->recursions = lcons(&recursion, lineage->recursions);
	do
	{
		changed = false;
		lineage->generation++;
		for (int i = 1; i <= count; i++)
		{
			SaLabel found = label_of_column(lineage, query, i, around);

			changed = changed || found > recursion.columns[i];
			recursion.columns[i] = Max(recursion.columns[i], found);
		}
	} while (changed);
	lineage->recursions = list_delete_first(lineage->recursions);
	/* within an outer recursion the memory must not outlive this round */
	lineage->generation = Max(lineage->generation, generation) + 1;
	for (int i = 1; i <= count; i++)
		if (column == 0 || column == i)
			label = Max(label, recursion.columns[i]);
	return label;
}

static SaLabel
label_of_cte(Lineage *lineage, const RangeTblEntry *rte, int column)
{
	List *queries = lineage->queries;
	ListCell *cell;

	if (rte->ctelevelsup > 0)
		queries = list_copy_tail(queries, rte->ctelevelsup);
	if (queries == NIL)
		return SA_LABEL_HIDDEN; /* cannot happen */
	foreach (cell, linitial_node(Query, queries)->cteList)
	{
		CommonTableExpr *cte = lfirst_node(CommonTableExpr, cell);
		ListCell *cell2;

		if (strcmp(cte->ctename, rte->ctename) != 0)
			continue;
		foreach (cell2, lineage->recursions)
		{
			Recursion *recursion = lfirst(cell2);
			int count = list_length(castNode(Query, cte->ctequery)->targetList);

			if (recursion->cte != cte)
				continue;
			if (column > 0 && column <= count)
				return recursion->columns[column];
			if (column > 0)
				return SA_LABEL_NONE; /* a column that SEARCH adds */
			for (int i = 1; i <= count; i++)
				recursion->columns[0] =
					Max(recursion->columns[0], recursion->columns[i]);
			return recursion->columns[0];
		}
		if (cte->cterecursive)
			return label_of_recursion(lineage, cte, column, queries);
		return label_of_column(lineage, castNode(Query, cte->ctequery), column,
							   queries);
	}
	return SA_LABEL_HIDDEN; /* cannot happen */
}

static SaLabel
label_of_values(Lineage *lineage, const RangeTblEntry *rte, int column)
{
	SaLabel label = SA_LABEL_NONE;
	ListCell *cell;

	foreach (cell, rte->values_lists)
	{
		List *row = lfirst_node(List, cell);

		if (column == 0)
			label = Max(label, label_of_expression(lineage, (Node *) row));
		else if (column <= list_length(row))
			label = Max(
				label, label_of_expression(lineage, list_nth(row, column - 1)));
	}
	return label;
}

static SaLabel
label_of_source(Lineage *lineage, Query *query, Index index, int column)
{
	RangeTblEntry *rte = rt_fetch(index, query->rtable);

	switch (rte->rtekind)
	{
		case RTE_RELATION:
			return label_of_relation(lineage, rte, column);
		case RTE_SUBQUERY:
			return label_of_column(lineage, rte->subquery, column,
								   lineage->queries);
		case RTE_CTE:
			return label_of_cte(lineage, rte, column);
		case RTE_JOIN:
			if (column > 0 && column <= list_length(rte->joinaliasvars))
				return label_of_expression(
					lineage, list_nth(rte->joinaliasvars, column - 1));
			return label_of_expression(lineage, (Node *) rte->joinaliasvars);
		case RTE_VALUES:
			return label_of_values(lineage, rte, column);
		case RTE_FUNCTION:
			return label_of_expression(lineage, (Node *) rte->functions);
		case RTE_TABLEFUNC:
			return label_of_expression(lineage, (Node *) rte->tablefunc);
		default:
			return label_of_expression(lineage,
									   sa_rte_group_expression(rte, column));
	}
}

static SaLabel
label_of_var(Lineage *lineage, const Var *var)
{
	List *queries = lineage->queries;
	SaLabel label;

	if (var->varlevelsup >= list_length(queries))
		return SA_LABEL_NONE;
	if (var->varattno < 0)
		return SA_LABEL_NONE; /* system columns tell no values */
	if (var->varlevelsup > 0)
		lineage->queries = list_copy_tail(queries, var->varlevelsup);
	label = label_of_source(lineage, linitial_node(Query, lineage->queries),
							var->varno, var->varattno);
	lineage->queries = queries;
	return label;
}

/* The arguments of an aggregate without those that only sort. */
static bool
walk_arguments(Lineage *lineage, List *arguments)
{
	ListCell *cell;

	foreach (cell, arguments)
	{
		Node *argument = lfirst(cell);

		if (IsA(argument, TargetEntry) && ((TargetEntry *) argument)->resjunk)
			continue;
		(void) lineage_walker(argument, lineage);
	}
	return false;
}

static bool
is_count(Oid function)
{
	return function == F_COUNT_ || function == F_COUNT_ANY;
}

/*
 * A count tells no values, unless a value has made the rows that are counted:
 * count(*) of generate_series(1, value).
 */
static SaLabel
label_of_row_count(Lineage *lineage, Query *query, List *around)
{
	List *queries = lcons(query, list_copy(around));
	SaLabel label = label_within(
		lineage, queries,
		(Node *) list_make2(query->limitCount, query->limitOffset));
	ListCell *cell;

	check_stack_depth();
	if (query->hasTargetSRFs)
		label = Max(label, label_of_column(lineage, query, 0, around));
	foreach (cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

		if (rte->rtekind == RTE_FUNCTION)
			label = Max(
				label, label_within(lineage, queries, (Node *) rte->functions));
		else if (rte->rtekind == RTE_SUBQUERY)
			label =
				Max(label, label_of_row_count(lineage, rte->subquery, queries));
	}
	return label;
}

static bool
walk_count(Lineage *lineage)
{
	Query *query = linitial_node(Query, lineage->queries);

	lineage->label =
		Max(lineage->label,
			label_of_row_count(lineage, query,
							   list_copy_tail(lineage->queries, 1)));
	return false;
}

static bool
walk_sublink(Lineage *lineage, SubLink *link)
{
	if (link->subLinkType == EXISTS_SUBLINK)
		return false;
	(void) lineage_walker(link->testexpr, lineage);
	lineage->label =
		Max(lineage->label,
			label_of_column(lineage, castNode(Query, link->subselect), 0,
							lineage->queries));
	return false;
}

static bool
lineage_walker(Node *node, void *context)
{
	Lineage *lineage = context;

	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_Var:
			lineage->label =
				Max(lineage->label, label_of_var(lineage, (Var *) node));
			return false;
		case T_Aggref:
			if (is_count(((Aggref *) node)->aggfnoid))
				return walk_count(lineage);
			(void) walk_arguments(lineage, ((Aggref *) node)->aggdirectargs);
			return walk_arguments(lineage, ((Aggref *) node)->args);
		case T_WindowFunc:
			if (is_count(((WindowFunc *) node)->winfnoid))
				return walk_count(lineage);
			return walk_arguments(lineage, ((WindowFunc *) node)->args);
		case T_GroupingFunc:
			return false;
		case T_SubLink:
			return walk_sublink(lineage, (SubLink *) node);
		default:
			return expression_tree_walker(node, lineage_walker, context);
	}
}

static void
start_lineage(Lineage *lineage)
{
	HASHCTL ctl = {0};

	memset(lineage, 0, sizeof(Lineage));
	ctl.keysize = sizeof(KnownColumnKey);
	ctl.entrysize = sizeof(KnownColumn);
	ctl.hcxt = CurrentMemoryContext;
	lineage->known = hash_create("sqlagent lineage", 64, &ctl,
								 HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

SaMask *
sa_lineage_mask(Query *query)
{
	SaMask *mask = palloc0(sizeof(SaMask));
	Lineage lineage;
	ListCell *cell;

	if (!sa_label_store_any())
		return mask;
	start_lineage(&lineage);
	mask->columns = palloc0(list_length(query->targetList) * sizeof(bool));
	foreach (cell, query->targetList)
	{
		TargetEntry *target = lfirst_node(TargetEntry, cell);

		if (!target->resjunk)
			mask->columns[mask->count++] =
				label_of_column(&lineage, query, target->resno, NIL) !=
				SA_LABEL_NONE;
	}
	hash_destroy(lineage.known);
	return mask;
}

SaLabel
sa_lineage_view_column(Oid view, AttrNumber number)
{
	Lineage lineage;
	SaLabel label;

	start_lineage(&lineage);
	label = label_of_view_column(&lineage, view, number);
	hash_destroy(lineage.known);
	return label;
}
