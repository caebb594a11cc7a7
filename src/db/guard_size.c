/*
 * guard_size.c
 *	  R40: built-ins that make a value of any size that they are told, and the
 *	  way from a call to what guard_cost and guard_xpath say of it.
 *
 * Called by guard_walk for each expression.
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_type_d.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "db/guard_call.h"

#define MAX_COUNT 10000
#define MAX_REPEATED 100000
#define MAX_POLYGON_POINTS 200

static bool
get_call(Node *node, SaCall *call)
{
	call->node = node;
	switch (nodeTag(node))
	{
		case T_FuncExpr:
			call->function = ((FuncExpr *) node)->funcid;
			call->type = ((FuncExpr *) node)->funcresulttype;
			call->arguments = ((FuncExpr *) node)->args;
			return true;
		case T_OpExpr:
			call->function = get_opcode(((OpExpr *) node)->opno);
			call->type = ((OpExpr *) node)->opresulttype;
			call->arguments = ((OpExpr *) node)->args;
			return true;
		case T_ScalarArrayOpExpr:
			call->function = get_opcode(((ScalarArrayOpExpr *) node)->opno);
			call->type = BOOLOID;
			call->arguments = ((ScalarArrayOpExpr *) node)->args;
			return true;
		default:
			return false;
	}
}

Node *
sa_guard_call_argument(const SaCall *call, int index)
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
refuse_count(SaWalk *walk, const SaCall *call, int limit)
{
	return sa_guard_refuse(walk, "R40", exprLocation(call->node),
						   "the size argument of %s() is not a constant up to "
						   "%d",
						   call->name, limit);
}

static bool
check_repeat(SaWalk *walk, const SaCall *call)
{
	Node *count = sa_guard_call_argument(call, 1);
	Node *text = sa_guard_call_argument(call, 0);
	double bound = count ? sa_guard_int_bound(walk, count) : 0;

	if (bound > MAX_COUNT)
		return refuse_count(walk, call, MAX_COUNT);
	if (text && bound * sa_guard_length(walk, text) > MAX_REPEATED)
		return sa_guard_refuse(walk, "R40", exprLocation(call->node),
							   "the result of %s() can be longer than %d bytes",
							   call->name, MAX_REPEATED);
	return false;
}

static bool
check_pad(SaWalk *walk, const SaCall *call)
{
	Node *count = sa_guard_call_argument(call, 1);

	if (count && sa_guard_int_bound(walk, count) > MAX_COUNT)
		return refuse_count(walk, call, MAX_COUNT);
	return false;
}

/* array_fill(value, dimensions [, bounds]) */
static bool
check_array_fill(SaWalk *walk, const SaCall *call)
{
	Node *dimensions = sa_guard_call_argument(call, 1);
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
check_polygon(SaWalk *walk, const SaCall *call)
{
	Node *points = sa_guard_call_argument(call, 0);

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
check_format(SaWalk *walk, const SaCall *call)
{
	Node *pattern = sa_guard_call_argument(call, 0);
	char *text = sa_guard_constant_text(pattern);

	if (text == NULL && IsA(pattern, Const) && ((Const *) pattern)->constisnull)
		return false;
	if (text == NULL)
		return sa_guard_refuse(walk, "R40", exprLocation(call->node),
							   "the pattern of format() is not a constant");
	if (has_wide_field(text))
		return sa_guard_refuse(walk, "R40", exprLocation(call->node),
							   "the pattern of format() takes a width from an "
							   "argument");
	for (char *c = strchr(text, '%'); c; c = strchr(c + 1, '%'))
	{
		char *end = c + 1 + strspn(c + 1, "0123456789$-");

		if (has_long_number(pnstrdup(c, end - c)))
			return sa_guard_refuse(walk, "R40", exprLocation(call->node),
								   "a width in the pattern of format() is "
								   "above %d",
								   SA_FORMAT_MAX_WIDTH);
	}
	return false;
}

/* char(n) and bit(n) fill up to their length. */
static bool
check_typmod(SaWalk *walk, const SaCall *call)
{
	Node *length = sa_guard_call_argument(call, 1);

	if (length && sa_guard_int_bound(walk, length) > MAX_REPEATED)
		return sa_guard_refuse(walk, "R40", exprLocation(call->node),
							   "the length of the type is above %d",
							   MAX_REPEATED);
	return false;
}

static const struct
{
	const char *name;
	bool (*check)(SaWalk *walk, const SaCall *call);
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

/* What the tables above say of a function: indexes, -1 for nothing. */
typedef struct KnownCost
{
	Oid function; /* hash key */
	int count_check;
	int cost;
	bool is_xml;
} KnownCost;

static KnownCost
look_up_cost(Oid function)
{
	KnownCost known = {function, -1, -1, false};
	char *name = get_func_name(function);

	if (name == NULL)
		return known;
	for (int i = 0; i < (int) lengthof(count_checks); i++)
		if (strcmp(count_checks[i].name, name) == 0)
			known.count_check = i;
	known.cost = sa_guard_cost_find(name);
	known.is_xml = name[0] == 'x' && name[1] != '\0';
	return known;
}

/* Built-ins keep their names, so what was found of them is kept. */
static KnownCost
know_cost(Oid function)
{
	static HTAB *known_costs = NULL;
	KnownCost *entry;
	bool found;

	if (function >= FirstNormalObjectId)
		return look_up_cost(function);
	if (known_costs == NULL)
	{
		HASHCTL ctl = {0};

		ctl.keysize = sizeof(Oid);
		ctl.entrysize = sizeof(KnownCost);
		ctl.hcxt = TopMemoryContext;
		known_costs = hash_create("sqlagent costs", 256, &ctl,
								  HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	}
	entry = hash_search(known_costs, &function, HASH_FIND, NULL);
	if (entry == NULL)
	{
		KnownCost known = look_up_cost(function);

		entry = hash_search(known_costs, &function, HASH_ENTER, &found);
		*entry = known;
	}
	return *entry;
}

bool
sa_guard_size(SaWalk *walk, Node *node)
{
	KnownCost known;
	SaCall call;

	if (walk->author == SA_AUTHOR_SYSTEM)
		return false;
	if (IsA(node, XmlExpr))
		return sa_guard_xpath(walk, node);
	if (!get_call(node, &call))
		return false;
	known = know_cost(call.function);
	if (known.count_check < 0 && known.cost < 0 && !known.is_xml)
		return false;
	call.name = get_func_name(call.function);
	if (call.name == NULL || call.arguments == NIL)
		return false;
	if (known.count_check >= 0 &&
		count_checks[known.count_check].check(walk, &call))
		return true;
	if (known.cost >= 0)
		return sa_guard_cost_check(walk, &call, known.cost);
	return IsA(node, FuncExpr) && sa_guard_xpath(walk, node);
}
