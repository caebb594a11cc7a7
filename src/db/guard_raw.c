/*
 * guard_raw.c
 *	  Rules that hold for the parse tree, before anything is looked up.
 *
 * Called by guard.c.  What is refused here is never analysed, so that no lock
 * stronger than that of a reader is ever requested.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "tcop/utility.h"
#include "utils/lsyscache.h"

#include "db/guard_walk.h"

#define MAX_NODES 20000

/* Of a node that writes, what SQL calls it; NULL for others. */
static const char *
writing_verb(const Node *node, const RangeVar **target)
{
	switch (nodeTag(node))
	{
		case T_InsertStmt:
			*target = ((const InsertStmt *) node)->relation;
			return "INSERT";
		case T_UpdateStmt:
			*target = ((const UpdateStmt *) node)->relation;
			return "UPDATE";
		case T_DeleteStmt:
			*target = ((const DeleteStmt *) node)->relation;
			return "DELETE";
		case T_MergeStmt:
			*target = ((const MergeStmt *) node)->relation;
			return "MERGE";
		case T_IntoClause:
			*target = ((const IntoClause *) node)->rel;
			return "SELECT INTO";
		case T_LockingClause:
			return "locking of rows";
		default:
			return NULL;
	}
}

static bool
raw_walker(Node *node, void *context)
{
	SaWalk *walk = context;
	const RangeVar *target = NULL;
	const char *verb;

	if (node == NULL)
		return false;
	if (++walk->nodes > MAX_NODES)
		return sa_guard_refuse(
			walk, "R03", -1, "the statement has more than %d parts", MAX_NODES);
	verb = writing_verb(node, &target);
	if (verb)
		return sa_guard_refuse(walk, "R04", target ? target->location : -1,
							   "%s is not allowed", verb);
	switch (nodeTag(node))
	{
		case T_ParamRef:
			return sa_guard_refuse(walk, "R06", ((ParamRef *) node)->location,
								   "there is no parameter $%d",
								   ((ParamRef *) node)->number);
		case T_CurrentOfExpr:
			return sa_guard_refuse(walk, "R05", -1,
								   "CURRENT OF is not allowed");
		case T_SetToDefault:
			return sa_guard_refuse(walk, "R05",
								   ((SetToDefault *) node)->location,
								   "DEFAULT is not allowed");
		case T_RangeVar:
			walk->tables = lappend(walk->tables, node);
			return false;
		case T_TypeName:
			walk->types = lappend(walk->types, node);
			break;
		default:
			break;
	}
	return raw_expression_tree_walker(node, raw_walker, context);
}

static bool
refuse_several(SaWalk *walk, List *statements)
{
	RawStmt *second = lsecond_node(RawStmt, statements);
	int location = second->stmt_location;
	ListCell *cell;

	/* up to version 17 the blanks before it are part of it */
	location += strspn(walk->sql + location, " \t\r\n");
	sa_guard_refuse(walk, "R02", location, "there are %d statements",
					list_length(statements));
	foreach (cell, statements)
		if (!IsA(lfirst_node(RawStmt, cell)->stmt, SelectStmt))
			walk->error->type = SA_ERROR_MUTATION;
	return true;
}

bool
sa_guard_raw(SaWalk *walk, List *statements)
{
	Node *statement;

	if (statements == NIL)
		return sa_guard_refuse(walk, "R02", -1, "there is no statement");
	if (list_length(statements) > 1)
		return refuse_several(walk, statements);
	statement = linitial_node(RawStmt, statements)->stmt;
	if (!IsA(statement, SelectStmt))
		return sa_guard_refuse(
			walk, "R04", linitial_node(RawStmt, statements)->stmt_location,
			"%s is not allowed", CreateCommandName(statement));
	return raw_walker(statement, walk);
}

int
sa_guard_table_location(SaWalk *walk, Oid relation)
{
	const char *name = get_rel_name(relation);
	ListCell *cell;

	foreach (cell, walk->tables)
	{
		RangeVar *table = lfirst_node(RangeVar, cell);

		if (name && strcmp(table->relname, name) == 0)
			return table->location;
	}
	return -1;
}
