/*
 * tidy.c
 *	  Makes an orderly reply of what models really say.
 *
 * Called by client.c on each reply, whatever the provider.  Small models write
 * their thoughts and their tool calls into the text, each family in markers of
 * its own; a server passes them on when it does not know the model's template.
 */
#include "postgres.h"

#include "lib/stringinfo.h"

#include "base/json.h"
#include "base/text.h"
#include "llm/draft.h"
#include "llm/tidy.h"

/* More text, or a longer name, is no answer of use, and would be stored. */
#define MAX_TEXT (256 * 1024)
#define MAX_NAME 256
#define MAX_THOUGHTS 16

/* What stands around thoughts at the beginning of a text. */
static const struct
{
	const char *open;
	const char *close;
} thoughts[] = {
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
};

/* What stands around a call in a text; without an end it goes on to the end. */
static const struct
{
	const char *open;
	const char *close;
} call_marks[] = {
	{"<tool_call>", "</tool_call>"},
	{"<function_call>", "</function_call>"},
	{"<|tool_call|>", "<|/tool_call|>"},
	{"<|python_tag|>", NULL},
	{"[TOOL_CALLS]", NULL},
	{"<function=", "</function>"},
	{"```", "```"},
};

/* The names that models give to the parts of a call. */
static const char *const name_keys[] = {"name", "tool", "tool_name",
										"function"};
static const char *const argument_keys[] = {"arguments", "parameters", "args",
											"input", "tool_input"};

/*
 * Behind the thoughts that a text begins with; the text itself when it begins
 * with none.  The opening mark may be missing, since some templates put it into
 * the prompt; thoughts without an end are all that there is.
 */
static char *
behind_thought(char *text)
{
	for (int i = 0; i < (int) lengthof(thoughts); i++)
	{
		const char *open = thoughts[i].open;
		const char *close = thoughts[i].close;
		bool opened = strncmp(text, open, strlen(open)) == 0;
		char *end = strstr(text, close);

		if (opened && end == NULL)
			return text + strlen(text);
		if (end != NULL &&
			(opened || strstr(text, open) == NULL || strstr(text, open) > end))
			return end + strlen(close);
	}
	return text;
}

static char *
without_thoughts(char *text)
{
	for (int i = 0; i < MAX_THOUGHTS; i++)
	{
		char *behind;

		text += strspn(text, " \t\n");
		behind = behind_thought(text);
		if (behind == text)
			break;
		text = behind;
	}
	return sa_text_blank(text) ? NULL : sa_text_trim(text);
}

/* Behind a terminal's control sequence, ESC [ ... letter. */
static const char *
behind_sequence(const char *text)
{
	if (text[0] != '\033' || text[1] != '[')
		return text + 1;
	for (text += 2; *text >= ' ' && *text < '@'; text++)
		;
	return *text >= '@' && *text < 0x7F ? text + 1 : text;
}

/* Control characters would command the terminal that shows the answer. */
static void
drop_controls(char *text)
{
	char *to = text;
	const char *from = text;

	while (*from)
	{
		unsigned char c = *from;

		if ((c >= ' ' && c != 0x7F) || c == '\n' || c == '\t')
			*to++ = *from++;
		else
			from = behind_sequence(from);
	}
	*to = '\0';
}

static bool
is_offered(const SaRequest *request, const char *name)
{
	ListCell *lc;

	foreach (lc, request->tools)
		if (strcmp(((const SaToolSpec *) lfirst(lc))->name, name) == 0)
			return true;
	return false;
}

static const SaJson *
first_member(const SaJson *object, const char *const *keys, int nkeys)
{
	for (int i = 0; i < nkeys; i++)
	{
		const SaJson *value = sa_json_get(object, keys[i]);

		if (value)
			return value;
	}
	return NULL;
}

/* {"name": ..., "arguments": {...}} in one of its spellings; else false. */
static bool
take_call(SaDraft *draft, const SaRequest *request, const SaJson *json)
{
	const SaJson *name = first_member(json, name_keys, lengthof(name_keys));
	SaDraftCall *call;

	if (sa_json_is_object(name)) /* {"function": {"name": ...}} */
	{
		json = name;
		name = sa_json_get(json, "name");
	}
	if (!sa_json_is_string(name) || !is_offered(request, sa_json_string(name)))
		return false;
	call = sa_draft_call(draft, -1, NULL);
	call->name = sa_json_string(name);
	sa_draft_arguments(
		call, first_member(json, argument_keys, lengthof(argument_keys)));
	return true;
}

static bool
take_json_calls(SaDraft *draft, const SaRequest *request, const char *text)
{
	const char *problem;
	const char *utf8 = sa_json_to_utf8(text);
	SaJson *json = sa_json_parse(utf8, strlen(utf8), &problem);

	if (!sa_json_is_array(json))
		return take_call(draft, request, json);
	for (int i = 0; i < sa_json_length(json); i++)
		if (!take_call(draft, request, sa_json_at(json, i)))
			return false;
	return sa_json_length(json) > 0;
}

/* <parameter=sql>SELECT 1</parameter>... as an object. */
static SaJson *
parameters_object(const char *text)
{
	static const char open[] = "<parameter=";
	static const char close[] = "</parameter>";
	SaJson *object = sa_json_new_object();
	const char *at;

	while ((at = strstr(text, open)) != NULL)
	{
		const char *name = at + sizeof(open) - 1;
		const char *value = strchr(name, '>');
		const char *end = value ? strstr(value, close) : NULL;

		if (end == NULL)
			break;
		sa_json_add_string(object,
						   sa_json_to_utf8(pnstrdup(name, value - name)),
						   sa_text_trim(pnstrdup(value + 1, end - value - 1)));
		text = end + sizeof(close) - 1;
	}
	return object;
}

/* run_sql>{"sql": ...} or run_sql><parameter=sql>...: behind "<function=". */
static bool
take_function(SaDraft *draft, const SaRequest *request, const char *text)
{
	size_t len = strcspn(text, ">");
	char *name = pnstrdup(text, len);
	char *inner = sa_text_trim(text + len + (text[len] == '>'));
	SaDraftCall *call;

	if (!is_offered(request, name))
		return false;
	call = sa_draft_call(draft, -1, NULL);
	call->name = name;
	if (inner[0] == '{')
		appendStringInfoString(&call->arguments, inner);
	else
		sa_draft_arguments(call, parameters_object(inner));
	return true;
}

/* What a mark encloses, which may enclose another: <tool_call><function=...> */
static bool
take_marked(SaDraft *draft, const SaRequest *request, char *text)
{
	static const char function[] = "<function=";
	static const char json[] = "json";

	text = sa_text_trim(text);
	if (strncmp(text, function, sizeof(function) - 1) == 0)
		return take_function(draft, request, text + sizeof(function) - 1);
	if (strncmp(text, json, sizeof(json) - 1) == 0) /* of a code fence */
		text = sa_text_trim(text + sizeof(json) - 1);
	return take_json_calls(draft, request, text);
}

/* Calls between the marks of one kind; *before = the text before the first. */
static bool
take_calls_between(SaDraft *draft, const SaRequest *request, char *text,
				   int mark, char **before)
{
	const char *open = call_marks[mark].open;
	const char *close = call_marks[mark].close;
	char *at = strstr(text, open);
	bool found = false;

	*before = at ? pnstrdup(text, at - text) : NULL;
	while (at != NULL)
	{
		/* "<function=" belongs to what it encloses. */
		char *inner = open[strlen(open) - 1] == '=' ? at : at + strlen(open);
		char *end = close ? strstr(inner, close) : NULL;
		size_t len = end ? (size_t) (end - inner) : strlen(inner);

		if (take_marked(draft, request, pnstrdup(inner, len)))
			found = true;
		if (end == NULL || close == NULL)
			break;
		at = strstr(end + strlen(close), open);
	}
	return found;
}

/* Tool calls that were sent as text become calls. */
static void
find_calls(SaReply *reply, const SaRequest *request)
{
	SaDraft *draft = sa_draft_new(false);
	char *text = sa_text_trim(reply->content);
	char *before = NULL;
	bool found = false;

	if (text[0] == '{' || text[0] == '[')
		found = take_json_calls(draft, request, text);
	for (int i = 0; i < (int) lengthof(call_marks) && !found; i++)
		found = take_calls_between(draft, request, text, i, &before);
	if (!found)
		return;
	draft->has_message = true;
	reply->calls = sa_draft_finish(draft)->calls;
	reply->content = sa_text_blank(before) ? NULL : sa_text_trim(before);
	reply->stop = SA_STOP_TOOLS;
}

/* A second call with an id would get the result of the first. */
static void
make_ids_unique(List *calls)
{
	for (int i = 1; i < list_length(calls); i++)
	{
		SaToolCall *call = list_nth(calls, i);

		for (int j = 0; j < i; j++)
			if (strcmp(call->id,
					   ((const SaToolCall *) list_nth(calls, j))->id) == 0)
			{
				call->id = psprintf("%s_%d", call->id, i + 1);
				j = -1; /* the new one may be taken as well */
			}
	}
}

static void
clip(char **text, int max_bytes)
{
	if (*text && strlen(*text) > (size_t) max_bytes)
		*text = sa_text_clip(*text, max_bytes);
}

void
sa_tidy_reply(SaReply *reply, const SaRequest *request)
{
	ListCell *lc;

	if (reply->content)
	{
		clip(&reply->content, MAX_TEXT);
		drop_controls(reply->content);
		reply->content = without_thoughts(reply->content);
	}
	if (reply->content && reply->calls == NIL && request->tools != NIL)
		find_calls(reply, request);
	foreach (lc, reply->calls)
	{
		SaToolCall *call = lfirst(lc);

		clip(&call->id, MAX_NAME);
		clip(&call->name, MAX_NAME);
		clip(&call->arguments, MAX_TEXT);
	}
	make_ids_unique(reply->calls);
}
