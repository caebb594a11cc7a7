/*
 * execute.h
 *	  Run what the guard let through, and keep a bounded part of its rows.
 */
#ifndef SA_EXECUTE_H
#define SA_EXECUTE_H

#include "db/guard.h"
#include "db/result.h"

/* The columns of the result, in the context. */
extern void sa_execute_describe(const SaGuarded *guarded, SaResult *result,
								MemoryContext context);

/*
 * Run it inside the sandbox; columns, rows and figures go into the result, in
 * the context.  Errors of the statement are raised.
 */
extern void sa_execute(const SaGuarded *guarded, SaResult *result,
					   MemoryContext context, int max_rows);

#endif /* SA_EXECUTE_H */
