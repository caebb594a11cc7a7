/*
 * error.h
 *	  Errors as data: what a statement, a tool or a model call went wrong with,
 *	  in a form that can be shown to a person, sent to a model and stored.
 */
#ifndef SA_ERROR_H
#define SA_ERROR_H

#include "lib/stringinfo.h"
#include "utils/elog.h"

/*
 * The value of errors[].type in a report.  Fixed strings, so that a program
 * can branch on them; SQLSTATE says the rest.
 */
#define SA_ERROR_CONNECTION "connection_error"
#define SA_ERROR_MODEL "model_error"
#define SA_ERROR_SYNTAX "syntax_error"
#define SA_ERROR_UNKNOWN_TABLE "unknown_table"
#define SA_ERROR_UNKNOWN_COLUMN "unknown_column"
#define SA_ERROR_PERMISSION "permission_denied"
#define SA_ERROR_MUTATION "mutation_blocked"
#define SA_ERROR_UNSAFE_FUNCTION "unsafe_function"
#define SA_ERROR_COST "cost_exceeded"
#define SA_ERROR_TIMEOUT "timeout"
#define SA_ERROR_TOO_LARGE "too_large"
#define SA_ERROR_BUDGET "budget_exceeded"
#define SA_ERROR_OTHER "other"

typedef struct SaError
{
	const char *type;	 /* one of SA_ERROR_* */
	int sqlerrcode;		 /* packed SQLSTATE */
	const char *message; /* never NULL */
	const char *detail;	 /* or NULL */
	const char *hint;	 /* or NULL */
	int position;		 /* character of sql, from 1; 0 = not known */
	const char *sql;	 /* the statement, or NULL */
} SaError;

/* The errors[].type that fits a SQLSTATE. */
extern const char *sa_error_type(int sqlerrcode);

/*
 * Take the error that is being handled out of error processing: copies it into
 * the context, then FlushErrorState().  Call in PG_CATCH, in the context that
 * the copy shall live in.  It is not logged.
 */
extern SaError *sa_error_capture(MemoryContext context, const char *sql);

/* Make one by hand; message in the current context. */
extern SaError *sa_error_make(const char *type, int sqlerrcode,
							  const char *message, const char *detail,
							  const char *hint);

/*
 * Append {"type", "sqlstate", "message", "detail", "hint", "position", "sql"};
 * absent members are null.
 */
extern void sa_error_to_json(StringInfo out, const SaError *error);

/*
 * Whether it is the asker's (or an administrator's) cancel: a time limit of ours
 * has the same SQLSTATE.
 */
extern bool sa_error_is_cancel(const SaError *error);

/* Raise it, with all that it holds. */
extern void sa_error_raise(const SaError *error, int elevel);

#endif /* SA_ERROR_H */
