/*
 * run.c
 *	  Runs and steps: what is recorded of the answering of a question.
 *
 * Called by the loop.  Everything is written as the owner of the extension, by
 * the fixed statements below; the asker has no right to write these tables.
 */
#include "postgres.h"

#include "access/xlog.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "base/spi.h"
#include "store/run.h"
#include "store/sweep.h"

#include "queries/queries.gen.h"

struct SaRun
{
	MemoryContext context;
	SaRunHead head;
	int64 id; /* 0 = not written yet */
	int64 started_at;
	List *steps;  /* of SaStep * */
	int nwritten; /* of them */
	const char *problem;
};

SaRun *
sa_run_begin(const SaRunHead *head)
{
	SaRun *run = palloc0(sizeof(SaRun));

	run->context = CurrentMemoryContext;
	run->head = *head;
	run->started_at = GetCurrentTimestamp();
	if (RecoveryInProgress())
		run->problem = "the server is a standby";
	return run;
}

static SaStep *
read_step(int row)
{
	SaStep *step = palloc0(sizeof(SaStep));

	step->kind = sa_row_text(row, 1);
	step->name = sa_row_text(row, 2);
	step->input = sa_row_text(row, 3);
	step->output = sa_row_text(row, 4);
	step->thought = sa_row_text(row, 5);
	step->sql = sa_row_text(row, 6);
	step->outcome = sa_row_text(row, 7);
	step->row_count = sa_row_bool(row, 9) ? -1 : sa_row_int8(row, 8);
	step->truncated = sa_row_bool(row, 10);
	step->duration_ms = sa_row_float8(row, 11);
	step->prompt_tokens = sa_row_int8(row, 12);
	step->completion_tokens = sa_row_int8(row, 13);
	return step;
}

SaRun *
sa_run_resume(const SaRunHead *head, int64 id, int64 started_at)
{
	SaRun *run = sa_run_begin(head);

	run->id = id;
	run->started_at = started_at;
	sa_tx_begin(SA_TX_OWNER);
	run->nwritten = SA_QUERY(SA_QUERY_STEPS_LOAD, sa_arg_int8(id));
	for (int i = 0; i < run->nwritten; i++)
		run->steps = lappend(run->steps, read_step(i));
	sa_tx_commit();
	return run;
}

void
sa_run_step(SaRun *run, const SaStep *step)
{
	MemoryContext old = MemoryContextSwitchTo(run->context);
	SaStep *copy = palloc(sizeof(SaStep));

	*copy = *step;
	run->steps = lappend(run->steps, copy);
	MemoryContextSwitchTo(old);
}

static void
write_head(SaRun *run)
{
	const SaRunHead *head = &run->head;

	if (run->id != 0)
		return;
	(void) SA_QUERY(
		SA_QUERY_RUN_BEGIN, sa_arg_text(head->asker), sa_arg_text(head->kind),
		head->thread ? sa_arg_int8(head->thread) : sa_arg_null(INT8OID),
		sa_arg_text(head->question), sa_arg_text(head->provider),
		sa_arg_timestamptz(run->started_at), sa_arg_int4(MyProcPid),
		sa_arg_timestamptz(MyStartTimestamp));
	run->id = sa_row_int8(0, 1);
}

static void
write_step(SaRun *run, int index, const SaStep *step)
{
	StringInfoData error;

	initStringInfo(&error);
	if (step->error)
		sa_error_to_json(&error, step->error);
	(void) SA_QUERY(
		SA_QUERY_STEP_ADD, sa_arg_int8(run->id), sa_arg_int4(index + 1),
		sa_arg_text(step->kind), sa_arg_text(step->name),
		sa_arg_text(step->input), sa_arg_text(step->output),
		sa_arg_text(step->thought), sa_arg_text(step->sql),
		sa_arg_text(step->outcome),
		sa_arg_jsonb(step->error ? error.data : NULL),
		step->row_count >= 0 ? sa_arg_int8(step->row_count)
							 : sa_arg_null(INT8OID),
		step->row_count >= 0 ? sa_arg_bool(step->truncated)
							 : sa_arg_null(BOOLOID),
		sa_arg_timestamptz(step->started_at), sa_arg_float8(step->duration_ms),
		sa_arg_int8(step->prompt_tokens), sa_arg_int8(step->completion_tokens));
}

static void
write_tail(SaRun *run, const SaRunTail *tail, const char *report)
{
	(void) SA_QUERY(
		SA_QUERY_RUN_FINISH, sa_arg_int8(run->id), sa_arg_text(tail->status),
		sa_arg_text(tail->answer), sa_arg_text(tail->sql),
		tail->row_count >= 0 ? sa_arg_int8(tail->row_count)
							 : sa_arg_null(INT8OID),
		sa_arg_text(tail->model), sa_arg_int4(tail->iterations),
		sa_arg_int4(tail->requests), sa_arg_int8(tail->prompt_tokens),
		sa_arg_int8(tail->completion_tokens), sa_arg_int8(tail->cached_tokens),
		sa_arg_timestamptz(GetCurrentTimestamp()), sa_arg_jsonb(report),
		sa_arg_text(tail->prompt_hash));
}

/* The end of a run, as write_all writes it. */
typedef struct Ending
{
	const SaRunTail *tail;
	SaReportMaker make;
	void *make_arg;
	char *report; /* out */
} Ending;

/* What write_all does inside its transaction. */
static void
write_missing(SaRun *run, Ending *ending)
{
	sa_tx_begin(ending ? SA_TX_OWNER_SYNC : SA_TX_OWNER);
	sa_sweep_runs();
	write_head(run);
	for (int i = run->nwritten; i < list_length(run->steps); i++)
		write_step(run, i, list_nth(run->steps, i));
	if (ending)
	{
		MemoryContext old = MemoryContextSwitchTo(run->context);

		ending->report = ending->make(ending->make_arg);
		MemoryContextSwitchTo(old);
		write_tail(run, ending->tail, ending->report);
	}
	sa_tx_commit();
	run->nwritten = list_length(run->steps);
}

/*
 * One short transaction that writes what is missing, and the end of the run
 * when there is one.  What goes wrong is kept as the run's problem; a cancel is
 * left pending for whoever may act on it.
 */
static void
write_all(SaRun *run, Ending *ending)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext scratch;
	int64 old_id = run->id;

	if (run->problem)
		return;
	scratch = AllocSetContextCreate(caller, "sqlagent run write",
									ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(scratch);
	PG_TRY();
	{
		write_missing(run, ending);
	}
	PG_CATCH();
	{
		SaError *error = sa_error_capture(run->context, NULL);

		sa_tx_abort();
		run->id = old_id;
		/* A cancel ends the run, not its record. */
		if (error->sqlerrcode == ERRCODE_QUERY_CANCELED && ending == NULL)
		{
			QueryCancelPending = true;
			InterruptPending = true;
		}
		else
			run->problem = error->message;
	}
	PG_END_TRY();
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(scratch);
}

void
sa_run_flush(SaRun *run)
{
	if (run->id == 0 || run->nwritten < list_length(run->steps))
		write_all(run, NULL);
}

int64
sa_run_id(const SaRun *run)
{
	return run->id;
}

char *
sa_run_finish(SaRun *run, const SaRunTail *tail, SaReportMaker make, void *arg)
{
	Ending ending = {tail, make, arg, NULL};

	write_all(run, &ending);
	/* A report that was not stored must not name an id, and says why. */
	if (run->problem || ending.report == NULL)
		ending.report = make(arg);
	return ending.report;
}

const char *
sa_run_problem(const SaRun *run)
{
	return run->problem;
}

int
sa_run_nsteps(const SaRun *run)
{
	return list_length(run->steps);
}

const SaStep *
sa_run_get_step(const SaRun *run, int index)
{
	return list_nth(run->steps, index);
}

int64
sa_run_started_at(const SaRun *run)
{
	return run->started_at;
}
