/*
 * guard_function.c
 *	  R10 to R14: which functions a statement may call.
 *
 * Asked by the walk and, a second time, by guard_watch when the server is
 * about to call one.  Decided by OID; the label of volatility is a claim of
 * the function's author and counts for built-ins only.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/dependency.h"
#include "catalog/namespace.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/regproc.h"
#include "utils/syscache.h"
#include "utils/varlena.h"

#include "base/guc.h"
#include "base/text.h"
#include "db/guard_lists.h"
#include "db/guard_walk.h"
#include "db/guard_watch.h"
#include "db/label.h"

typedef struct KnownFunction
{
	Oid function;	  /* hash key */
	const char *rule; /* NULL = allowed */
	bool is_listed;	  /* by the administrator */
} KnownFunction;

static HTAB *known_functions = NULL;
static bool is_stale = false;

/* The settings that the verdicts were made with. */
static char *known_allowed_functions = NULL;
static char *known_allowed_extensions = NULL;

static bool
has_prefix(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Built-ins: by volatility, name and lists. */
static const char *
builtin_rule(Form_pg_proc proc)
{
	const char *name = NameStr(proc->proname);
	static const char *const harmful_prefixes[] = {"lo_", "brin_", "gin_",
												   "binary_upgrade_", "txid_"};

	for (int i = 0; i < (int) lengthof(harmful_prefixes); i++)
		if (has_prefix(name, harmful_prefixes[i]))
			return "R11";
	if (has_prefix(name, "pg_") && !sa_list_pg_allowed(name))
		return "R11";
	if (proc->provolatile == PROVOLATILE_VOLATILE &&
		!sa_list_volatile_allowed(name))
		return "R11";
	/* of transactions, unlike the one of timestamps */
	if (strcmp(name, "age") == 0 && proc->proargtypes.values[0] == XIDOID)
		return "R11";
	return sa_list_harmful(name) ? "R11" : NULL;
}

/* Whether text is the type, by any of its names. */
static bool
is_type_name(const char *text, Oid type)
{
	HeapTuple tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	bool is_name;

	if (!HeapTupleIsValid(tuple))
		return false;
	is_name =
		strcmp(text, NameStr(((Form_pg_type) GETSTRUCT(tuple))->typname)) == 0;
	ReleaseSysCache(tuple);
	return is_name || strcmp(text, format_type_be(type)) == 0 ||
		   strcmp(text, format_type_be_qualified(type)) == 0;
}

/* Whether "a, b" are the arguments' types. */
static bool
arguments_match(char *text, const Oid *types, int count)
{
	char *cursor = text;

	if (sa_text_blank(text))
		return count == 0;
	for (int i = 0; i < count; i++)
	{
		char *end = cursor ? strchr(cursor, ',') : NULL;

		if (cursor == NULL)
			return false;
		if (end)
			*end = '\0';
		if (!is_type_name(sa_text_trim(cursor), types[i]))
			return false;
		cursor = end ? end + 1 : NULL;
	}
	return cursor == NULL;
}

/* Whether "schema.name" names the function. */
static bool
name_matches(char *text, Form_pg_proc proc)
{
	List *parts;

	if (!SplitIdentifierString(text, '.', &parts) || list_length(parts) != 2)
		return false;
	return strcmp(lsecond(parts), NameStr(proc->proname)) == 0 &&
		   get_namespace_oid(linitial(parts), true) == proc->pronamespace;
}

/*
 * One entry of sqlagent.allowed_functions, schema.name(types), which says
 * "security definer" behind it when that is meant to be allowed as well.
 */
static bool
entry_matches(const char *entry, Form_pg_proc proc)
{
	char *text = pstrdup(entry);
	char *open = strchr(text, '(');
	char *close = strrchr(text, ')');
	bool definer;

	if (open == NULL || close == NULL || close < open)
		return false;
	*open = *close = '\0';
	definer = pg_strcasecmp(sa_text_trim(close + 1), "security definer") == 0;
	if (!definer && !sa_text_blank(close + 1))
		return false;
	if (proc->prosecdef && !definer)
		return false;
	return name_matches(sa_text_trim(text), proc) &&
		   arguments_match(open + 1, proc->proargtypes.values,
						   proc->proargtypes.dim1);
}

static bool
is_listed(Form_pg_proc proc)
{
	const char *start = sa_guc_allowed_functions;
	int depth = 0;

	if (sa_text_blank(start))
		return false;
	for (const char *c = start;; c++)
	{
		if (*c == '(')
			depth++;
		else if (*c == ')')
			depth--;
		if (*c != '\0' && (*c != ',' || depth > 0))
			continue;
		if (entry_matches(pnstrdup(start, c - start), proc))
			return true;
		if (*c == '\0')
			return false;
		start = c + 1;
	}
}

/* The first rule broken by what an aggregate calls. */
static const char *
aggregate_rule(Oid function)
{
	HeapTuple tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(function));
	const char *rule = NULL;

	if (!HeapTupleIsValid(tuple))
		return "R10";
	{
		Form_pg_aggregate agg = (Form_pg_aggregate) GETSTRUCT(tuple);
		Oid parts[] = {agg->aggtransfn,		agg->aggfinalfn,
					   agg->aggcombinefn,	agg->aggserialfn,
					   agg->aggdeserialfn,	agg->aggmtransfn,
					   agg->aggminvtransfn, agg->aggmfinalfn};

		for (int i = 0; i < (int) lengthof(parts) && rule == NULL; i++)
			if (OidIsValid(parts[i]))
				rule = sa_guard_function_rule(parts[i]);
	}
	ReleaseSysCache(tuple);
	return rule;
}

static const char *
extension_rule(Form_pg_proc proc, Oid extension, bool has_settings)
{
	const char *name = get_extension_name(extension);

	if (proc->prosecdef)
		return "R13";
	if (name == NULL || sa_list_extension_never(name) ||
		!sa_list_setting_has(sa_guc_allowed_extensions, name))
		return "R14";
	if (has_settings || proc->provolatile == PROVOLATILE_VOLATILE)
		return "R14";
	return sa_list_harmful(NameStr(proc->proname)) ? "R14" : NULL;
}

/* Of a function that is neither built in nor listed. */
static const char *
user_rule(HeapTuple tuple, Oid function)
{
	Form_pg_proc proc = (Form_pg_proc) GETSTRUCT(tuple);
	Oid extension = getExtensionOfObject(ProcedureRelationId, function);
	const char *rule;

	if (!OidIsValid(extension))
		return proc->prosecdef ? "R13" : "R12";
	rule = extension_rule(proc, extension,
						  !heap_attisnull(tuple, Anum_pg_proc_proconfig, NULL));
	if (rule == NULL && proc->prokind == PROKIND_AGGREGATE)
		rule = aggregate_rule(function);
	return rule;
}

static KnownFunction
decide(Oid function)
{
	KnownFunction known = {function};
	HeapTuple tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Form_pg_proc proc;

	if (!HeapTupleIsValid(tuple))
	{
		known.rule = "R10";
		return known;
	}
	proc = (Form_pg_proc) GETSTRUCT(tuple);
	if (function < FirstNormalObjectId)
		known.rule = proc->prosecdef ? "R13" : builtin_rule(proc);
	else if (is_listed(proc))
		known.is_listed = true;
	else
		known.rule = user_rule(tuple, function);
	ReleaseSysCache(tuple);
	return known;
}

static void
forget_functions(Datum arg, int cacheid, uint32 hashvalue)
{
	is_stale = true;
}

static void
remember_setting(char **kept, const char *value)
{
	if (*kept && strcmp(*kept, value) == 0)
		return;
	if (*kept)
		pfree(*kept);
	*kept = MemoryContextStrdup(TopMemoryContext, value);
	is_stale = true;
}

/* Verdicts are kept until a function or a setting changes. */
static void
prepare_known_functions(void)
{
	HASHCTL ctl = {0};

	remember_setting(&known_allowed_functions, sa_guc_allowed_functions);
	remember_setting(&known_allowed_extensions, sa_guc_allowed_extensions);
	if (known_functions && !is_stale)
		return;
	if (known_functions)
		hash_destroy(known_functions);
	else
		CacheRegisterSyscacheCallback(PROCOID, forget_functions, (Datum) 0);
	ctl.keysize = sizeof(Oid);
	ctl.entrysize = sizeof(KnownFunction);
	ctl.hcxt = TopMemoryContext;
	known_functions = hash_create("sqlagent functions", 256, &ctl,
								  HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	is_stale = false;
}

/* By value: the table may be emptied at any lookup. */
static KnownFunction
know_function(Oid function)
{
	KnownFunction *entry;
	KnownFunction known;

	prepare_known_functions();
	entry = hash_search(known_functions, &function, HASH_FIND, NULL);
	if (entry)
		return *entry;
	known = decide(function);
	prepare_known_functions();
	entry = hash_search(known_functions, &function, HASH_ENTER, NULL);
	*entry = known;
	return known;
}

const char *
sa_guard_function_rule(Oid function)
{
	return know_function(function).rule;
}

bool
sa_guard_function_is_listed(Oid function)
{
	return know_function(function).is_listed;
}

/* name(types), with its schema unless it is built in. */
static char *
describe_function(Oid function)
{
	const char *schema;

	if (function < FirstNormalObjectId)
		return format_procedure(function);
	schema = get_namespace_name(get_func_namespace(function));
	if (schema == NULL || strchr(format_procedure(function), '.'))
		return format_procedure(function);
	return psprintf("%s.%s", quote_identifier(schema),
					format_procedure(function));
}

static bool
is_tolerated(Oid function)
{
	char *name;

	if (function >= FirstNormalObjectId)
		return false;
	name = get_func_name(function);
	return name && sa_list_tolerated(name);
}

/* Comments are shown by introspection, without those of what is hidden. */
static bool
tells_hidden_comment(Oid function)
{
	return (function == F_OBJ_DESCRIPTION_OID_NAME ||
			function == F_OBJ_DESCRIPTION_OID ||
			function == F_COL_DESCRIPTION) &&
		   sa_label_any_hidden();
}

bool
sa_guard_function(SaWalk *walk, Oid function, const Node *call)
{
	const char *rule = sa_guard_function_rule(function);
	int location;

	if (rule == NULL && tells_hidden_comment(function))
		rule = "R11";
	if (rule == NULL)
		return false;
	if (walk->author == SA_AUTHOR_SYSTEM ||
		(walk->author != SA_AUTHOR_MODEL && is_tolerated(function)))
	{
		sa_guard_watch_tolerate(function);
		return false;
	}
	location = call ? exprLocation(call) : -1;
	if (strcmp(rule, "R10") == 0)
		return sa_guard_refuse(walk, rule, location,
							   "function with OID %u does not exist", function);
	return sa_guard_refuse(walk, rule, location, "function %s is not allowed",
						   describe_function(function));
}
