/*
 * wire_gemini.c
 *	  Gemini's generateContent.
 *
 * Called by client.c.  The model is part of the path; results of tools are
 * matched to calls by name and order, or by id where the model gave one; parts
 * that carry a signature of thoughts must be sent back as they came.
 */
#include "postgres.h"

#include "base/guc.h"
#include "base/text.h"
#include "llm/wire.h"

#define ENDPOINT "https://generativelanguage.googleapis.com/v1beta"

static const char *const no_headers[] = {NULL};

static char *
path(const char *model, bool stream)
{
	static const char prefix[] = "models/";

	if (strncmp(model, prefix, sizeof(prefix) - 1) == 0)
		model += sizeof(prefix) - 1;
	return psprintf("/models/%s:%s", model,
					stream ? "streamGenerateContent?alt=sse"
						   : "generateContent");
}

static const char *
key_prefix(const char *url)
{
	return "x-goog-api-key: ";
}

static void
add_text(SaJson *parts, const char *text)
{
	SaJson *part;

	if (sa_text_blank(text))
		return;
	part = sa_json_child_object();
	sa_json_add_string(part, "text", text);
	sa_json_append(parts, part);
}

static void
add_call(SaJson *parts, const SaToolCall *call)
{
	SaJson *part = sa_json_child_object();
	SaJson *function = sa_json_child_object();

	if (!sa_draft_is_made_id(call->id))
		sa_json_add_string(function, "id", call->id);
	sa_json_add_string(function, "name", sa_wire_tool_name(call->name));
	sa_json_add(function, "args", sa_wire_arguments(call));
	sa_json_add(part, "functionCall", function);
	sa_json_append(parts, part);
}

static void
add_tool_result(SaJson *parts, const SaMessage *message)
{
	SaJson *part = sa_json_child_object();
	SaJson *function = sa_json_child_object();
	SaJson *response = sa_json_child_object();

	if (!sa_draft_is_made_id(message->call_id))
		sa_json_add_string(function, "id", message->call_id);
	sa_json_add_string(function, "name", sa_wire_tool_name(message->tool_name));
	sa_json_add_string(response, message->is_error ? "error" : "result",
					   message->content ? message->content : "");
	sa_json_add(function, "response", response);
	sa_json_add(part, "functionResponse", function);
	sa_json_append(parts, part);
}

static void
add_parts(SaJson *parts, const SaMessage *message)
{
	const SaJson *kept = sa_json_get(sa_wire_opaque(message), "parts");
	ListCell *lc;

	if (message->role == SA_ROLE_TOOL)
		add_tool_result(parts, message);
	else if (sa_json_is_array(kept))
		for (int i = 0; i < sa_json_length(kept); i++)
			sa_json_append(parts, sa_json_ref(sa_json_at(kept, i)));
	else
	{
		add_text(parts, message->content);
		foreach (lc, message->calls)
			add_call(parts, lfirst(lc));
	}
}

static const SaWireTurns turns = {"model", "parts", add_parts};

static SaJson *
encode_system(const char *text)
{
	SaJson *system = sa_json_child_object();
	SaJson *parts = sa_json_child_array();

	add_text(parts, text);
	sa_json_add(system, "parts", parts);
	return system;
}

static SaJson *
encode_tools(const List *tools)
{
	SaJson *array = sa_json_child_array();
	SaJson *item = sa_json_child_object();
	SaJson *declarations = sa_json_child_array();
	ListCell *lc;

	foreach (lc, tools)
	{
		const SaToolSpec *tool = lfirst(lc);
		SaJson *declaration = sa_json_child_object();

		sa_json_add_string(declaration, "name", tool->name);
		sa_json_add_string(declaration, "description", tool->description);
		/* "parameters" would take a dialect of OpenAPI's only. */
		sa_json_add(declaration, "parametersJsonSchema",
					sa_json_child_verbatim(tool->parameters));
		sa_json_append(declarations, declaration);
	}
	sa_json_add(item, "functionDeclarations", declarations);
	sa_json_append(array, item);
	return array;
}

/* The words of levels are written in capitals. */
static char *
level(const char *effort)
{
	char *word = pstrdup(effort);

	for (char *c = word; *c; c++)
		*c = (char) pg_ascii_toupper((unsigned char) *c);
	return word;
}

/* A number is a budget in tokens (models to 2.5), a word is a level (from 3). */
static SaJson *
encode_effort(const char *effort)
{
	SaJson *thinking = sa_json_child_object();

	if (strcmp(effort, "none") == 0)
		sa_json_add_int(thinking, "thinkingBudget", 0);
	else if (atoi(effort) != 0)
		sa_json_add_int(thinking, "thinkingBudget", atoi(effort));
	else
		sa_json_add_string(thinking, "thinkingLevel", level(effort));
	return thinking;
}

static SaJson *
encode_config(const SaRequest *request)
{
	SaJson *config = sa_json_child_object();

	if (sa_guc_temperature >= 0)
		sa_json_add_double(config, "temperature", sa_guc_temperature);
	sa_json_add_int(config, "maxOutputTokens", sa_guc_max_output_tokens);
	if (!sa_text_blank(sa_guc_reasoning_effort))
		sa_json_add(config, "thinkingConfig",
					encode_effort(sa_guc_reasoning_effort));
	if (request->result_schema && request->tools == NIL)
	{
		sa_json_add_string(config, "responseMimeType", "application/json");
		sa_json_add(config, "responseJsonSchema",
					sa_json_child_verbatim(request->result_schema));
	}
	return config;
}

static SaJson *
encode(const SaRequest *request, const char *model, bool stream)
{
	SaJson *body = sa_json_new_object();
	int nsystem;
	char *system = sa_wire_system(request->messages, &nsystem);

	if (!sa_text_blank(system))
		sa_json_add(body, "systemInstruction", encode_system(system));
	sa_json_add(body, "contents",
				sa_wire_turns(request->messages, nsystem, &turns));
	if (request->tools != NIL)
		sa_json_add(body, "tools", encode_tools(request->tools));
	sa_json_add(body, "generationConfig", encode_config(request));
	return body;
}

static const SaStopWord stops[] = {
	{"STOP", SA_STOP_END},
	{"MAX_TOKENS", SA_STOP_LENGTH},
	{"SAFETY", SA_STOP_REFUSED},
	{"RECITATION", SA_STOP_REFUSED},
	{"LANGUAGE", SA_STOP_REFUSED},
	{"BLOCKLIST", SA_STOP_REFUSED},
	{"PROHIBITED_CONTENT", SA_STOP_REFUSED},
	{"SPII", SA_STOP_REFUSED},
	{NULL, SA_STOP_OTHER},
};

static void
read_part(SaDraft *draft, SaJson *part)
{
	const SaJson *function = sa_json_get(part, "functionCall");
	bool is_signed = sa_json_get(part, "thoughtSignature") != NULL;
	bool is_thought = sa_json_get_bool(part, "thought", false);

	/* A thought is no part of the answer, and wanted back if signed. */
	if (is_thought && !is_signed)
		return;
	sa_draft_opaque(draft, "parts", part, is_signed);
	if (!is_thought)
		sa_draft_text(draft, sa_json_get_string(part, "text"));
	if (sa_json_is_object(function))
	{
		SaDraftCall *call =
			sa_draft_call(draft, -1, sa_json_get_string(function, "id"));

		call->name = sa_json_get_string(function, "name");
		sa_draft_arguments(call, sa_json_get(function, "args"));
	}
}

static void
read_usage(SaUsage *into, const SaJson *usage)
{
	sa_wire_count(&into->prompt_tokens, usage, "promptTokenCount");
	sa_wire_count(&into->cached_tokens, usage, "cachedContentTokenCount");
	sa_wire_count(&into->reasoning_tokens, usage, "thoughtsTokenCount");
	into->completion_tokens =
		sa_wire_tokens(usage, "candidatesTokenCount") + into->reasoning_tokens;
}

static void
read_body(SaDraft *draft, const SaJson *json)
{
	const SaJson *candidate = sa_json_at(sa_json_get(json, "candidates"), 0);
	const SaJson *parts =
		sa_json_get(sa_json_get(candidate, "content"), "parts");
	const SaJson *usage = sa_json_get(json, "usageMetadata");
	const char *reason = sa_json_get_string(candidate, "finishReason");
	char *blocked =
		sa_json_get_string(sa_json_get(json, "promptFeedback"), "blockReason");

	if (sa_wire_take_error(draft, json))
		return;
	for (int i = 0; i < sa_json_length(parts); i++)
		read_part(draft, sa_json_at(parts, i));
	if (blocked)
	{
		draft->has_message = true;
		draft->ended = true;
		appendStringInfo(&draft->refusal, "The provider refused the prompt: %s",
						 blocked);
	}
	/* A candidate may lack its content, when it was filtered. */
	if (sa_json_is_array(parts) || reason)
		draft->has_message = true;
	if (reason)
	{
		draft->stop = sa_wire_stop(stops, reason);
		draft->ended = true;
	}
	if (usage)
		read_usage(&draft->usage, usage);
	if (draft->model == NULL)
		draft->model = sa_json_get_string(json, "modelVersion");
}

const SaWire sa_wire_gemini = {
	.provider = SA_PROVIDER_GEMINI,
	.name = "gemini",
	.default_endpoint = ENDPOINT,
	.needs_key = true,
	.key_prefix = key_prefix,
	.headers = no_headers,
	.path = path,
	.encode = encode,
	.read = read_body,
};
