/*
 * http_loop.c
 *	  Drives libcurl's multi interface by a wait event set, so that a process
 *	  that waits for a model can be cancelled, terminated, and ends with the
 *	  postmaster.
 *
 * Used by http.c only.  One transfer at a time; the handles live as long as
 * the process, which keeps connections open between calls.
 *
 * Inside libcurl's callbacks nothing is palloc'd and nothing raised: a longjmp
 * through libcurl would leave its handles in the middle of a change.  Signals
 * are blocked whenever libcurl runs: it resolves names in a thread, which must
 * inherit a blocked mask lest it run PostgreSQL's handlers.
 */
#include "postgres.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <unistd.h>

#include "libpq/pqsignal.h"
#include "miscadmin.h"
#include "storage/latch.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "base/wait.h"
#include "llm/http_loop.h"

/* Two address families at once, the resolver's wake-up, and some to spare. */
#define MAX_SOCKETS 16
#define NO_TIMER PG_INT64_MAX

typedef struct Watched
{
	curl_socket_t fd;
	uint32 events; /* WL_SOCKET_* */
} Watched;

static CURLM *multi = NULL;
static CURL *easy = NULL;
static bool in_flight = false;

/* What libcurl wants to be watched, and when it wants to be called. */
static Watched wanted[MAX_SOCKETS];
static int nwanted = 0;
static TimestampTz timer_at = NO_TIMER;
/* When the turn wants to be called, once. */
static TimestampTz wake_at = NO_TIMER;

/*
 * The set that was built last and what it watches.  It is good for the next
 * call too, unless a socket was opened or closed since: a closed descriptor
 * leaves the kernel's set silently, and its number may come back.
 */
static WaitEventSet *wait_set = NULL;
static Watched built[MAX_SOCKETS];
static int nbuilt = 0;
static bool sockets_changed = true;

static void
block_signals(sigset_t *saved)
{
	sigprocmask(SIG_SETMASK, &BlockSig, saved);
}

static void
unblock_signals(const sigset_t *saved)
{
	sigprocmask(SIG_SETMASK, saved, NULL);
}

static uint32
wait_events(int what)
{
	switch (what)
	{
		case CURL_POLL_IN:
			return WL_SOCKET_READABLE;
		case CURL_POLL_OUT:
			return WL_SOCKET_WRITEABLE;
		case CURL_POLL_INOUT:
			return WL_SOCKET_READABLE | WL_SOCKET_WRITEABLE;
		default:
			return 0;
	}
}

/* CURLMOPT_SOCKETFUNCTION */
static int
on_socket(CURL *handle, curl_socket_t fd, int what, void *arg, void *socket_arg)
{
	uint32 events = wait_events(what);
	int i;

	for (i = 0; i < nwanted && wanted[i].fd != fd; i++)
		;
	if (events == 0)
	{
		if (i < nwanted)
			wanted[i] = wanted[--nwanted];
		return 0;
	}
	if (i == MAX_SOCKETS)
		return -1; /* aborts the transfer */
	wanted[i].fd = fd;
	wanted[i].events = events;
	if (i == nwanted)
		nwanted++;
	return 0;
}

/* CURLMOPT_TIMERFUNCTION */
static int
on_timer(CURLM *handle, long ms, void *arg)
{
	timer_at = ms < 0 ? NO_TIMER
					  : TimestampTzPlusMilliseconds(GetCurrentTimestamp(), ms);
	return 0;
}

static bool
is_forbidden_ipv4(uint32 ip)
{
	return (ip >> 24) == 0 ||	   /* unspecified */
		   (ip >> 16) == 0xA9FE || /* link-local: metadata services */
		   (ip >> 28) >= 0xE;	   /* multicast, reserved */
}

/* Refused always: what only attacks on the server's own network lead to. */
static bool
is_forbidden_address(const struct sockaddr *address)
{
	if (address->sa_family == AF_INET)
	{
		const struct sockaddr_in *ipv4 = (const void *) address;

		return is_forbidden_ipv4(ntohl(ipv4->sin_addr.s_addr));
	}
	if (address->sa_family == AF_INET6)
	{
		static const uint8 aws_metadata[16] = {
			0xFD, 0, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54};
		const struct sockaddr_in6 *ipv6 = (const void *) address;
		const struct in6_addr *ip = &ipv6->sin6_addr;

		if (IN6_IS_ADDR_V4MAPPED(ip) || IN6_IS_ADDR_V4COMPAT(ip))
		{
			uint32 ipv4;

			memcpy(&ipv4, ip->s6_addr + 12, sizeof(ipv4));
			return !IN6_IS_ADDR_LOOPBACK(ip) && is_forbidden_ipv4(ntohl(ipv4));
		}
		return memcmp(ip->s6_addr, aws_metadata, sizeof(aws_metadata)) == 0 ||
			   IN6_IS_ADDR_UNSPECIFIED(ip) || IN6_IS_ADDR_LINKLOCAL(ip) ||
			   IN6_IS_ADDR_MULTICAST(ip);
	}
	return true;
}

/* CURLOPT_OPENSOCKETFUNCTION */
static curl_socket_t
on_open(void *arg, curlsocktype purpose, struct curl_sockaddr *address)
{
	curl_socket_t fd;

	sockets_changed = true;
	if (is_forbidden_address(&address->addr))
		return CURL_SOCKET_BAD;
	fd = socket(address->family, address->socktype, address->protocol);
	if (fd != CURL_SOCKET_BAD)
		(void) fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

/* CURLOPT_CLOSESOCKETFUNCTION */
static int
on_close(void *arg, curl_socket_t fd)
{
	sockets_changed = true;
	return close(fd);
}

static void
out_of_memory(void)
{
	ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory"),
					errdetail("An HTTP connection could not be set up.")));
}

/*
 * Start libcurl in this process.  Never in the postmaster: its state, and that
 * of the TLS library, is a process's own.
 */
static void
start_libcurl(void)
{
	static bool started = false;
	const curl_version_info_data *version = curl_version_info(CURLVERSION_NOW);

	if (started)
		return;
	if (!(version->features & CURL_VERSION_ASYNCHDNS))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("libcurl %s cannot be used", version->version),
				 errdetail("It resolves names without a time limit."),
				 errhint("Use a libcurl that was built with its threaded "
						 "resolver or with c-ares.")));
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		out_of_memory();
	started = true;
}

static void
start_multi(void)
{
	multi = curl_multi_init();
	if (multi == NULL)
		out_of_memory();
	curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
	curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
	curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 4L);
}

CURL *
sa_http_loop_begin(void)
{
	sigset_t saved;

	sa_http_loop_abandon();
	block_signals(&saved);
	start_libcurl();
	if (multi == NULL)
		start_multi();
	if (easy == NULL)
		easy = curl_easy_init();
	if (easy == NULL)
		out_of_memory();
	curl_easy_reset(easy);
	curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_open);
	curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, on_close);
	unblock_signals(&saved);
	return easy;
}

void
sa_http_loop_abandon(void)
{
	sigset_t saved;

	if (!in_flight)
		return;
	in_flight = false;
	block_signals(&saved);
	curl_multi_remove_handle(multi, easy);
	unblock_signals(&saved);
}

void
sa_http_loop_close(void)
{
	sigset_t saved;

	sa_http_loop_abandon();
	block_signals(&saved);
	if (easy)
		curl_easy_cleanup(easy);
	if (multi)
		curl_multi_cleanup(multi);
	unblock_signals(&saved);
	easy = NULL;
	multi = NULL;
	nwanted = 0;
	timer_at = NO_TIMER;
	if (wait_set)
		FreeWaitEventSet(wait_set);
	wait_set = NULL;
}

/* Let libcurl work on a socket, or (CURL_SOCKET_TIMEOUT) on what is due. */
static void
act(curl_socket_t fd, int mask)
{
	sigset_t saved;
	int running;

	block_signals(&saved);
	if (fd == CURL_SOCKET_TIMEOUT)
		timer_at = NO_TIMER;
	curl_multi_socket_action(multi, fd, mask, &running);
	unblock_signals(&saved);
}

/* Whether the transfer has ended, and how. */
static bool
is_done(CURLcode *result)
{
	CURLMsg *message;
	int left;
	sigset_t saved;

	while ((message = curl_multi_info_read(multi, &left)) != NULL)
	{
		if (message->msg != CURLMSG_DONE)
			continue;
		*result = message->data.result;
		block_signals(&saved);
		curl_multi_remove_handle(multi, easy);
		unblock_signals(&saved);
		in_flight = false;
		return true;
	}
	return false;
}

static bool
set_is_current(void)
{
	return wait_set != NULL && !sockets_changed && nbuilt == nwanted &&
		   memcmp(built, wanted, nwanted * sizeof(Watched)) == 0;
}

static void
build_set(void)
{
	if (wait_set)
		FreeWaitEventSet(wait_set);
	wait_set = NULL;
	wait_set = sa_create_wait_event_set(MAX_SOCKETS + 2);
	AddWaitEventToSet(wait_set, WL_LATCH_SET, PGINVALID_SOCKET, MyLatch, NULL);
	AddWaitEventToSet(wait_set, WL_EXIT_ON_PM_DEATH, PGINVALID_SOCKET, NULL,
					  NULL);
	for (int i = 0; i < nwanted; i++)
		AddWaitEventToSet(wait_set, wanted[i].events, wanted[i].fd, NULL, NULL);
	memcpy(built, wanted, sizeof(built));
	nbuilt = nwanted;
	sockets_changed = false;
}

/* Wait for a socket, the latch or a time, and let libcurl go on. */
static void
wait_and_act(TimestampTz deadline)
{
	WaitEvent events[MAX_SOCKETS + 2];
	TimestampTz until = Min(Min(timer_at, wake_at), deadline);
	long ms = TimestampDifferenceMilliseconds(GetCurrentTimestamp(), until);
	int n;

	wake_at = NO_TIMER;
	if (!set_is_current())
		build_set();
	n = WaitEventSetWait(wait_set, ms, events, lengthof(events),
						 sa_wait_event_http());
	for (int i = 0; i < n; i++)
	{
		if (events[i].events & WL_LATCH_SET)
		{
			ResetLatch(MyLatch);
			sa_wait_check();
		}
		if (events[i].events & WL_SOCKET_MASK)
			act(events[i].fd,
				(events[i].events & WL_SOCKET_READABLE ? CURL_CSELECT_IN : 0) |
					(events[i].events & WL_SOCKET_WRITEABLE ? CURL_CSELECT_OUT
															: 0));
	}
	if (timer_at != NO_TIMER && GetCurrentTimestamp() >= timer_at)
		act(CURL_SOCKET_TIMEOUT, 0);
}

void
sa_http_loop_wake(int64 at)
{
	wake_at = at;
}

CURLcode
sa_http_loop_run(int64 deadline, SaHttpTurn turn, void *arg)
{
	CURLcode result = CURLE_OK;
	sigset_t saved;

	sa_wait_check();
	block_signals(&saved);
	if (curl_multi_add_handle(multi, easy) != CURLM_OK)
		result = CURLE_FAILED_INIT;
	unblock_signals(&saved);
	if (result != CURLE_OK)
		return result;
	in_flight = true;
	act(CURL_SOCKET_TIMEOUT, 0);
	while (!is_done(&result))
	{
		if (!turn(arg))
			result = CURLE_ABORTED_BY_CALLBACK;
		else if (GetCurrentTimestamp() >= deadline)
			result = CURLE_OPERATION_TIMEDOUT;
		if (result != CURLE_OK)
		{
			sa_http_loop_abandon();
			return result;
		}
		wait_and_act(deadline);
	}
	return result;
}
