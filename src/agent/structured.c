/*
 * structured.c
 *	  Answers that conform to a JSON Schema of the asker.
 *
 * Called by the loop for ask_json() with a schema.  The model is told the schema
 * from the beginning; the provider is made to keep it only when tools are no
 * more offered, since many servers cannot do both at a time.
 */
#include "postgres.h"

#include "agent/prompt.h"
#include "agent/schema.h"
#include "agent/structured.h"
#include "base/json.h"
#include "llm/client.h"

static SaJson *
parse(const char *text, const char **problem)
{
	const char *utf8 = sa_json_to_utf8(text);

	return sa_json_parse(utf8, strlen(utf8), problem);
}

void
sa_structured_check_schema(const char *schema)
{
	const char *problem;
	SaJson *tree = parse(schema, &problem);

	if (tree)
		problem = sa_schema_problem(tree);
	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("schema is not supported"), errdetail("%s.", problem),
				 errhint("The keywords are: %s.", sa_schema_keywords())));
}

const char *
sa_structured_schema(const SaTask *task)
{
	return task->verb == SA_VERB_ASK_JSON ? task->args : NULL;
}

/* NULL when the answer conforms, with the result kept; else what is wrong. */
static const char *
take_result(SaRunState *run)
{
	char *text = sa_tool_strip_fence(run->answer);
	const char *problem;
	SaJson *value;

	if (run->from_rows)
		return "$: is missing";
	value = parse(text, &problem);
	if (value == NULL)
		return psprintf("$: is not JSON: %s", problem);
	problem = sa_schema_violation(parse(run->task->args, &problem), value);
	if (problem == NULL)
	{
		run->answer = text;
		run->structured = text;
	}
	return problem;
}

/* A row as an object, or with one column as its value alone. */
static SaJson *
row_value(const SaResult *result, const SaJson *row, bool as_object)
{
	SaJson *object;

	if (!as_object)
		return sa_json_ref(sa_json_at(row, 0));
	object = sa_json_child_object();
	for (int i = 0; i < result->ncolumns; i++)
		sa_json_add(object, sa_json_to_utf8(result->columns[i].name),
					sa_json_ref(sa_json_at(row, i)));
	return object;
}

/* The rows in the form that conforms, or NULL; no model is needed for it. */
static char *
rows_that_conform(const SaRunState *run)
{
	const SaResult *result = run->result;
	const char *problem;
	const SaJson *schema = parse(run->task->args, &problem);
	StringInfoData text;
	SaJson *rows;

	if (result == NULL)
		return NULL;
	initStringInfo(&text);
	sa_result_rows_json(&text, result, result->nrows);
	rows = parse(text.data, &problem);
	for (int as_object = 1; as_object >= (result->ncolumns == 1 ? 0 : 1);
		 as_object--)
	{
		SaJson *list = sa_json_new_array();
		const SaJson *form = list;

		for (int i = 0; i < sa_json_length(rows); i++)
			sa_json_append(list,
						   row_value(result, sa_json_at(rows, i), as_object));
		if (sa_schema_violation(schema, list) != NULL)
			form = result->nrows == 1 ? sa_json_at(list, 0) : NULL;
		if (form && sa_schema_violation(schema, form) == NULL)
		{
			const char *utf8 = sa_json_print(form);

			return sa_json_from_utf8(utf8, (int) strlen(utf8));
		}
	}
	return NULL;
}

bool
sa_structured_from_rows(SaRunState *run)
{
	char *rows = rows_that_conform(run);

	if (rows == NULL)
		return false;
	run->answer = rows;
	run->structured = rows;
	run->from_rows = true;
	return true;
}

bool
sa_structured_take(SaRunState *run, const SaReply *reply)
{
	const char *problem;

	if (sa_structured_schema(run->task) == NULL || run->answer == NULL ||
		strcmp(run->status, SA_STATUS_ANSWERED) != 0)
		return true;
	problem = take_result(run);
	if (problem == NULL)
		return true;
	/* A provider without a model knows no schema. */
	if (sa_client_is_local() && sa_structured_from_rows(run))
		return true;
	if (!run->structured_repaired && !sa_client_is_local())
	{
		run->structured_repaired = true;
		run->request->tools = NIL;
		run->request->result_schema = sa_json_to_utf8(run->task->args);
		run->request->messages =
			lappend(run->request->messages, sa_message_from_reply(reply));
		run->request->messages = lappend(
			run->request->messages,
			sa_message_new(SA_ROLE_USER, sa_prompt_structured_repair(problem)));
		return false;
	}
	if (sa_structured_from_rows(run))
	{
		sa_run_warn(run, "the model's answer did not conform to the schema; "
						 "the result was made from the rows");
		return true;
	}
	run->status = SA_STATUS_FAILED;
	run->failure = sa_error_make(
		SA_ERROR_MODEL, ERRCODE_INVALID_JSON_TEXT,
		"the model's answer does not conform to the schema",
		psprintf("%s.", problem), "Ask again, or relax the schema.");
	run->errors = lappend(run->errors, run->failure);
	return true;
}
