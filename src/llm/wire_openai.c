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
path(const char *model)
{
	return pstrdup("/chat/completions");
}

/* Servers read arguments into an object and refuse a history with others. */
static SaJson *
encode_calls(const List *calls)
{
	SaJson *array = sa_json_child_array();
	ListCell *lc;

	foreach (lc, calls)
	{
		const SaToolCall *call = lfirst(lc);
		SaJson *item = sa_json_child_object();
		SaJson *function = sa_json_child_object();

		sa_json_add_string(item, "id", call->id);
		sa_json_add_string(item, "type", "function");
		sa_json_add_string(function, "name", sa_wire_tool_name(call->name));
		sa_json_add_string(
			function, "arguments",
			sa_json_is_object_text(call->arguments) ? call->arguments : "{}");
		sa_json_add(item, "function", function);
		sa_json_append(array, item);
	}
	return array;
}

static SaJson *
encode_message(const SaMessage *message)
{
	static const char *const roles[] = {
		[SA_ROLE_SYSTEM] = "user", /* one that comes late */
		[SA_ROLE_USER] = "user",
		[SA_ROLE_ASSISTANT] = "assistant",
		[SA_ROLE_TOOL] = "tool",
	};
	SaJson *item = sa_json_child_object();

	sa_json_add_string(item, "role", roles[message->role]);
	if (message->role == SA_ROLE_TOOL)
		sa_json_add_string(item, "tool_call_id", message->call_id);
	if (message->content == NULL && message->calls != NIL)
		sa_json_add(item, "content", NULL);
	else
		sa_json_add_string(item, "content",
						   message->content ? message->content : "");
	if (message->calls != NIL)
		sa_json_add(item, "tool_calls", encode_calls(message->calls));
	return item;
}

static SaJson *
encode_messages(const List *messages)
{
	SaJson *array = sa_json_child_array();
	int nsystem;
	char *system = sa_wire_system(messages, &nsystem);

	if (nsystem > 0)
	{
		SaJson *item = sa_json_child_object();

		sa_json_add_string(item, "role", "system");
		sa_json_add_string(item, "content", system);
		sa_json_append(array, item);
	}
	for (int i = nsystem; i < list_length(messages); i++)
		sa_json_append(array, encode_message(list_nth(messages, i)));
	return array;
}

static SaJson *
encode_tools(const List *tools)
{
	SaJson *array = sa_json_child_array();
	ListCell *lc;

	foreach (lc, tools)
	{
		const SaToolSpec *tool = lfirst(lc);
		SaJson *item = sa_json_child_object();
		SaJson *function = sa_json_child_object();

		sa_json_add_string(item, "type", "function");
		sa_json_add_string(function, "name", tool->name);
		sa_json_add_string(function, "description", tool->description);
		sa_json_add(function, "parameters",
					sa_json_child_parse(tool->parameters));
		sa_json_add(item, "function", function);
		sa_json_append(array, item);
	}
	return array;
}

static SaJson *
encode_result_schema(const char *schema)
{
	SaJson *format = sa_json_child_object();
	SaJson *inner = sa_json_child_object();

	sa_json_add_string(format, "type", "json_schema");
	sa_json_add_string(inner, "name", "result");
	sa_json_add(inner, "schema", sa_json_child_parse(schema));
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

static SaJson *
encode(const SaRequest *request, const char *model)
{
	SaJson *body = sa_json_new_object();

	sa_json_add_string(body, "model", model);
	sa_json_add(body, "messages", encode_messages(request->messages));
	if (request->tools != NIL)
		sa_json_add(body, "tools", encode_tools(request->tools));
	if (request->result_schema)
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
	return body;
}

static SaStop
stop_of(const char *reason)
{
	static const struct
	{
		const char *reason;
		SaStop stop;
	} stops[] = {
		{"stop", SA_STOP_END},
		{"tool_calls", SA_STOP_TOOLS},
		{"function_call", SA_STOP_TOOLS},
		{"length", SA_STOP_LENGTH},
		{"content_filter", SA_STOP_REFUSED},
	};

	for (int i = 0; reason && i < (int) lengthof(stops); i++)
		if (strcmp(stops[i].reason, reason) == 0)
			return stops[i].stop;
	return SA_STOP_OTHER;
}

static void
decode_usage(const SaJson *usage, SaUsage *into)
{
	const SaJson *prompt = sa_json_get(usage, "prompt_tokens_details");
	const SaJson *completion = sa_json_get(usage, "completion_tokens_details");

	into->prompt_tokens = sa_wire_tokens(usage, "prompt_tokens");
	into->completion_tokens = sa_wire_tokens(usage, "completion_tokens");
	into->cached_tokens = sa_wire_tokens(prompt, "cached_tokens");
	if (into->cached_tokens == 0) /* DeepSeek's name */
		into->cached_tokens = sa_wire_tokens(usage, "prompt_cache_hit_tokens");
	into->reasoning_tokens = sa_wire_tokens(completion, "reasoning_tokens");
}

static List *
decode_calls(const SaJson *array)
{
	List *calls = NIL;

	for (int i = 0; i < sa_json_length(array); i++)
	{
		const SaJson *item = sa_json_at(array, i);
		const SaJson *function = sa_json_get(item, "function");

		calls = lappend(calls,
						sa_wire_new_call(calls, sa_json_get_string(item, "id"),
										 sa_json_get_string(function, "name"),
										 sa_json_get(function, "arguments")));
	}
	return calls;
}

static SaReply *
decode(const SaJson *body, const char **problem)
{
	const SaJson *choice = sa_json_at(sa_json_get(body, "choices"), 0);
	const SaJson *message = sa_json_get(choice, "message");
	SaReply *reply;

	if (!sa_json_is_object(message))
	{
		/* Some gateways report a failure with status 200. */
		*problem = sa_wire_error(body);
		if (*problem == NULL)
			*problem = "it holds no choices[0].message";
		return NULL;
	}
	reply = palloc0(sizeof(SaReply));
	reply->content = sa_wire_text(sa_json_get(message, "content"));
	reply->calls = decode_calls(sa_json_get(message, "tool_calls"));
	reply->stop = stop_of(sa_json_get_string(choice, "finish_reason"));
	reply->model = sa_json_get_string(body, "model");
	decode_usage(sa_json_get(body, "usage"), &reply->usage);
	if (reply->content == NULL)
	{
		reply->content = sa_json_get_string(message, "refusal");
		if (reply->content)
			reply->stop = SA_STOP_REFUSED;
	}
	/* Not every server says so. */
	if (reply->calls != NIL && reply->stop != SA_STOP_LENGTH)
		reply->stop = SA_STOP_TOOLS;
	return reply;
}

const SaWire sa_wire_openai = {
	.provider = SA_PROVIDER_OPENAI,
	.name = "openai",
	.default_endpoint = ENDPOINT,
	.needs_key = true,
	.key_prefix = "Authorization: Bearer ",
	.headers = no_headers,
	.path = path,
	.encode = encode,
	.decode = decode,
};
