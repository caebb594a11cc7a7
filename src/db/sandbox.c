/*
 * sandbox.c
 *	  The room in which a generated statement is analysed, planned and run.
 *
 * Called by db/query and db/call only.  Analysis and planning already run functions, so
 * the room is opened before the text is parsed.  What happens in it must not
 * outlive it: the transaction is rolled back, also after success, and session
 * locks, which survive a rollback, are released.
 */
#include "postgres.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "jit/jit.h"
#include "miscadmin.h"
#include "optimizer/cost.h"
#include "storage/lock.h"
#include "storage/proc.h"
#include "utils/guc.h"
#include "utils/rls.h"
#include "utils/timeout.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "base/guc.h"
#include "base/spi.h"
#include "db/guard_watch.h"
#include "db/sandbox.h"

/*
 * A lock that the waiting asker holds is a deadlock that the server does not
 * see, so no lock is waited for long.
 */
#define LOCK_TIMEOUT_MS 2000
#define TEMP_FILE_LIMIT_KB (256 * 1024)
#define WORK_MEM_LIMIT_KB (64 * 1024)

/* A function that swallows the cancel is cancelled again and again. */
#define CANCEL_AGAIN_MS 500

/* Settings that must not be above a limit while a statement runs. */
static const struct
{
	const char *name;
	const int *variable;
	int limit;
	int unlimited; /* the value that means no limit; -2 when there is none */
	const char *value;
	bool always; /* also between statements */
} bounded_settings[] = {
	{"lock_timeout", &LockTimeout, LOCK_TIMEOUT_MS, 0, "2000", true},
	{"temp_file_limit", &temp_file_limit, TEMP_FILE_LIMIT_KB, -1, "262144",
	 false},
	{"work_mem", &work_mem, WORK_MEM_LIMIT_KB, -2, "65536", false},
	/* parallel workers do not inherit the limit of memory */
	{"max_parallel_workers_per_gather", &max_parallel_workers_per_gather, 0, -2,
	 "0", true},
};

/* Settings that have one right value. */
static const struct
{
	const char *name;
	const char *value;
} fixed_settings[] = {
	{"jit", "off"},			 {"row_security", "on"},
	{"DateStyle", "ISO"}, /* the order of day and month stays */
	{"bytea_output", "hex"}, {"extra_float_digits", "1"},
};

pg_atomic_uint64 *sa_sandbox_deadline = NULL;
int64 sa_sandbox_run_end = 0;

static TimeoutId statement_timeout_id;
static bool is_initialized = false;
static bool is_open = false;
static volatile sig_atomic_t time_is_up = false;
static rlim_t normal_data_limit;
static bool data_is_limited = false;

/* Like a cancel of the asker, but for the flag that tells them apart. */
static void
statement_timeout_handler(void)
{
	time_is_up = true;
	InterruptPending = true;
	QueryCancelPending = true;
	SetLatch(MyLatch);
}

static bool
is_above(int index)
{
	int value = *bounded_settings[index].variable;

	return value > bounded_settings[index].limit ||
		   value == bounded_settings[index].unlimited;
}

void
sa_sandbox_init(void)
{
	struct rlimit no_core = {0, 0};

	if (is_initialized)
		return;
	statement_timeout_id =
		RegisterTimeout(USER_TIMEOUT, statement_timeout_handler);
	sa_guard_watch_init();
	/* a core file would hold the key */
	(void) setrlimit(RLIMIT_CORE, &no_core);
	for (int i = 0; i < (int) lengthof(bounded_settings); i++)
		if (bounded_settings[i].always && is_above(i))
			SetConfigOption(bounded_settings[i].name, bounded_settings[i].value,
							PGC_SUSET, PGC_S_OVERRIDE);
	SetConfigOption("jit", "off", PGC_SUSET, PGC_S_OVERRIDE);
	SetConfigOption("default_transaction_read_only", "on", PGC_SUSET,
					PGC_S_OVERRIDE);
	is_initialized = true;
}

/* Private memory of this process in bytes, or 0 when that is not known. */
static uint64
data_size(void)
{
	char text[128];
	unsigned long data = 0;
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t len;

	if (fd < 0)
		return 0;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (len <= 0)
		return 0;
	text[len] = '\0';
	/* size resident shared text lib data dt, in pages */
	if (sscanf(text, "%*u %*u %*u %*u %*u %lu", &data) != 1)
		return 0;
	return (uint64) data * sysconf(_SC_PAGESIZE);
}

/*
 * Bound what the statement may allocate beyond what the process has now, so
 * that a bomb ends in an error and not in the out-of-memory killer, which
 * would take down the whole server.
 */
static void
limit_memory(void)
{
	struct rlimit limit;
	uint64 used = data_size();

	if (used == 0 || getrlimit(RLIMIT_DATA, &limit) != 0)
		return;
	normal_data_limit = limit.rlim_cur;
	limit.rlim_cur =
		Min(limit.rlim_max, used + (uint64) sa_guc_query_memory * 1024);
	data_is_limited = setrlimit(RLIMIT_DATA, &limit) == 0;
}

void
sa_sandbox_relax(void)
{
	struct rlimit limit;

	if (!data_is_limited)
		return;
	data_is_limited = false;
	if (getrlimit(RLIMIT_DATA, &limit) == 0)
	{
		limit.rlim_cur = normal_data_limit;
		(void) setrlimit(RLIMIT_DATA, &limit);
	}
}

static void
set_local(const char *name, const char *value)
{
	(void) set_config_option(name, value, PGC_SUSET, PGC_S_SESSION,
							 GUC_ACTION_LOCAL, true, 0, false);
}

static void
bound_settings(void)
{
	for (int i = 0; i < (int) lengthof(bounded_settings); i++)
		if (is_above(i))
			set_local(bounded_settings[i].name, bounded_settings[i].value);
	for (int i = 0; i < (int) lengthof(fixed_settings); i++)
		set_local(fixed_settings[i].name, fixed_settings[i].value);
}

static void
start_timer(void)
{
	TimestampTz deadline = TimestampTzPlusMilliseconds(GetCurrentTimestamp(),
													   sa_guc_query_timeout);

	if (sa_sandbox_run_end)
		deadline = Min(deadline, sa_sandbox_run_end);
	time_is_up = false;
	enable_timeout_every(statement_timeout_id, deadline, CANCEL_AGAIN_MS);
	if (sa_sandbox_deadline)
		pg_atomic_write_u64(sa_sandbox_deadline, (uint64) deadline);
}

static void
stop_timer(void)
{
	disable_timeout(statement_timeout_id, false);
	if (sa_sandbox_deadline)
		pg_atomic_write_u64(sa_sandbox_deadline, 0);
	/* ours must not cancel what comes next */
	if (time_is_up)
		QueryCancelPending = false;
}

void
sa_sandbox_begin(void)
{
	sa_sandbox_init();
	Assert(!is_open);
	is_open = true;
	start_timer();
	sa_tx_begin(SA_TX_SANDBOX);
	bound_settings();
	limit_memory();
}

void
sa_sandbox_end(void)
{
	if (!is_open)
		return;
	sa_tx_abort();
	/* locks of the session outlive the rollback */
	LockReleaseAll(USER_LOCKMETHOD, true);
	sa_sandbox_relax();
	stop_timer();
	is_open = false;
}

void
sa_sandbox_allow_writes(void)
{
	Assert(is_open);
	sa_tx_allow_writes();
}

void
sa_sandbox_commit(void)
{
	Assert(is_open);
	sa_tx_commit_sandbox();
}

bool
sa_sandbox_is_open(void)
{
	return is_open;
}

bool
sa_sandbox_timed_out(void)
{
	return time_is_up;
}

bool
sa_sandbox_run_is_over(void)
{
	return sa_sandbox_run_end != 0 &&
		   GetCurrentTimestamp() >= sa_sandbox_run_end;
}
