/*
 * guard_length.c
 *	  How many bytes the value of an expression can have: a rough upper bound.
 *
 * Asked by guard_size and guard_xpath, for built-ins whose time grows with the
 * product of their operands.  A column of a table is taken to hold a usual
 * value; what aggregates and recursion build has no bound.
 */
#include "postgres.h"

#include <math.h>

#include "access/detoast.h"
#include "access/table.h"
#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type_d.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteHandler.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "db/guard_walk.h"

#define MAX_STEPS 5000

#define COLUMN_LENGTH 1000
#define NUMERIC_COLUMN_LENGTH 40
#define ROW_LENGTH 16000
/* numeric: up to 131072 digits before the point and 16383 behind it */
#define NUMERIC_LENGTH 150000
#define SMALL_LENGTH 64
#define COLUMN_ELEMENTS 50
#define UNBOUNDED_ELEMENTS 5e5

typedef enum LengthRule
{
	LENGTH_SUM,		/* of the arguments */
	LENGTH_SMALL,	/* a short text whatever they are */
	LENGTH_COUNT,	/* at most the second argument's number of characters */
	LENGTH_COUNT3,	/* likewise the third */
	LENGTH_PAD,		/* exactly the second argument's number */
	LENGTH_REPEAT,	/* first times second argument's number */
	LENGTH_PRODUCT, /* first times the longest of the others */
	LENGTH_ESCAPED, /* each byte can become six */
	LENGTH_FORMAT,	/* format(): arguments as often as the pattern says */
	LENGTH_PATTERN, /* to_char(): some characters for each of the pattern */
	LENGTH_TYPMOD,	/* the second argument is a type modifier */
	LENGTH_UNBOUNDED
} LengthRule;

/* Functions that make more or less than the sum of their arguments; sorted. */
static const struct
{
	const char *name;
	LengthRule rule;
} length_rules[] = {
	{"array_fill", LENGTH_UNBOUNDED},
	{"array_to_string", LENGTH_PRODUCT},
	{"bit", LENGTH_TYPMOD},
	{"bpchar", LENGTH_TYPMOD},
	{"encode", LENGTH_ESCAPED},
	{"format", LENGTH_FORMAT},
	{"json_build_array", LENGTH_ESCAPED},
	{"json_build_object", LENGTH_ESCAPED},
	{"jsonb_build_array", LENGTH_ESCAPED},
	{"jsonb_build_object", LENGTH_ESCAPED},
	{"jsonb_pretty", LENGTH_UNBOUNDED},
	{"left", LENGTH_COUNT},
	{"lpad", LENGTH_PAD},
	{"md5", LENGTH_SMALL},
	{"quote_literal", LENGTH_ESCAPED},
	{"regexp_replace", LENGTH_PRODUCT},
	{"repeat", LENGTH_REPEAT},
	{"replace", LENGTH_PRODUCT},
	{"right", LENGTH_COUNT},
	{"row_to_json", LENGTH_ESCAPED},
	{"rpad", LENGTH_PAD},
	{"substr", LENGTH_COUNT3},
	{"substring", LENGTH_COUNT3},
	{"to_char", LENGTH_PATTERN},
	{"to_json", LENGTH_ESCAPED},
	{"to_jsonb", LENGTH_ESCAPED},
	{"translate", LENGTH_ESCAPED},
};

/* Aggregates and window functions that give back one of their inputs. */
static const char *const picking_aggregates[] = {
	"any_value",
	"avg",
	"first_value",
	"lag",
	"last_value",
	"lead",
	"max",
	"min",
	"mode",
	"nth_value",
	"percentile_cont",
	"percentile_disc",
	"sum",
};

/* numeric functions whose result is no longer than their arguments together */
static const char *const short_numeric_functions[] = {
	"abs",		   "ceil",		  "ceiling",		"floor",
	"mod",		   "numeric_abs", "numeric_add",	"numeric_mod",
	"numeric_mul", "numeric_sub", "numeric_uminus", "numeric_uplus",
	"random",	   "sign",		  "trim_scale",
};

/* likewise, and some hundred digits more */
static const char *const longer_numeric_functions[] = {
	"div",	   "extract",	  "int4_numeric",	   "ln",   "log",		"log10",
	"numeric", "numeric_div", "numeric_div_trunc", "sqrt", "to_number",
};

static double length_of_row_source(SaWalk *walk, Query *query, Index index,
								   AttrNumber number);

static int
compare_names(const void *key, const void *member)
{
	return strcmp(key, *(const char *const *) member);
}

#define HAS(list, name)                                                        \
	(bsearch(name, list, lengthof(list), sizeof(char *), compare_names) != NULL)

/* The constant under casts, or NULL. */
static Const *
constant_under(Node *expression)
{
	for (;;)
	{
		if (expression == NULL)
			return NULL;
		if (IsA(expression, Const))
			return ((Const *) expression)->constisnull ? NULL
													   : (Const *) expression;
		if (IsA(expression, RelabelType))
			expression = (Node *) ((RelabelType *) expression)->arg;
		else if (IsA(expression, CollateExpr))
			expression = (Node *) ((CollateExpr *) expression)->arg;
		else if (IsA(expression, NamedArgExpr))
			expression = (Node *) ((NamedArgExpr *) expression)->arg;
		else
			return NULL;
	}
}

bool
sa_guard_constant_int(Node *expression, int64 *value)
{
	Const *constant = constant_under(expression);

	if (constant == NULL)
		return false;
	switch (constant->consttype)
	{
		case INT2OID:
			*value = DatumGetInt16(constant->constvalue);
			return true;
		case INT4OID:
			*value = DatumGetInt32(constant->constvalue);
			return true;
		case INT8OID:
			*value = DatumGetInt64(constant->constvalue);
			return true;
		default:
			return false;
	}
}

static double
int_bound_of_operator(SaWalk *walk, OpExpr *node)
{
	char *name = get_opname(node->opno);
	double left = sa_guard_int_bound(walk, linitial(node->args));
	double right = sa_guard_int_bound(walk, lsecond(node->args));
	int64 value;

	if (name == NULL)
		return SA_LENGTH_UNBOUNDED;
	if (strcmp(name, "%") == 0)
		return fabs(right);
	if (strcmp(name, "+") == 0)
		return Min(Max(left, 0) + Max(right, 0), SA_LENGTH_UNBOUNDED);
	if (strcmp(name, "-") == 0 &&
		sa_guard_constant_int(lsecond(node->args), &value))
		return Min(Max(left, 0) + Max(-right, 0), SA_LENGTH_UNBOUNDED);
	return SA_LENGTH_UNBOUNDED;
}

/*
 * The largest value that an integer can have: a constant, least() of one, a
 * remainder, a length, and sums and products of these.
 */
double
sa_guard_int_bound(SaWalk *walk, Node *node)
{
	int64 value;

	if (sa_guard_constant_int(node, &value))
		return value;
	if (IsA(node, MinMaxExpr) && ((MinMaxExpr *) node)->op == IS_LEAST)
	{
		double least = SA_LENGTH_UNBOUNDED;
		ListCell *cell;

		foreach (cell, ((MinMaxExpr *) node)->args)
			least = Min(least, sa_guard_int_bound(walk, lfirst(cell)));
		return Max(least, 0);
	}
	if (IsA(node, OpExpr) && list_length(((OpExpr *) node)->args) == 2)
		return int_bound_of_operator(walk, (OpExpr *) node);
	if (IsA(node, FuncExpr) && list_length(((FuncExpr *) node)->args) == 1)
	{
		Node *argument = linitial(((FuncExpr *) node)->args);
		char *name = get_func_name(((FuncExpr *) node)->funcid);

		if (name && strcmp(name, "length") == 0)
			return sa_guard_length(walk, argument);
	}
	return SA_LENGTH_UNBOUNDED;
}

char *
sa_guard_constant_text(Node *expression)
{
	Const *constant = constant_under(expression);

	if (constant == NULL || constant->consttype != TEXTOID)
		return NULL;
	return TextDatumGetCString(constant->constvalue);
}

static double
bounded(double length)
{
	return Min(length, SA_LENGTH_UNBOUNDED);
}

static double
longest(SaWalk *walk, List *expressions)
{
	double length = 0;
	ListCell *cell;

	foreach (cell, expressions)
		length = Max(length, sa_guard_length(walk, lfirst(cell)));
	return length;
}

static double
sum_of(SaWalk *walk, List *expressions)
{
	double length = SMALL_LENGTH;
	ListCell *cell;

	foreach (cell, expressions)
		length += sa_guard_length(walk, lfirst(cell));
	return bounded(length);
}

/* A number of characters, or no bound; a negative one counts from the end. */
static double
counted(SaWalk *walk, List *arguments, int index)
{
	double count;

	if (list_length(arguments) <= index)
		return SA_LENGTH_UNBOUNDED;
	count = sa_guard_int_bound(walk, list_nth(arguments, index));
	if (count < 0)
		return SA_LENGTH_UNBOUNDED;
	return bounded(count * MAX_MULTIBYTE_CHAR_LEN);
}

/* The longest argument, as often as the pattern has places for one. */
static double
length_of_format(SaWalk *walk, List *arguments)
{
	char *pattern = sa_guard_constant_text(linitial(arguments));
	double length = strlen(pattern ? pattern : "");
	double each =
		longest(walk, list_copy_tail(arguments, 1)) + SA_FORMAT_MAX_WIDTH;

	if (pattern == NULL)
		return SA_LENGTH_UNBOUNDED;
	for (; *pattern; pattern++)
	{
		if (*pattern != '%')
			continue;
		if (pattern[1] == '%')
			pattern++;
		else
			length += each;
	}
	return bounded(length);
}

static double
length_by_rule(SaWalk *walk, LengthRule rule, List *arguments)
{
	double sum = sum_of(walk, arguments);
	double count;

	switch (rule)
	{
		case LENGTH_SMALL:
			return SMALL_LENGTH;
		case LENGTH_COUNT:
			return Min(sum, counted(walk, arguments, 1));
		case LENGTH_COUNT3:
			return Min(sum, counted(walk, arguments, 2));
		case LENGTH_PAD:
			return counted(walk, arguments, 1);
		case LENGTH_REPEAT:
			count = sa_guard_int_bound(walk, llast(arguments));
			return bounded(sa_guard_length(walk, linitial(arguments)) *
						   Max(count, 0));
		case LENGTH_PRODUCT:
			return bounded(sa_guard_length(walk, linitial(arguments)) *
						   Max(longest(walk, list_copy_tail(arguments, 1)), 1));
		case LENGTH_ESCAPED:
			return bounded(sum * 6);
		case LENGTH_FORMAT:
			return length_of_format(walk, arguments);
		case LENGTH_PATTERN:
			return bounded(SMALL_LENGTH +
						   16 * sa_guard_length(walk, llast(arguments)));
		case LENGTH_TYPMOD:
			return Max(sum, counted(walk, arguments, 1));
		case LENGTH_UNBOUNDED:
			return SA_LENGTH_UNBOUNDED;
		case LENGTH_SUM:
			break;
	}
	return sum;
}

static double
length_of_numeric(SaWalk *walk, const char *name, List *arguments)
{
	if (HAS(short_numeric_functions, name))
		return sum_of(walk, arguments);
	if (HAS(longer_numeric_functions, name))
		return sum_of(walk, arguments) + COLUMN_LENGTH;
	return NUMERIC_LENGTH;
}

static double
length_of_call(SaWalk *walk, Oid function, Oid type, List *arguments)
{
	char *name = get_func_name(function);

	if (name == NULL)
		return SA_LENGTH_UNBOUNDED;
	if (type == NUMERICOID)
		return length_of_numeric(walk, name, arguments);
	for (int i = 0; i < (int) lengthof(length_rules); i++)
		if (strcmp(length_rules[i].name, name) == 0)
			return length_by_rule(walk, length_rules[i].rule, arguments);
	return sum_of(walk, arguments);
}

/* As text, a number can be far longer than it is stored. */
static double
length_as_text(SaWalk *walk, Node *argument)
{
	double length = sa_guard_length(walk, argument);

	if (exprType(argument) == NUMERICOID)
	{
		if (IsA(argument, Var))
			return length;
		return Max(length, IsA(argument, Const) ? NUMERIC_LENGTH : length);
	}
	return bounded(length * 6);
}

static double
length_of_aggregate(SaWalk *walk, Oid function, List *arguments)
{
	char *name = get_func_name(function);
	double length = SMALL_LENGTH;
	ListCell *cell;

	if (name == NULL || !HAS(picking_aggregates, name))
		return SA_LENGTH_UNBOUNDED;
	foreach (cell, arguments)
	{
		Node *argument = lfirst(cell);

		if (IsA(argument, TargetEntry))
			argument = (Node *) ((TargetEntry *) argument)->expr;
		length += sa_guard_length(walk, argument);
	}
	return bounded(length);
}

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
		return COLUMN_LENGTH;
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
	return bounded(length);
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
			return COLUMN_LENGTH;
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
	if (length == COLUMN_LENGTH && var->vartype == NUMERICOID)
		return NUMERIC_COLUMN_LENGTH;
	return length;
}

static double
length_of_constant(const Const *constant)
{
	if (constant->constisnull)
		return 0;
	if (constant->constlen != -1)
		return SMALL_LENGTH;
	return toast_raw_datum_size(constant->constvalue) - VARHDRSZ;
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

/* Nodes with parts: the sum, or the longest of the alternatives. */
static double
length_of_parts(SaWalk *walk, Node *node)
{
	List *parts = NIL;
	ListCell *cell;

	switch (nodeTag(node))
	{
		case T_CaseExpr:
			foreach (cell, ((CaseExpr *) node)->args)
				parts = lappend(parts, lfirst_node(CaseWhen, cell)->result);
			parts = lappend(parts, ((CaseExpr *) node)->defresult);
			return longest(walk, parts);
		case T_CoalesceExpr:
			return longest(walk, ((CoalesceExpr *) node)->args);
		case T_MinMaxExpr:
			return longest(walk, ((MinMaxExpr *) node)->args);
		case T_ArrayExpr:
			return sum_of(walk, ((ArrayExpr *) node)->elements);
		case T_RowExpr:
			return sum_of(walk, ((RowExpr *) node)->args);
		case T_XmlExpr:
			parts = list_concat_copy(((XmlExpr *) node)->named_args,
									 ((XmlExpr *) node)->args);
			return bounded(sum_of(walk, parts) * 6);
		case T_SubscriptingRef:
			return sum_of(walk,
						  list_make2(((SubscriptingRef *) node)->refexpr,
									 ((SubscriptingRef *) node)->refassgnexpr));
		default:
			return SA_LENGTH_UNBOUNDED;
	}
}

double
sa_guard_length(SaWalk *walk, Node *node)
{
	if (node == NULL)
		return 0;
	/* nested subqueries could take exponential time */
	if (++walk->estimates > MAX_STEPS)
		return SA_LENGTH_UNBOUNDED;
	check_stack_depth();
	if (!IsA(node, Const) && get_typlen(exprType(node)) > 0)
		return SMALL_LENGTH;
	switch (nodeTag(node))
	{
		case T_Const:
			return length_of_constant((Const *) node);
		case T_Var:
			return length_of_var(walk, (Var *) node);
		case T_FuncExpr:
			return length_of_call(walk, ((FuncExpr *) node)->funcid,
								  ((FuncExpr *) node)->funcresulttype,
								  ((FuncExpr *) node)->args);
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
			return length_of_call(walk, get_opcode(((OpExpr *) node)->opno),
								  ((OpExpr *) node)->opresulttype,
								  ((OpExpr *) node)->args);
		case T_Aggref:
			return length_of_aggregate(walk, ((Aggref *) node)->aggfnoid,
									   ((Aggref *) node)->args);
		case T_WindowFunc:
			return length_of_aggregate(walk, ((WindowFunc *) node)->winfnoid,
									   ((WindowFunc *) node)->args);
		case T_RelabelType:
			return sa_guard_length(walk, (Node *) ((RelabelType *) node)->arg);
		case T_CollateExpr:
			return sa_guard_length(walk, (Node *) ((CollateExpr *) node)->arg);
		case T_CoerceToDomain:
			return sa_guard_length(walk,
								   (Node *) ((CoerceToDomain *) node)->arg);
		case T_FieldSelect:
			return sa_guard_length(walk, (Node *) ((FieldSelect *) node)->arg);
		case T_NamedArgExpr:
			return sa_guard_length(walk, (Node *) ((NamedArgExpr *) node)->arg);
		case T_ArrayCoerceExpr:
			return bounded(
				6 * sa_guard_length(walk,
									(Node *) ((ArrayCoerceExpr *) node)->arg));
		case T_CoerceViaIO:
			return length_as_text(walk, (Node *) ((CoerceViaIO *) node)->arg);
		case T_SubLink:
			return length_of_sublink(walk, (SubLink *) node);
		case T_SQLValueFunction:
			return SMALL_LENGTH;
		case T_Param:
			return length_of_param(walk, (Param *) node);
		default:
			return length_of_parts(walk, node);
	}
}

double
sa_guard_elements(SaWalk *walk, Node *node)
{
	Const *constant = constant_under(node);
	double length;

	if (constant && OidIsValid(get_element_type(constant->consttype)))
	{
		ArrayType *array = DatumGetArrayTypeP(constant->constvalue);

		return ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	}
	if (IsA(node, ArrayExpr) && !((ArrayExpr *) node)->multidims)
		return list_length(((ArrayExpr *) node)->elements);
	length = sa_guard_length(walk, node);
	if (length >= SA_LENGTH_UNBOUNDED)
		return UNBOUNDED_ELEMENTS;
	if (IsA(node, Var))
		return Min(length, COLUMN_ELEMENTS);
	return Min(length / 4, UNBOUNDED_ELEMENTS);
}
