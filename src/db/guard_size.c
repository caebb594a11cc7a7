/*
 * guard_size.c
 *	  R40 and R41: built-ins that never look whether they are cancelled, and
 *	  whose time grows with a count or with the product of two operands.
 *
 * Called by guard_walk for each expression.  What one row may keep the server
 * busy is added up over the statement, since nothing is looked at between two
 * calls in one row.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type_d.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"

#include "db/guard_walk.h"

#define MAX_COUNT 10000
#define MAX_REPEATED 100000
#define MAX_POLYGON_POINTS 200
#define MAX_SECOND 4096
#define MAX_SECOND_OF_UNBOUNDED 300
/* of one row, in ns */
#define MAX_BUSY_TIME 2e9
#define MAX_EXPONENT 1000

typedef enum CostKind
{
	COST_TEXT,	   /* bytes of the first times bytes of the second */
	COST_ELEMENTS, /* elements of the first times elements of the second */
	COST_SORT,	   /* the square of the elements of each */
	COST_LINEAR,   /* bytes of the first */
	COST_NUMERIC,  /* digits times digits, of numeric only */
	COST_POWER	   /* by the exponent, of numeric only */
} CostKind;

/* Measured for the worst operands: nanoseconds for each step. */
static const struct
{
	const char *name;
	CostKind kind;
	double step;
} costs[] = {
	{"arraycontained", COST_ELEMENTS, 34},
	{"arraycontains", COST_ELEMENTS, 34},
	{"arrayoverlap", COST_ELEMENTS, 34},
	{"_int_contained", COST_SORT, 1},
	{"_int_contains", COST_SORT, 1},
	{"_int_different", COST_SORT, 1},
	{"_int_inter", COST_SORT, 1},
	{"_int_overlap", COST_SORT, 1},
	{"_int_same", COST_SORT, 1},
	{"_int_union", COST_SORT, 1},
	{"intset_subtract", COST_SORT, 1},
	{"intset_union_elem", COST_SORT, 1},
	{"sort", COST_SORT, 1},
	{"sort_asc", COST_SORT, 1},
	{"sort_desc", COST_SORT, 1},
	{"bpchariclike", COST_TEXT, 3},
	{"bpcharicnlike", COST_TEXT, 3},
	{"bpcharlike", COST_TEXT, 3},
	{"bpcharnlike", COST_TEXT, 3},
	{"btrim", COST_TEXT, 7},
	{"bytealike", COST_TEXT, 3},
	{"byteanlike", COST_TEXT, 3},
	{"is_normalized", COST_LINEAR, 125},
	{"jsonb_contained", COST_ELEMENTS, 110},
	{"jsonb_contains", COST_ELEMENTS, 110},
	{"jsonb_delete", COST_ELEMENTS, 12},
	{"jsonb_exists_all", COST_ELEMENTS, 12},
	{"jsonb_exists_any", COST_ELEMENTS, 12},
	{"like", COST_TEXT, 3},
	{"ltrim", COST_TEXT, 7},
	{"nameiclike", COST_TEXT, 3},
	{"nameicnlike", COST_TEXT, 3},
	{"namelike", COST_TEXT, 3},
	{"namenlike", COST_TEXT, 3},
	{"normalize", COST_LINEAR, 125},
	{"notlike", COST_TEXT, 3},
	{"path_distance", COST_TEXT, 0.5},
	{"path_inter", COST_TEXT, 0.5},
	{"poly_contain", COST_TEXT, 0.5},
	{"poly_contained", COST_TEXT, 0.5},
	{"poly_distance", COST_TEXT, 0.5},
	{"poly_overlap", COST_TEXT, 0.5},
	{"poly_same", COST_TEXT, 0.5},
	{"position", COST_TEXT, 1},
	{"replace", COST_TEXT, 1},
	{"rtrim", COST_TEXT, 7},
	{"split_part", COST_TEXT, 1},
	{"string_to_array", COST_TEXT, 1},
	{"string_to_table", COST_TEXT, 1},
	{"strict_word_similarity", COST_TEXT, 10},
	{"strict_word_similarity_commutator_op", COST_TEXT, 10},
	{"strict_word_similarity_dist_commutator_op", COST_TEXT, 10},
	{"strict_word_similarity_dist_op", COST_TEXT, 10},
	{"strict_word_similarity_op", COST_TEXT, 10},
	{"strpos", COST_TEXT, 1},
	{"texticlike", COST_TEXT, 3},
	{"texticnlike", COST_TEXT, 3},
	{"textlike", COST_TEXT, 3},
	{"textnlike", COST_TEXT, 3},
	{"translate", COST_TEXT, 11},
	{"ts_delete", COST_ELEMENTS, 12},
	{"word_similarity", COST_TEXT, 10},
	{"word_similarity_commutator_op", COST_TEXT, 10},
	{"word_similarity_dist_commutator_op", COST_TEXT, 10},
	{"word_similarity_dist_op", COST_TEXT, 10},
	{"word_similarity_op", COST_TEXT, 10},
	{"div", COST_NUMERIC, 0.2},
	{"gcd", COST_NUMERIC, 0.2},
	{"lcm", COST_NUMERIC, 0.2},
	{"mod", COST_NUMERIC, 0.2},
	{"numeric_div", COST_NUMERIC, 0.2},
	{"numeric_div_trunc", COST_NUMERIC, 0.2},
	{"numeric_mod", COST_NUMERIC, 0.2},
	{"numeric_mul", COST_NUMERIC, 0.05},
	{"numeric_power", COST_POWER, 1600e6},
	{"pow", COST_POWER, 1600e6},
	{"power", COST_POWER, 1600e6},
};

/* A call, by function or operator. */
typedef struct Call
{
	const char *name;
	Oid type;
	List *arguments;
	int location;
} Call;

static bool
get_call(Node *node, Call *call)
{
	Oid function;

	switch (nodeTag(node))
	{
		case T_FuncExpr:
			function = ((FuncExpr *) node)->funcid;
			call->arguments = ((FuncExpr *) node)->args;
			break;
		case T_OpExpr:
			function = get_opcode(((OpExpr *) node)->opno);
			call->arguments = ((OpExpr *) node)->args;
			break;
		case T_ScalarArrayOpExpr:
			function = get_opcode(((ScalarArrayOpExpr *) node)->opno);
			call->arguments = ((ScalarArrayOpExpr *) node)->args;
			break;
		default:
			return false;
	}
	call->name = get_func_name(function);
	call->type = exprType(node);
	call->location = exprLocation(node);
	return call->name != NULL && call->arguments != NIL;
}

/* The argument at its place in the function, also when it was named. */
static Node *
argument_at(const Call *call, int index)
{
	ListCell *cell;

	foreach (cell, call->arguments)
	{
		Node *argument = lfirst(cell);

		if (IsA(argument, NamedArgExpr))
		{
			if (((NamedArgExpr *) argument)->argnumber == index)
				return argument;
		}
		else if (foreach_current_index(cell) == index)
			return argument;
	}
	return NULL;
}

static bool
refuse_count(SaWalk *walk, const Call *call, int limit)
{
	return sa_guard_refuse(walk, "R40", call->location,
						   "the size argument of %s() is not a constant up to "
						   "%d",
						   call->name, limit);
}

static bool
check_repeat(SaWalk *walk, const Call *call)
{
	Node *count = argument_at(call, 1);
	Node *text = argument_at(call, 0);
	double bound = count ? sa_guard_int_bound(walk, count) : 0;

	if (bound > MAX_COUNT)
		return refuse_count(walk, call, MAX_COUNT);
	if (text && bound * sa_guard_length(walk, text) > MAX_REPEATED)
		return sa_guard_refuse(walk, "R40", call->location,
							   "the result of %s() can be longer than %d bytes",
							   call->name, MAX_REPEATED);
	return false;
}

static bool
check_pad(SaWalk *walk, const Call *call)
{
	Node *count = argument_at(call, 1);

	if (count && sa_guard_int_bound(walk, count) > MAX_COUNT)
		return refuse_count(walk, call, MAX_COUNT);
	return false;
}

/* array_fill(value, dimensions [, bounds]) */
static bool
check_array_fill(SaWalk *walk, const Call *call)
{
	Node *dimensions = argument_at(call, 1);
	double product = 1;
	ListCell *cell;

	if (dimensions && IsA(dimensions, Const) &&
		!((Const *) dimensions)->constisnull)
	{
		ArrayType *array =
			DatumGetArrayTypeP(((Const *) dimensions)->constvalue);
		int32 *values = (int32 *) ARR_DATA_PTR(array);

		if (ARR_HASNULL(array) || ARR_NDIM(array) != 1)
			return refuse_count(walk, call, MAX_COUNT);
		for (int i = 0; i < ARR_DIMS(array)[0]; i++)
			product *= Max(values[i], 0);
	}
	else if (dimensions && IsA(dimensions, ArrayExpr))
		foreach (cell, ((ArrayExpr *) dimensions)->elements)
			product *= Max(sa_guard_int_bound(walk, lfirst(cell)), 0);
	else
		product = SA_LENGTH_UNBOUNDED;
	return product > MAX_COUNT && refuse_count(walk, call, MAX_COUNT);
}

/* polygon(points, circle) */
static bool
check_polygon(SaWalk *walk, const Call *call)
{
	Node *points = argument_at(call, 0);

	if (list_length(call->arguments) != 2 ||
		sa_guard_int_bound(walk, points) <= MAX_POLYGON_POINTS)
		return false;
	return refuse_count(walk, call, MAX_POLYGON_POINTS);
}

/* Widths in a pattern: %5s, %-5s, %1$5s; * takes one from an argument. */
static bool
has_wide_field(const char *pattern)
{
	while ((pattern = strchr(pattern, '%')) != NULL)
	{
		pattern++;
		if (*pattern == '%')
		{
			pattern++;
			continue;
		}
		pattern += strspn(pattern, "0123456789$-");
		if (*pattern == '*')
			return true;
	}
	return false;
}

static bool
has_long_number(const char *pattern)
{
	while (*pattern)
	{
		int digits = strspn(pattern, "0123456789");

		if (digits > 3)
			return true;
		pattern += Max(digits, 1);
	}
	return false;
}

/* The parts between '%' and its letter, where a number is a width. */
static bool
check_format(SaWalk *walk, const Call *call)
{
	Node *pattern = argument_at(call, 0);
	char *text = sa_guard_constant_text(pattern);

	if (text == NULL && IsA(pattern, Const) && ((Const *) pattern)->constisnull)
		return false;
	if (text == NULL)
		return sa_guard_refuse(walk, "R40", call->location,
							   "the pattern of format() is not a constant");
	if (has_wide_field(text))
		return sa_guard_refuse(walk, "R40", call->location,
							   "the pattern of format() takes a width from an "
							   "argument");
	for (char *c = strchr(text, '%'); c; c = strchr(c + 1, '%'))
	{
		char *end = c + 1 + strspn(c + 1, "0123456789$-");

		if (has_long_number(pnstrdup(c, end - c)))
			return sa_guard_refuse(walk, "R40", call->location,
								   "a width in the pattern of format() is "
								   "above %d",
								   SA_FORMAT_MAX_WIDTH);
	}
	return false;
}

/* char(n) and bit(n) fill up to their length. */
static bool
check_typmod(SaWalk *walk, const Call *call)
{
	Node *length = argument_at(call, 1);

	if (length && sa_guard_int_bound(walk, length) > MAX_REPEATED)
		return sa_guard_refuse(walk, "R40", call->location,
							   "the length of the type is above %d",
							   MAX_REPEATED);
	return false;
}

static const struct
{
	const char *name;
	bool (*check)(SaWalk *walk, const Call *call);
} count_checks[] = {
	{"array_fill", check_array_fill},
	{"bit", check_typmod},
	{"bpchar", check_typmod},
	{"format", check_format},
	{"lpad", check_pad},
	{"polygon", check_polygon},
	{"repeat", check_repeat},
	{"rpad", check_pad},
};

static bool
refuse_operand(SaWalk *walk, const Call *call, const char *why)
{
	return sa_guard_refuse(walk, "R41", call->location,
						   "%s can take too long: %s", call->name, why);
}

static bool
spend(SaWalk *walk, const Call *call, double time)
{
	walk->busy_time += time;
	if (walk->busy_time <= MAX_BUSY_TIME)
		return false;
	return refuse_operand(walk, call,
						  "it cannot be interrupted, and its operands are too "
						  "long");
}

static bool
check_text_cost(SaWalk *walk, const Call *call, double step)
{
	double first = sa_guard_length(walk, argument_at(call, 0));
	double second = sa_guard_length(walk, argument_at(call, 1));

	if (second > MAX_SECOND)
		return refuse_operand(walk, call, "its second operand is too long");
	if (second > MAX_SECOND_OF_UNBOUNDED && first >= SA_LENGTH_UNBOUNDED)
		return refuse_operand(walk, call,
							  "its first operand has no bound and the second "
							  "is too long");
	return spend(walk, call, first * Max(second, 1) * step);
}

static bool
check_element_cost(SaWalk *walk, const Call *call, double step)
{
	double first = sa_guard_elements(walk, argument_at(call, 0));
	double second = sa_guard_elements(walk, argument_at(call, 1));

	return spend(walk, call, first * Max(second, 1) * step);
}

static bool
check_sort_cost(SaWalk *walk, const Call *call, double step)
{
	double time = 0;
	ListCell *cell;

	foreach (cell, call->arguments)
	{
		double count = sa_guard_elements(walk, lfirst(cell));

		time += count * count * step;
	}
	return spend(walk, call, time);
}

static bool
has_variable(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Var) || IsA(node, Aggref) || IsA(node, SubLink) ||
		IsA(node, WindowFunc))
		return true;
	return expression_tree_walker(node, has_variable, context);
}

/* A large exponent that is written in the statement is no honest one. */
static double
exponent_bound(SaWalk *walk, Node *node)
{
	int64 value;

	if (sa_guard_constant_int(node, &value))
		return fabs((double) value);
	if (IsA(node, Const) && ((Const *) node)->consttype == NUMERICOID &&
		!((Const *) node)->constisnull)
		return fabs(DatumGetFloat8(DirectFunctionCall1(
			numeric_float8_no_overflow, ((Const *) node)->constvalue)));
	if (has_variable(node, NULL))
		return 0;
	/* 10 is a cast of an integer */
	if (IsA(node, FuncExpr) && list_length(((FuncExpr *) node)->args) == 1)
		return exponent_bound(walk, linitial(((FuncExpr *) node)->args));
	return sa_guard_int_bound(walk, node);
}

static bool
check_power_cost(SaWalk *walk, const Call *call, double step)
{
	Node *exponent = argument_at(call, 1);

	if (exponent == NULL)
		return false;
	return spend(walk, call,
				 exponent_bound(walk, exponent) > MAX_EXPONENT
					 ? step
					 : step / MAX_EXPONENT);
}

static bool
check_cost(SaWalk *walk, const Call *call, CostKind kind, double step)
{
	bool is_numeric = call->type == NUMERICOID;
	int count = list_length(call->arguments);

	switch (kind)
	{
		case COST_TEXT:
			return count >= 2 && check_text_cost(walk, call, step);
		case COST_ELEMENTS:
			return count >= 2 && check_element_cost(walk, call, step);
		case COST_SORT:
			return check_sort_cost(walk, call, step);
		case COST_LINEAR:
			return spend(walk, call,
						 sa_guard_length(walk, argument_at(call, 0)) * step);
		case COST_NUMERIC:
			return is_numeric && count >= 2 &&
				   spend(walk, call,
						 sa_guard_length(walk, argument_at(call, 0)) *
							 sa_guard_length(walk, argument_at(call, 1)) *
							 step);
		case COST_POWER:
			return is_numeric && check_power_cost(walk, call, step);
	}
	return false;
}

bool
sa_guard_size(SaWalk *walk, Node *node)
{
	Call call;

	if (walk->author == SA_AUTHOR_SYSTEM)
		return false;
	if (IsA(node, XmlExpr))
		return sa_guard_xpath(walk, node);
	if (!get_call(node, &call))
		return false;
	for (int i = 0; i < (int) lengthof(count_checks); i++)
		if (strcmp(count_checks[i].name, call.name) == 0 &&
			count_checks[i].check(walk, &call))
			return true;
	for (int i = 0; i < (int) lengthof(costs); i++)
		if (strcmp(costs[i].name, call.name) == 0)
			return check_cost(walk, &call, costs[i].kind, costs[i].step);
	return IsA(node, FuncExpr) && sa_guard_xpath(walk, node);
}
