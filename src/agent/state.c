/*
 * state.c
 *	  A run as text, for the time that it waits for a person.
 *
 * Called by approval.c.  Written and read in one place so that the two cannot
 * drift apart.  Rows of earlier statements are not kept: the model has what it
 * was told of them in the messages.
 */
#include "postgres.h"

#include "agent/knowledge.h"
#include "agent/state.h"
#include "agent/verb.h"
#include "base/json.h"

static const char *const role_names[] = {[SA_ROLE_SYSTEM] = "system",
										 [SA_ROLE_USER] = "user",
										 [SA_ROLE_ASSISTANT] = "assistant",
										 [SA_ROLE_TOOL] = "tool"};

static SaJson *
write_message(const SaMessage *message)
{
	SaJson *item = sa_json_child_object();
	SaJson *calls;
	ListCell *cell;

	sa_json_add_string(item, "role", role_names[message->role]);
	sa_json_add_string(item, "content", message->content);
	sa_json_add_string(item, "call_id", message->call_id);
	sa_json_add_string(item, "tool_name", message->tool_name);
	sa_json_add_bool(item, "is_error", message->is_error);
	if (message->calls == NIL)
		return item;
	calls = sa_json_child_array();
	foreach (cell, message->calls)
	{
		const SaToolCall *call = lfirst(cell);
		SaJson *one = sa_json_child_object();

		sa_json_add_string(one, "id", call->id);
		sa_json_add_string(one, "name", call->name);
		sa_json_add_string(one, "arguments", call->arguments);
		sa_json_append(calls, one);
	}
	sa_json_add(item, "calls", calls);
	return item;
}

static SaMessage *
read_message(const SaJson *item)
{
	const SaJson *calls = sa_json_get(item, "calls");
	char *role = sa_json_get_string(item, "role");
	SaMessage *message = palloc0(sizeof(SaMessage));

	for (int i = 0; role && i < (int) lengthof(role_names); i++)
		if (strcmp(role, role_names[i]) == 0)
			message->role = i;
	message->content = sa_json_get_string(item, "content");
	message->call_id = sa_json_get_string(item, "call_id");
	message->tool_name = sa_json_get_string(item, "tool_name");
	message->is_error = sa_json_get_bool(item, "is_error", false);
	for (int i = 0; i < sa_json_length(calls); i++)
	{
		const SaJson *one = sa_json_at(calls, i);
		SaToolCall *call = palloc0(sizeof(SaToolCall));

		call->id = sa_json_get_string(one, "id");
		call->name = sa_json_get_string(one, "name");
		call->arguments = sa_json_get_string(one, "arguments");
		message->calls = lappend(message->calls, call);
	}
	return message;
}

static SaJson *
write_errors(const List *errors)
{
	SaJson *array = sa_json_child_array();
	ListCell *cell;

	foreach (cell, errors)
	{
		const SaError *error = lfirst(cell);
		SaJson *item = sa_json_child_object();

		sa_json_add_string(item, "type", error->type);
		sa_json_add_int(item, "code", error->sqlerrcode);
		sa_json_add_string(item, "message", error->message);
		sa_json_add_string(item, "detail", error->detail);
		sa_json_add_string(item, "hint", error->hint);
		sa_json_add_int(item, "position", error->position);
		sa_json_add_string(item, "sql", error->sql);
		sa_json_append(array, item);
	}
	return array;
}

static List *
read_errors(const SaJson *array)
{
	List *errors = NIL;

	for (int i = 0; i < sa_json_length(array); i++)
	{
		const SaJson *item = sa_json_at(array, i);
		SaError *error = palloc0(sizeof(SaError));

		error->type = sa_json_get_string(item, "type");
		error->sqlerrcode = (int) sa_json_get_int(item, "code", 0);
		error->message = sa_json_get_string(item, "message");
		error->detail = sa_json_get_string(item, "detail");
		error->hint = sa_json_get_string(item, "hint");
		error->position = (int) sa_json_get_int(item, "position", 0);
		error->sql = sa_json_get_string(item, "sql");
		errors = lappend(errors, error);
	}
	return errors;
}

static SaJson *
write_usage(const SaUsage *usage)
{
	SaJson *item = sa_json_child_object();

	sa_json_add_int(item, "requests", usage->requests);
	sa_json_add_int(item, "prompt", usage->prompt_tokens);
	sa_json_add_int(item, "completion", usage->completion_tokens);
	sa_json_add_int(item, "cached", usage->cached_tokens);
	sa_json_add_int(item, "reasoning", usage->reasoning_tokens);
	return item;
}

static void
read_usage(SaUsage *usage, const SaJson *item)
{
	usage->requests = (int) sa_json_get_int(item, "requests", 0);
	usage->prompt_tokens = sa_json_get_int(item, "prompt", 0);
	usage->completion_tokens = sa_json_get_int(item, "completion", 0);
	usage->cached_tokens = sa_json_get_int(item, "cached", 0);
	usage->reasoning_tokens = sa_json_get_int(item, "reasoning", 0);
}

/* What the run was given of knowledge; what of it was of use is yet to be seen. */
static SaJson *
write_used(const List *knowledge)
{
	SaJson *array = sa_json_child_array();
	ListCell *cell;

	foreach (cell, knowledge)
	{
		const SaUsed *used = lfirst(cell);
		SaJson *item = sa_json_child_object();

		sa_json_add_string(item, "kind", sa_knowledge_name(used->kind));
		sa_json_add_int(item, "id", used->id);
		sa_json_add_string(item, "name", used->name);
		sa_json_add_string(item, "how", used->how);
		sa_json_append(array, item);
	}
	return array;
}

static List *
read_used(const SaJson *array)
{
	List *knowledge = NIL;

	for (int i = 0; i < sa_json_length(array); i++)
	{
		const SaJson *item = sa_json_at(array, i);
		int kind = sa_knowledge_named(sa_json_get_string(item, "kind"));
		SaUsed *used = palloc0(sizeof(SaUsed));

		if (kind < 0)
			elog(ERROR, "invalid state of a run");
		used->kind = kind;
		used->id = sa_json_get_int(item, "id", 0);
		used->name = sa_json_get_string(item, "name");
		used->how = sa_json_get_string(item, "how");
		knowledge = lappend(knowledge, used);
	}
	return knowledge;
}

char *
sa_state_write(const SaRunState *run)
{
	SaJson *state = sa_json_new_object();
	SaJson *messages = sa_json_child_array();
	SaJson *warnings = sa_json_child_array();
	const char *text;
	ListCell *cell;

	foreach (cell, run->request->messages)
		sa_json_append(messages, write_message(lfirst(cell)));
	foreach (cell, run->warnings)
		sa_json_append(warnings, sa_json_child_string(lfirst(cell)));
	sa_json_add_string(state, "verb", sa_verb_info(run->task->verb)->name);
	sa_json_add_string(state, "args", run->task->args);
	sa_json_add_string(state, "history", run->history);
	sa_json_add_string(state, "model", run->model);
	sa_json_add_string(state, "prompt_hash", run->prompt_hash);
	sa_json_add_int(state, "iterations", run->iterations);
	sa_json_add_bool(state, "ground_repaired", run->ground_repaired);
	sa_json_add_bool(state, "structured_repaired", run->structured_repaired);
	sa_json_add(state, "usage", write_usage(&run->usage));
	sa_json_add(state, "errors", write_errors(run->errors));
	sa_json_add(state, "knowledge", write_used(run->knowledge));
	sa_json_add(state, "warnings", warnings);
	sa_json_add(state, "messages", messages);
	text = sa_json_print(state);
	return sa_json_from_utf8(text, (int) strlen(text));
}

void
sa_state_read(SaRunState *run, SaTask *task, const char *state)
{
	const char *utf8 = sa_json_to_utf8(state);
	const char *problem;
	SaJson *tree = sa_json_parse(utf8, strlen(utf8), &problem);
	const SaJson *messages = sa_json_get(tree, "messages");
	const SaJson *warnings = sa_json_get(tree, "warnings");

	if (sa_json_length(messages) == 0)
		elog(ERROR, "invalid state of a run");
	task->verb = sa_verb_find(sa_json_get_string(tree, "verb"));
	task->args = sa_json_get_string(tree, "args");
	run->history = sa_json_get_string(tree, "history");
	run->model = sa_json_get_string(tree, "model");
	run->prompt_hash = sa_json_get_string(tree, "prompt_hash");
	run->iterations = (int) sa_json_get_int(tree, "iterations", 0);
	run->ground_repaired = sa_json_get_bool(tree, "ground_repaired", false);
	run->structured_repaired =
		sa_json_get_bool(tree, "structured_repaired", false);
	read_usage(&run->usage, sa_json_get(tree, "usage"));
	run->errors = read_errors(sa_json_get(tree, "errors"));
	run->knowledge = read_used(sa_json_get(tree, "knowledge"));
	for (int i = 0; i < sa_json_length(warnings); i++)
		run->warnings =
			lappend(run->warnings, sa_json_string(sa_json_at(warnings, i)));
	run->request->messages = NIL;
	for (int i = 0; i < sa_json_length(messages); i++)
		run->request->messages = lappend(run->request->messages,
										 read_message(sa_json_at(messages, i)));
}
