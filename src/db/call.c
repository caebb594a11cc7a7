/*
 * call.c
 *	  A function of the administrator's choice, called as a tool.
 *
 * Called by the agent.  The function is trusted, who calls it is not: it runs in
 * the room of a generated statement, with the rights of the asker, and its
 * arguments are literals of a statement that is written here.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type_d.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "base/guc.h"
#include "base/spi.h"
#include "db/call.h"
#include "db/guard_watch.h"
#include "db/sandbox.h"

static HeapTuple
find_function(Oid function)
{
	HeapTuple tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION),
						errmsg("the function of the tool does not exist")));
	return tuple;
}

SaSignature *
sa_call_signature(Oid function)
{
	HeapTuple tuple = find_function(function);
	Form_pg_proc proc = (Form_pg_proc) GETSTRUCT(tuple);
	SaSignature *signature = palloc0(sizeof(SaSignature));
	Oid *all_types;
	char **names;
	char *modes;
	int count = get_func_arg_info(tuple, &all_types, &names, &modes);

	signature->nargs = proc->pronargs;
	signature->names = palloc0(sizeof(char *) * Max(count, 1));
	signature->types = palloc0(sizeof(Oid) * Max(count, 1));
	for (int i = 0, arg = 0; i < count && arg < proc->pronargs; i++)
	{
		if (modes && modes[i] != PROARGMODE_IN && modes[i] != PROARGMODE_INOUT)
			continue;
		signature->types[arg] = all_types[i];
		signature->names[arg] =
			names && names[i] && *names[i] ? names[i] : NULL;
		arg++;
	}
	signature->takes_json =
		proc->pronargs == 1 && signature->types[0] == JSONBOID;
	signature->is_function =
		proc->prokind == PROKIND_FUNCTION && !proc->proretset;
	ReleaseSysCache(tuple);
	return signature;
}

static Oid
type_of_arg(const SaSignature *signature, const char *name)
{
	for (int i = 0; i < signature->nargs; i++)
		if (signature->names[i] && strcmp(signature->names[i], name) == 0)
			return signature->types[i];
	elog(ERROR, "the function has no argument \"%s\"", name);
	return InvalidOid; /* keep the compiler quiet */
}

/* SELECT to_jsonb(schema.function("name" => 'value'::type, …)) */
static char *
write_call(Oid function, const List *args)
{
	SaSignature *signature = sa_call_signature(function);
	HeapTuple tuple = find_function(function);
	Form_pg_proc proc = (Form_pg_proc) GETSTRUCT(tuple);
	StringInfoData sql;
	ListCell *cell;

	initStringInfo(&sql);
	appendStringInfo(
		&sql, "SELECT pg_catalog.to_jsonb(%s(",
		quote_qualified_identifier(get_namespace_name(proc->pronamespace),
								   NameStr(proc->proname)));
	foreach (cell, args)
	{
		const SaCallArg *arg = lfirst(cell);
		Oid type = arg->name ? type_of_arg(signature, arg->name) : JSONBOID;

		if (foreach_current_index(cell) > 0)
			appendStringInfoString(&sql, ", ");
		if (arg->name)
			appendStringInfo(&sql, "%s => ", quote_identifier(arg->name));
		appendStringInfo(&sql, "%s::%s",
						 arg->value ? quote_literal_cstr(arg->value) : "NULL",
						 format_type_be_qualified(type));
	}
	appendStringInfoString(&sql, "))");
	ReleaseSysCache(tuple);
	return sql.data;
}

static char *
call(Oid function, const List *args, bool read_only, MemoryContext context)
{
	char *text;

	sa_guard_watch_reset();
	sa_guard_watch_trust(function);
	if (!read_only)
		sa_sandbox_allow_writes();
	text = sa_select_text(write_call(function, args), read_only);
	if (text && strlen(text) > (Size) sa_guc_max_result_bytes * 1024)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("the result of the tool is too large"),
						errdetail("It has %zu bytes.", strlen(text)),
						errhint("sqlagent.max_result_bytes is the limit.")));
	text = MemoryContextStrdup(context, text ? text : "null");
	if (!read_only)
		sa_sandbox_commit();
	return text;
}

/* Whether the error that is being handled is not the function's. */
static bool
is_from_outside(void)
{
	int code = geterrcode();

	if (code == ERRCODE_QUERY_CANCELED)
		return !sa_sandbox_timed_out();
	return ERRCODE_TO_CATEGORY(code) ==
		   ERRCODE_TO_CATEGORY(ERRCODE_OPERATOR_INTERVENTION);
}

static SaError *
take_error(MemoryContext context)
{
	SaError *error;

	MemoryContextSwitchTo(context);
	error = sa_error_capture(context, NULL);
	if (error->sqlerrcode == ERRCODE_QUERY_CANCELED)
	{
		error->type = SA_ERROR_TIMEOUT;
		error->message =
			psprintf("the tool took longer than %d ms", sa_guc_query_timeout);
		error->detail = NULL;
		error->hint = NULL;
	}
	return error;
}

char *
sa_call_function(Oid function, const List *args, bool read_only,
				 SaError **error)
{
	MemoryContext context = CurrentMemoryContext;
	MemoryContext work = AllocSetContextCreate(context, "sqlagent tool call",
											   ALLOCSET_DEFAULT_SIZES);
	char *volatile text = NULL;

	*error = NULL;
	PG_TRY();
	{
		sa_sandbox_begin();
		MemoryContextSwitchTo(work);
		text = call(function, args, read_only, context);
	}
	PG_CATCH();
	{
		sa_sandbox_relax();
		if (is_from_outside())
		{
			sa_sandbox_end();
			PG_RE_THROW();
		}
		text = NULL;
		*error = take_error(context);
	}
	PG_END_TRY();
	sa_guard_watch_trust(InvalidOid);
	MemoryContextSwitchTo(context);
	sa_sandbox_end();
	MemoryContextDelete(work);
	return text;
}
