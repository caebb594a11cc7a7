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

static const SaWire *const wires[] = {&sa_wire_openai, &sa_wire_anthropic,
									  &sa_wire_ollama, &sa_wire_gemini};

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
sa_wire_arguments(const SaToolCall *call)
{
	const char *problem;
	const char *text = sa_json_to_utf8(call->arguments);
	SaJson *tree = sa_json_parse(text, strlen(text), &problem);

	return sa_json_is_object(tree) ? sa_json_ref(tree) : sa_json_child_object();
}

SaJson *
sa_wire_opaque(const SaMessage *message)
{
	const char *problem;

	if (message->opaque == NULL)
		return NULL;
	return sa_json_parse(message->opaque, strlen(message->opaque), &problem);
}

SaJson *
sa_wire_functions(const List *tools)
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
					sa_json_child_verbatim(tool->parameters));
		sa_json_add(item, "function", function);
		sa_json_append(array, item);
	}
	return array;
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

void
sa_wire_count(int64 *count, const SaJson *usage, const char *key)
{
	if (sa_json_get(usage, key))
		*count = sa_wire_tokens(usage, key);
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

bool
sa_wire_is_passing(int status)
{
	return status == 408 || status == 409 || status == 429 ||
		   (status >= 500 && status <= 599);
}

bool
sa_wire_take_error(SaDraft *draft, const SaJson *body)
{
	/* Words of Anthropic's for what passes; others give a number. */
	static const char *const passing[] = {"overloaded_error", "api_error",
										  "rate_limit_error", "timeout_error",
										  "server_error"};
	const SaJson *error = sa_json_get(body, "error");
	const char *type = sa_json_get_string(error, "type");
	bool passes = sa_wire_is_passing(
		(int) Min(sa_wire_tokens(error, "code"), PG_INT16_MAX));
	char *message;

	if (error == NULL)
		return false;
	for (int i = 0; type && i < (int) lengthof(passing); i++)
		passes = passes || strcmp(type, passing[i]) == 0;
	message = sa_wire_error(body);
	sa_draft_fail(draft, message ? message : "it reports an error", passes);
	return true;
}

SaStop
sa_wire_stop(const SaStopWord *words, const char *word)
{
	for (; word && words->word; words++)
		if (strcmp(words->word, word) == 0)
			return words->stop;
	return SA_STOP_OTHER;
}
