/*
 * tool.c
 *	  The table of tools, the check of their arguments, and the call.
 *
 * Used by the loop for the model and by the worker for tool_NAME(jsonb).  A
 * tool is a row here and a handler in tools_*.c.
 */
#include "postgres.h"

#include "agent/custom.h"
#include "agent/tool.h"
#include "base/guc.h"
#include "base/spi.h"
#include "base/text.h"

static const SaToolParam run_sql_params[] = {
	{"sql", SA_PARAM_STRING, true, "One SELECT statement of PostgreSQL."},
	{NULL}};

static const SaToolParam check_sql_params[] = {
	{"sql", SA_PARAM_STRING, true, "The statement to check."}, {NULL}};

static const SaToolParam introspect_params[] = {
	{"table_name", SA_PARAM_STRING, false,
	 "A table to describe, as SQL writes it. Without it the tables are "
	 "listed."},
	{"include_sample_data", SA_PARAM_BOOLEAN, false,
	 "Whether to add a few rows of the table."},
	{"search", SA_PARAM_STRING, false,
	 "Words; only the tables that fit them are listed, best first."},
	{NULL}};

static const SaToolParam find_values_params[] = {
	{"table", SA_PARAM_STRING, true, "The table, as SQL writes it."},
	{"column", SA_PARAM_STRING, true, "The column."},
	{"text", SA_PARAM_STRING, true, "What to look for."},
	{NULL}};

static const SaToolParam search_params[] = {
	{"query", SA_PARAM_STRING, true, "Words to search for."},
	{"type", SA_PARAM_STRING, false,
	 "What to search: all (the default), patterns, learnings or rules."},
	{"limit", SA_PARAM_INTEGER, false,
	 "How many of each, 1 to 20; 5 if left out."},
	{NULL}};

static const SaToolParam learning_params[] = {
	{"title", SA_PARAM_STRING, true, "At most 100 characters."},
	{"description", SA_PARAM_STRING, true,
	 "What was found out, so that it helps with another question."},
	{"category", SA_PARAM_STRING, true,
	 "type_error, schema_fix, query_pattern, data_quality or business_logic."},
	{"sql", SA_PARAM_STRING, false, "An example."},
	{NULL}};

static const SaToolParam pattern_params[] = {
	{"name", SA_PARAM_STRING, true, "At most 100 characters."},
	{"question", SA_PARAM_STRING, true,
	 "The question that it answers. A placeholder, :country text, stands for "
	 "a value that differs from question to question."},
	{"sql", SA_PARAM_STRING, true,
	 "The statement as it was run; where the question has a placeholder, "
	 ":country in the value's place."},
	{"summary", SA_PARAM_STRING, true, "What the result says."},
	{"tables_used", SA_PARAM_STRINGS, true, "The tables it reads."},
	{"data_quality_notes", SA_PARAM_STRING, false,
	 "What to mind about the data."},
	{NULL}};

static const SaTool tools[] = {
	{"introspect_schema",
	 "List the tables of the database, or describe one: columns, types, keys, "
	 "relationships, comments.",
	 introspect_params, SA_OFFER_ASK | SA_OFFER_SQL | SA_OFFER_PERSON,
	 sa_tools_introspect_schema},
	{"find_values",
	 "Find the values of a column that are nearest to a text, to write a "
	 "condition with the value as it is stored.",
	 find_values_params, SA_OFFER_ASK | SA_OFFER_SQL | SA_OFFER_PERSON,
	 sa_tools_find_values},
	{"check_sql",
	 "Check a statement without running it: whether it is allowed, its cost "
	 "and rows.",
	 check_sql_params, SA_OFFER_SQL | SA_OFFER_PERSON, sa_tools_check_sql},
	{"run_sql", "Run one SELECT statement and get its rows.", run_sql_params,
	 SA_OFFER_ASK | SA_OFFER_PERSON, sa_tools_run_sql},
	{"search_knowledge",
	 "Search what is known about the data: questions with the SQL that answers "
	 "them, learnings, rules.",
	 search_params, SA_OFFER_ASK | SA_OFFER_SQL | SA_OFFER_PERSON,
	 sa_tools_search_knowledge, &sa_guc_learning},
	{"save_learning",
	 "Save something about the data that was hard to find out, for other "
	 "questions. A person reviews it.",
	 learning_params, SA_OFFER_ASK | SA_OFFER_PERSON, sa_tools_save_learning,
	 &sa_guc_learning},
	{"save_validated_query",
	 "Save a statement that you ran and that answered the question, for other "
	 "questions like it. A person reviews it.",
	 pattern_params, SA_OFFER_ASK | SA_OFFER_PERSON,
	 sa_tools_save_validated_query, &sa_guc_learning},
};

static const char *const param_type_names[] = {
	[SA_PARAM_STRING] = "string",
	[SA_PARAM_INTEGER] = "integer",
	[SA_PARAM_BOOLEAN] = "boolean",
	[SA_PARAM_STRINGS] = "array",
};

static SaCaller current_caller;

void
sa_tool_set_caller(const char *asker, struct SaRunState *run)
{
	current_caller.asker = asker;
	current_caller.run = run;
}

const SaCaller *
sa_tool_caller(void)
{
	return &current_caller;
}

static bool
is_offered(const SaTool *tool, int offer)
{
	return (tool->offered & offer) && (!tool->setting || *tool->setting);
}

/* NULL when none of that name is offered. */
static const SaTool *
find_tool(const char *name, int offer)
{
	for (int i = 0; i < (int) lengthof(tools); i++)
		if (is_offered(&tools[i], offer) && strcmp(tools[i].name, name) == 0)
			return &tools[i];
	return NULL;
}

/* The JSON Schema of a tool's arguments. */
static char *
param_schema(const SaToolParam *params)
{
	StringInfoData out;
	StringInfoData required;

	initStringInfo(&out);
	initStringInfo(&required);
	appendStringInfoString(&out, "{\"type\":\"object\",\"properties\":{");
	for (const SaToolParam *p = params; p->name; p++)
	{
		appendStringInfo(
			&out, "%s\"%s\":{\"type\":\"%s\",%s\"description\":",
			p == params ? "" : ",", p->name, param_type_names[p->type],
			p->type == SA_PARAM_STRINGS ? "\"items\":{\"type\":\"string\"},"
										: "");
		sa_text_json(&out, p->description);
		appendStringInfoChar(&out, '}');
		if (p->required)
			appendStringInfo(&required, "%s\"%s\"", required.len ? "," : "",
							 p->name);
	}
	appendStringInfo(&out,
					 "},\"required\":[%s],\"additionalProperties\":false}",
					 required.data);
	return out.data;
}

bool
sa_tool_is_builtin(const char *name)
{
	for (int i = 0; i < (int) lengthof(tools); i++)
		if (strcmp(tools[i].name, name) == 0)
			return true;
	return false;
}

List *
sa_tool_specs(int offer)
{
	List *specs = NIL;

	for (int i = 0; i < (int) lengthof(tools); i++)
	{
		SaToolSpec *spec;

		if (!is_offered(&tools[i], offer))
			continue;
		spec = palloc(sizeof(SaToolSpec));
		spec->name = tools[i].name;
		spec->description = tools[i].description;
		spec->parameters = param_schema(tools[i].params);
		specs = lappend(specs, spec);
	}
	return list_concat(specs, sa_custom_specs(offer));
}

SaToolResult *
sa_tool_failed(const SaError *error)
{
	SaToolResult *result = palloc0(sizeof(SaToolResult));

	result->error = error;
	return result;
}

SaToolResult *
sa_tool_done(char *json)
{
	SaToolResult *result = palloc0(sizeof(SaToolResult));

	result->json = json;
	return result;
}

static SaToolResult *
bad_call(const char *message, const char *hint)
{
	return sa_tool_failed(sa_error_make(
		SA_ERROR_OTHER, ERRCODE_INVALID_PARAMETER_VALUE, message, NULL, hint));
}

static bool
type_fits(SaParamType type, const SaJson *value)
{
	switch (type)
	{
		case SA_PARAM_STRING:
			return sa_json_is_string(value);
		case SA_PARAM_INTEGER:
			return sa_json_is_int(value);
		case SA_PARAM_BOOLEAN:
			return sa_json_is_bool(value);
		case SA_PARAM_STRINGS:
			return sa_json_is_array(value) || sa_json_is_string(value);
	}
	return false;
}

/* NULL, or what is wrong with the arguments. */
static char *
check_args(const SaTool *tool, const SaJson *args)
{
	SaJson *value;
	const char *key;

	if (!sa_json_is_object(args))
		return pstrdup("the arguments are not a JSON object");
	for (const SaToolParam *p = tool->params; p->name; p++)
	{
		value = sa_json_get(args, p->name);
		if (value == NULL && p->required)
			return psprintf("argument \"%s\" is missing", p->name);
		if (value != NULL && !type_fits(p->type, value))
			return psprintf("argument \"%s\" must be of type %s", p->name,
							param_type_names[p->type]);
	}
	for (int i = 0; (key = sa_json_key(args, i, &value)) != NULL; i++)
	{
		const SaToolParam *p = tool->params;

		while (p->name && strcmp(p->name, key) != 0)
			p++;
		if (p->name == NULL)
			return psprintf(
				"there is no argument \"%s\"",
				sa_text_clip(sa_json_from_utf8(key, strlen(key)), 64));
	}
	return NULL;
}

/* "introspect_schema, run_sql" for the hint of an unknown name. */
static char *
tool_names(int offer)
{
	StringInfoData out;

	initStringInfo(&out);
	for (int i = 0; i < (int) lengthof(tools); i++)
		if (is_offered(&tools[i], offer))
			appendStringInfo(&out, "%s%s", out.len ? ", " : "", tools[i].name);
	return out.data;
}

/* Parse the arguments of a call; NULL and *problem when they are malformed. */
static SaJson *
parse_args(const char *arguments, const char **problem)
{
	char *text = sa_tool_strip_fence(arguments ? arguments : "");

	/* No arguments at all is what some models send for {}. */
	if (*text == '\0')
		text = "{}";
	text = sa_json_to_utf8(text);
	return sa_json_parse(text, strlen(text), problem);
}

static SaToolResult *
call_tool(const SaTool *tool, const SaJson *args)
{
	MemoryContext caller = CurrentMemoryContext;
	SaToolResult *result;

	PG_TRY();
	{
		result = tool->call(args);
	}
	PG_CATCH();
	{
		SaError *error;

		MemoryContextSwitchTo(caller);
		error = sa_error_capture(caller, NULL);
		sa_tx_abort();
		/* The asker's cancel is not the tool's. */
		if (sa_error_is_cancel(error))
			sa_error_raise(error, ERROR);
		result = sa_tool_failed(error);
	}
	PG_END_TRY();
	return result;
}

SaToolResult *
sa_tool_call(const char *name, const char *arguments, int offer)
{
	const SaTool *tool = find_tool(name, offer);
	const char *problem;
	SaJson *args;

	if (tool == NULL)
	{
		SaToolResult *custom = sa_custom_call(name, arguments, offer);

		if (custom)
			return custom;
	}
	if (tool == NULL)
		return bad_call(psprintf("there is no tool \"%s\"",
								 sa_text_clip(name, NAMEDATALEN)),
						psprintf("The tools are: %s.", tool_names(offer)));
	args = parse_args(arguments, &problem);
	if (args == NULL)
		return bad_call(
			psprintf("the arguments of \"%s\" are not valid JSON: "
					 "%s",
					 tool->name, problem),
			psprintf("Send an object like %s.", param_schema(tool->params)));
	problem = check_args(tool, args);
	if (problem)
		return bad_call(problem,
						psprintf("The arguments of \"%s\" are %s.", tool->name,
								 param_schema(tool->params)));
	return call_tool(tool, args);
}

char *
sa_tool_json(const SaToolResult *result)
{
	StringInfoData out;

	if (result->json)
		return result->json;
	initStringInfo(&out);
	appendStringInfoString(&out, "{\"error\": ");
	sa_error_to_json(&out, result->error);
	appendStringInfoChar(&out, '}');
	return out.data;
}

char *
sa_tool_text(const SaToolResult *result)
{
	return result->text ? result->text : sa_tool_json(result);
}

/* A fence begins a line; elsewhere three backticks belong to the text. */
static char *
find_fence(char *text)
{
	for (char *fence = strstr(text, "```"); fence;
		 fence = strstr(fence + 3, "```"))
		if (fence == text || fence[-1] == '\n')
			return fence;
	return NULL;
}

char *
sa_tool_strip_fence(const char *text)
{
	char *trimmed = sa_text_trim(text);
	char *open = find_fence(trimmed);
	char *start;
	char *close;
	size_t len;

	if (open == NULL)
		return trimmed;
	/* The rest of the fence's line names the language. */
	start = strchr(open, '\n');
	start = start ? start + 1 : open + 3;
	close = find_fence(start);
	len = strlen(start);
	if (close == NULL && len >= 3 && strcmp(start + len - 3, "```") == 0)
		close = start + len - 3;
	if (close)
		*close = '\0';
	return sa_text_trim(start);
}
