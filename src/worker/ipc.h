/*
 * ipc.h
 *	  What an asker's backend and its session worker share and say.
 *
 * One segment of dynamic shared memory holds SaShared and two queues.  The
 * backend writes requests, the worker answers each with
 *
 *	SA_MSG_ACCEPTED		the request was taken (a worker that idles out just
 *						then takes none, and the request is sent to another)
 *	'N'					any number of notices, as protocol messages
 *	'E' or SA_MSG_ANSWER
 *	SA_MSG_READY		the next request may come
 *
 * Errors and notices are protocol messages since pq_redirect_to_shm_mq() makes
 * them by itself: SQLSTATE, detail and hint survive.
 */
#ifndef SA_IPC_H
#define SA_IPC_H

#include "datatype/timestamp.h"
#include "lib/stringinfo.h"
#include "port/atomics.h"
#include "storage/dsm.h"
#include "storage/shm_mq.h"

#define SA_MSG_ACCEPTED '1'
#define SA_MSG_ANSWER 'A'
#define SA_MSG_READY 'Z'

#define SA_VERSION_SIZE 32

/*
 * Written by the backend before the worker starts, unless said otherwise.  The
 * first three members stay where they are in all versions: a worker loads the
 * library that is installed when it starts, a backend has the one of its first
 * use.
 */
typedef struct SaShared
{
	uint32 magic;
	uint32 size; /* of this, as the backend knows it */
	char version[SA_VERSION_SIZE];
	Oid database;
	Oid role; /* that the worker connects as */
	pid_t backend_pid;
	pg_atomic_uint32 busy;	   /* a request is being served; both */
	pg_atomic_uint64 deadline; /* TimestampTz until which a statement may run,
								* 0 = none runs; written by the worker */
} SaShared;

extern Size sa_ipc_size(void);
/* Lay out a new segment. */
extern SaShared *sa_ipc_create(dsm_segment *segment);
/* Find what sa_ipc_create laid out; NULL when it is no such segment. */
extern SaShared *sa_ipc_attach(dsm_segment *segment);
/* Raises when another version of the library laid it out. */
extern void sa_ipc_check_version(const SaShared *shared);
extern shm_mq *sa_ipc_request_queue(SaShared *shared);
extern shm_mq *sa_ipc_reply_queue(SaShared *shared);

typedef enum SaRequestKind
{
	SA_REQUEST_RUN,
	SA_REQUEST_PROMPT,
	SA_REQUEST_TOOL,
	SA_REQUEST_COMMAND
} SaRequestKind;

/* What is asked of a worker. */
typedef struct SaAskRequest
{
	SaRequestKind kind;
	int verb;			  /* SaVerb, of a run */
	const char *asker;	  /* name of the role that asks */
	const char *question; /* or name of the tool or command */
	const char *args;	  /* of the tool or command, JSON text; what a verb
						   * takes beside the question; or NULL */
	int64 thread;
} SaAskRequest;

extern void sa_ipc_write_request(StringInfo out, const SaAskRequest *request);
/* Leaves the cursor behind the request, where the settings follow. */
extern SaAskRequest *sa_ipc_read_request(StringInfo in);

#endif /* SA_IPC_H */
