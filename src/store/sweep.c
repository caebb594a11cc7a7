/*
 * sweep.c
 *	  What is left over from workers that ended in the middle of a run: a crash
 *	  of the server, or a restored dump.
 *
 * Called by store/run.c.  A worker is known by its pid and by having begun
 * before the run, since pids come again.
 */
#include "postgres.h"

#include "base/spi.h"
#include "store/sweep.h"

#include "queries/queries.gen.h"

void
sa_sweep_runs(void)
{
	static bool done = false;

	if (done)
		return;
	(void) SA_QUERY0(SA_QUERY_RUN_SWEEP);
	(void) SA_QUERY0(SA_QUERY_APPROVAL_SWEEP);
	done = true;
}
