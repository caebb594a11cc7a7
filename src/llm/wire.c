/*
 * wire.c
 *	  What the wire formats share: the table of them, and the small translations
 *	  that every provider needs.
 *
 * Used by the wire formats and by client.c.
 */
#include "postgres.h"

#include "lib/stringinfo.h"

#include "base/guc.h"
#include "base/text.h"
#include "llm/wire.h"

/* The longest tool name that every provider accepts. */
#define MAX_TOOL_NAME 64

static const SaWire *const wires[] = {&sa_wire_openai};

const SaWire *
sa_wire_find(int provider)
{
	for (int i = 0; i < (int) lengthof(wires); i++)
		if (wires[i]->provider == provider)
			return wires[i];
	return NULL;
}

char *
sa_wire_system(const List *messages, int *count)
{
	StringInfoData text;
	ListCell *lc;

	*count = 0;
	initStringInfo(&text);
	foreach (lc, messages)
	{
		const SaMessage *message = lfirst(lc);

		if (message->role != SA_ROLE_SYSTEM)
			break;
		if (text.len > 0)
			appendStringInfoString(&text, "\n\n");
		if (message->content)
			appendStringInfoString(&text, message->content);
		(*count)++;
	}
	return text.data;
}

char *
sa_wire_tool_name(const char *name)
{
	char *copy = pnstrdup(name, MAX_TOOL_NAME);

	if (copy[0] == '\0')
		return pstrdup("unknown");
	for (char *c = copy; *c; c++)
		if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
			  (*c >= '0' && *c <= '9') || *c == '_' || *c == '-'))
			*c = '_';
	return copy;
}

SaJson *
sa_wire_arguments_object(const SaToolCall *call)
{
	const char *problem;
	const char *text = sa_json_to_utf8(call->arguments);
	SaJson *tree = sa_json_parse(text, strlen(text), &problem);

	if (!sa_json_is_object(tree))
		tree = sa_json_new_object();
	return sa_json_ref(tree);
}

SaToolCall *
sa_wire_new_call(const List *calls, char *id, char *name,
				 const SaJson *arguments)
{
	SaToolCall *call = palloc(sizeof(SaToolCall));

	if (sa_text_blank(id))
		id = psprintf("call_%d", list_length(calls) + 1);
	call->id = id;
	call->name = name ? name : pstrdup("");
	if (arguments == NULL)
		call->arguments = pstrdup("{}");
	else if (sa_json_is_string(arguments))
		call->arguments = sa_json_string(arguments);
	else
	{
		const char *text = sa_json_print(arguments);

		call->arguments = sa_json_from_utf8(text, (int) strlen(text));
	}
	return call;
}

char *
sa_wire_text(const SaJson *content)
{
	StringInfoData text;

	if (sa_json_is_string(content))
		return sa_json_string(content);
	if (!sa_json_is_array(content))
		return NULL;
	initStringInfo(&text);
	for (int i = 0; i < sa_json_length(content); i++)
	{
		char *part = sa_json_get_string(sa_json_at(content, i), "text");

		if (part)
			appendStringInfoString(&text, part);
	}
	return text.len > 0 ? text.data : NULL;
}

int64
sa_wire_tokens(const SaJson *usage, const char *key)
{
	int64 tokens = sa_json_get_int(usage, key, 0);

	return Max(0, Min(tokens, PG_INT32_MAX));
}

char *
sa_wire_error(const SaJson *body)
{
	static const char *const keys[] = {"error", "message", "detail", "errors"};

	/* Gemini's compatible interface wraps the object in an array. */
	if (sa_json_is_array(body))
		body = sa_json_at(body, 0);
	for (int i = 0; i < (int) lengthof(keys); i++)
	{
		const SaJson *value = sa_json_get(body, keys[i]);
		char *text;

		if (sa_json_is_array(value))
			value = sa_json_at(value, 0);
		text = sa_json_string(value);
		if (text == NULL)
			text = sa_json_get_string(value, "message");
		if (text == NULL)
			text = sa_json_get_string(value, "msg");
		if (!sa_text_blank(text))
			return text;
	}
	return NULL;
}
