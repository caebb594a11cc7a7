/*
 * spi.c
 *	  Short transactions and typed rows over SPI.
 *
 * Nothing else in the extension starts or ends a transaction, so this is the
 * place to see what role, search_path and commit mode each kind of work has.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/indexing.h"
#include "catalog/pg_extension.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/hsearch.h"
#include "utils/jsonb.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "base/spi.h"

typedef struct KeptPlan
{
	const char *sql; /* hash key: the address */
	SPIPlanPtr plan;
} KeptPlan;

static HTAB *kept_plans = NULL;

/* What sa_tx_begin changed and sa_tx_commit puts back. */
static Oid saved_userid;
static int saved_sec_context;

/* The owner of the extension: who our tables belong to. */
static Oid
extension_owner(void)
{
	Relation rel = table_open(ExtensionRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple tuple;
	Oid owner = InvalidOid;

	ScanKeyInit(&key, Anum_pg_extension_extname, BTEqualStrategyNumber,
				F_NAMEEQ, CStringGetDatum("sqlagent"));
	scan = systable_beginscan(rel, ExtensionNameIndexId, true, NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		owner = ((Form_pg_extension) GETSTRUCT(tuple))->extowner;
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	if (!OidIsValid(owner))
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
						errmsg("extension \"%s\" is not installed in this "
							   "database",
							   "sqlagent"),
						errhint("Run CREATE EXTENSION sqlagent.")));
	return owner;
}

/*
 * Become the owner of the extension for fixed statements of ours.  The
 * search_path is pinned since an operator that the asker's path finds first
 * would run with the owner's rights.
 */
static int
become_owner(SaTxKind kind, int sec_context)
{
	Oid owner = extension_owner();
	int nest_level = NewGUCNestLevel();

	(void) set_config_option("search_path", "pg_catalog, pg_temp", PGC_USERSET,
							 PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	if (kind == SA_TX_OWNER)
		(void) set_config_option("synchronous_commit", "off", PGC_USERSET,
								 PGC_S_SESSION, GUC_ACTION_SAVE, true, 0,
								 false);
	SetUserIdAndSecContext(owner, sec_context | SECURITY_LOCAL_USERID_CHANGE |
									  SECURITY_RESTRICTED_OPERATION);
	return nest_level;
}

/*
 * A generated statement: nothing may be switched off from within.  A snapshot
 * exists by now, so transaction_read_only cannot be set off either.
 */
static void
restrict_asker(void)
{
	XactReadOnly = true;
	SetUserIdAndSecContext(saved_userid, saved_sec_context |
											 SECURITY_LOCAL_USERID_CHANGE |
											 SECURITY_RESTRICTED_OPERATION);
}

void
sa_tx_begin(SaTxKind kind)
{
	MemoryContext caller = CurrentMemoryContext;

	Assert(!IsTransactionState());
	SetCurrentStatementStartTimestamp();
	StartTransactionCommand();
	PushActiveSnapshot(GetTransactionSnapshot());
	if (kind == SA_TX_SANDBOX)
	{
		GetUserIdAndSecContext(&saved_userid, &saved_sec_context);
		restrict_asker();
		MemoryContextSwitchTo(caller);
		return;
	}
	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "could not connect to SPI");
	GetUserIdAndSecContext(&saved_userid, &saved_sec_context);
	if (kind == SA_TX_ASKER)
		XactReadOnly = true;
	else
	{
		/* The worker's transactions are read only by default. */
		XactReadOnly = RecoveryInProgress();
		/* The end of the transaction undoes the settings. */
		(void) become_owner(kind, saved_sec_context);
	}
	MemoryContextSwitchTo(caller);
}

void
sa_tx_commit(void)
{
	MemoryContext caller = CurrentMemoryContext;

	SPI_finish();
	PopActiveSnapshot();
	/*
	 * The settings go back only after the commit, which reads
	 * synchronous_commit: CommitTransaction undoes a nest level by itself.
	 */
	SetUserIdAndSecContext(saved_userid, saved_sec_context);
	CommitTransactionCommand();
	pgstat_report_stat(false);
	MemoryContextSwitchTo(caller);
}

void
sa_tx_abort(void)
{
	MemoryContext caller = CurrentMemoryContext;

	AbortOutOfAnyTransaction();
	MemoryContextSwitchTo(caller);
}

void
sa_tx_allow_writes(void)
{
	XactReadOnly = RecoveryInProgress();
}

void
sa_tx_commit_sandbox(void)
{
	MemoryContext caller = CurrentMemoryContext;

	PopActiveSnapshot();
	SetUserIdAndSecContext(saved_userid, saved_sec_context);
	CommitTransactionCommand();
	pgstat_report_stat(false);
	MemoryContextSwitchTo(caller);
}

char *
sa_select_text(const char *sql, bool read_only)
{
	MemoryContext caller = CurrentMemoryContext;
	char *text = NULL;
	int result;

	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "could not connect to SPI");
	result = SPI_execute(sql, read_only, 1);
	if (result != SPI_OK_SELECT)
		elog(ERROR, "could not execute \"%s\": %s", sql,
			 SPI_result_code_string(result));
	MemoryContextSwitchTo(caller);
	if (SPI_processed > 0)
	{
		text = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1);
		if (text)
			text = MemoryContextStrdup(caller, text);
	}
	SPI_finish();
	MemoryContextSwitchTo(caller);
	return text;
}

bool
sa_tx_is_open(void)
{
	return IsTransactionState();
}

void
sa_inside_begin(SaInside *inside, TriggerData *trigger)
{
	MemoryContext caller = CurrentMemoryContext;

	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "could not connect to SPI");
	if (trigger && SPI_register_trigger_data(trigger) < 0)
		elog(ERROR, "could not register the trigger's tables");
	GetUserIdAndSecContext(&inside->userid, &inside->sec_context);
	inside->guc_nest_level =
		become_owner(SA_TX_OWNER_SYNC, inside->sec_context);
	MemoryContextSwitchTo(caller);
}

void
sa_inside_end(const SaInside *inside)
{
	MemoryContext caller = CurrentMemoryContext;

	SPI_finish();
	AtEOXact_GUC(false, inside->guc_nest_level);
	SetUserIdAndSecContext(inside->userid, inside->sec_context);
	MemoryContextSwitchTo(caller);
}

void
sa_inside_try(void (*call)(void *arg), void *arg, const char *warning)
{
	MemoryContext caller = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(caller);
	PG_TRY();
	{
		call(arg);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		ErrorData *error;

		MemoryContextSwitchTo(caller);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		if (error->sqlerrcode == ERRCODE_QUERY_CANCELED)
			ReThrowError(error);
		ereport(WARNING, (errcode(error->sqlerrcode), errmsg("%s", warning),
						  errdetail("%s", error->message)));
	}
	PG_END_TRY();
	MemoryContextSwitchTo(caller);
	CurrentResourceOwner = owner;
}

void
sa_inside_run(const char *sql)
{
	MemoryContext caller = CurrentMemoryContext;
	int result;

	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "could not connect to SPI");
	result = SPI_execute(sql, false, 0);
	if (result < 0)
		elog(ERROR, "could not execute \"%s\": %s", sql,
			 SPI_result_code_string(result));
	SPI_finish();
	MemoryContextSwitchTo(caller);
}

void
sa_tx_let_go_of_snapshot(void)
{
	MemoryContext caller = CurrentMemoryContext;

	if (SPI_connect_ext(SPI_OPT_NONATOMIC) != SPI_OK_CONNECT)
		elog(ERROR, "could not connect to SPI");
	SPI_commit();
	SPI_finish();
	MemoryContextSwitchTo(caller);
}

static SaArg
make_arg(Oid type, Datum value)
{
	SaArg arg = {type, value, false};

	return arg;
}

SaArg
sa_arg_null(Oid type)
{
	SaArg arg = {type, (Datum) 0, true};

	return arg;
}

SaArg
sa_arg_text(const char *value)
{
	return value ? make_arg(TEXTOID, CStringGetTextDatum(value))
				 : sa_arg_null(TEXTOID);
}

SaArg
sa_arg_jsonb(const char *json)
{
	return json ? make_arg(JSONBOID,
						   DirectFunctionCall1(jsonb_in, CStringGetDatum(json)))
				: sa_arg_null(JSONBOID);
}

SaArg
sa_arg_int8(int64 value)
{
	return make_arg(INT8OID, Int64GetDatum(value));
}

SaArg
sa_arg_int4(int32 value)
{
	return make_arg(INT4OID, Int32GetDatum(value));
}

SaArg
sa_arg_float8(double value)
{
	return make_arg(FLOAT8OID, Float8GetDatum(value));
}

SaArg
sa_arg_bool(bool value)
{
	return make_arg(BOOLOID, BoolGetDatum(value));
}

SaArg
sa_arg_oid(Oid value)
{
	return make_arg(OIDOID, ObjectIdGetDatum(value));
}

SaArg
sa_arg_timestamptz(int64 value)
{
	return make_arg(TIMESTAMPTZOID, TimestampTzGetDatum(value));
}

SaArg
sa_arg_oid_array(const Oid *values, int count)
{
	Datum *elements = palloc(sizeof(Datum) * Max(count, 1));

	for (int i = 0; i < count; i++)
		elements[i] = ObjectIdGetDatum(values[i]);
	return make_arg(OIDARRAYOID, PointerGetDatum(construct_array(
									 elements, count, OIDOID, sizeof(Oid), true,
									 TYPALIGN_INT)));
}

SaArg
sa_arg_text_array(char **values, int count)
{
	Datum *elements = palloc(sizeof(Datum) * Max(count, 1));

	for (int i = 0; i < count; i++)
		elements[i] = CStringGetTextDatum(values[i]);
	return make_arg(TEXTARRAYOID,
					PointerGetDatum(construct_array(elements, count, TEXTOID,
													-1, false, TYPALIGN_INT)));
}

SaArg
sa_arg_texts(const List *strings)
{
	Datum *values = palloc(sizeof(Datum) * Max(list_length(strings), 1));
	ListCell *cell;

	foreach (cell, strings)
		values[foreach_current_index(cell)] =
			CStringGetTextDatum((char *) lfirst(cell));
	return make_arg(TEXTARRAYOID, PointerGetDatum(construct_array(
									  values, list_length(strings), TEXTOID, -1,
									  false, TYPALIGN_INT)));
}

SaArg
sa_arg_oids(const List *oids)
{
	Datum *values = palloc(sizeof(Datum) * Max(list_length(oids), 1));
	ListCell *cell;

	foreach (cell, oids)
		values[foreach_current_index(cell)] =
			ObjectIdGetDatum(lfirst_oid(cell));
	return make_arg(OIDARRAYOID, PointerGetDatum(construct_array(
									 values, list_length(oids), OIDOID,
									 sizeof(Oid), true, TYPALIGN_INT)));
}

static SPIPlanPtr
plan_for(const char *sql, const SaArg *args, int nargs)
{
	Oid types[FUNC_MAX_ARGS];
	KeptPlan *entry;
	SPIPlanPtr plan;
	bool found;

	if (kept_plans == NULL)
	{
		HASHCTL ctl = {0};

		ctl.keysize = sizeof(char *);
		ctl.entrysize = sizeof(KeptPlan);
		ctl.hcxt = TopMemoryContext;
		kept_plans = hash_create("sqlagent plans", 32, &ctl,
								 HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	}
	entry = hash_search(kept_plans, &sql, HASH_FIND, NULL);
	if (entry)
		return entry->plan;
	for (int i = 0; i < nargs; i++)
		types[i] = args[i].type;
	/* Planned once: none of these gains by looking at its arguments. */
	plan = SPI_prepare_cursor(sql, nargs, types, CURSOR_OPT_GENERIC_PLAN);
	if (plan == NULL)
		elog(ERROR, "could not prepare \"%s\": %s", sql,
			 SPI_result_code_string(SPI_result));
	SPI_keepplan(plan);
	entry = hash_search(kept_plans, &sql, HASH_ENTER, &found);
	entry->plan = plan;
	return plan;
}

int
sa_query(const char *sql, const SaArg *args, int nargs)
{
	MemoryContext caller = CurrentMemoryContext;
	SPIPlanPtr plan = plan_for(sql, args, nargs);
	Datum values[FUNC_MAX_ARGS];
	char nulls[FUNC_MAX_ARGS];
	int result;

	for (int i = 0; i < nargs; i++)
	{
		values[i] = args[i].value;
		nulls[i] = args[i].isnull ? 'n' : ' ';
	}
	result = SPI_execute_plan(plan, values, nulls, XactReadOnly, 0);
	if (result < 0)
		elog(ERROR, "could not execute \"%s\": %s", sql,
			 SPI_result_code_string(result));
	MemoryContextSwitchTo(caller);
	return (int) SPI_processed;
}

static Datum
row_datum(int row, int column, bool *isnull)
{
	return SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column,
						 isnull);
}

char *
sa_row_text(int row, int column)
{
	MemoryContext caller = CurrentMemoryContext;
	char *value;

	/* most are text, for which the output function need not be looked up */
	if (SPI_gettypeid(SPI_tuptable->tupdesc, column) == TEXTOID)
	{
		bool isnull;
		Datum datum = row_datum(row, column, &isnull);

		return isnull ? NULL : TextDatumGetCString(datum);
	}
	value =
		SPI_getvalue(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column);
	MemoryContextSwitchTo(caller);
	return value;
}

int64
sa_row_int8(int row, int column)
{
	bool isnull;
	Datum value = row_datum(row, column, &isnull);

	return isnull ? 0 : DatumGetInt64(value);
}

int32
sa_row_int4(int row, int column)
{
	bool isnull;
	Datum value = row_datum(row, column, &isnull);

	return isnull ? 0 : DatumGetInt32(value);
}

Oid
sa_row_oid(int row, int column)
{
	bool isnull;
	Datum value = row_datum(row, column, &isnull);

	return isnull ? InvalidOid : DatumGetObjectId(value);
}

bool
sa_row_bool(int row, int column)
{
	bool isnull;
	Datum value = row_datum(row, column, &isnull);

	return isnull ? false : DatumGetBool(value);
}

double
sa_row_float8(int row, int column)
{
	bool isnull;
	Datum value = row_datum(row, column, &isnull);

	return isnull ? 0 : DatumGetFloat8(value);
}

bool
sa_row_isnull(int row, int column)
{
	bool isnull;

	(void) row_datum(row, column, &isnull);
	return isnull;
}

char **
sa_row_text_array(int row, int column, int *count)
{
	bool isnull;
	Datum array = row_datum(row, column, &isnull);
	Datum *elements;
	bool *nulls;
	char **values;

	*count = 0;
	if (isnull)
		return NULL;
	deconstruct_array(DatumGetArrayTypeP(array), TEXTOID, -1, false,
					  TYPALIGN_INT, &elements, &nulls, count);
	values = palloc(sizeof(char *) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
		values[i] = nulls[i] ? NULL : TextDatumGetCString(elements[i]);
	return values;
}
