/*
 * result.h
 *	  Rows of a generated statement, bounded, and their forms: JSON for people
 *	  and programs, CSV or JSON for the model, a text table for the terminal.
 */
#ifndef SA_RESULT_H
#define SA_RESULT_H

#include "lib/stringinfo.h"
#include "nodes/pg_list.h"

#include "base/error.h"

/* How a value is written in JSON. */
typedef enum SaValueKind
{
	SA_VALUE_STRING,
	SA_VALUE_NUMBER, /* digits kept; NaN and Infinity are strings */
	SA_VALUE_BOOL,
	SA_VALUE_JSON /* json and jsonb, as they are */
} SaValueKind;

typedef struct SaColumn
{
	char *name; /* names may be repeated */
	Oid type;
	char *type_name; /* format_type */
	SaValueKind kind;
	bool masked; /* its values must not reach the model */
} SaColumn;

typedef struct SaResult
{
	const char *sql;
	const SaError *error; /* or NULL; then the rest is empty */
	const char *rule;	  /* of a refusal by the guard, or NULL */
	bool error_has_data;  /* the error's text may hold values of tables */
	bool touches_masked;  /* a masked column is read somewhere */
	int ncolumns;
	SaColumn *columns;
	int nrows;		/* kept */
	char ***rows;	/* [row][column]; NULL = SQL NULL */
	bool truncated; /* there is more: rows beyond a bound, or values left out */
	int omitted;	/* values left out since they are too long */
	double ms;		/* execution */
	double guard_ms; /* of the guard, without the server's own steps */
	double plan_rows;
	double plan_cost;
	const char *costly; /* node that costs most, or NULL */
	List *advice;		/* of char *; only of a check (db/advise.h) */
	List *objects;		/* of SaObject *: the tables and columns it names */
	List *literals;		/* what columns are compared with, see literal.h */
} SaResult;

/* An array of rows, each an array of values; up to max_rows. */
extern void sa_result_rows_json(StringInfo out, const SaResult *result,
								int max_rows);
/* [{"name", "type"}, …] */
extern void sa_result_columns_json(StringInfo out, const SaResult *result);
/* {"columns", "rows", "row_count", "truncated", …} or {"error"}: for people. */
extern void sa_result_json(StringInfo out, const SaResult *result);
/*
 * What the model is given: rows within model_rows and result_tokens in the
 * settings' output_format, cut between rows and saying so, and as sqlagent.share
 * and the labels allow.  "local" is said of a reader inside the server, to whom
 * sqlagent.share does not apply since nothing leaves it.
 */
extern void sa_result_for_model(StringInfo out, const SaResult *result,
								bool local);
/* An aligned text table. */
extern void sa_result_table(StringInfo out, const SaResult *result,
							int max_rows);

#endif /* SA_RESULT_H */
