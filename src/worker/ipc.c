/*
 * ipc.c
 *	  What an asker's backend and its session worker share and say: layout of
 *	  the shared memory, encoding of a request.
 */
#include "postgres.h"

#include "libpq/pqformat.h"
#include "miscadmin.h"

#include "worker/ipc.h"

#define IPC_MAGIC 0x5a61676e

/* Longer messages go through in pieces. */
#define QUEUE_SIZE ((Size) 65536)

Size
sa_ipc_size(void)
{
	return MAXALIGN(sizeof(SaShared)) + 2 * QUEUE_SIZE;
}

static char *
queue_address(SaShared *shared, int number)
{
	return (char *) shared + MAXALIGN(shared->size) + number * QUEUE_SIZE;
}

SaShared *
sa_ipc_create(dsm_segment *segment)
{
	SaShared *shared = dsm_segment_address(segment);

	memset(shared, 0, sizeof(SaShared));
	shared->magic = IPC_MAGIC;
	shared->size = sizeof(SaShared);
	strlcpy(shared->version, SQLAGENT_VERSION, SA_VERSION_SIZE);
	shared->backend_pid = MyProcPid;
	pg_atomic_init_u32(&shared->busy, 0);
	pg_atomic_init_u64(&shared->deadline, 0);
	shm_mq_create(queue_address(shared, 0), QUEUE_SIZE);
	shm_mq_create(queue_address(shared, 1), QUEUE_SIZE);
	return shared;
}

SaShared *
sa_ipc_attach(dsm_segment *segment)
{
	SaShared *shared = dsm_segment_address(segment);

	return shared->magic == IPC_MAGIC ? shared : NULL;
}

void
sa_ipc_check_version(const SaShared *shared)
{
	if (shared->size == sizeof(SaShared) &&
		strncmp(shared->version, SQLAGENT_VERSION, SA_VERSION_SIZE) == 0)
		return;
	ereport(
		ERROR,
		(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
		 errmsg("sqlagent's library was replaced since this session loaded it"),
		 errdetail("The session has version %.*s, its worker version %s.",
				   SA_VERSION_SIZE, shared->version, SQLAGENT_VERSION),
		 errhint("Reconnect: a new session loads the installed version.")));
}

shm_mq *
sa_ipc_request_queue(SaShared *shared)
{
	return (shm_mq *) queue_address(shared, 0);
}

shm_mq *
sa_ipc_reply_queue(SaShared *shared)
{
	return (shm_mq *) queue_address(shared, 1);
}

void
sa_ipc_write_request(StringInfo out, const SaAskRequest *request)
{
	pq_sendint32(out, request->kind);
	pq_sendint32(out, request->verb);
	pq_sendint64(out, request->thread);
	pq_sendbyte(out, request->args != NULL);
	appendBinaryStringInfo(out, request->asker, strlen(request->asker) + 1);
	appendBinaryStringInfo(out, request->question,
						   strlen(request->question) + 1);
	if (request->args)
		appendBinaryStringInfo(out, request->args, strlen(request->args) + 1);
}

SaAskRequest *
sa_ipc_read_request(StringInfo in)
{
	SaAskRequest *request = palloc0(sizeof(SaAskRequest));
	bool has_args;

	request->kind = pq_getmsgint(in, 4);
	request->verb = pq_getmsgint(in, 4);
	request->thread = pq_getmsgint64(in);
	has_args = pq_getmsgbyte(in);
	request->asker = pstrdup(pq_getmsgrawstring(in));
	request->question = pstrdup(pq_getmsgrawstring(in));
	if (has_args)
		request->args = pstrdup(pq_getmsgrawstring(in));
	return request;
}
