/*
 * query.h
 *	  A generated statement from text to result: sandbox, guard, executor.
 *
 * What the layers above use.  Nothing that the statement does wrong is raised:
 * it comes back as result->error.  Raised are only the cancel of the asker, the
 * end of the process, and failures of our own.
 */
#ifndef SA_QUERY_H
#define SA_QUERY_H

#include "base/error.h"
#include "db/result.h"

/*
 * Guard it and run it, read only and rolled back, within the limits of the
 * settings; no transaction may be open.  The result lives in
 * CurrentMemoryContext.  max_rows is the cap (sqlagent.max_rows as a rule).
 */
extern SaResult *sa_query_run(const char *sql, int max_rows);

/*
 * Guard and plan it, without running it: result->error, columns, cost, rows.
 */
extern SaResult *sa_query_check(const char *sql);

#endif /* SA_QUERY_H */
