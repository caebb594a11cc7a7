/*
 * http.c
 *	  One HTTP POST: options, body, limits, and what went wrong.
 *
 * Called by client.c with no transaction open.  Follows no redirect, takes no
 * proxy and no password from the environment, verifies TLS always.  A failed
 * call is data, so that the client can try again; only an interrupt and a
 * forbidden URL are raised.
 *
 * What libcurl and malloc gave a call belongs to its memory context: a reset
 * callback gives it back, after an error too.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "base/guc.h"
#include "llm/http.h"
#include "llm/http_loop.h"

/* Far above what a model says; counted by us, whatever the headers claim. */
#define MAX_BODY ((size_t) 16 * 1024 * 1024)
/* A stream takes some 200 bytes for each token, and is not kept. */
#define MAX_STREAM ((size_t) 64 * 1024 * 1024)
#define MAX_HEADERS ((size_t) 256 * 1024)

/* How long a model has to be silent before the wait for it is used. */
#define IDLE_AFTER_MS 10
#define FIRST_BUFFER ((size_t) 16 * 1024)

typedef struct Call
{
	const SaHttpRequest *request;
	MemoryContext caller; /* for the hooks, what they make outlives the call */
	CURL *easy;
	struct curl_slist *headers;
	char *body; /* malloc'd: it grows inside a callback */
	size_t len;
	size_t capacity;
	size_t total; /* of body bytes that came */
	size_t limit;
	size_t header_bytes;
	bool too_large;
	bool stopped; /* the chunk hook wants no more */
	bool out_of_memory;
	bool went_out;
	bool idle_called;
	TimestampTz started;
	char error[CURL_ERROR_SIZE];
} Call;

/* How libcurl's results are told; what is not listed is the last row. */
static const struct
{
	CURLcode code;
	int sqlerrcode;
	bool passing;
	const char *message;
	const char *hint;
} failures[] = {
	{CURLE_COULDNT_RESOLVE_HOST,
	 ERRCODE_SQLCLIENT_UNABLE_TO_ESTABLISH_SQLCONNECTION, true,
	 "could not resolve the name of the model server",
	 "Check sqlagent.endpoint."},
	{CURLE_COULDNT_CONNECT, ERRCODE_SQLCLIENT_UNABLE_TO_ESTABLISH_SQLCONNECTION,
	 true, "could not connect to the model server",
	 "Check sqlagent.endpoint, and that the server runs."},
	{CURLE_PEER_FAILED_VERIFICATION,
	 ERRCODE_SQLSERVER_REJECTED_ESTABLISHMENT_OF_SQLCONNECTION, false,
	 "could not verify the certificate of the model server",
	 "A private certification authority can be set by sqlagent.ca_file."},
	{CURLE_SSL_CACERT_BADFILE, ERRCODE_CONFIG_FILE_ERROR, false,
	 "could not read the certification authorities",
	 "Check sqlagent.ca_file: a file in PEM format that the server can read."},
	{CURLE_SSL_CONNECT_ERROR,
	 ERRCODE_SQLCLIENT_UNABLE_TO_ESTABLISH_SQLCONNECTION, true,
	 "could not agree on TLS with the model server",
	 "Check whether sqlagent.endpoint shall begin with http or https."},
	{CURLE_URL_MALFORMAT, ERRCODE_INVALID_PARAMETER_VALUE, false,
	 "the URL of the model server is not valid", "Check sqlagent.endpoint."},
	{CURLE_UNSUPPORTED_PROTOCOL, ERRCODE_PROTOCOL_VIOLATION, false,
	 "the model server does not speak HTTP", NULL},
	{CURLE_WEIRD_SERVER_REPLY, ERRCODE_PROTOCOL_VIOLATION, false,
	 "the model server does not speak HTTP", NULL},
	{CURLE_GOT_NOTHING, ERRCODE_CONNECTION_FAILURE, true,
	 "the model server closed the connection without a response", NULL},
	{CURLE_OK, ERRCODE_CONNECTION_FAILURE, true,
	 "the connection to the model server broke", NULL},
};

/* CURLOPT_WRITEFUNCTION */
static size_t
on_body(char *data, size_t size, size_t count, void *arg)
{
	Call *call = arg;
	size_t bytes = size * count;

	if (bytes > call->limit - call->total || bytes > MAX_BODY - call->len)
	{
		call->too_large = true;
		return 0;
	}
	if (call->len + bytes + 1 > call->capacity)
	{
		size_t capacity = Max((call->len + bytes + 1) * 2, FIRST_BUFFER);
		char *bigger = realloc(call->body, capacity);

		if (bigger == NULL)
		{
			call->out_of_memory = true;
			return 0;
		}
		call->body = bigger;
		call->capacity = capacity;
	}
	memcpy(call->body + call->len, data, bytes);
	call->len += bytes;
	call->total += bytes;
	return bytes;
}

/* CURLOPT_HEADERFUNCTION: only counts. */
static size_t
on_header(char *data, size_t size, size_t count, void *arg)
{
	Call *call = arg;
	size_t bytes = size * count;

	call->header_bytes += bytes;
	if (call->header_bytes > MAX_HEADERS)
	{
		call->too_large = true;
		return 0;
	}
	return bytes;
}

/* The call that the process's handle refers to. */
static Call *current = NULL;

/* Reset callback of the call's context. */
static void
free_call(void *arg)
{
	Call *call = arg;

	if (current == call)
	{
		sa_http_loop_abandon();
		current = NULL;
	}
	for (struct curl_slist *at = call->headers; at; at = at->next)
		explicit_bzero(at->data, strlen(at->data));
	curl_slist_free_all(call->headers);
	free(call->body);
}

/* A call in CurrentMemoryContext, and freed with it. */
static Call *
new_call(const SaHttpRequest *request, MemoryContext caller)
{
	Call *call = palloc0(sizeof(Call));
	MemoryContextCallback *callback = palloc(sizeof(MemoryContextCallback));

	call->request = request;
	call->caller = caller;
	call->limit = request->chunk ? MAX_STREAM : MAX_BODY;
	call->started = GetCurrentTimestamp();
	callback->func = free_call;
	callback->arg = call;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, callback);
	return call;
}

static void
add_header(Call *call, const char *header)
{
	struct curl_slist *longer = curl_slist_append(call->headers, header);

	if (longer == NULL)
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory"),
						errdetail("An HTTP header could not be added.")));
	call->headers = longer;
}

static void
set_headers(Call *call)
{
	ListCell *lc;

	add_header(call, "Content-Type: application/json");
	/* Large requests would wait a second for a leave that few servers give. */
	add_header(call, "Expect:");
	foreach (lc, call->request->headers)
		add_header(call, lfirst(lc));
	curl_easy_setopt(call->easy, CURLOPT_HTTPHEADER, call->headers);
}

static void
set_options(Call *call)
{
	CURL *easy = call->easy;
	const SaHttpRequest *request = call->request;

	curl_easy_setopt(easy, CURLOPT_URL, request->url);
	curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
					 (curl_off_t) request->body_len);
	curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request->body);
	curl_easy_setopt(easy, CURLOPT_USERAGENT, "sqlagent/" SQLAGENT_VERSION);

	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, call);
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(easy, CURLOPT_HEADERDATA, call);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, call->error);
	/* No Accept-Encoding is sent, so nothing is unpacked for a bomb. */
	curl_easy_setopt(easy, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t) call->limit);

	/* The environment of the server is not the administrator's word. */
	curl_easy_setopt(easy, CURLOPT_PROXY, "");
	curl_easy_setopt(easy, CURLOPT_NETRC, (long) CURL_NETRC_IGNORED);
	/* A redirect would carry the question, and some headers, elsewhere. */
	curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");

	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
	curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long) CURL_SSLVERSION_TLSv1_2);
	if (sa_guc_ca_file && sa_guc_ca_file[0])
		curl_easy_setopt(easy, CURLOPT_CAINFO, sa_guc_ca_file);

	/* Else the resolver would use SIGALRM, and cleaning up wait for it. */
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
	curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
					 (long) sa_guc_connect_timeout);
}

static void
note_sent(Call *call)
{
	curl_off_t sent = 0;

	curl_easy_getinfo(call->easy, CURLINFO_SIZE_UPLOAD_T, &sent);
	call->went_out = sent >= (curl_off_t) call->request->body_len;
}

/*
 * The work that can be done while the model thinks: once it does.  A reply that
 * comes at once is not to wait for it.
 */
static void
be_idle(Call *call)
{
	TimestampTz due = TimestampTzPlusMilliseconds(call->started, IDLE_AFTER_MS);

	if (GetCurrentTimestamp() < due)
	{
		sa_http_loop_wake(due);
		return;
	}
	call->idle_called = true;
	call->request->idle(call->request->idle_arg);
}

/* Hand on what came of a stream. */
static void
hand_on(Call *call)
{
	long status = 0;
	char *content_type = NULL;

	if (call->request->chunk == NULL || call->len == 0 || call->stopped)
		return;
	curl_easy_getinfo(call->easy, CURLINFO_RESPONSE_CODE, &status);
	if (status < 200 || status > 299)
		return;
	curl_easy_getinfo(call->easy, CURLINFO_CONTENT_TYPE, &content_type);
	call->stopped = !call->request->chunk(call->request->chunk_arg,
										  content_type, call->body, call->len);
	call->len = 0;
}

/* SaHttpTurn */
static bool
on_turn(void *arg)
{
	Call *call = arg;
	MemoryContext mine = MemoryContextSwitchTo(call->caller);

	if (!call->went_out)
		note_sent(call);
	if (call->went_out && !call->idle_called && call->request->idle)
		be_idle(call);
	hand_on(call);
	MemoryContextSwitchTo(mine);
	return !call->stopped;
}

static const SaError *
timeout_failure(const Call *call, SaHttpResponse *response)
{
	long sent = 0;

	if (GetCurrentTimestamp() >= call->request->deadline)
		return sa_error_make(
			SA_ERROR_TIMEOUT, ERRCODE_QUERY_CANCELED,
			"the run's time limit was reached while the model worked", NULL,
			"sqlagent.run_timeout sets the limit.");
	curl_easy_getinfo(call->easy, CURLINFO_REQUEST_SIZE, &sent);
	if (sent == 0)
	{
		response->passing = true;
		return sa_error_make(
			SA_ERROR_CONNECTION,
			ERRCODE_SQLCLIENT_UNABLE_TO_ESTABLISH_SQLCONNECTION,
			"could not connect to the model server in time", NULL,
			"sqlagent.connect_timeout sets the limit.");
	}
	return sa_error_make(SA_ERROR_TIMEOUT, ERRCODE_QUERY_CANCELED,
						 "the model did not answer in time", NULL,
						 "sqlagent.request_timeout sets the limit.");
}

static const SaError *
failure_of(const Call *call, CURLcode code, SaHttpResponse *response)
{
	int i = 0;

	if (call->out_of_memory)
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory"),
						errdetail("The model server's response needs more.")));
	if (call->too_large || code == CURLE_FILESIZE_EXCEEDED)
		return sa_error_make(
			SA_ERROR_TOO_LARGE, ERRCODE_PROGRAM_LIMIT_EXCEEDED,
			"the model server's response is too large",
			call->header_bytes > MAX_HEADERS
				? psprintf("At most %zu kB of headers are taken.",
						   MAX_HEADERS / 1024)
				: psprintf("At most %zu MB are taken.",
						   call->limit / (1024 * 1024)),
			NULL);
	if (code == CURLE_OPERATION_TIMEDOUT)
		return timeout_failure(call, response);
	while (failures[i].code != code && failures[i].code != CURLE_OK)
		i++;
	response->passing = failures[i].passing;
	return sa_error_make(
		SA_ERROR_CONNECTION, failures[i].sqlerrcode, failures[i].message,
		call->error[0] ? call->error : curl_easy_strerror(code),
		failures[i].hint);
}

static void
take_response(const Call *call, SaHttpResponse *response)
{
	long status = 0;
	char *content_type = NULL;
	curl_off_t retry_after = 0;

	curl_easy_getinfo(call->easy, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_getinfo(call->easy, CURLINFO_CONTENT_TYPE, &content_type);
	curl_easy_getinfo(call->easy, CURLINFO_RETRY_AFTER, &retry_after);
	response->status = (int) status;
	response->content_type = content_type ? pstrdup(content_type) : NULL;
	response->retry_after =
		retry_after > 0 ? (int) Min(retry_after, PG_INT32_MAX) : -1;
	response->body = palloc(call->len + 1);
	if (call->len > 0)
		memcpy(response->body, call->body, call->len);
	response->body[call->len] = '\0';
	response->body_len = call->len;
}

SaHttpResponse *
sa_http_post(const SaHttpRequest *request)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext context;
	SaHttpResponse *response = palloc0(sizeof(SaHttpResponse));
	TimestampTz deadline;
	Call *call;
	CURLcode code;

	sa_http_check_url(request->url);
	context =
		AllocSetContextCreate(caller, "sqlagent http", ALLOCSET_SMALL_SIZES);
	MemoryContextSwitchTo(context);
	call = new_call(request, caller);
	call->easy = sa_http_loop_begin();
	current = call;
	set_headers(call);
	set_options(call);
	deadline =
		Min(request->deadline,
			TimestampTzPlusMilliseconds(call->started, sa_guc_request_timeout));
	code = sa_http_loop_run(deadline, on_turn, call);
	MemoryContextSwitchTo(caller);
	response->went_out = call->went_out;
	if (code == CURLE_OK || call->stopped)
	{
		hand_on(call);
		take_response(call, response);
	}
	else
		response->failure = failure_of(call, code, response);
	MemoryContextDelete(context);
	return response;
}

void
sa_http_check_url(const char *url)
{
	int scheme = pg_strncasecmp(url, "https://", 8) == 0  ? 8
				 : pg_strncasecmp(url, "http://", 7) == 0 ? 7
														  : 0;
	const char *host = url + scheme;
	const char *problem = NULL;

	if (scheme == 0)
		problem = "It does not begin with http:// or https://.";
	else if (strcspn(host, "/?#:") == 0)
		problem = "It names no host.";
	else if (memchr(host, '@', strcspn(host, "/?#")) != NULL)
		problem = "It holds a user name or password.";
	for (size_t i = 0; url[i]; i++)
		if (url[i] <= ' ' || url[i] >= 0x7F || url[i] == '\\')
			problem = "It holds a character that must be percent-encoded.";
	if (problem)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("the URL of the model server is not valid"),
						errdetail("%s", problem),
						errhint("Check sqlagent.endpoint.")));
}

void
sa_http_close(void)
{
	current = NULL;
	sa_http_loop_close();
}
