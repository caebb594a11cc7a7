/*
 * advise_join.c
 *	  What the joins of one query level do to its sums, joins without a
 *	  condition, and joins by other columns than the key.
 *
 * Called by advise.c.  A table repeats the rows of the others unless the
 * conditions fix one of its unique keys; a sum over another table's column then
 * counts values more than once.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_index.h"
#include "nodes/bitmapset.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "db/advise.h"

/* What the conditions of a level say about its range table entries. */
typedef struct Joins
{
	const Query *query;
	Bitmapset *tables;	/* that are joined: range table indexes */
	Bitmapset **fixed;	/* of each: columns that an equality fixes */
	Bitmapset **linked; /* of each: others that a condition names with it */
	List *equal;		/* of OpExpr *: equalities of two columns */
} Joins;

static int
table_of(const Joins *joins, const Node *node)
{
	const Var *var = (const Var *) node;

	/* a cast that changes nothing */
	while (node && IsA(node, RelabelType))
		node = (const Node *) ((const RelabelType *) node)->arg;
	var = (const Var *) node;
	if (node == NULL || !IsA(node, Var) || var->varlevelsup != 0 ||
		var->varno > list_length(joins->query->rtable))
		return 0;
	return var->varno;
}

static int
column_of(const Node *node)
{
	while (IsA(node, RelabelType))
		node = (const Node *) ((const RelabelType *) node)->arg;
	return ((const Var *) node)->varattno;
}

static bool
collect_tables(Node *node, void *context)
{
	Bitmapset **tables = context;

	if (node == NULL || IsA(node, SubLink) || IsA(node, Query))
		return false;
	if (IsA(node, Var) && ((Var *) node)->varlevelsup == 0)
		*tables = bms_add_member(*tables, ((Var *) node)->varno);
	return expression_tree_walker(node, collect_tables, context);
}

/* Columns of the table that the equality fixes. */
static void
fix_column(Joins *joins, const Node *side, const Node *other)
{
	int table = table_of(joins, side);

	if (table > 0 && table_of(joins, other) != table)
		joins->fixed[table] =
			bms_add_member(joins->fixed[table], column_of(side));
}

static void
read_condition(Joins *joins, Node *node)
{
	Bitmapset *named = NULL;
	int table = -1;

	if (node == NULL)
		return;
	if (IsA(node, BoolExpr) && ((BoolExpr *) node)->boolop == AND_EXPR)
	{
		ListCell *cell;

		foreach (cell, ((BoolExpr *) node)->args)
			read_condition(joins, lfirst(cell));
		return;
	}
	if (IsA(node, List))
	{
		ListCell *cell;

		foreach (cell, (List *) node)
			read_condition(joins, lfirst(cell));
		return;
	}
	(void) collect_tables(node, &named);
	while ((table = bms_next_member(named, table)) >= 0)
		if (table <= list_length(joins->query->rtable))
			joins->linked[table] = bms_add_members(joins->linked[table], named);
	if (IsA(node, OpExpr) && list_length(((OpExpr *) node)->args) == 2)
	{
		const OpExpr *op = (const OpExpr *) node;
		char *name = get_opname(op->opno);

		if (name && strcmp(name, "=") == 0)
		{
			if (table_of(joins, linitial(op->args)) > 0 &&
				table_of(joins, lsecond(op->args)) > 0)
				joins->equal = lappend(joins->equal, node);
			fix_column(joins, linitial(op->args), lsecond(op->args));
			fix_column(joins, lsecond(op->args), linitial(op->args));
		}
	}
}

static void
read_from(Joins *joins, Node *node)
{
	ListCell *cell;

	if (node == NULL)
		return;
	switch (nodeTag(node))
	{
		case T_RangeTblRef:
			joins->tables =
				bms_add_member(joins->tables, ((RangeTblRef *) node)->rtindex);
			break;
		case T_JoinExpr:
			read_from(joins, ((JoinExpr *) node)->larg);
			read_from(joins, ((JoinExpr *) node)->rarg);
			read_condition(joins, ((JoinExpr *) node)->quals);
			break;
		case T_FromExpr:
			foreach (cell, ((FromExpr *) node)->fromlist)
				read_from(joins, lfirst(cell));
			read_condition(joins, ((FromExpr *) node)->quals);
			break;
		default:
			break;
	}
}

/* Whether the columns hold a unique key of the relation. */
static bool
hold_unique_key(Oid relid, const Bitmapset *columns)
{
	Relation rel = relation_open(relid, NoLock);
	bool found = false;
	ListCell *cell;

	foreach (cell, RelationGetIndexList(rel))
	{
		HeapTuple tuple =
			SearchSysCache1(INDEXRELID, ObjectIdGetDatum(lfirst_oid(cell)));
		Form_pg_index index;
		bool holds;

		if (!HeapTupleIsValid(tuple))
			continue;
		index = (Form_pg_index) GETSTRUCT(tuple);
		holds = index->indisunique && index->indisvalid &&
				heap_attisnull(tuple, Anum_pg_index_indpred, NULL);
		for (int i = 0; holds && i < index->indnkeyatts; i++)
			holds = index->indkey.values[i] > 0 &&
					bms_is_member(index->indkey.values[i], columns);
		found = found || holds;
		ReleaseSysCache(tuple);
	}
	relation_close(rel, NoLock);
	return found;
}

/* Whether the table can hold several rows for one of the rows joined so far. */
static bool
may_repeat(const Joins *joins, int table)
{
	const RangeTblEntry *rte = rt_fetch(table, joins->query->rtable);

	/* of what else can be joined, nothing is known */
	return rte->rtekind == RTE_RELATION && rte->relkind == RELKIND_RELATION &&
		   joins->fixed[table] != NULL &&
		   !hold_unique_key(rte->relid, joins->fixed[table]);
}

static char *
name_of(const Joins *joins, int table)
{
	return rt_fetch(table, joins->query->rtable)->eref->aliasname;
}

/* sum() and avg() in the output, without DISTINCT: List of Aggref *. */
static bool
collect_sums(Node *node, void *context)
{
	List **sums = context;

	if (node == NULL || IsA(node, SubLink) || IsA(node, Query))
		return false;
	if (IsA(node, Aggref))
	{
		Aggref *aggregate = (Aggref *) node;
		char *name = get_func_name(aggregate->aggfnoid);

		if (name && (strcmp(name, "sum") == 0 || strcmp(name, "avg") == 0) &&
			aggregate->aggdistinct == NIL && aggregate->agglevelsup == 0)
			*sums = lappend(*sums, aggregate);
		return false;
	}
	return expression_tree_walker(node, collect_sums, context);
}

static List *
look_at_sums(const Joins *joins, List *advice)
{
	List *sums = NIL;
	ListCell *cell;

	(void) collect_sums((Node *) joins->query->targetList, &sums);
	(void) collect_sums(joins->query->havingQual, &sums);
	foreach (cell, sums)
	{
		Bitmapset *summed = NULL;
		int table = -1;
		int of;

		(void) collect_tables((Node *) ((Aggref *) lfirst(cell))->args,
							  &summed);
		/* over columns of several tables a repetition may be meant */
		if (!bms_get_singleton_member(summed, &of) ||
			!bms_is_member(of, joins->tables))
			continue;
		while ((table = bms_next_member(joins->tables, table)) >= 0)
			if (table != of && may_repeat(joins, table))
				advice = lappend(
					advice,
					psprintf("the join with \"%s\" can repeat rows of \"%s\", "
							 "whose values the sum or average then counts "
							 "more than once",
							 name_of(joins, table), name_of(joins, of)));
	}
	return advice;
}

/* Tables that no condition connects with the first one. */
static List *
look_at_conditions(const Joins *joins, List *advice)
{
	int first = bms_next_member(joins->tables, -1);
	Bitmapset *reached = bms_make_singleton(first);
	int before;
	int table;

	do
	{
		before = bms_num_members(reached);
		table = -1;
		while ((table = bms_next_member(joins->tables, table)) >= 0)
			if (bms_is_member(table, reached) ||
				bms_overlap(joins->linked[table], reached))
				reached = bms_add_members(bms_add_member(reached, table),
										  joins->linked[table]);
	} while (bms_num_members(reached) != before);
	table = -1;
	while ((table = bms_next_member(joins->tables, table)) >= 0)
		if (!bms_is_member(table, reached) &&
			rt_fetch(table, joins->query->rtable)->rtekind == RTE_RELATION)
			advice = lappend(
				advice, psprintf("no condition joins \"%s\" with \"%s\": each "
								 "row meets each row",
								 name_of(joins, table), name_of(joins, first)));
	return advice;
}

/* Whether the equality is of a column of the key and the one it refers to. */
static bool
is_of_key(const Joins *joins, const OpExpr *op, int from, int to,
		  const ForeignKeyCacheInfo *key)
{
	const Node *left = linitial(op->args);
	const Node *right = lsecond(op->args);

	if (table_of(joins, left) == to && table_of(joins, right) == from)
	{
		left = lsecond(op->args);
		right = linitial(op->args);
	}
	if (table_of(joins, left) != from || table_of(joins, right) != to)
		return false;
	for (int i = 0; i < key->nkeys; i++)
		if (key->conkey[i] == column_of(left) &&
			key->confkey[i] == column_of(right))
			return true;
	return false;
}

/* The state of the keys from one table to another: none, not used, used. */
typedef enum KeyUse
{
	KEY_NONE,
	KEY_UNUSED,
	KEY_USED
} KeyUse;

static KeyUse
use_of_keys(const Joins *joins, int from, int to)
{
	const RangeTblEntry *source = rt_fetch(from, joins->query->rtable);
	const RangeTblEntry *target = rt_fetch(to, joins->query->rtable);
	KeyUse use = KEY_NONE;
	Relation rel;
	ListCell *key;
	ListCell *cell;

	if (source->rtekind != RTE_RELATION || target->rtekind != RTE_RELATION)
		return KEY_NONE;
	rel = relation_open(source->relid, NoLock);
	foreach (key, RelationGetFKeyList(rel))
	{
		const ForeignKeyCacheInfo *info = lfirst(key);

		if (info->confrelid != target->relid)
			continue;
		use = Max(use, KEY_UNUSED);
		foreach (cell, joins->equal)
			if (is_of_key(joins, lfirst(cell), from, to, info))
				use = KEY_USED;
	}
	relation_close(rel, NoLock);
	return use;
}

/* Columns that are joined although a foreign key names others. */
static List *
look_at_keys(const Joins *joins, List *advice)
{
	ListCell *cell;

	foreach (cell, joins->equal)
	{
		const OpExpr *op = lfirst(cell);
		int left = table_of(joins, linitial(op->args));
		int right = table_of(joins, lsecond(op->args));

		/* a table may well be joined with itself by something else */
		if (rt_fetch(left, joins->query->rtable)->relid ==
			rt_fetch(right, joins->query->rtable)->relid)
			continue;
		if (Max(use_of_keys(joins, left, right),
				use_of_keys(joins, right, left)) == KEY_UNUSED)
			advice = lappend(
				advice,
				psprintf("\"%s\" and \"%s\" are joined by other columns than "
						 "their foreign key",
						 name_of(joins, left), name_of(joins, right)));
	}
	return advice;
}

List *
sa_advise_joins(const Query *query)
{
	int count = list_length(query->rtable) + 1;
	Joins joins = {0};
	List *advice = NIL;

	joins.query = query;
	joins.fixed = palloc0(sizeof(Bitmapset *) * count);
	joins.linked = palloc0(sizeof(Bitmapset *) * count);
	read_from(&joins, (Node *) query->jointree);
	if (bms_num_members(joins.tables) < 2)
		return NIL;
	advice = look_at_conditions(&joins, advice);
	advice = look_at_keys(&joins, advice);
	return look_at_sums(&joins, advice);
}
