/*
 * thread.c
 *	  Threads: conversations, whose runs know of each other.
 *
 * Called by the agent, as the owner of the extension; hence the asker is
 * compared here, where row-level security does not do it.
 */
#include "postgres.h"

#include "access/xlog.h"

#include "base/spi.h"
#include "store/thread.h"

#include "queries/queries.gen.h"

int64
sa_thread_create(const char *owner, const char *title)
{
	int64 id;

	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot begin a thread on a standby server"),
				 errhint("Questions without a thread can be asked here.")));
	sa_tx_begin(SA_TX_OWNER_SYNC);
	(void) SA_QUERY(SA_QUERY_THREAD_CREATE, sa_arg_text(owner),
					sa_arg_text(title));
	id = sa_row_int8(0, 1);
	sa_tx_commit();
	return id;
}

static SaThreadRun *
read_run(int row)
{
	SaThreadRun *run = palloc0(sizeof(SaThreadRun));

	run->question = sa_row_text(row, 1);
	run->refused = strcmp(sa_row_text(row, 2), "refused") == 0;
	run->sql = sa_row_text(row, 3);
	run->columns = sa_row_text(row, 4);
	run->local = sa_row_bool(row, 5);
	run->words = sa_row_text(row, 6);
	run->rows = sa_row_text(row, 7);
	return run;
}

List *
sa_thread_load(int64 thread, const char *asker, int limit)
{
	List *runs = NIL;
	int count;

	sa_tx_begin(SA_TX_OWNER);
	if (SA_QUERY("SELECT FROM sqlagent.threads WHERE id = $1 AND owner = $2",
				 sa_arg_int8(thread), sa_arg_text(asker)) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("thread " INT64_FORMAT " does not exist", thread),
				 errdetail("Role \"%s\" has no thread with this id.", asker),
				 errhint("SELECT sqlagent.new_thread() begins one.")));
	count = SA_QUERY(SA_QUERY_THREAD_RUNS, sa_arg_int8(thread),
					 sa_arg_text(asker), sa_arg_int4(limit));
	for (int i = 0; i < count; i++)
		runs = lappend(runs, read_run(i));
	sa_tx_commit();
	return runs;
}
