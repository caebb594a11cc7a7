/*
 * wire_anthropic.c
 *	  Anthropic's messages.
 *
 * Called by client.c.  Differs from the others in that roles must alternate, so
 * that all tool results of a turn are blocks of one message; that what was
 * thought comes back signed and must be sent again; and that the request marks
 * what shall be cached.
 */
#include "postgres.h"

#include "base/guc.h"
#include "base/text.h"
#include "llm/wire.h"

#define ENDPOINT "https://api.anthropic.com"

static const char *const headers[] = {"anthropic-version: 2023-06-01", NULL};

static char *
path(const char *model, bool stream)
{
	return pstrdup("/v1/messages");
}

static const char *
key_prefix(const char *url)
{
	return "x-api-key: ";
}

/* All before a marked block is kept by the provider for the next request. */
static void
mark_for_cache(SaJson *block)
{
	SaJson *mark = sa_json_child_object();

	sa_json_add_string(mark, "type", "ephemeral");
	sa_json_add(block, "cache_control", mark);
}

static SaJson *
text_block(const char *text)
{
	SaJson *block = sa_json_child_object();

	sa_json_add_string(block, "type", "text");
	sa_json_add_string(block, "text", text);
	return block;
}

/* One block for each system message; the first is the same in every run. */
static SaJson *
encode_system(const List *messages, int count)
{
	SaJson *blocks = sa_json_child_array();

	for (int i = 0; i < count; i++)
	{
		const SaMessage *message = list_nth(messages, i);

		if (!sa_text_blank(message->content))
			sa_json_append(blocks, text_block(message->content));
	}
	if (sa_json_length(blocks) > 0)
		mark_for_cache(sa_json_at(blocks, 0));
	return blocks;
}

static void
add_tool_result(SaJson *blocks, const SaMessage *message)
{
	SaJson *block = sa_json_child_object();

	sa_json_add_string(block, "type", "tool_result");
	sa_json_add_string(block, "tool_use_id", message->call_id);
	sa_json_add_string(block, "content",
					   message->content ? message->content : "");
	if (message->is_error)
		sa_json_add_bool(block, "is_error", true);
	sa_json_append(blocks, block);
}

static void
add_calls(SaJson *blocks, const List *calls)
{
	ListCell *lc;

	foreach (lc, calls)
	{
		const SaToolCall *call = lfirst(lc);
		SaJson *block = sa_json_child_object();

		sa_json_add_string(block, "type", "tool_use");
		sa_json_add_string(block, "id", call->id);
		sa_json_add_string(block, "name", sa_wire_tool_name(call->name));
		sa_json_add(block, "input", sa_wire_arguments(call));
		sa_json_append(blocks, block);
	}
}

static void
add_blocks(SaJson *blocks, const SaMessage *message)
{
	const SaJson *thoughts =
		sa_json_get(sa_wire_opaque(message), "thinking_blocks");

	if (message->role == SA_ROLE_TOOL)
	{
		add_tool_result(blocks, message);
		return;
	}
	for (int i = 0; i < sa_json_length(thoughts); i++)
		sa_json_append(blocks, sa_json_ref(sa_json_at(thoughts, i)));
	/* A blank text is refused. */
	if (!sa_text_blank(message->content))
		sa_json_append(blocks, text_block(message->content));
	add_calls(blocks, message->calls);
}

static const SaWireTurns turns = {"assistant", "content", add_blocks};

static SaJson *
encode_messages(const List *messages, int first)
{
	SaJson *array = sa_wire_turns(messages, first, &turns);
	const SaJson *newest = sa_json_at(array, sa_json_length(array) - 1);
	const SaJson *blocks = sa_json_get(newest, "content");

	if (sa_json_length(blocks) > 0)
		mark_for_cache(sa_json_at(blocks, sa_json_length(blocks) - 1));
	return array;
}

static void
add_tool(SaJson *array, const char *name, const char *description,
		 SaJson *schema)
{
	SaJson *item = sa_json_child_object();

	sa_json_add_string(item, "name", name);
	sa_json_add_string(item, "description", description);
	sa_json_add(item, "input_schema", schema);
	sa_json_append(array, item);
}

static bool
has_tool(const SaJson *array, const char *name)
{
	for (int i = 0; i < sa_json_length(array); i++)
		if (strcmp(sa_json_get_string(sa_json_at(array, i), "name"), name) == 0)
			return true;
	return false;
}

/*
 * Calls in the history need their tools to be declared, also when no more
 * calls are wanted: as names only, and not to be chosen.
 */
static void
declare_used_tools(SaJson *body, const List *messages)
{
	SaJson *array = sa_json_child_array();
	SaJson *choice;
	ListCell *lc;
	ListCell *lc2;

	foreach (lc, messages)
		foreach (lc2, ((const SaMessage *) lfirst(lc))->calls)
		{
			const SaToolCall *call = lfirst(lc2);
			char *name = sa_wire_tool_name(call->name);

			if (!has_tool(array, name))
				add_tool(array, name, NULL,
						 sa_json_child_verbatim("{\"type\": \"object\"}"));
		}
	sa_json_add(body, "tools", array);
	if (sa_json_length(array) == 0)
		return;
	choice = sa_json_child_object();
	sa_json_add_string(choice, "type", "none");
	sa_json_add(body, "tool_choice", choice);
}

static void
encode_tools(SaJson *body, const SaRequest *request)
{
	SaJson *array;
	ListCell *lc;

	if (request->tools == NIL)
	{
		declare_used_tools(body, request->messages);
		return;
	}
	array = sa_json_child_array();
	foreach (lc, request->tools)
	{
		const SaToolSpec *tool = lfirst(lc);

		add_tool(array, tool->name, tool->description,
				 sa_json_child_verbatim(tool->parameters));
	}
	sa_json_add(body, "tools", array);
}

/* Newer models refuse a temperature; those that take one are of these. */
static bool
takes_temperature(const char *model)
{
	static const char *const models[] = {"claude-3",		"claude-sonnet-4",
										 "claude-haiku-4",	"claude-opus-4-0",
										 "claude-opus-4-1", "claude-opus-4-2",
										 "claude-opus-4-5", "claude-opus-4-6"};

	for (int i = 0; i < (int) lengthof(models); i++)
		if (strncmp(model, models[i], strlen(models[i])) == 0)
			return true;
	return sa_guc_temperature > 0;
}

/* With thoughts of a fixed length, a turn that lacks them is refused. */
static bool
lacks_thoughts(const List *messages)
{
	ListCell *lc;

	foreach (lc, messages)
	{
		const SaMessage *message = lfirst(lc);

		if (message->calls != NIL && message->opaque == NULL)
			return true;
	}
	return false;
}

/*
 * The effort: a number is the budget of thoughts in tokens, "none" switches
 * them off, any other word is passed on.  True when the model will think.
 */
static bool
encode_effort(SaJson *body, const SaRequest *request)
{
	const char *effort = sa_guc_reasoning_effort;
	int budget = effort ? atoi(effort) : 0;
	SaJson *thinking;

	if (sa_text_blank(effort) ||
		(budget > 0 && lacks_thoughts(request->messages)))
		return false;
	thinking = sa_json_child_object();
	sa_json_add(body, "thinking", thinking);
	if (strcmp(effort, "none") == 0)
	{
		sa_json_add_string(thinking, "type", "disabled");
		return false;
	}
	if (budget > 0)
	{
		sa_json_add_string(thinking, "type", "enabled");
		sa_json_add_int(thinking, "budget_tokens", budget);
		sa_json_add_int(body, "max_tokens",
						(int64) budget + sa_guc_max_output_tokens);
		return true;
	}
	sa_json_add_string(thinking, "type", "adaptive");
	sa_json_add_string(sa_json_member(body, "output_config"), "effort", effort);
	return true;
}

static void
encode_result_schema(SaJson *body, const char *schema)
{
	SaJson *format = sa_json_child_object();

	sa_json_add_string(format, "type", "json_schema");
	sa_json_add(format, "schema", sa_json_child_verbatim(schema));
	sa_json_add(sa_json_member(body, "output_config"), "format", format);
}

static SaJson *
encode(const SaRequest *request, const char *model, bool stream)
{
	SaJson *body = sa_json_new_object();
	SaJson *system;
	int nsystem;

	(void) sa_wire_system(request->messages, &nsystem);
	sa_json_add_string(body, "model", model);
	sa_json_add_int(body, "max_tokens", sa_guc_max_output_tokens);
	system = encode_system(request->messages, nsystem);
	sa_json_add(body, "system", system);
	sa_json_add(body, "messages", encode_messages(request->messages, nsystem));
	encode_tools(body, request);
	if (request->result_schema && request->tools == NIL)
		encode_result_schema(body, request->result_schema);
	if (!encode_effort(body, request) && sa_guc_temperature >= 0 &&
		takes_temperature(model))
		sa_json_add_double(body, "temperature", Min(sa_guc_temperature, 1));
	if (stream)
		sa_json_add_bool(body, "stream", true);
	return body;
}

static const SaStopWord stops[] = {
	{"end_turn", SA_STOP_END},
	{"stop_sequence", SA_STOP_END},
	{"tool_use", SA_STOP_TOOLS},
	{"max_tokens", SA_STOP_LENGTH},
	{"model_context_window_exceeded", SA_STOP_LENGTH},
	{"refusal", SA_STOP_REFUSED},
	{NULL, SA_STOP_OTHER},
};

/* What was read from a cache or written to one is not in input_tokens. */
static void
read_usage(SaDraft *draft, const SaJson *usage)
{
	if (sa_json_get(usage, "input_tokens"))
		draft->usage.prompt_tokens =
			sa_wire_tokens(usage, "input_tokens") +
			sa_wire_tokens(usage, "cache_creation_input_tokens") +
			sa_wire_tokens(usage, "cache_read_input_tokens");
	sa_wire_count(&draft->usage.cached_tokens, usage,
				  "cache_read_input_tokens");
	sa_wire_count(&draft->usage.completion_tokens, usage, "output_tokens");
}

static void
read_stop(SaDraft *draft, const SaJson *from)
{
	const char *reason = sa_json_get_string(from, "stop_reason");

	if (reason)
		draft->stop = sa_wire_stop(stops, reason);
}

/* Keep a thought, as it must be sent back. */
static void
end_thought(SaDraft *draft)
{
	SaJson *block;

	if (draft->thinking.len == 0 && draft->signature == NULL)
		return;
	block = sa_json_new_object();
	sa_json_add_string(block, "type", "thinking");
	sa_json_add_string(block, "thinking", draft->thinking.data);
	sa_json_add_string(block, "signature",
					   draft->signature ? draft->signature : "");
	sa_draft_opaque(draft, "thinking_blocks", block, true);
	resetStringInfo(&draft->thinking);
	draft->signature = NULL;
}

static void
read_thought(SaDraft *draft, const SaJson *from)
{
	const char *thinking = sa_json_get_string(from, "thinking");
	char *signature = sa_json_get_string(from, "signature");

	if (thinking)
		appendStringInfoString(&draft->thinking, thinking);
	if (!sa_text_blank(signature))
		draft->signature = signature;
}

/* A block as a whole, or the beginning of one. */
static void
read_block(SaDraft *draft, SaJson *block, int64 index)
{
	const char *type = sa_json_get_string(block, "type");

	if (type == NULL)
		return;
	if (strcmp(type, "text") == 0)
		sa_draft_text(draft, sa_json_get_string(block, "text"));
	else if (strcmp(type, "thinking") == 0)
	{
		read_thought(draft, block);
		if (!draft->streamed)
			end_thought(draft);
	}
	else if (strcmp(type, "redacted_thinking") == 0)
		sa_draft_opaque(draft, "thinking_blocks", block, true);
	else if (strcmp(type, "tool_use") == 0)
	{
		SaDraftCall *call =
			sa_draft_call(draft, index, sa_json_get_string(block, "id"));
		const SaJson *input = sa_json_get(block, "input");
		SaJson *value;

		call->name = sa_json_get_string(block, "name");
		/* A stream begins with an empty object and sends it in pieces. */
		if (!draft->streamed || sa_json_key(input, 0, &value))
			sa_draft_arguments(call, input);
	}
}

static void
read_whole(SaDraft *draft, const SaJson *json)
{
	const SaJson *content = sa_json_get(json, "content");

	if (!sa_json_is_array(content))
		return;
	draft->has_message = true;
	for (int i = 0; i < sa_json_length(content); i++)
		read_block(draft, sa_json_at(content, i), -1);
	draft->model = sa_json_get_string(json, "model");
	read_usage(draft, sa_json_get(json, "usage"));
	read_stop(draft, json);
}

static void
on_message_start(SaDraft *draft, const SaJson *event)
{
	const SaJson *message = sa_json_get(event, "message");

	draft->has_message = true;
	draft->model = sa_json_get_string(message, "model");
	read_usage(draft, sa_json_get(message, "usage"));
}

static void
on_block_start(SaDraft *draft, const SaJson *event)
{
	read_block(draft, sa_json_get(event, "content_block"),
			   sa_json_get_int(event, "index", -1));
}

static void
on_block_delta(SaDraft *draft, const SaJson *event)
{
	const SaJson *delta = sa_json_get(event, "delta");
	const SaJson *piece = sa_json_get(delta, "partial_json");

	sa_draft_text(draft, sa_json_get_string(delta, "text"));
	read_thought(draft, delta);
	if (sa_json_is_string(piece))
		sa_draft_arguments(
			sa_draft_call(draft, sa_json_get_int(event, "index", -1), NULL),
			piece);
}

static void
on_block_stop(SaDraft *draft, const SaJson *event)
{
	end_thought(draft);
}

static void
on_message_delta(SaDraft *draft, const SaJson *event)
{
	read_usage(draft, sa_json_get(event, "usage"));
	read_stop(draft, sa_json_get(event, "delta"));
}

static void
on_message_stop(SaDraft *draft, const SaJson *event)
{
	draft->ended = true;
}

static const struct
{
	const char *type;
	void (*take)(SaDraft *draft, const SaJson *json);
} events[] = {
	{"message", read_whole},
	{"message_start", on_message_start},
	{"content_block_start", on_block_start},
	{"content_block_delta", on_block_delta},
	{"content_block_stop", on_block_stop},
	{"message_delta", on_message_delta},
	{"message_stop", on_message_stop},
};

static void
read_body(SaDraft *draft, const SaJson *json)
{
	const char *type = sa_json_get_string(json, "type");

	if (sa_wire_take_error(draft, json) || type == NULL)
		return;
	for (int i = 0; i < (int) lengthof(events); i++)
		if (strcmp(events[i].type, type) == 0)
			events[i].take(draft, json);
}

const SaWire sa_wire_anthropic = {
	.provider = SA_PROVIDER_ANTHROPIC,
	.name = "anthropic",
	.default_endpoint = ENDPOINT,
	.needs_key = true,
	.key_prefix = key_prefix,
	.headers = headers,
	.path = path,
	.encode = encode,
	.read = read_body,
};
