/*
 * shim.c
 *	  Stands in for the server under the decoders: memory, lists, errors,
 *	  encoding, settings.
 *
 * Each piece of memory is one of malloc's, so that the address sanitizer sees
 * where it ends; shim_reset() frees them and runs the reset callbacks.  The
 * decoders raise no errors for their input's sake, so that any error ends the
 * process.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "nodes/pg_list.h"
#include "utils/json.h"
#include "utils/memutils.h"

#include "base/guc.h"
#include "base/spi.h"
#include "shim.h"

double sa_guc_temperature = 0;
char *sa_guc_reasoning_effort = "";
int sa_guc_max_output_tokens = 4096;
int sa_guc_context_tokens = 16384;

MemoryContext CurrentMemoryContext = NULL;
MemoryContext TopMemoryContext = NULL;

static void **pieces = NULL;
static size_t npieces = 0;
static size_t room = 0;
static MemoryContextCallback *callbacks = NULL;

static void *
keep(void *piece)
{
	if (piece == NULL)
		abort();
	if (npieces == room)
	{
		room = room ? room * 2 : 1024;
		pieces = realloc(pieces, room * sizeof(void *));
	}
	pieces[npieces++] = piece;
	return piece;
}

void
shim_reset(void)
{
	while (callbacks)
	{
		MemoryContextCallback *callback = callbacks;

		callbacks = callback->next;
		callback->func(callback->arg);
	}
	while (npieces > 0)
		free(pieces[--npieces]);
}

void *
palloc(Size size)
{
	return keep(malloc(size));
}

void *
palloc0(Size size)
{
	return keep(calloc(1, size));
}

void
pfree(void *pointer)
{
	for (size_t i = npieces; i > 0; i--)
		if (pieces[i - 1] == pointer)
		{
			pieces[i - 1] = pieces[--npieces];
			free(pointer);
			return;
		}
	abort();
}

void *
repalloc(void *pointer, Size size)
{
	for (size_t i = npieces; i > 0; i--)
		if (pieces[i - 1] == pointer)
		{
			pieces[i - 1] = realloc(pointer, size);
			return pieces[i - 1];
		}
	abort();
}

char *
pnstrdup(const char *in, Size len)
{
	char *out = palloc(strnlen(in, len) + 1);

	len = strnlen(in, len);
	memcpy(out, in, len);
	out[len] = '\0';
	return out;
}

char *
pstrdup(const char *in)
{
	return pnstrdup(in, strlen(in));
}

void *
MemoryContextAlloc(MemoryContext context, Size size)
{
	return palloc(size);
}

void *
MemoryContextAllocHuge(MemoryContext context, Size size)
{
	return palloc(size);
}

void
MemoryContextRegisterResetCallback(MemoryContext context,
								   MemoryContextCallback *callback)
{
	callback->next = callbacks;
	callbacks = callback;
}

List *
lappend(List *list, void *datum)
{
	if (list == NIL)
	{
		list = palloc0(sizeof(List));
		list->type = T_List;
	}
	if (list->length == list->max_length)
	{
		ListCell *cells;

		list->max_length = list->max_length ? list->max_length * 2 : 4;
		cells = palloc(list->max_length * sizeof(ListCell));
		if (list->length > 0)
			memcpy(cells, list->elements, list->length * sizeof(ListCell));
		list->elements = cells;
	}
	list->elements[list->length++].ptr_value = datum;
	return list;
}

bool
errstart(int elevel, const char *domain)
{
	abort();
}

bool
errstart_cold(int elevel, const char *domain)
{
	abort();
}

void
errfinish(const char *filename, int lineno, const char *funcname)
{
	abort();
}

int
errcode(int sqlerrcode)
{
	return 0;
}

int
errmsg(const char *fmt, ...)
{
	return 0;
}

int
errmsg_internal(const char *fmt, ...)
{
	return 0;
}

int
errdetail(const char *fmt, ...)
{
	return 0;
}

int
GetDatabaseEncoding(void)
{
	return PG_UTF8;
}

int
pg_mbcliplen(const char *mbstr, int len, int limit)
{
	while (limit > 0 && limit < len && (mbstr[limit] & 0xC0) == 0x80)
		limit--;
	return limit;
}

/* What is reached only with another encoding, or by other callers. */
Oid
FindDefaultConversionProc(int32 for_encoding, int32 to_encoding)
{
	abort();
}

void
fmgr_info_cxt(Oid functionId, FmgrInfo *finfo, MemoryContext mcxt)
{
	abort();
}

Datum
FunctionCall6Coll(FmgrInfo *flinfo, Oid collation, Datum arg1, Datum arg2,
				  Datum arg3, Datum arg4, Datum arg5, Datum arg6)
{
	abort();
}

void
escape_json(StringInfo buf, const char *str)
{
	abort();
}

void
sa_tx_begin(SaTxKind kind)
{
	abort();
}

void
sa_tx_commit(void)
{
	abort();
}

bool
sa_tx_is_open(void)
{
	abort();
}
