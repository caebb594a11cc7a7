/*
 * guard_watch.c
 *	  The second line of the guard: functions are judged again when the server
 *	  is about to call them.
 *
 * Analysis runs the checks of domains, the planner folds constants and asks
 * the support functions of types, and some callers are in no tree at all.  The
 * hooks of the function manager and of object access see them all, so that
 * what the walk does not find still does not run.  They act while the sandbox
 * is open and are silent otherwise.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_language_d.h"
#include "catalog/pg_proc.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/regproc.h"
#include "utils/syscache.h"

#include "db/guard_walk.h"
#include "db/guard_watch.h"
#include "db/sandbox.h"

static needs_fmgr_hook_type next_needs_fmgr_hook = NULL;
static fmgr_hook_type next_fmgr_hook = NULL;
static object_access_hook_type next_object_access_hook = NULL;

/* Functions that are tolerated in the running statement. */
static Oid *tolerated = NULL;
static int tolerated_count = 0;
static int tolerated_size = 0;

/* Calls of functions that the administrator has listed: trusted inside. */
static int trusted_depth = 0;

/* The function of a tool, which the administrator has chosen. */
static Oid trusted_function = InvalidOid;

static const char *refused_rule = NULL;

static bool
is_tolerated(Oid function)
{
	for (int i = 0; i < tolerated_count; i++)
		if (tolerated[i] == function)
			return true;
	return false;
}

/* What the walk has not seen is called on behalf of a type. */
static void
refuse_call(Oid function)
{
	refused_rule = "R15";
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("function %s is not allowed (%s)",
					format_procedure(function), refused_rule),
			 errhint("It is called by a type, an operator, a default or a "
					 "support function. Use built-in ones.")));
}

/* An expression is about to call the function. */
static void
watch_object_access(ObjectAccessType access, Oid classId, Oid objectId,
					int subId, void *arg)
{
	if (next_object_access_hook)
		next_object_access_hook(access, classId, objectId, subId, arg);
	if (access == OAT_FUNCTION_EXECUTE && sa_sandbox_is_open() &&
		trusted_depth == 0)
	{
		const char *rule = sa_guard_function_rule(objectId);

		if (rule && !is_tolerated(objectId) && objectId != trusted_function)
			refuse_call(objectId);
	}
}

/* Only a superuser can create functions in these languages. */
static bool
is_superuser_language(Oid function)
{
	HeapTuple tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Oid language;

	if (!HeapTupleIsValid(tuple))
		return false;
	language = ((Form_pg_proc) GETSTRUCT(tuple))->prolang;
	ReleaseSysCache(tuple);
	return language == ClanguageId || language == INTERNALlanguageId;
}

/*
 * A function that is not built in is looked up.  True for those that are to
 * be watched when they are called: not here, since types keep functions that
 * are never called.  It also keeps the planner from inlining their bodies.
 */
static bool
watch_needs_fmgr_hook(Oid function)
{
	if (sa_sandbox_is_open() && trusted_depth == 0 &&
		function >= FirstNormalObjectId && !is_superuser_language(function))
		return true;
	return next_needs_fmgr_hook && next_needs_fmgr_hook(function);
}

/* A function that is watched begins or ends. */
static void
watch_fmgr(FmgrHookEventType event, FmgrInfo *flinfo, Datum *arg)
{
	Oid function = flinfo->fn_oid;

	if (sa_sandbox_is_open() && function >= FirstNormalObjectId)
	{
		if (event == FHET_START && trusted_depth == 0 &&
			function != trusted_function && sa_guard_function_rule(function) &&
			!is_tolerated(function))
			refuse_call(function);
		/* what the administrator has chosen may call what it likes */
		if (function == trusted_function ||
			sa_guard_function_is_listed(function))
			trusted_depth += event == FHET_START ? 1 : -1;
	}
	if (next_fmgr_hook && next_needs_fmgr_hook &&
		next_needs_fmgr_hook(function))
		next_fmgr_hook(event, flinfo, arg);
}

void
sa_guard_watch_init(void)
{
	next_needs_fmgr_hook = needs_fmgr_hook;
	needs_fmgr_hook = watch_needs_fmgr_hook;
	next_fmgr_hook = fmgr_hook;
	fmgr_hook = watch_fmgr;
	next_object_access_hook = object_access_hook;
	object_access_hook = watch_object_access;
}

void
sa_guard_watch_reset(void)
{
	tolerated_count = 0;
	trusted_depth = 0;
	refused_rule = NULL;
}

void
sa_guard_watch_tolerate(Oid function)
{
	if (is_tolerated(function))
		return;
	if (tolerated_count == tolerated_size)
	{
		tolerated_size = Max(32, tolerated_size * 2);
		if (tolerated == NULL)
			tolerated = MemoryContextAlloc(TopMemoryContext,
										   tolerated_size * sizeof(Oid));
		else
			tolerated = repalloc(tolerated, tolerated_size * sizeof(Oid));
	}
	tolerated[tolerated_count++] = function;
}

void
sa_guard_watch_trust(Oid function)
{
	trusted_function = function;
}

const char *
sa_guard_watch_rule(void)
{
	return refused_rule;
}
