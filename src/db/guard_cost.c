/*
 * guard_cost.c
 *	  R41: built-ins that never look whether they are cancelled, and whose time
 *	  grows with the product of their operands.
 *
 * Called by guard_size.  What one row may keep the server busy is added up over
 * the statement, since nothing is looked at between two calls in one row.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type_d.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"

#include "db/guard_call.h"

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

int
sa_guard_cost_find(const char *name)
{
	for (int i = 0; i < (int) lengthof(costs); i++)
		if (strcmp(costs[i].name, name) == 0)
			return i;
	return -1;
}

static bool
refuse_operand(SaWalk *walk, const SaCall *call, const char *why)
{
	return sa_guard_refuse(walk, "R41", exprLocation(call->node),
						   "%s can take too long: %s", call->name, why);
}

static bool
spend(SaWalk *walk, const SaCall *call, double time)
{
	walk->busy_time += time;
	if (walk->busy_time <= MAX_BUSY_TIME)
		return false;
	return refuse_operand(walk, call,
						  "it cannot be interrupted, and its operands are too "
						  "long");
}

static bool
check_text_cost(SaWalk *walk, const SaCall *call, double step)
{
	double first = sa_guard_length(walk, sa_guard_call_argument(call, 0));
	double second = sa_guard_length(walk, sa_guard_call_argument(call, 1));

	if (second > MAX_SECOND)
		return refuse_operand(walk, call, "its second operand is too long");
	if (second > MAX_SECOND_OF_UNBOUNDED && first >= SA_LENGTH_UNBOUNDED)
		return refuse_operand(walk, call,
							  "its first operand has no bound and the second "
							  "is too long");
	return spend(walk, call, first * Max(second, 1) * step);
}

static bool
check_element_cost(SaWalk *walk, const SaCall *call, double step)
{
	double first = sa_guard_elements(walk, sa_guard_call_argument(call, 0));
	double second = sa_guard_elements(walk, sa_guard_call_argument(call, 1));

	return spend(walk, call, first * Max(second, 1) * step);
}

static bool
check_sort_cost(SaWalk *walk, const SaCall *call, double step)
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
check_power_cost(SaWalk *walk, const SaCall *call, double step)
{
	Node *exponent = sa_guard_call_argument(call, 1);

	if (exponent == NULL)
		return false;
	return spend(walk, call,
				 exponent_bound(walk, exponent) > MAX_EXPONENT
					 ? step
					 : step / MAX_EXPONENT);
}

bool
sa_guard_cost_check(SaWalk *walk, const SaCall *call, int entry)
{
	double step = costs[entry].step;
	bool is_numeric = call->type == NUMERICOID;
	int count = list_length(call->arguments);

	switch (costs[entry].kind)
	{
		case COST_TEXT:
			return count >= 2 && check_text_cost(walk, call, step);
		case COST_ELEMENTS:
			return count >= 2 && check_element_cost(walk, call, step);
		case COST_SORT:
			return check_sort_cost(walk, call, step);
		case COST_LINEAR:
			return spend(
				walk, call,
				sa_guard_length(walk, sa_guard_call_argument(call, 0)) * step);
		case COST_NUMERIC:
			return is_numeric && count >= 2 &&
				   spend(
					   walk, call,
					   sa_guard_length(walk, sa_guard_call_argument(call, 0)) *
						   sa_guard_length(walk,
										   sa_guard_call_argument(call, 1)) *
						   step);
		case COST_POWER:
			return is_numeric && check_power_cost(walk, call, step);
	}
	return false;
}
