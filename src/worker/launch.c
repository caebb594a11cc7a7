/*
 * launch.c
 *	  The asker's side: start the session's worker, send it a request, pass on
 *	  what it says, and let go of it when the asker cancels.
 *
 * There is at most one worker in use.  It belongs to the role that a run works
 * as: another role means another worker.  Letting go is detaching from the
 * segment, in whatever way this process comes to it (an error, the end of the
 * process): on_detach() then interrupts a worker that is busy, and the worker
 * ends itself when it finds the queues detached.
 */
#include "postgres.h"

#include <signal.h>

#include "libpq/pqformat.h"
#include "libpq/pqmq.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "storage/ipc.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "base/version.h"
#include "base/wait.h"
#include "worker/launch.h"
#include "worker/main.h"
#include "worker/role.h"
#include "worker/settings.h"

/* How long a statement may overrun its limit before its worker is given up. */
#define HANG_GRACE_MS 1000

/* How often the asker looks whether its worker hangs. */
#define HANG_CHECK_MS 500

typedef struct SessionWorker
{
	MemoryContext context; /* that all of this lives in */
	dsm_segment *segment;
	SaShared *shared;
	shm_mq_handle *requests;
	shm_mq_handle *replies;
	BackgroundWorkerHandle *handle;
	Oid role;
	pid_t pid;
} SessionWorker;

static SessionWorker *session_worker = NULL;

/*
 * Called in this process when it detaches, in whatever way: interrupt what the
 * worker is at, if it still runs.
 */
static void
on_detach(dsm_segment *segment, Datum arg)
{
	SessionWorker *worker = (SessionWorker *) DatumGetPointer(arg);
	pid_t pid;

	if (worker->handle && pg_atomic_read_u32(&worker->shared->busy) != 0 &&
		GetBackgroundWorkerPid(worker->handle, &pid) == BGWH_STARTED)
		(void) kill(pid, SIGINT);
}

/* The worker is not of this session any more; it ends by itself. */
static void
let_go(void)
{
	SessionWorker *worker = session_worker;

	session_worker = NULL;
	if (worker == NULL)
		return;
	dsm_detach(worker->segment);
	MemoryContextDelete(worker->context);
}

static void
no_worker_slot(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_RESOURCES),
			 errmsg("no free background worker slot"),
			 errdetail("Each session that asks has a worker of its own."),
			 errhint("Increase max_worker_processes, or lower "
					 "sqlagent.worker_idle_timeout so that idle workers end "
					 "sooner.")));
}

static void
register_worker(SessionWorker *worker)
{
	BackgroundWorker bgw = {0};
	pid_t pid;

	bgw.bgw_flags =
		BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION;
	bgw.bgw_start_time = BgWorkerStart_ConsistentState;
	bgw.bgw_restart_time = BGW_NEVER_RESTART;
	strlcpy(bgw.bgw_library_name, "sqlagent", BGW_MAXLEN);
	strlcpy(bgw.bgw_function_name, "sqlagent_worker_main", BGW_MAXLEN);
	snprintf(bgw.bgw_name, BGW_MAXLEN, "sqlagent worker for PID %d", MyProcPid);
	strlcpy(bgw.bgw_type, "sqlagent worker", BGW_MAXLEN);
	bgw.bgw_main_arg = UInt32GetDatum(dsm_segment_handle(worker->segment));
	bgw.bgw_notify_pid = MyProcPid;
	if (!RegisterDynamicBackgroundWorker(&bgw, &worker->handle))
		no_worker_slot();
	/* Only the pid is waited for: what goes wrong later is told by message. */
	if (WaitForBackgroundWorkerStartup(worker->handle, &pid) == BGWH_STARTED)
		worker->pid = pid;
}

static SessionWorker *
start_worker(Oid role)
{
	MemoryContext context = AllocSetContextCreate(
		CurrentMemoryContext, "sqlagent session worker", ALLOCSET_SMALL_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SessionWorker *worker = palloc0(sizeof(SessionWorker));

	worker->context = context;
	worker->role = role;
	worker->segment = dsm_create(sa_ipc_size(), 0);
	dsm_pin_mapping(worker->segment);
	worker->shared = sa_ipc_create(worker->segment);
	worker->shared->database = MyDatabaseId;
	worker->shared->role = role;
	/* From here on let_go() cleans up. */
	MemoryContextSetParent(context, TopMemoryContext);
	session_worker = worker;
	shm_mq_set_sender(sa_ipc_request_queue(worker->shared), MyProc);
	shm_mq_set_receiver(sa_ipc_reply_queue(worker->shared), MyProc);
	register_worker(worker);
	worker->requests = shm_mq_attach(sa_ipc_request_queue(worker->shared),
									 worker->segment, worker->handle);
	worker->replies = shm_mq_attach(sa_ipc_reply_queue(worker->shared),
									worker->segment, worker->handle);
	/* Registered last, hence called first: the cancel precedes the detach. */
	on_dsm_detach(worker->segment, on_detach, PointerGetDatum(worker));
	MemoryContextSwitchTo(old);
	return worker;
}

/*
 * A statement that cannot be interrupted holds its worker, but not the asker.
 * Nothing stronger than a signal is sent: killing the process would restart the
 * whole server.
 */
static void
check_hang(SessionWorker *worker)
{
	TimestampTz deadline = pg_atomic_read_u64(&worker->shared->deadline);

	if (deadline == 0 || !TimestampDifferenceExceeds(
							 deadline, GetCurrentTimestamp(), HANG_GRACE_MS))
		return;
	ereport(LOG, (errmsg("sqlagent worker with PID %d does not stop",
						 (int) worker->pid),
				  errdetail("The statement that it runs is past its time limit "
							"and does not react to a cancel.")));
	ereport(
		ERROR,
		(errcode(ERRCODE_QUERY_CANCELED),
		 errmsg("a generated statement does not stop at its time limit"),
		 errdetail("The worker with PID %d was given up.", (int) worker->pid),
		 errhint("It ends when the function that it is in returns.")));
}

/* The next message of the worker; false when the worker is gone. */
static bool
receive(SessionWorker *worker, StringInfo message)
{
	for (;;)
	{
		Size len;
		void *data;
		shm_mq_result result =
			shm_mq_receive(worker->replies, &len, &data, true);

		if (result == SHM_MQ_DETACHED)
			return false;
		if (result == SHM_MQ_SUCCESS)
		{
			resetStringInfo(message);
			appendBinaryStringInfo(message, data, len);
			return true;
		}
		(void) WaitLatch(MyLatch,
						 WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
						 HANG_CHECK_MS, sa_wait_event_worker());
		ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
		check_hang(worker);
	}
}

/* What came back of a request. */
typedef struct Reply
{
	bool accepted; /* the worker took it */
	bool ready;	   /* and may take another */
	char *answer;
	ErrorData *error;
} Reply;

static void
take_message(StringInfo message, Reply *reply)
{
	ErrorData notice;

	switch (pq_getmsgbyte(message))
	{
		case SA_MSG_ACCEPTED:
			reply->accepted = true;
			break;
		case SA_MSG_ANSWER:
			reply->answer = pstrdup(pq_getmsgrawstring(message));
			break;
		case SA_MSG_READY:
			reply->ready = true;
			break;
		case 'N':
			pq_parse_errornotice(message, &notice);
			ThrowErrorData(&notice);
			break;
		case 'E':
			reply->error = palloc(sizeof(ErrorData));
			pq_parse_errornotice(message, reply->error);
			reply->error->elevel = ERROR;
			break;
		default:
			break; /* other protocol messages are of no interest */
	}
}

/*
 * Send a request to the session's worker and take what it says until it is
 * ready for the next one, or gone.
 */
static void
converse(SessionWorker *worker, StringInfo request, Reply *reply)
{
	StringInfoData message;

	memset(reply, 0, sizeof(Reply));
	initStringInfo(&message);
	pg_atomic_write_u32(&worker->shared->busy, 1);
	/* A worker that is gone may have left a last message. */
	(void) shm_mq_send(worker->requests, request->len, request->data, false,
					   true);
	/* What was looked up in the catalog so far shall hold back no VACUUM. */
	InvalidateCatalogSnapshotConditionally();
	while (!reply->ready && receive(worker, &message))
		take_message(&message, reply);
	if (reply->ready)
		pg_atomic_write_u32(&worker->shared->busy, 0);
	else
		let_go();
	pfree(message.data);
}

/* The worker for this role; another role's is let go. */
static SessionWorker *
worker_for(Oid role, bool *reused)
{
	if (session_worker && session_worker->role != role)
		let_go();
	*reused = session_worker != NULL;
	return *reused ? session_worker : start_worker(role);
}

static void
serve(Oid role, StringInfo request, Reply *reply)
{
	bool reused;

	/* An old worker that took nothing has just ended by its idle timeout. */
	do
	{
		converse(worker_for(role, &reused), request, reply);
	} while (!reply->accepted && reused);
}

char *
sa_launch_request(SaAskRequest *request)
{
	Oid role;
	StringInfoData message;
	Reply reply;

	sa_version_check();
	role = sa_role_for_run();
	request->asker = GetUserNameFromId(GetUserId(), false);
	initStringInfo(&message);
	sa_ipc_write_request(&message, request);
	sa_settings_write(&message);
	/*
	 * A cancel must reach the worker now, not when some context is reset: hence
	 * PG_TRY.
	 */
	PG_TRY();
	{
		serve(role, &message, &reply);
	}
	PG_CATCH();
	{
		let_go();
		PG_RE_THROW();
	}
	PG_END_TRY();
	if (reply.error)
		ThrowErrorData(reply.error);
	if (reply.answer == NULL)
		ereport(ERROR, (errcode(ERRCODE_CONNECTION_FAILURE),
						errmsg("lost the sqlagent worker of this session"),
						errhint("The server's log may say more.")));
	return reply.answer;
}
