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

#define NUMERIC_COLUMN_LENGTH 40
#define ROW_LENGTH 16000
/* numeric: up to 131072 digits before the point and 16383 behind it */
#define NUMERIC_LENGTH 150000
#define SMALL_LENGTH 64
/* digits behind the point that a division adds */
#define DIVISION_LENGTH 1000
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

/* numeric functions whose result can have any number of digits; sorted */
static const char *const long_numeric_functions[] = {
	"exp", "factorial", "numeric_power", "pow", "power",
};

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

/* round(x, n) and the like add as many digits as they are told. */
static double
length_of_numeric(SaWalk *walk, const char *name, List *arguments)
{
	if (HAS(long_numeric_functions, name))
		return NUMERIC_LENGTH;
	if ((strcmp(name, "round") == 0 || strcmp(name, "trunc") == 0) &&
		list_length(arguments) == 2)
		return sum_of(walk, arguments) +
			   Min(sa_guard_int_bound(walk, lsecond(arguments)),
				   NUMERIC_LENGTH);
	return sum_of(walk, arguments) + DIVISION_LENGTH;
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

static double
length_of_constant(const Const *constant)
{
	if (constant->constisnull)
		return 0;
	if (constant->constlen != -1)
		return SMALL_LENGTH;
	return toast_raw_datum_size(constant->constvalue) - VARHDRSZ;
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
			return sa_guard_source_length(walk, node);
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
			return sa_guard_source_length(walk, node);
		case T_CoerceToDomainValue:
			return SA_COLUMN_LENGTH;
		case T_SQLValueFunction:
			return SMALL_LENGTH;
		case T_Param:
			return sa_guard_source_length(walk, node);
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
