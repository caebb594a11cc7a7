/*
 * wire_chat.c
 *	  The shapes of a conversation that two wire formats each share: one message
 *	  after the other (openai, ollama), and turns whose roles alternate
 *	  (anthropic, gemini).
 *
 * Called by those formats, which put in what is their own.
 */
#include "postgres.h"

#include "llm/wire.h"

static SaJson *
text_message(const char *role, const char *content)
{
	SaJson *item = sa_json_child_object();

	sa_json_add_string(item, "role", role);
	sa_json_add_string(item, "content", content ? content : "");
	return item;
}

static SaJson *
encode_calls(const List *calls, const SaWireChat *how)
{
	SaJson *array = sa_json_child_array();
	ListCell *lc;

	foreach (lc, calls)
	{
		const SaToolCall *call = lfirst(lc);
		SaJson *item = sa_json_child_object();
		SaJson *function = sa_json_child_object();

		sa_json_add_string(function, "name", sa_wire_tool_name(call->name));
		how->call(item, function, call);
		sa_json_add(item, "function", function);
		sa_json_append(array, item);
	}
	return array;
}

static SaJson *
encode_message(const SaMessage *message, const SaWireChat *how)
{
	static const char *const roles[] = {
		[SA_ROLE_SYSTEM] = "user", /* one that comes late */
		[SA_ROLE_USER] = "user",
		[SA_ROLE_ASSISTANT] = "assistant",
		[SA_ROLE_TOOL] = "tool",
	};
	SaJson *item = text_message(roles[message->role], message->content);
	SaJson *opaque = sa_wire_opaque(message);

	how->message(item, message);
	if (message->calls != NIL)
		sa_json_add(item, "tool_calls", encode_calls(message->calls, how));
	if (opaque)
		sa_json_merge(item, opaque);
	return item;
}

SaJson *
sa_wire_chat(const List *messages, const SaWireChat *how)
{
	SaJson *array = sa_json_child_array();
	int nsystem;
	char *system = sa_wire_system(messages, &nsystem);

	if (nsystem > 0)
		sa_json_append(array, text_message("system", system));
	for (int i = nsystem; i < list_length(messages); i++)
		sa_json_append(array, encode_message(list_nth(messages, i), how));
	return array;
}

SaJson *
sa_wire_turns(const List *messages, int first, const SaWireTurns *how)
{
	SaJson *array = sa_json_child_array();
	SaJson *parts = NULL;
	const char *last_role = "";

	for (int i = first; i < list_length(messages); i++)
	{
		const SaMessage *message = list_nth(messages, i);
		const char *role =
			message->role == SA_ROLE_ASSISTANT ? how->assistant : "user";

		if (strcmp(role, last_role) != 0)
		{
			SaJson *item = sa_json_child_object();

			parts = sa_json_child_array();
			sa_json_add_string(item, "role", role);
			sa_json_add(item, how->parts, parts);
			sa_json_append(array, item);
			last_role = role;
		}
		how->add(parts, message);
	}
	return array;
}
