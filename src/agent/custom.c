/*
 * custom.c
 *	  Tools that the administrator has registered.
 *
 * Called by tool.c for names that are not built in.  What such a tool returns is
 * data from within the database and may leave it only where sqlagent.share lets
 * rows go; elsewhere the tools are not offered.
 */
#include "postgres.h"

#include "agent/custom.h"
#include "agent/prompt.h"
#include "agent/schema.h"
#include "base/guc.h"
#include "base/text.h"
#include "db/call.h"
#include "llm/client.h"
#include "store/tools.h"

/* Of a tool call, as of any other result: bytes a token. */
#define BYTES_PER_TOKEN 4

static bool
is_offered(int offer)
{
	if (offer & SA_OFFER_PERSON)
		return true;
	return (offer & SA_OFFER_ASK) && !sa_client_is_local() &&
		   sa_guc_share == SA_SHARE_ROWS;
}

List *
sa_custom_specs(int offer)
{
	List *specs = NIL;
	ListCell *cell;

	if (!is_offered(offer))
		return NIL;
	foreach (cell, sa_tools_load(NULL))
	{
		const SaCustomTool *tool = lfirst(cell);
		SaToolSpec *spec = palloc(sizeof(SaToolSpec));

		spec->name = tool->name;
		spec->description = tool->description;
		spec->parameters = sa_json_to_utf8(tool->parameters);
		specs = lappend(specs, spec);
	}
	return specs;
}

static SaToolResult *
bad_arguments(const SaCustomTool *tool, const char *problem)
{
	return sa_tool_failed(sa_error_make(
		SA_ERROR_OTHER, ERRCODE_INVALID_PARAMETER_VALUE,
		psprintf("the arguments of \"%s\" do not fit", tool->name),
		psprintf("%s.", problem),
		psprintf("They must conform to %s.", tool->parameters)));
}

static SaJson *
parse(const char *text, const char **problem)
{
	const char *utf8;

	if (sa_text_blank(text))
		text = "{}";
	utf8 = sa_json_to_utf8(text);
	return sa_json_parse(utf8, strlen(utf8), problem);
}

static SaCallArg *
new_arg(const char *name, const char *value)
{
	SaCallArg *arg = palloc(sizeof(SaCallArg));

	arg->name = name;
	arg->value = value;
	return arg;
}

/* The text of a value as the input function of a type reads it. */
static const char *
value_text(const SaJson *value)
{
	const char *text;

	if (value == NULL)
		return NULL;
	if (sa_json_is_string(value))
		return sa_json_string(value);
	text = sa_json_print(value);
	return sa_json_from_utf8(text, (int) strlen(text));
}

static List *
named_args(const SaJson *args)
{
	List *list = NIL;
	const char *key;
	SaJson *value;

	for (int i = 0; (key = sa_json_key(args, i, &value)) != NULL; i++)
		list = lappend(list, new_arg(sa_json_from_utf8(key, (int) strlen(key)),
									 value_text(value)));
	return list;
}

/* Within sqlagent.result_tokens, as data. */
static char *
text_for_model(const char *json)
{
	int limit = Min(sa_guc_result_tokens, PG_INT32_MAX / BYTES_PER_TOKEN) *
				BYTES_PER_TOKEN;
	bool cut = strlen(json) > (size_t) limit;

	return psprintf("%s<data>\n%s\n</data>",
					cut ? "The result is too long; this is its beginning.\n"
						: "",
					sa_prompt_fence(cut ? sa_text_clip(json, limit) : json));
}

static SaToolResult *
call_tool(const SaCustomTool *tool, const SaJson *args)
{
	SaToolResult *result;
	SaError *error;
	char *json = sa_call_function(
		tool->function,
		tool->takes_json ? list_make1(new_arg(NULL, value_text(args)))
						 : named_args(args),
		tool->read_only, &error);

	if (json == NULL)
		return sa_tool_failed(error);
	result = sa_tool_done(json);
	result->text = text_for_model(json);
	return result;
}

SaToolResult *
sa_custom_call(const char *name, const char *arguments, int offer)
{
	List *tools = is_offered(offer) ? sa_tools_load(name) : NIL;
	const SaCustomTool *tool;
	const char *problem;
	SaJson *schema;
	SaJson *args;

	if (tools == NIL)
		return NULL;
	tool = linitial(tools);
	args = parse(arguments, &problem);
	if (args == NULL)
		return bad_arguments(tool, psprintf("As JSON, %s", problem));
	schema = parse(tool->parameters, &problem);
	problem = sa_schema_violation(schema, args);
	if (problem)
		return bad_arguments(tool, problem);
	return call_tool(tool, args);
}

bool
sa_custom_writes(const char *name, int offer)
{
	List *tools;

	if (sa_tool_is_builtin(name) || !is_offered(offer))
		return false;
	tools = sa_tools_load(name);
	return tools != NIL && !((SaCustomTool *) linitial(tools))->read_only;
}

static void
check_name(const char *name)
{
	size_t len = strlen(name);

	if (len == 0 || len >= NAMEDATALEN ||
		strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != len ||
		name[0] == '_' || (name[0] >= '0' && name[0] <= '9'))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_NAME),
				 errmsg("\"%s\" cannot be the name of a tool", name),
				 errdetail("Names consist of lower-case letters, digits and "
						   "underscores and begin with a letter.")));
	if (sa_tool_is_builtin(name))
		ereport(ERROR, (errcode(ERRCODE_RESERVED_NAME),
						errmsg("tool \"%s\" is built in", name)));
}

/* Each property must be an argument, by name; the rest may have defaults. */
static void
check_arguments(const SaSignature *signature, const SaJson *properties)
{
	const char *key;
	SaJson *value;

	for (int i = 0; (key = sa_json_key(properties, i, &value)) != NULL; i++)
	{
		const char *name = sa_json_from_utf8(key, (int) strlen(key));
		int arg = 0;

		while (arg < signature->nargs &&
			   (signature->names[arg] == NULL ||
				strcmp(signature->names[arg], name) != 0))
			arg++;
		if (arg == signature->nargs)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("the function has no argument \"%s\"", name),
					 errhint("The properties of the parameters are the "
							 "arguments by name; or let the function have one "
							 "argument of type jsonb.")));
	}
}

/* Parameters are an object that names all of its members. */
static SaJson *
check_parameters(const char *parameters)
{
	const char *problem;
	SaJson *schema = parse(parameters, &problem);
	char *type = sa_json_get_string(schema, "type");

	if (schema)
		problem = sa_schema_problem(schema);
	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("parameters are no schema that is supported"),
				 errdetail("%s.", problem),
				 errhint("The keywords are: %s.", sa_schema_keywords())));
	if (type == NULL || strcmp(type, "object") != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("parameters must be a schema of type object"),
				 errhint("Without arguments it is {\"type\": \"object\", "
						 "\"properties\": {}}.")));
	return schema;
}

void
sa_custom_check(const char *name, Oid function, const char *description,
				const char *parameters)
{
	SaSignature *signature = sa_call_signature(function);
	SaJson *schema = check_parameters(parameters);

	check_name(name);
	if (sa_text_blank(description))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("a tool needs a description"),
						errhint("The model chooses tools by it.")));
	if (!signature->is_function)
		ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
						errmsg("a tool must be a plain function that returns "
							   "one value")));
	if (signature->takes_json)
		return;
	check_arguments(signature, sa_json_get(schema, "properties"));
	if (!sa_json_is_bool(sa_json_get(schema, "additionalProperties")) ||
		sa_json_bool(sa_json_get(schema, "additionalProperties")))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("parameters must have \"additionalProperties\": false"),
				 errdetail("The function has named arguments, and can take no "
						   "others.")));
}
