/*
 * call.h
 *	  A function of the administrator's choice, called as a tool.
 */
#ifndef SA_CALL_H
#define SA_CALL_H

#include "base/error.h"
#include "nodes/pg_list.h"

/* An argument; the name is NULL for a function of one jsonb. */
typedef struct SaCallArg
{
	const char *name;
	const char *value; /* text of the type, or NULL */
} SaCallArg;

/* Names and types of a function's arguments. */
typedef struct SaSignature
{
	int nargs;
	char **names; /* NULL where it has none */
	Oid *types;
	bool takes_json;  /* one argument, jsonb */
	bool is_function; /* neither procedure, aggregate nor set-returning */
} SaSignature;

/* Needs a transaction; elog for a function that is gone. */
extern SaSignature *sa_call_signature(Oid function);

/*
 * Call it with the asker's rights within the limits of a generated statement;
 * no transaction may be open.  Read only it is rolled back, otherwise committed.
 * The result as JSON text; NULL and *error when it failed.
 */
extern char *sa_call_function(Oid function, const List *args, bool read_only,
							  SaError **error);

#endif /* SA_CALL_H */
