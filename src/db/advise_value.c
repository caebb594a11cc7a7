/*
 * advise_value.c
 *	  Comparisons and casts that may not do what they look like: quoting, types
 *	  that differ, fractions that are lost.
 *
 * Called by advise.c for each operator and function of an analysed tree.  Looks
 * at the tree and the catalog alone; what the analyser refuses never gets here.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "catalog/pg_index.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_coerce.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "db/advise.h"

static bool
is_one_of(const char *name, const char *const *names)
{
	for (; name && *names; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

/* Without casts that nobody wrote. */
static const Node *
without_casts(const Node *node)
{
	for (;;)
	{
		if (IsA(node, RelabelType))
			node = (const Node *) ((const RelabelType *) node)->arg;
		else if (IsA(node, FuncExpr) &&
				 ((const FuncExpr *) node)->funcformat == COERCE_IMPLICIT_CAST)
			node = linitial(((const FuncExpr *) node)->args);
		else
			return node;
	}
}

/* The words of a string constant, or NULL. */
static char *
string_of(const Node *node)
{
	const Const *constant = (const Const *) without_casts(node);

	if (!IsA(constant, Const) || constant->constisnull ||
		(constant->consttype != TEXTOID && constant->consttype != VARCHAROID &&
		 constant->consttype != BPCHAROID))
		return NULL;
	return TextDatumGetCString(constant->constvalue);
}

/* The column that the string names, or NULL. */
static const char *
column_named(const Query *query, const char *string)
{
	ListCell *table;
	ListCell *column;

	foreach (table, query->rtable)
	{
		const RangeTblEntry *rte = lfirst(table);

		if (rte->rtekind != RTE_RELATION)
			continue;
		foreach (column, rte->eref->colnames)
			if (*string && pg_strcasecmp(strVal(lfirst(column)), string) == 0)
				return strVal(lfirst(column));
	}
	return NULL;
}

static bool
is_number(const char *string)
{
	char *end;

	/* "inf" and "nan" may be words */
	if (strpbrk(string, "0123456789") == NULL)
		return false;
	(void) strtod(string, &end);
	return *end == '\0';
}

/* 'x' where "x" was meant, and numbers that are ordered as text. */
static List *
look_at_strings(const Query *query, const OpExpr *op, const char *name)
{
	static const char *const orders[] = {"<", "<=", ">", ">=", NULL};
	List *advice = NIL;
	ListCell *cell;
	bool column = false;
	char *number = NULL;

	foreach (cell, op->args)
	{
		char *string = string_of(lfirst(cell));
		const char *named;

		if (string == NULL)
		{
			column = column || IsA(without_casts(lfirst(cell)), Var);
			continue;
		}
		named = column_named(query, string);
		if (named)
			advice = lappend(
				advice, psprintf("'%s' is a string, not the column of that "
								 "name: write %s if the column is meant",
								 string, quote_identifier(named)));
		if (is_number(string))
			number = string;
	}
	if (column && number && is_one_of(name, orders))
		advice = lappend(
			advice, psprintf("text is ordered against the number '%s' letter "
							 "by letter: cast the column to a number",
							 number));
	return advice;
}

/* Types that one "=" compares without a change. */
static bool
are_alike(Oid left, Oid right)
{
	static const Oid whole[] = {INT2OID, INT4OID, INT8OID};
	int count = 0;

	left = getBaseType(left);
	right = getBaseType(right);
	for (int i = 0; i < (int) lengthof(whole); i++)
		count += (left == whole[i]) + (right == whole[i]);
	return left == right || count == 2 ||
		   (TypeCategory(left) == TYPCATEGORY_STRING &&
			TypeCategory(right) == TYPCATEGORY_STRING);
}

static List *
look_at_join_types(const OpExpr *op)
{
	const Var *left = (const Var *) without_casts(linitial(op->args));
	const Var *right = (const Var *) without_casts(lsecond(op->args));

	if (!IsA(left, Var) || !IsA(right, Var) || left->varno == right->varno ||
		are_alike(left->vartype, right->vartype))
		return NIL;
	return list_make1(psprintf(
		"a column of type %s is joined with one of type %s: look "
		"whether these are the right columns",
		format_type_be(left->vartype), format_type_be(right->vartype)));
}

static bool
begins_index(const Query *query, const Var *var)
{
	const RangeTblEntry *rte;
	Relation rel;
	bool found = false;
	ListCell *cell;

	if (var->varlevelsup != 0 || var->varattno <= 0)
		return false;
	rte = rt_fetch(var->varno, query->rtable);
	if (rte->rtekind != RTE_RELATION)
		return false;
	rel = relation_open(rte->relid, NoLock);
	foreach (cell, RelationGetIndexList(rel))
	{
		HeapTuple tuple =
			SearchSysCache1(INDEXRELID, ObjectIdGetDatum(lfirst_oid(cell)));

		if (!HeapTupleIsValid(tuple))
			continue;
		found = found || ((Form_pg_index) GETSTRUCT(tuple))->indkey.values[0] ==
							 var->varattno;
		ReleaseSysCache(tuple);
	}
	relation_close(rel, NoLock);
	return found;
}

/* Whether it is a cast that somebody wrote. */
static bool
is_written_cast(const Node *node)
{
	return IsA(node, FuncExpr) &&
		   ((const FuncExpr *) node)->funcformat == COERCE_EXPLICIT_CAST;
}

static List *
look_at_index(const Query *query, const OpExpr *op)
{
	static const char *const text =
		"a column with an index is cast to be compared, so that the index is "
		"not used: cast the other side";
	ListCell *cell;

	foreach (cell, op->args)
	{
		const Node *side = without_casts(lfirst(cell));
		const Node *inner;

		if (!is_written_cast(side))
			continue;
		inner = without_casts(linitial(((const FuncExpr *) side)->args));
		if (IsA(inner, Var) && begins_index(query, (const Var *) inner))
			return list_make1(pstrdup(text));
	}
	return NIL;
}

/* x <= upper(range): that bound is mostly no part of the range. */
static List *
look_at_range(const OpExpr *op, const char *name)
{
	const FuncExpr *bound = (const FuncExpr *) without_casts(lsecond(op->args));
	char *function;

	if (strcmp(name, "<=") != 0 || !IsA(bound, FuncExpr) ||
		list_length(bound->args) != 1 ||
		!type_is_range(exprType(linitial(bound->args))))
		return NIL;
	function = get_func_name(bound->funcid);
	if (function == NULL || strcmp(function, "upper") != 0)
		return NIL;
	return list_make1(
		pstrdup("the upper bound of a range is mostly no part of it, but <= "
				"(or BETWEEN) takes it in: use <@ or <"));
}

List *
sa_advise_comparison(const Query *query, const OpExpr *op)
{
	static const char *const comparisons[] = {
		"=", "<>", "<", "<=", ">", ">=", NULL};
	char *name = get_opname(op->opno);
	List *advice;

	if (list_length(op->args) != 2 || !is_one_of(name, comparisons))
		return NIL;
	advice = look_at_strings(query, op, name);
	if (strcmp(name, "=") == 0)
		advice = list_concat(advice, look_at_join_types(op));
	advice = list_concat(advice, look_at_index(query, op));
	return list_concat(advice, look_at_range(op, name));
}

/* Whether the fraction that a cast would lose is always nothing. */
static bool
is_whole(const Node *node)
{
	static const char *const roundings[] = {"round",	 "floor", "ceil",
											"ceiling",	 "trunc", "extract",
											"date_part", NULL};

	if (IsA(node, FuncExpr))
		return is_one_of(get_func_name(((const FuncExpr *) node)->funcid),
						 roundings);
	if (IsA(node, Aggref))
	{
		const Aggref *aggregate = (const Aggref *) node;
		char *name = get_func_name(aggregate->aggfnoid);

		return name && strcmp(name, "sum") == 0 &&
			   are_alike(linitial_oid(aggregate->aggargtypes), INT4OID);
	}
	return false;
}

List *
sa_advise_cast(const FuncExpr *cast)
{
	const Node *argument;
	Oid type;

	if (!is_written_cast((const Node *) cast) ||
		!are_alike(cast->funcresulttype, INT4OID))
		return NIL;
	argument = without_casts(linitial(cast->args));
	type = getBaseType(exprType(argument));
	if ((type != NUMERICOID && type != FLOAT4OID && type != FLOAT8OID) ||
		is_whole(argument))
		return NIL;
	return list_make1(pstrdup("a cast to a whole number rounds the fraction "
							  "away: leave it out unless that is meant"));
}
