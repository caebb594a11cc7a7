/*
 * main.c
 *	  The session worker: connects as the asker, serves one request after the
 *	  other, and ends when nobody asks any more.
 *
 * Started by launch.c.  It is a session of the asker in every respect:
 * session_user is the asker, so that RESET ROLE leads nowhere.
 */
#include "postgres.h"

#include "libpq/pqformat.h"
#include "libpq/pqmq.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "postmaster/interrupt.h"
#include "storage/ipc.h"
#include "storage/proc.h"
#include "storage/procsignal.h"
#include "tcop/tcopprot.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/ps_status.h"
#include "utils/timestamp.h"

#include "agent/command.h"
#include "agent/loop.h"
#include "agent/tool.h"
#include "agent/verb.h"
#include "base/compat.h"
#include "base/guc.h"
#include "base/spi.h"
#include "base/wait.h"
#include "db/sandbox.h"
#include "llm/client.h"
#include "worker/ipc.h"
#include "worker/main.h"
#include "worker/settings.h"

static SaShared *shared;
static shm_mq_handle *requests;
static emit_log_hook_type previous_log_hook;

/*
 * What goes to the asker is logged by the asker's backend as its own settings
 * say, not here a second time.
 */
static void
log_only_own_end(ErrorData *error)
{
	if (error->output_to_client && error->elevel < FATAL)
		error->output_to_server = false;
	if (previous_log_hook)
		previous_log_hook(error);
}

/*
 * Nobody waits for an answer any more: end without a word.  Called while a
 * request is served, so that there is no other request in the queue.
 */
static void
end_if_alone(void)
{
	Size len;
	void *data;

	if (shm_mq_receive(requests, &len, &data, true) == SHM_MQ_DETACHED)
		proc_exit(0);
}

static void
set_activity(const char *state)
{
	pgstat_report_activity(state ? STATE_RUNNING : STATE_IDLE, state);
	set_ps_display(state ? "running" : "idle");
}

static void
statement_notice(void *arg, const SaResult *result)
{
	if (sa_guc_trace == SA_TRACE_OFF)
		return;
	if (result->error)
		ereport(NOTICE, (errmsg("SQL: %s", result->sql),
						 errdetail("It failed: %s", result->error->message)));
	else
		ereport(NOTICE,
				(errmsg("SQL: %s", result->sql),
				 result->truncated
					 ? errdetail("The first %d rows were read; there are more.",
								 result->nrows)
					 : errdetail_plural("%d row.", "%d rows.", result->nrows,
										result->nrows)));
}

static void
step_notice(void *arg, int step, const char *what)
{
	if (sa_guc_trace == SA_TRACE_STEPS)
		ereport(NOTICE, (errmsg("step %d: %s", step, what)));
}

static const SaSink sink = {statement_notice, step_notice, NULL};

static SaTask *
make_task(const SaAskRequest *request)
{
	SaTask *task = palloc0(sizeof(SaTask));

	task->verb = request->verb;
	task->question = request->question;
	task->args = request->args;
	task->thread = request->thread;
	task->asker = request->asker;
	return task;
}

static char *
serve_run(const SaAskRequest *request)
{
	SaAnswer *answer = sa_loop_run(make_task(request), &sink);

	end_if_alone();
	return sa_verb_give(answer);
}

static char *
serve_request(const SaAskRequest *request)
{
	sa_tool_set_caller(request->asker, NULL);
	switch (request->kind)
	{
		case SA_REQUEST_RUN:
			return serve_run(request);
		case SA_REQUEST_PROMPT:
			return sa_loop_show_prompt(make_task(request));
		case SA_REQUEST_COMMAND:
			return sa_command_call(request->question, request->args,
								   request->asker, &sink);
		case SA_REQUEST_TOOL:
			return sa_tool_json(sa_tool_call(request->question, request->args,
											 SA_OFFER_PERSON));
	}
	elog(ERROR, "unknown request %d", request->kind);
	return NULL; /* keep the compiler quiet */
}

static void
send_message(char type, const char *text)
{
	StringInfoData message;

	pq_beginmessage(&message, type);
	if (text)
		pq_sendbytes(&message, text, strlen(text) + 1);
	pq_endmessage(&message);
}

static void
serve_and_answer(StringInfo message)
{
	SaAskRequest *request = sa_ipc_read_request(message);
	char *answer;

	sa_settings_apply(message);
	set_activity("sqlagent run");
	answer = serve_request(request);
	send_message(SA_MSG_ANSWER, answer);
}

/* One request; what it raises goes to the asker. */
static void
serve(const void *data, Size len, MemoryContext context)
{
	StringInfoData message;

	MemoryContextSwitchTo(context);
	send_message(SA_MSG_ACCEPTED, NULL);
	initStringInfo(&message);
	appendBinaryStringInfo(&message, data, len);
	PG_TRY();
	{
		serve_and_answer(&message);
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		EmitErrorReport();
		FlushErrorState();
		sa_tx_abort();
	}
	PG_END_TRY();
	set_activity(NULL);
	send_message(SA_MSG_READY, NULL);
	MemoryContextSwitchTo(TopMemoryContext);
	MemoryContextReset(context);
}

/*
 * The next request; false when none came in time or none will come.  The first
 * one is under way when the worker starts, however long the asker takes to send
 * it: only its detaching ends that wait.
 */
static bool
next_request(bool is_first, Size *len, void **data)
{
	TimestampTz until = TimestampTzPlusMilliseconds(GetCurrentTimestamp(),
													sa_guc_worker_idle_timeout);

	for (;;)
	{
		shm_mq_result result = shm_mq_receive(requests, len, data, true);
		long wait;

		if (result != SHM_MQ_WOULD_BLOCK)
			return result == SHM_MQ_SUCCESS;
		wait = is_first ? INT_MAX
						: TimestampDifferenceMilliseconds(GetCurrentTimestamp(),
														  until);
		if (wait <= 0)
			return false;
		(void) WaitLatch(MyLatch,
						 WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, wait,
						 sa_wait_event_idle());
		ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
		if (ConfigReloadPending)
		{
			ConfigReloadPending = false;
			ProcessConfigFile(PGC_SIGHUP);
		}
	}
}

static void
attach(uint32 handle)
{
	dsm_segment *segment = dsm_attach(handle);

	if (segment == NULL)
		proc_exit(0); /* the asker is gone already */
	shared = sa_ipc_attach(segment);
	if (shared == NULL)
		ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						errmsg("bad magic number in shared memory segment")));
	dsm_pin_mapping(segment);
	shm_mq_set_receiver(sa_ipc_request_queue(shared), MyProc);
	shm_mq_set_sender(sa_ipc_reply_queue(shared), MyProc);
	requests = shm_mq_attach(sa_ipc_request_queue(shared), segment, NULL);
	/* From here on errors and notices go to the asker. */
	pq_redirect_to_shm_mq(
		segment, shm_mq_attach(sa_ipc_reply_queue(shared), segment, NULL));
	sa_ipc_check_version(shared);
}

void
sqlagent_worker_main(Datum arg)
{
	MemoryContext context;
	bool is_first = true;
	Size len;
	void *data;

	pqsignal(SIGTERM, die);
	pqsignal(SIGHUP, SignalHandlerForConfigReload);
	BackgroundWorkerUnblockSignals();
	CurrentResourceOwner = ResourceOwnerCreate(NULL, "sqlagent worker");
	attach(DatumGetUInt32(arg));
	previous_log_hook = emit_log_hook;
	emit_log_hook = log_only_own_end;
	BackgroundWorkerInitializeConnectionByOid(shared->database, shared->role,
											  SA_WORKER_FLAGS);
	/* Messages travel to a backend of the same server: no conversion. */
	(void) SetClientEncoding(GetDatabaseEncoding());
	sa_wait_hook = end_if_alone;
	sa_sandbox_deadline = &shared->deadline;
	sa_sandbox_init();
	context = AllocSetContextCreate(TopMemoryContext, "sqlagent run",
									ALLOCSET_DEFAULT_SIZES);
	set_activity(NULL);
	while (next_request(is_first, &len, &data))
	{
		is_first = false;
		serve(data, len, context);
		if (sa_guc_worker_idle_timeout == 0)
			break;
	}
	sa_client_close();
	proc_exit(0);
}
