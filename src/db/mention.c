/*
 * mention.c
 *	  Which tables and columns a statement names.
 *
 * Called by the guard, on the tree that it has vetted.  What is learned about
 * the data remembers these objects, so that it can be told when they change.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"

#include "base/compat.h"
#include "base/object.h"
#include "db/mention.h"

typedef struct Search
{
	List *queries; /* around the place, innermost first */
	List *found;   /* of SaObject * */
} Search;

static int
compare_objects(const ListCell *left, const ListCell *right)
{
	const SaObject *a = lfirst(left);
	const SaObject *b = lfirst(right);

	if (a->relation != b->relation)
		return a->relation < b->relation ? -1 : 1;
	return (int) a->column - (int) b->column;
}

static void
add_object(Search *search, Oid relation, AttrNumber column)
{
	SaObject *object = palloc(sizeof(SaObject));

	object->relation = relation;
	object->column = column;
	search->found = lappend(search->found, object);
}

static bool walk(Node *node, Search *search);

/* An expression that belongs to a query further out. */
static void
walk_at_level(Search *search, Node *node, int level)
{
	List *around = search->queries;

	search->queries = list_copy_tail(around, level);
	(void) walk(node, search);
	search->queries = around;
}

static void
add_var(Search *search, const Var *var)
{
	Query *query;
	RangeTblEntry *rte;

	if (var->varlevelsup >= list_length(search->queries) || var->varattno <= 0)
		return;
	query = list_nth(search->queries, var->varlevelsup);
	rte = rt_fetch(var->varno, query->rtable);
	if (rte->rtekind == RTE_RELATION)
		add_object(search, rte->relid, var->varattno);
	else if (rte->rtekind == RTE_JOIN)
		/* A column that USING merged: those of both sides. */
		walk_at_level(search, list_nth(rte->joinaliasvars, var->varattno - 1),
					  var->varlevelsup);
	else
		walk_at_level(search, sa_rte_group_expression(rte, var->varattno),
					  var->varlevelsup);
}

static bool
walk_query(Query *query, Search *search)
{
	ListCell *cell;
	bool stop;

	foreach (cell, query->rtable)
	{
		const RangeTblEntry *rte = lfirst(cell);

		if (rte->rtekind == RTE_RELATION)
			add_object(search, rte->relid, 0);
	}
	search->queries = lcons(query, search->queries);
	/* All columns of a join are its aliases: those used are found by add_var. */
	stop = query_tree_walker(query, walk, search, QTW_IGNORE_JOINALIASES);
	search->queries = list_delete_first(search->queries);
	return stop;
}

static bool
walk(Node *node, Search *search)
{
	if (node == NULL)
		return false;
	check_stack_depth();
	if (IsA(node, Query))
		return walk_query((Query *) node, search);
	if (IsA(node, Var))
	{
		add_var(search, (Var *) node);
		return false;
	}
	return expression_tree_walker(node, walk, search);
}

List *
sa_mention_list(Query *query)
{
	Search search = {NIL, NIL};
	const SaObject *previous = NULL;
	List *distinct = NIL;
	ListCell *cell;

	(void) walk_query(query, &search);
	list_sort(search.found, compare_objects);
	foreach (cell, search.found)
	{
		SaObject *object = lfirst(cell);

		if (previous == NULL || previous->relation != object->relation ||
			previous->column != object->column)
			distinct = lappend(distinct, object);
		previous = object;
	}
	return distinct;
}
