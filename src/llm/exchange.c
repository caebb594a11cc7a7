/*
 * exchange.c
 *	  One try of a model call: URL, headers and body by the wire format, one
 *	  POST, and the reply or the failure that came of it.
 *
 * Called by client.c, which decides whether there is another try.  Everything
 * that comes back passes redact(): a server may well repeat what it was sent.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "base/guc.h"
#include "base/text.h"
#include "llm/draft.h"
#include "llm/exchange.h"
#include "llm/http.h"
#include "llm/key.h"
#include "llm/stream.h"

/* How much of a provider's message is shown. */
#define MAX_MESSAGE 1000
/* A body that was asked for as a stream and comes as a whole. */
#define MAX_WHOLE (16 * 1024 * 1024)

/* What is said about a status; the first row that fits counts. */
static const struct
{
	int from;
	int to;
	const char *message;
	const char *hint;
} statuses[] = {
	{300, 399, "the model server redirects to another address",
	 "Redirects are not followed: set sqlagent.endpoint to the final URL."},
	{401, 401, "the model server refused the key",
	 "Check sqlagent.api_key_file, or the server's environment variable "
	 "SQLAGENT_API_KEY."},
	{403, 403, "the model server refused the request",
	 "Check what the key may do."},
	{404, 404, "the model server does not know the address or the model",
	 "Check sqlagent.endpoint and sqlagent.model."},
	{413, 413, "the model server refused the request as too large",
	 "sqlagent.context_tokens sets what a request may hold."},
	{429, 429, "the model server limits how much may be asked",
	 "Ask again later, or raise the limit at the provider."},
	{400, 499, "the model server refused the request", NULL},
	{0, 999, "the model server failed", NULL},
};

/* What must not be seen in what comes back. */
typedef struct Secrets
{
	char *key;
	List *headers; /* of char *, from the headers file */
} Secrets;

/* What the pieces of a body are read with. */
typedef struct Reading
{
	const SaWire *wire;
	const Secrets *secrets;
	SaDraft *draft;
	bool is_stream; /* the body that comes is a stream indeed */
	SaStream stream;
	StringInfoData whole; /* the body of a server that does not stream */
	bool begun;
	MemoryContext scratch; /* for one JSON value */
} Reading;

/*
 * How much of a path the end of a base has already: ".../v1" and
 * "/v1/messages" share "/v1", and a base may be the full address.
 */
static size_t
overlap(const char *base, size_t base_len, const char *path)
{
	for (size_t n = Min(strlen(path), base_len); n > 0; n--)
		if ((path[n] == '\0' || path[n] == '/' || path[n] == '?') &&
			strncmp(base + base_len - n, path, n) == 0)
			return n;
	return 0;
}

/*
 * Endpoint and path.  A query of the endpoint stays behind the path: Azure's
 * api-version.
 */
char *
sa_exchange_url(const SaWire *wire, const char *model, bool stream)
{
	const char *base = sa_text_blank(sa_guc_endpoint) ? wire->default_endpoint
													  : sa_guc_endpoint;
	const char *query = base + strcspn(base, "?");
	char *path = wire->path(model, stream);
	size_t len = query - base;

	while (len > 0 && base[len - 1] == '/')
		len--;
	path += overlap(base, len, path);
	return psprintf("%.*s%s%s%s", (int) len, base, path,
					*query && strchr(path, '?') ? "&" : "",
					*query && strchr(path, '?') ? query + 1 : query);
}

char *
sa_exchange_body(const SaWire *wire, const SaRequest *request,
				 const char *model, bool stream)
{
	SaJson *body = wire->encode(request, model, stream);

	if (!sa_text_blank(sa_guc_provider_options))
	{
		const char *problem = NULL;
		const char *text = sa_json_to_utf8(sa_guc_provider_options);
		SaJson *options = sa_json_parse(text, strlen(text), &problem);

		if (!sa_json_is_object(options))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("sqlagent.provider_options is not a JSON object"),
					 problem ? errdetail("As JSON, %s.", problem) : 0));
		sa_json_merge(body, options);
	}
	return sa_json_print(body);
}

static List *
make_headers(const SaWire *wire, const char *url, Secrets *secrets)
{
	List *headers = NIL;

	secrets->key = sa_key_load();
	secrets->headers = sa_key_headers();
	if (secrets->key == NULL && secrets->headers == NIL && wire->needs_key &&
		sa_text_blank(sa_guc_endpoint))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("there is no key for provider \"%s\"", wire->name),
				 errhint("Set sqlagent.api_key_file, or the server's "
						 "environment variable SQLAGENT_API_KEY.")));
	if (secrets->key)
		headers = lappend(headers,
						  sa_key_header(wire->key_prefix(url), secrets->key));
	for (int i = 0; wire->headers[i]; i++)
		headers = lappend(headers, unconstify(char *, wire->headers[i]));
	return list_concat(headers, secrets->headers);
}

static void
redact(char *text, size_t len, const Secrets *secrets)
{
	ListCell *lc;

	sa_key_redact(text, len, secrets->key);
	foreach (lc, secrets->headers)
	{
		const char *value = strchr(lfirst(lc), ':') + 1;

		sa_key_redact(text, len, value + strspn(value, " \t"));
	}
}

static char *
presentable(char *text, const Secrets *secrets)
{
	redact(text, strlen(text), secrets);
	return sa_text_clip(sa_text_trim(text), MAX_MESSAGE);
}

/* One JSON value of the body: all of it, or an event of a stream. */
static void
take_json(Reading *reading, char *text, size_t len)
{
	SaDraft *draft = reading->draft;
	MemoryContext context;
	const char *problem;
	SaJson *json;

	if (draft->problem)
		return;
	redact(text, len, reading->secrets);
	context = MemoryContextSwitchTo(reading->scratch);
	json = sa_json_parse(text, len, &problem);
	MemoryContextSwitchTo(context);
	if (json)
		reading->wire->read(draft, json);
	else
		sa_draft_fail(draft, problem, true);
	MemoryContextReset(reading->scratch);
}

/* SaStreamEvent */
static void
on_event(void *arg, char *data, size_t len)
{
	Reading *reading = arg;

	if (len == 6 && memcmp(data, "[DONE]", 6) == 0)
		reading->draft->ended = true;
	else
		take_json(reading, data, len);
}

static bool
is_type(const char *content_type, const char *type)
{
	return content_type &&
		   pg_strncasecmp(content_type, type, strlen(type)) == 0;
}

/*
 * Whether a body is a stream.  What was asked for as a stream may come as a
 * whole, from a server that cannot stream or with a failure to tell.
 */
static bool
comes_as_stream(const Reading *reading, const char *content_type)
{
	if (reading->wire->stream_lines)
		return true;
	return is_type(content_type, "text/event-stream") ||
		   !is_type(content_type, "application/json");
}

/* SaChunkHook */
static bool
on_chunk(void *arg, const char *content_type, const char *data, size_t len)
{
	Reading *reading = arg;

	if (!reading->begun)
	{
		reading->begun = true;
		reading->is_stream = comes_as_stream(reading, content_type);
		reading->draft = sa_draft_new(reading->is_stream);
		if (reading->is_stream)
			sa_stream_init(&reading->stream, reading->wire->stream_lines,
						   on_event, reading);
		else
			initStringInfo(&reading->whole);
	}
	if (reading->is_stream)
		sa_stream_feed(&reading->stream, data, len);
	else if (len > (size_t) (MAX_WHOLE - reading->whole.len))
		sa_draft_fail(reading->draft, "it is too long", false);
	else
		appendBinaryStringInfo(&reading->whole, data, (int) len);
	return reading->draft->problem == NULL && !reading->stream.too_long;
}

static void
end_stream(Reading *reading)
{
	sa_stream_end(&reading->stream);
	if (reading->stream.too_long)
		sa_draft_fail(reading->draft, "an event of the stream is too long",
					  false);
}

/* The reply; or NULL, then the draft knows why. */
static SaReply *
read_body(Reading *reading, SaHttpResponse *response)
{
	if (!reading->begun)
	{
		reading->draft = sa_draft_new(false);
		take_json(reading, response->body, response->body_len);
	}
	else if (reading->is_stream)
		end_stream(reading);
	else
		take_json(reading, reading->whole.data, reading->whole.len);
	return sa_draft_finish(reading->draft);
}

/* A key that was cut in two by a stream is seen only now. */
static void
redact_reply(SaReply *reply, const Secrets *secrets)
{
	ListCell *lc;

	if (reply->content)
		redact(reply->content, strlen(reply->content), secrets);
	foreach (lc, reply->calls)
	{
		SaToolCall *call = lfirst(lc);

		redact(call->arguments, strlen(call->arguments), secrets);
		redact(call->name, strlen(call->name), secrets);
	}
}

static void
take_reply(Reading *reading, SaHttpResponse *response, SaOutcome *outcome)
{
	const SaDraft *draft;
	const char *type = response->content_type ? response->content_type : "none";

	outcome->reply = read_body(reading, response);
	if (outcome->reply)
	{
		redact_reply(outcome->reply, reading->secrets);
		return;
	}
	draft = reading->draft;
	outcome->passing = draft->passing && !is_type(type, "text/html");
	outcome->failure = sa_error_make(
		SA_ERROR_MODEL, ERRCODE_SYSTEM_ERROR,
		"the reply of the model server cannot be read",
		psprintf(
			"As a reply of provider \"%s\" (content type \"%s\"): %s.",
			reading->wire->name,
			sa_text_clip(presentable(pstrdup(type), reading->secrets), 100),
			presentable(draft->problem, reading->secrets)),
		NULL);
}

/* A quota that is used up is not one that fills again in a moment. */
static bool
is_used_up(const SaJson *body)
{
	const char *code = sa_json_get_string(sa_json_get(body, "error"), "code");

	return code && strcmp(code, "insufficient_quota") == 0;
}

static void
take_status(const SaHttpResponse *response, const Secrets *secrets,
			SaOutcome *outcome)
{
	const char *problem;
	SaJson *body = sa_json_parse(response->body, response->body_len, &problem);
	char *said = body ? sa_wire_error(body) : NULL;
	int i = 0;

	while (response->status < statuses[i].from ||
		   response->status > statuses[i].to)
		i++;
	outcome->passing =
		sa_wire_is_passing(response->status) && !is_used_up(body);
	outcome->retry_after = response->retry_after;
	outcome->failure = sa_error_make(
		SA_ERROR_MODEL, ERRCODE_SYSTEM_ERROR,
		said ? psprintf("%s: %s", statuses[i].message,
						presentable(said, secrets))
			 : statuses[i].message,
		psprintf("HTTP status %d.", response->status), statuses[i].hint);
}

SaOutcome *
sa_exchange_try(const SaWire *wire, const SaRequest *request, const char *model,
				bool stream)
{
	SaOutcome *outcome = palloc0(sizeof(SaOutcome));
	Secrets secrets;
	Reading reading = {wire, &secrets};
	SaHttpRequest http = {0};
	SaHttpResponse *response;

	reading.scratch = AllocSetContextCreate(
		CurrentMemoryContext, "sqlagent event", ALLOCSET_DEFAULT_SIZES);
	http.url = sa_exchange_url(wire, model, stream);
	sa_http_check_url(http.url);
	http.body = sa_exchange_body(wire, request, model, stream);
	http.body_len = strlen(http.body);
	http.headers = make_headers(wire, http.url, &secrets);
	http.deadline = request->deadline;
	http.idle = request->idle;
	http.idle_arg = request->idle_arg;
	http.chunk = stream ? on_chunk : NULL;
	http.chunk_arg = &reading;
	response = sa_http_post(&http);
	outcome->retry_after = -1;
	outcome->went_out = response->went_out;
	if (response->failure)
	{
		outcome->failure = response->failure;
		outcome->passing = response->passing;
	}
	else if (response->status >= 200 && response->status <= 299)
		take_reply(&reading, response, outcome);
	else
	{
		redact(response->body, response->body_len, &secrets);
		take_status(response, &secrets, outcome);
	}
	return outcome;
}
