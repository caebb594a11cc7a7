/*
 * sweep.c
 *	  What is left over from workers that ended in the middle of a run: killed,
 *	  a crash of the server, or a restored dump.
 *
 * Called by store/run.c.  A worker is known by its pid and its start, since
 * pids come again.
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "base/spi.h"
#include "store/sweep.h"

#include "queries/queries.gen.h"

/* A worker sweeps with its first run, and then no more often than this. */
#define SWEEP_INTERVAL_MS 60000

void
sa_sweep_runs(void)
{
	static TimestampTz last = 0;
	TimestampTz now = GetCurrentTimestamp();

	if (last != 0 && !TimestampDifferenceExceeds(last, now, SWEEP_INTERVAL_MS))
		return;
	(void) SA_QUERY0(SA_QUERY_RUN_SWEEP);
	(void) SA_QUERY0(SA_QUERY_APPROVAL_SWEEP);
	last = now;
}
