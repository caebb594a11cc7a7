/*
 * client.c
 *	  One model call: picks the provider of the settings, sends, waits, reads.
 *
 * Called by the loop with no transaction open.  Each call works in a context of
 * its own; the reply is copied out of it, and with the context go the request,
 * the key and libcurl's buffers.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "base/guc.h"
#include "base/text.h"
#include "llm/builtin.h"
#include "llm/client.h"
#include "llm/http.h"
#include "llm/key.h"
#include "llm/wire.h"

/* How much of a provider's message is shown. */
#define MAX_MESSAGE 1000

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

static bool
is_set(const char *setting)
{
	return !sa_text_blank(setting);
}

static const SaWire *
current_wire(void)
{
	const SaWire *wire = sa_wire_find(sa_guc_provider);

	if (wire == NULL)
		elog(ERROR, "provider %d has no wire format", sa_guc_provider);
	return wire;
}

static const char *
current_model(void)
{
	if (!is_set(sa_guc_model))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("no model is set for provider \"%s\"",
							   sa_client_provider()),
						errhint("Set sqlagent.model.")));
	return sa_guc_model;
}

/*
 * Endpoint and path.  A query of the endpoint stays behind the path: Azure's
 * api-version.  An endpoint that ends with the path already is taken as it is.
 */
static char *
make_url(const SaWire *wire, const char *model)
{
	const char *base =
		is_set(sa_guc_endpoint) ? sa_guc_endpoint : wire->default_endpoint;
	const char *query = base + strcspn(base, "?");
	const char *end = query;
	char *path = wire->path(model);
	size_t path_len = strlen(path);

	while (end > base && end[-1] == '/')
		end--;
	if ((size_t) (end - base) >= path_len &&
		strncmp(end - path_len, path, path_len) == 0)
		end -= path_len;
	return psprintf("%.*s%s%s", (int) (end - base), base, path, query);
}

static char *
make_body(const SaWire *wire, const SaRequest *request, const char *model)
{
	SaJson *body = wire->encode(request, model);

	if (is_set(sa_guc_provider_options))
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

/* What must not be seen in what comes back. */
typedef struct Secrets
{
	char *key;
	List *headers; /* of char *, from the headers file */
} Secrets;

static List *
make_headers(const SaWire *wire, Secrets *secrets, const char *url)
{
	List *headers = NIL;

	secrets->key = sa_key_load();
	secrets->headers = sa_key_headers();
	if (secrets->key == NULL && secrets->headers == NIL && wire->needs_key &&
		!is_set(sa_guc_endpoint))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("there is no key for provider \"%s\"", wire->name),
				 errhint("Set sqlagent.api_key_file, or the server's "
						 "environment variable SQLAGENT_API_KEY.")));
	if (secrets->key)
		headers =
			lappend(headers, sa_key_header(wire->key_prefix, secrets->key));
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

/* The provider's own words about a status that is no success. */
static const char *
provider_message(const SaHttpResponse *response, const Secrets *secrets)
{
	const char *problem;
	SaJson *body = sa_json_parse(response->body, response->body_len, &problem);
	char *message = body ? sa_wire_error(body) : NULL;

	if (message == NULL)
		return NULL;
	/* Once more: an escape may have hidden the key from the first look. */
	redact(message, strlen(message), secrets);
	return sa_text_clip(sa_text_trim(message), MAX_MESSAGE);
}

static void
raise_status(const SaHttpResponse *response, const Secrets *secrets)
{
	const char *message = provider_message(response, secrets);
	int i = 0;

	while (response->status < statuses[i].from ||
		   response->status > statuses[i].to)
		i++;
	ereport(ERROR, (errcode(ERRCODE_SYSTEM_ERROR),
					message ? errmsg("%s: %s", statuses[i].message, message)
							: errmsg("%s", statuses[i].message),
					errdetail("HTTP status %d.", response->status),
					statuses[i].hint ? errhint("%s", statuses[i].hint) : 0));
}

static SaReply *
read_reply(const SaWire *wire, const SaHttpResponse *response,
		   const Secrets *secrets)
{
	const char *problem = NULL;
	SaJson *body = sa_json_parse(response->body, response->body_len, &problem);
	SaReply *reply = body ? wire->decode(body, &problem) : NULL;

	if (reply == NULL)
	{
		char *shown = pstrdup(problem ? problem : "it is empty");

		redact(shown, strlen(shown), secrets);
		ereport(
			ERROR,
			(errcode(ERRCODE_SYSTEM_ERROR),
			 errmsg("the reply of the model server cannot be read"),
			 errdetail("As a reply of provider \"%s\" (content type \"%s\"): "
					   "%s.",
					   wire->name,
					   sa_text_clip(response->content_type
										? response->content_type
										: "none",
									100),
					   sa_text_clip(shown, MAX_MESSAGE))));
	}
	return reply;
}

static SaReply *
call_model(const SaRequest *request)
{
	const SaWire *wire = current_wire();
	const char *model = current_model();
	Secrets secrets;
	SaHttpRequest http = {0};
	SaHttpResponse *response;
	SaReply *reply;

	http.url = make_url(wire, model);
	sa_http_check_url(http.url);
	http.body = make_body(wire, request, model);
	http.body_len = strlen(http.body);
	http.headers = make_headers(wire, &secrets, http.url);
	http.deadline = request->deadline;
	http.idle = request->idle;
	http.idle_arg = request->idle_arg;
	response = sa_http_post(&http);
	if (response->failure)
		sa_error_raise(response->failure, ERROR);
	redact(response->body, response->body_len, &secrets);
	if (response->status < 200 || response->status > 299)
		raise_status(response, &secrets);
	reply = read_reply(wire, response, &secrets);
	reply->usage.requests = 1;
	return reply;
}

SaReply *
sa_client_complete(const SaRequest *request)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext context;
	SaReply *reply;

	if (sa_guc_provider == SA_PROVIDER_BUILTIN)
		return sa_builtin_complete(request);
	context = AllocSetContextCreate(caller, "sqlagent model call",
									ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(context);
	reply = call_model(request);
	MemoryContextSwitchTo(caller);
	reply = sa_reply_copy(reply);
	MemoryContextDelete(context);
	return reply;
}

bool
sa_client_is_local(void)
{
	return sa_guc_provider == SA_PROVIDER_BUILTIN;
}

const char *
sa_client_provider(void)
{
	return sa_client_is_local() ? "builtin" : current_wire()->name;
}

const char *
sa_client_model(void)
{
	return sa_client_is_local() ? "builtin" : sa_guc_model;
}

char *
sa_client_show(const SaRequest *request)
{
	const SaWire *wire =
		sa_client_is_local() ? &sa_wire_openai : current_wire();
	const char *model = sa_client_is_local() ? "builtin" : current_model();
	char *body = make_body(wire, request, model);
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfoString(&out, "{\"url\": ");
	sa_text_json(&out, sa_client_is_local() ? NULL : make_url(wire, model));
	appendStringInfo(&out, ", \"body\": %s}",
					 sa_json_from_utf8(body, (int) strlen(body)));
	return out.data;
}

void
sa_client_close(void)
{
	sa_http_close();
}
