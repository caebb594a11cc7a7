/*
 * query.c
 *	  A generated statement from text to result: sandbox, guard, executor.
 *
 * The only place where an error of a statement is turned into data.  The
 * cancel of the asker and the end of the process are not the statement's
 * errors and are raised again, after the sandbox is closed.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "base/guc.h"
#include "base/object.h"
#include "db/advise.h"
#include "db/execute.h"
#include "db/guard.h"
#include "db/guard_watch.h"
#include "db/literal.h"
#include "db/query.h"
#include "db/sandbox.h"

typedef struct Statement
{
	SaResult *result;
	MemoryContext result_context;
	MemoryContext work_context;
	int max_rows; /* 0 = only check */
	bool is_running;
} Statement;

static SaError *
copy_error(const SaError *error)
{
	SaError *copy = sa_error_make(error->type, error->sqlerrcode,
								  error->message, error->detail, error->hint);

	copy->position = error->position;
	return copy;
}

static void
keep_advice(Statement *statement, const List *texts)
{
	MemoryContext old = MemoryContextSwitchTo(statement->result_context);
	ListCell *cell;

	foreach (cell, texts)
		statement->result->advice =
			lappend(statement->result->advice, pstrdup(lfirst(cell)));
	MemoryContextSwitchTo(old);
}

static void
keep_objects(Statement *statement, const List *objects)
{
	MemoryContext old = MemoryContextSwitchTo(statement->result_context);
	SaObject *copies = palloc(sizeof(SaObject) * Max(list_length(objects), 1));
	ListCell *cell;

	foreach (cell, objects)
	{
		SaObject *copy = &copies[foreach_current_index(cell)];

		*copy = *(const SaObject *) lfirst(cell);
		statement->result->objects = lappend(statement->result->objects, copy);
	}
	MemoryContextSwitchTo(old);
}

static void
guard_and_run(Statement *statement)
{
	SaResult *result = statement->result;
	SaVerdict *verdict = sa_guard_check(result->sql);

	result->guard_ms = verdict->guard_ms;
	result->plan_cost = verdict->cost;
	result->plan_rows = verdict->rows;
	result->rule = verdict->rule;
	result->touches_masked = verdict->touches_masked;
	if (verdict->costly)
		result->costly =
			MemoryContextStrdup(statement->result_context, verdict->costly);
	if (verdict->guarded)
		keep_objects(statement, sa_guarded_mentions(verdict->guarded));
	if (verdict->guarded == NULL)
	{
		SaError *error;

		MemoryContextSwitchTo(statement->result_context);
		error = copy_error(verdict->error);
		error->sql = result->sql;
		result->error = error;
	}
	else if (statement->max_rows == 0)
	{
		sa_execute_describe(verdict->guarded, result,
							statement->result_context);
		keep_advice(statement, sa_advise(sa_guarded_query(verdict->guarded)));
	}
	else
	{
		statement->is_running = true;
		sa_execute(verdict->guarded, result, statement->result_context,
				   statement->max_rows);
		MemoryContextSwitchTo(statement->result_context);
		if (sa_literal_is_empty(result))
			result->literals =
				sa_literal_copy(sa_guarded_literals(verdict->guarded));
	}
}

/* What the server says when it means our timer. */
static void
tell_timeout(SaError *error)
{
	error->type = SA_ERROR_TIMEOUT;
	error->message = sa_sandbox_run_is_over()
						 ? "the time limit of the run ended the statement"
						 : psprintf("the statement took longer than %d ms",
									sa_guc_query_timeout);
	error->detail = NULL;
	error->hint = "Read fewer rows: filter, aggregate, or join by keys.";
}

/*
 * A lock was not to be had.  The server does not see that its holder may be
 * waiting for us.
 */
static void
tell_lock(SaError *error)
{
	error->hint = "Another session has locked the table. It may be your own "
				  "transaction, which waits for this answer: end it first.";
}

/* The error that is being handled, as data. */
static void
keep_error(Statement *statement)
{
	SaResult *result = statement->result;
	SaError *error;

	MemoryContextSwitchTo(statement->result_context);
	error = sa_error_capture(statement->result_context, result->sql);
	if (error->sqlerrcode == ERRCODE_QUERY_CANCELED)
		tell_timeout(error);
	else if (error->sqlerrcode == ERRCODE_LOCK_NOT_AVAILABLE)
		tell_lock(error);
	else if (sa_guard_watch_rule() &&
			 error->sqlerrcode == ERRCODE_INSUFFICIENT_PRIVILEGE)
	{
		result->rule = sa_guard_watch_rule();
		error->type = SA_ERROR_UNSAFE_FUNCTION;
	}
	result->error = error;
	result->error_has_data = statement->is_running;
	result->rows = NULL;
	result->nrows = 0;
	result->truncated = false;
	result->omitted = 0;
}

/* Whether the error that is being handled is not the statement's. */
static bool
is_from_outside(void)
{
	int code = geterrcode();

	if (code == ERRCODE_QUERY_CANCELED)
		return !sa_sandbox_timed_out();
	return ERRCODE_TO_CATEGORY(code) ==
		   ERRCODE_TO_CATEGORY(ERRCODE_OPERATOR_INTERVENTION);
}

static SaResult *
query(const char *sql, int max_rows)
{
	/* in memory and not on the stack, since it changes within PG_TRY */
	Statement *statement = palloc0(sizeof(Statement));

	statement->result_context = CurrentMemoryContext;
	statement->result = palloc0(sizeof(SaResult));
	statement->result->sql = pstrdup(sql);
	statement->max_rows = max_rows;
	statement->work_context = AllocSetContextCreate(
		CurrentMemoryContext, "sqlagent statement", ALLOCSET_DEFAULT_SIZES);
	PG_TRY();
	{
		sa_sandbox_begin();
		MemoryContextSwitchTo(statement->work_context);
		guard_and_run(statement);
	}
	PG_CATCH();
	{
		sa_sandbox_relax();
		if (is_from_outside())
		{
			sa_sandbox_end();
			PG_RE_THROW();
		}
		keep_error(statement);
	}
	PG_END_TRY();
	MemoryContextSwitchTo(statement->result_context);
	sa_sandbox_end();
	MemoryContextDelete(statement->work_context);
	return statement->result;
}

SaResult *
sa_query_run(const char *sql, int max_rows)
{
	return query(sql, Max(max_rows, 1));
}

SaResult *
sa_query_check(const char *sql)
{
	return query(sql, 0);
}
