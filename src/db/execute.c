/*
 * execute.c
 *	  Run what the guard let through, and keep a bounded part of its rows.
 *
 * Called by db/query inside the sandbox.  The rows go to a receiver of our own
 * that ends the statement at the bounds; a value that is too long is left out
 * by its stored size, before it is fetched and printed.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "catalog/pg_type_d.h"
#include "executor/execdesc.h"
#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "portability/instr_time.h"
#include "tcop/dest.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "base/compat.h"
#include "base/guc.h"
#include "db/execute.h"

/* What the place of a row and of a value takes beside its text. */
#define ROW_OVERHEAD 32
#define CELL_OVERHEAD 24

typedef struct Receiver
{
	DestReceiver pub;
	SaResult *result;
	MemoryContext context; /* of the result */
	MemoryContext row_context;
	FmgrInfo *output;
	bool *is_varlena;
	int max_rows;
	int rows_size;
	int64 bytes;
} Receiver;

static SaValueKind
value_kind(Oid type)
{
	switch (getBaseType(type))
	{
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case FLOAT4OID:
		case FLOAT8OID:
		case NUMERICOID:
		case OIDOID:
			return SA_VALUE_NUMBER;
		case BOOLOID:
			return SA_VALUE_BOOL;
		case JSONOID:
		case JSONBOID:
			return SA_VALUE_JSON;
		default:
			return SA_VALUE_STRING;
	}
}

/* From the target list, so that it also serves a statement that is not run. */
void
sa_execute_describe(const SaGuarded *guarded, SaResult *result,
					MemoryContext context)
{
	MemoryContext old = MemoryContextSwitchTo(context);
	List *targets = sa_guarded_plan(guarded)->planTree->targetlist;
	const SaMask *mask = sa_guarded_mask(guarded);
	ListCell *cell;

	result->columns = palloc0(Max(list_length(targets), 1) * sizeof(SaColumn));
	result->ncolumns = 0;
	foreach (cell, targets)
	{
		TargetEntry *target = lfirst_node(TargetEntry, cell);
		SaColumn *column = &result->columns[result->ncolumns];

		if (target->resjunk)
			continue;
		column->name = pstrdup(target->resname ? target->resname : "?column?");
		column->type = exprType((Node *) target->expr);
		column->type_name = format_type_be(column->type);
		column->kind = value_kind(column->type);
		column->masked =
			result->ncolumns < mask->count && mask->columns[result->ncolumns];
		result->ncolumns++;
	}
	MemoryContextSwitchTo(old);
}

static void
receive_startup(DestReceiver *self, int operation, TupleDesc desc)
{
	Receiver *receiver = (Receiver *) self;

	receiver->output = palloc0(Max(desc->natts, 1) * sizeof(FmgrInfo));
	receiver->is_varlena = palloc0(Max(desc->natts, 1) * sizeof(bool));
	for (int i = 0; i < desc->natts; i++)
	{
		Oid function;

		getTypeOutputInfo(TupleDescAttr(desc, i)->atttypid, &function,
						  &receiver->is_varlena[i]);
		fmgr_info(function, &receiver->output[i]);
	}
}

static char *
left_out(Receiver *receiver, Size size)
{
	receiver->result->omitted++;
	return psprintf("<value of %zu bytes left out>", size);
}

/* The text of a value, in the row's context. */
static char *
print_value(Receiver *receiver, int column, Datum value)
{
	Size limit = (Size) sa_guc_max_cell_bytes * 1024;
	Size size;
	char *text;

	if (receiver->is_varlena[column])
	{
		size = toast_raw_datum_size(value) - VARHDRSZ;
		if (size > limit)
			return left_out(receiver, size);
	}
	text = OutputFunctionCall(&receiver->output[column], value);
	size = strlen(text);
	return size > limit ? left_out(receiver, size) : text;
}

/* The texts of a row; the number of bytes that keeping them takes. */
static int64
print_row(Receiver *receiver, TupleTableSlot *slot, char **texts)
{
	int natts = slot->tts_tupleDescriptor->natts;
	int64 bytes = ROW_OVERHEAD + (int64) natts * sizeof(char *);

	slot_getallattrs(slot);
	for (int i = 0; i < natts; i++)
	{
		if (slot->tts_isnull[i])
		{
			texts[i] = NULL;
			continue;
		}
		texts[i] = print_value(receiver, i, slot->tts_values[i]);
		bytes += strlen(texts[i]) + CELL_OVERHEAD;
		if (receiver->bytes + bytes > (int64) sa_guc_max_result_bytes * 1024)
			break;
	}
	return bytes;
}

static void
keep_row(Receiver *receiver, char **texts, int natts)
{
	SaResult *result = receiver->result;
	char **row;

	MemoryContextSwitchTo(receiver->context);
	if (result->nrows == receiver->rows_size)
	{
		receiver->rows_size = Max(64, receiver->rows_size * 2);
		if (result->rows == NULL)
			result->rows = palloc(receiver->rows_size * sizeof(char **));
		else
			result->rows =
				repalloc(result->rows, receiver->rows_size * sizeof(char **));
	}
	row = palloc(Max(natts, 1) * sizeof(char *));
	for (int i = 0; i < natts; i++)
		row[i] = texts[i] ? pstrdup(texts[i]) : NULL;
	result->rows[result->nrows++] = row;
}

/* False ends the statement. */
static bool
receive_slot(TupleTableSlot *slot, DestReceiver *self)
{
	Receiver *receiver = (Receiver *) self;
	SaResult *result = receiver->result;
	int natts = slot->tts_tupleDescriptor->natts;
	int omitted = result->omitted;
	MemoryContext old;
	char **texts;
	int64 bytes;
	bool fits;

	if (result->nrows >= receiver->max_rows)
	{
		result->truncated = true;
		return false;
	}
	old = MemoryContextSwitchTo(receiver->row_context);
	texts = palloc(Max(natts, 1) * sizeof(char *));
	bytes = print_row(receiver, slot, texts);
	fits = receiver->bytes + bytes <= (int64) sa_guc_max_result_bytes * 1024;
	if (fits)
	{
		receiver->bytes += bytes;
		keep_row(receiver, texts, natts);
	}
	else
		result->omitted = omitted;
	if (!fits || result->omitted > 0)
		result->truncated = true;
	MemoryContextSwitchTo(old);
	MemoryContextReset(receiver->row_context);
	return fits;
}

static void
receive_nothing(DestReceiver *self)
{
}

static void
run_plan(const SaGuarded *guarded, Receiver *receiver)
{
	QueryDesc *query = CreateQueryDesc(
		sa_guarded_plan(guarded), sa_guarded_sql(guarded), GetActiveSnapshot(),
		InvalidSnapshot, &receiver->pub, NULL, NULL, 0);

	ExecutorStart(query, 0);
	sa_executor_run(query, ForwardScanDirection, 0);
	ExecutorFinish(query);
	ExecutorEnd(query);
	FreeQueryDesc(query);
}

void
sa_execute(const SaGuarded *guarded, SaResult *result, MemoryContext context,
		   int max_rows)
{
	Receiver receiver = {{0}};
	instr_time start;
	instr_time end;

	receiver.pub.receiveSlot = receive_slot;
	receiver.pub.rStartup = receive_startup;
	receiver.pub.rShutdown = receive_nothing;
	receiver.pub.rDestroy = receive_nothing;
	receiver.pub.mydest = DestNone;
	receiver.result = result;
	receiver.context = context;
	receiver.row_context = AllocSetContextCreate(
		CurrentMemoryContext, "sqlagent row", ALLOCSET_DEFAULT_SIZES);
	receiver.max_rows = max_rows;

	sa_execute_describe(guarded, result, context);
	INSTR_TIME_SET_CURRENT(start);
	run_plan(guarded, &receiver);
	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_SUBTRACT(end, start);
	result->ms = INSTR_TIME_GET_MILLISEC(end);
}
