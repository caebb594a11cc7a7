/*
 * error.c
 *	  Errors as data: capture, classify, show, raise again.
 *
 * Used wherever a failure is not the end: a statement of the model that did
 * not run goes back to the model, and into the report, as such an error.
 */
#include "postgres.h"

#include "utils/json.h"
#include "utils/memutils.h"

#include "base/error.h"
#include "base/text.h"

/* SQLSTATE (or, with class_only, its class) to errors[].type. */
static const struct
{
	int sqlerrcode;
	bool class_only;
	const char *type;
} error_types[] = {
	{ERRCODE_UNDEFINED_TABLE, false, SA_ERROR_UNKNOWN_TABLE},
	{ERRCODE_UNDEFINED_SCHEMA, false, SA_ERROR_UNKNOWN_TABLE},
	{ERRCODE_UNDEFINED_COLUMN, false, SA_ERROR_UNKNOWN_COLUMN},
	{ERRCODE_AMBIGUOUS_COLUMN, false, SA_ERROR_UNKNOWN_COLUMN},
	{ERRCODE_INSUFFICIENT_PRIVILEGE, false, SA_ERROR_PERMISSION},
	{ERRCODE_SYNTAX_ERROR, false, SA_ERROR_SYNTAX},
	{ERRCODE_READ_ONLY_SQL_TRANSACTION, false, SA_ERROR_MUTATION},
	{ERRCODE_QUERY_CANCELED, false, SA_ERROR_TIMEOUT},
	{ERRCODE_LOCK_NOT_AVAILABLE, false, SA_ERROR_TIMEOUT},
	{ERRCODE_STATEMENT_TOO_COMPLEX, false, SA_ERROR_TOO_LARGE},
	{ERRCODE_OUT_OF_MEMORY, false, SA_ERROR_TOO_LARGE},
	{ERRCODE_CONFIGURATION_LIMIT_EXCEEDED, false, SA_ERROR_TOO_LARGE},
	{ERRCODE_PROGRAM_LIMIT_EXCEEDED, true, SA_ERROR_TOO_LARGE},
	{ERRCODE_CONNECTION_EXCEPTION, true, SA_ERROR_CONNECTION},
	{ERRCODE_SYSTEM_ERROR, false, SA_ERROR_MODEL},
	{ERRCODE_EXTERNAL_ROUTINE_EXCEPTION, true, SA_ERROR_MODEL},
};

const char *
sa_error_type(int sqlerrcode)
{
	for (int i = 0; i < (int) lengthof(error_types); i++)
	{
		int code = error_types[i].class_only ? ERRCODE_TO_CATEGORY(sqlerrcode)
											 : sqlerrcode;
		int want = error_types[i].class_only
					   ? ERRCODE_TO_CATEGORY(error_types[i].sqlerrcode)
					   : error_types[i].sqlerrcode;

		if (code == want)
			return error_types[i].type;
	}
	return SA_ERROR_OTHER;
}

static char *
copy_or_null(const char *text)
{
	return text ? pstrdup(text) : NULL;
}

SaError *
sa_error_capture(MemoryContext context, const char *sql)
{
	MemoryContext old = MemoryContextSwitchTo(context);
	ErrorData *data = CopyErrorData();
	SaError *error = palloc0(sizeof(SaError));

	FlushErrorState();
	error->type = sa_error_type(data->sqlerrcode);
	error->sqlerrcode = data->sqlerrcode;
	error->message = pstrdup(data->message ? data->message : "unknown failure");
	error->detail = copy_or_null(data->detail);
	error->hint = copy_or_null(data->hint);
	error->position = data->cursorpos;
	error->sql = copy_or_null(sql);
	FreeErrorData(data);
	MemoryContextSwitchTo(old);
	return error;
}

SaError *
sa_error_make(const char *type, int sqlerrcode, const char *message,
			  const char *detail, const char *hint)
{
	SaError *error = palloc0(sizeof(SaError));

	error->type = type;
	error->sqlerrcode = sqlerrcode;
	error->message = pstrdup(message);
	error->detail = copy_or_null(detail);
	error->hint = copy_or_null(hint);
	return error;
}

void
sa_error_to_json(StringInfo out, const SaError *error)
{
	appendStringInfoString(out, "{\"type\": ");
	sa_text_json(out, error->type);
	appendStringInfoString(out, ", \"sqlstate\": ");
	sa_text_json(out, unpack_sql_state(error->sqlerrcode));
	appendStringInfoString(out, ", \"message\": ");
	sa_text_json(out, error->message);
	appendStringInfoString(out, ", \"detail\": ");
	sa_text_json(out, error->detail);
	appendStringInfoString(out, ", \"hint\": ");
	sa_text_json(out, error->hint);
	appendStringInfoString(out, ", \"position\": ");
	if (error->position > 0)
		appendStringInfo(out, "%d", error->position);
	else
		appendStringInfoString(out, "null");
	appendStringInfoString(out, ", \"sql\": ");
	sa_text_json(out, error->sql);
	appendStringInfoChar(out, '}');
}

void
sa_error_raise(const SaError *error, int elevel)
{
	ereport(elevel, (errcode(error->sqlerrcode), errmsg("%s", error->message),
					 error->detail ? errdetail("%s", error->detail) : 0,
					 error->hint ? errhint("%s", error->hint) : 0));
}

bool
sa_error_is_cancel(const SaError *error)
{
	/* The very text of ProcessInterrupts(), which leaves no other trace. */
	return error->sqlerrcode == ERRCODE_QUERY_CANCELED &&
		   strcmp(error->message,
				  _("canceling statement due to user request")) == 0;
}
