/*
 * guard_type.c
 *	  R15: types that run functions when a value is made or compared.
 *
 * Called by guard.c for the type names of the text, before analysis, since
 * analysis makes values of literals; and by guard_walk for the types of
 * expressions.  Reading a column of such a type runs nothing and is allowed.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_range.h"
#include "catalog/pg_type.h"
#include "nodes/execnodes.h"
#include "parser/parse_node.h"
#include "parser/parse_type.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "db/guard_walk.h"

#define MAX_TYPE_DEPTH 32

/* The state of a look into one type. */
typedef struct TypeCheck
{
	SaWalk *walk;
	int depth;
} TypeCheck;

static bool is_harmful(TypeCheck *check, Oid type);

/* Whether a CHECK of the domain calls what a statement may not. */
static bool
has_harmful_check(TypeCheck *check, Oid domain)
{
	/* the reference is in a callback of the context: not on the stack */
	DomainConstraintRef *reference = palloc(sizeof(DomainConstraintRef));
	ListCell *cell;

	InitDomainConstraintRef(domain, reference, CurrentMemoryContext, false);
	foreach (cell, reference->constraints)
	{
		DomainConstraintState *state = lfirst(cell);
		SaWalk inner = {0};

		inner.sql = check->walk->sql;
		inner.place = -1;
		if (state->check_expr &&
			sa_guard_expression(&inner, (Node *) state->check_expr))
			return true;
	}
	return false;
}

static bool
is_harmful_row(TypeCheck *check, Oid type)
{
	TupleDesc desc = lookup_rowtype_tupdesc_noerror(type, -1, true);
	bool found = false;

	if (desc == NULL)
		return false;
	for (int i = 0; i < desc->natts && !found; i++)
		if (!TupleDescAttr(desc, i)->attisdropped)
			found = is_harmful(check, TupleDescAttr(desc, i)->atttypid);
	ReleaseTupleDesc(desc);
	return found;
}

static bool
is_forbidden(Oid function)
{
	return OidIsValid(function) && sa_guard_function_rule(function) != NULL;
}

static bool
is_harmful_range(TypeCheck *check, Oid type)
{
	HeapTuple tuple = SearchSysCache1(RANGETYPE, ObjectIdGetDatum(type));
	Form_pg_range range;
	bool found;

	if (!HeapTupleIsValid(tuple))
		return false;
	range = (Form_pg_range) GETSTRUCT(tuple);
	found = is_forbidden(range->rngcanonical) ||
			is_forbidden(range->rngsubdiff) ||
			is_harmful(check, range->rngsubtype);
	ReleaseSysCache(tuple);
	return found;
}

static bool
is_harmful(TypeCheck *check, Oid type)
{
	Oid element;
	bool found;

	if (type < FirstNormalObjectId)
		return false;
	/* nested deeper than anybody needs; also ends a type within itself */
	if (check->depth >= MAX_TYPE_DEPTH)
		return true;
	check->depth++;
	element = get_element_type(type);
	if (OidIsValid(element))
		found = is_harmful(check, element);
	else
		switch (get_typtype(type))
		{
			case TYPTYPE_DOMAIN:
				found = has_harmful_check(check, type) ||
						is_harmful(check, getBaseType(type));
				break;
			case TYPTYPE_COMPOSITE:
				found = is_harmful_row(check, type);
				break;
			case TYPTYPE_RANGE:
				found = is_harmful_range(check, type);
				break;
			case TYPTYPE_MULTIRANGE:
				found = is_harmful_range(check, get_multirange_range(type));
				break;
			default:
				found = false;
		}
	check->depth--;
	return found;
}

bool
sa_guard_type(SaWalk *walk, Oid type, int location)
{
	TypeCheck check = {walk, 0};

	if (type < FirstNormalObjectId || walk->author == SA_AUTHOR_SYSTEM)
		return false;
	if (!is_harmful(&check, type))
		return false;
	return sa_guard_refuse(walk, "R15", location,
						   "type %s is not allowed, since it calls functions "
						   "of users",
						   format_type_be(type));
}

bool
sa_guard_operand(SaWalk *walk, Oid type, int location)
{
	char typtype;

	if (type < FirstNormalObjectId)
		return false;
	typtype = get_typtype(type);
	if (typtype != TYPTYPE_RANGE && typtype != TYPTYPE_MULTIRANGE)
		return false;
	return sa_guard_type(walk, type, location);
}

bool
sa_guard_type_names(SaWalk *walk)
{
	ParseState *state = make_parsestate(NULL);
	bool refused = false;
	ListCell *cell;

	state->p_sourcetext = walk->sql;
	foreach (cell, walk->types)
	{
		TypeName *name = lfirst_node(TypeName, cell);
		Type type;

		if (name->names == NIL)
			continue;
		type = LookupTypeName(state, name, NULL, true);
		if (type == NULL)
			continue; /* analysis says so better */
		refused = sa_guard_type(walk, typeTypeId(type), name->location);
		ReleaseSysCache(type);
		if (refused)
			break;
	}
	free_parsestate(state);
	return refused;
}
