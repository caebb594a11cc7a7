/*
 * wire_openai.c
 *	  Chat completions: OpenAI's format, and that of every compatible server.
 *
 * Called by client.c.  Writes what all of them understand: one system message
 * at the front, text as plain strings, no parameter that is not asked for.
 */
#include "postgres.h"

#include "base/guc.h"
#include "base/text.h"
#include "llm/wire.h"

#define ENDPOINT "https://api.openai.com/v1"

static const char *const no_headers[] = {NULL};

static char *
path(const char *model, bool stream)
{
	return pstrdup("/chat/completions");
}

/* Azure's deployments take the key in a header of their own. */
static const char *
key_prefix(const char *url)
{
	return strstr(url, "api-version=") ? "api-key: " : "Authorization: Bearer ";
}

/* Servers read arguments into an object and refuse a history with others. */
static void
encode_call(SaJson *item, SaJson *function, const SaToolCall *call)
{
	sa_json_add_string(item, "id", call->id);
	sa_json_add_string(item, "type", "function");
	sa_json_add_string(function, "arguments",
					   sa_json_is_object_text(call->arguments) ? call->arguments
															   : "{}");
}

static void
encode_message(SaJson *item, const SaMessage *message)
{
	if (message->role == SA_ROLE_TOOL)
		sa_json_add_string(item, "tool_call_id", message->call_id);
	if (message->content == NULL && message->calls != NIL)
		sa_json_add(item, "content", NULL);
}

static const SaWireChat chat = {encode_call, encode_message};

static SaJson *
encode_result_schema(const char *schema)
{
	SaJson *format = sa_json_child_object();
	SaJson *inner = sa_json_child_object();

	sa_json_add_string(format, "type", "json_schema");
	sa_json_add_string(inner, "name", "result");
	sa_json_add(inner, "schema", sa_json_child_verbatim(schema));
	sa_json_add(format, "json_schema", inner);
	return format;
}

/* OpenAI's reasoning models refuse a temperature. */
static bool
takes_temperature(const char *model)
{
	static const char *const reasoning[] = {"o1", "o3", "o4", "gpt-5"};

	for (int i = 0; i < (int) lengthof(reasoning); i++)
		if (strncmp(model, reasoning[i], strlen(reasoning[i])) == 0)
			return false;
	return true;
}

static void
encode_stream(SaJson *body)
{
	SaJson *options = sa_json_child_object();

	sa_json_add_bool(body, "stream", true);
	sa_json_add_bool(options, "include_usage", true);
	sa_json_add(body, "stream_options", options);
}

static SaJson *
encode(const SaRequest *request, const char *model, bool stream)
{
	SaJson *body = sa_json_new_object();

	sa_json_add_string(body, "model", model);
	sa_json_add(body, "messages", sa_wire_chat(request->messages, &chat));
	if (request->tools != NIL)
		sa_json_add(body, "tools", sa_wire_functions(request->tools));
	else if (request->result_schema)
		sa_json_add(body, "response_format",
					encode_result_schema(request->result_schema));
	if (sa_guc_temperature >= 0 && takes_temperature(model))
		sa_json_add_double(body, "temperature", sa_guc_temperature);
	if (!sa_text_blank(sa_guc_reasoning_effort))
		sa_json_add_string(body, "reasoning_effort", sa_guc_reasoning_effort);
	/* The old name is the one that all compatible servers know. */
	sa_json_add_int(
		body, takes_temperature(model) ? "max_tokens" : "max_completion_tokens",
		sa_guc_max_output_tokens);
	if (stream)
		encode_stream(body);
	return body;
}

static const SaStopWord stops[] = {
	{"stop", SA_STOP_END},
	{"tool_calls", SA_STOP_TOOLS},
	{"function_call", SA_STOP_TOOLS},
	{"length", SA_STOP_LENGTH},
	{"content_filter", SA_STOP_REFUSED},
	{NULL, SA_STOP_OTHER},
};

static void
read_usage(SaUsage *into, const SaJson *usage)
{
	const SaJson *prompt = sa_json_get(usage, "prompt_tokens_details");
	const SaJson *completion = sa_json_get(usage, "completion_tokens_details");

	sa_wire_count(&into->prompt_tokens, usage, "prompt_tokens");
	sa_wire_count(&into->completion_tokens, usage, "completion_tokens");
	sa_wire_count(&into->cached_tokens, usage, "prompt_cache_hit_tokens");
	sa_wire_count(&into->cached_tokens, prompt, "cached_tokens");
	sa_wire_count(&into->reasoning_tokens, completion, "reasoning_tokens");
}

static void
read_calls(SaDraft *draft, const SaJson *array)
{
	for (int i = 0; i < sa_json_length(array); i++)
	{
		const SaJson *item = sa_json_at(array, i);
		const SaJson *function = sa_json_get(item, "function");
		int64 index = draft->streamed ? sa_json_get_int(item, "index", i) : -1;
		char *id = sa_json_get_string(item, "id");
		SaDraftCall *call =
			sa_draft_call(draft, index, sa_text_blank(id) ? NULL : id);

		if (sa_text_blank(call->name))
			call->name = sa_json_get_string(function, "name");
		sa_draft_arguments(call, sa_json_get(function, "arguments"));
	}
}

/* Of a message as a whole, or of what a stream adds to it. */
static void
read_message(SaDraft *draft, const SaJson *message)
{
	const SaJson *details = sa_json_get(message, "reasoning_details");
	const char *thinking = sa_json_get_string(message, "reasoning_content");
	const char *refusal = sa_json_get_string(message, "refusal");

	draft->has_message = true;
	sa_draft_text(draft, sa_wire_text(sa_json_get(message, "content")));
	if (refusal)
		appendStringInfoString(&draft->refusal, refusal);
	if (thinking)
		appendStringInfoString(&draft->thinking, thinking);
	draft->thinking_key = "reasoning_content";
	for (int i = 0; i < sa_json_length(details); i++)
		sa_draft_opaque(draft, "reasoning_details", sa_json_at(details, i),
						true);
	read_calls(draft, sa_json_get(message, "tool_calls"));
}

static void
read_body(SaDraft *draft, const SaJson *json)
{
	const SaJson *choice = sa_json_at(sa_json_get(json, "choices"), 0);
	const SaJson *message =
		sa_json_get(choice, draft->streamed ? "delta" : "message");
	const char *reason = sa_json_get_string(choice, "finish_reason");

	/* Some gateways report a failure with status 200. */
	if (sa_wire_take_error(draft, json))
		return;
	if (sa_json_is_object(message))
		read_message(draft, message);
	if (reason)
	{
		draft->stop = sa_wire_stop(stops, reason);
		draft->ended = true;
	}
	if (sa_json_is_object(sa_json_get(json, "usage")))
		read_usage(&draft->usage, sa_json_get(json, "usage"));
	if (draft->model == NULL)
		draft->model = sa_json_get_string(json, "model");
}

const SaWire sa_wire_openai = {
	.provider = SA_PROVIDER_OPENAI,
	.name = "openai",
	.default_endpoint = ENDPOINT,
	.needs_key = true,
	.key_prefix = key_prefix,
	.headers = no_headers,
	.path = path,
	.encode = encode,
	.read = read_body,
};
