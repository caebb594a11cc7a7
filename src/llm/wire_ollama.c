/*
 * wire_ollama.c
 *	  Ollama's own chat interface, which unlike its OpenAI-compatible one takes
 *	  the size of the context and the switch for thinking.
 *
 * Called by client.c.  Calls have no ids here and arguments are objects; a
 * stream is one JSON value a line.
 */
#include "postgres.h"

#include "base/guc.h"
#include "base/text.h"
#include "llm/wire.h"

#define ENDPOINT "http://127.0.0.1:11434"

static const char *const no_headers[] = {NULL};

static char *
path(const char *model, bool stream)
{
	return pstrdup("/api/chat");
}

/* Ollama wants no key, but what stands before it may. */
static const char *
key_prefix(const char *url)
{
	return "Authorization: Bearer ";
}

static void
encode_call(SaJson *item, SaJson *function, const SaToolCall *call)
{
	sa_json_add(function, "arguments", sa_wire_arguments(call));
}

static void
encode_message(SaJson *item, const SaMessage *message)
{
	if (message->role == SA_ROLE_TOOL)
		sa_json_add_string(item, "tool_name",
						   sa_wire_tool_name(message->tool_name));
}

static const SaWireChat chat = {encode_call, encode_message};

/* Without num_ctx Ollama cuts the head off a prompt of some 4,000 tokens. */
static SaJson *
encode_options(void)
{
	SaJson *options = sa_json_child_object();

	sa_json_add_int(options, "num_ctx",
					(int64) sa_guc_context_tokens + sa_guc_max_output_tokens);
	sa_json_add_int(options, "num_predict", sa_guc_max_output_tokens);
	if (sa_guc_temperature >= 0)
		sa_json_add_double(options, "temperature", sa_guc_temperature);
	return options;
}

/* A switch for most models, a level for some. */
static void
encode_think(SaJson *body)
{
	const char *effort = sa_guc_reasoning_effort;

	if (sa_text_blank(effort))
		return;
	if (strcmp(effort, "none") == 0 || strcmp(effort, "false") == 0)
		sa_json_add_bool(body, "think", false);
	else if (strcmp(effort, "true") == 0)
		sa_json_add_bool(body, "think", true);
	else
		sa_json_add_string(body, "think", effort);
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
		sa_json_add(body, "format",
					sa_json_child_verbatim(request->result_schema));
	sa_json_add_bool(body, "stream", stream); /* it streams by default */
	encode_think(body);
	sa_json_add(body, "options", encode_options());
	return body;
}

static const SaStopWord stops[] = {
	{"stop", SA_STOP_END},
	{"length", SA_STOP_LENGTH},
	{NULL, SA_STOP_OTHER},
};

static void
read_message(SaDraft *draft, const SaJson *message)
{
	const SaJson *calls = sa_json_get(message, "tool_calls");
	const char *thinking = sa_json_get_string(message, "thinking");

	draft->has_message = true;
	sa_draft_text(draft, sa_json_get_string(message, "content"));
	if (thinking)
		appendStringInfoString(&draft->thinking, thinking);
	draft->thinking_key = "thinking";
	for (int i = 0; i < sa_json_length(calls); i++)
	{
		const SaJson *item = sa_json_at(calls, i);
		const SaJson *function = sa_json_get(item, "function");
		SaDraftCall *call =
			sa_draft_call(draft, -1, sa_json_get_string(item, "id"));

		call->name = sa_json_get_string(function, "name");
		sa_draft_arguments(call, sa_json_get(function, "arguments"));
	}
}

static void
read_body(SaDraft *draft, const SaJson *json)
{
	const SaJson *message = sa_json_get(json, "message");

	if (sa_wire_take_error(draft, json))
		return;
	if (sa_json_is_object(message))
		read_message(draft, message);
	if (draft->model == NULL)
		draft->model = sa_json_get_string(json, "model");
	if (!sa_json_get_bool(json, "done", false))
		return;
	draft->ended = true;
	draft->stop = sa_wire_stop(stops, sa_json_get_string(json, "done_reason"));
	draft->usage.prompt_tokens = sa_wire_tokens(json, "prompt_eval_count");
	draft->usage.completion_tokens = sa_wire_tokens(json, "eval_count");
}

const SaWire sa_wire_ollama = {
	.provider = SA_PROVIDER_OLLAMA,
	.name = "ollama",
	.default_endpoint = ENDPOINT,
	.stream_lines = true,
	.key_prefix = key_prefix,
	.headers = no_headers,
	.path = path,
	.encode = encode,
	.read = read_body,
};
