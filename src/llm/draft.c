/*
 * draft.c
 *	  A reply that is being read.
 *
 * The wire formats put in what they find, whether it comes as one body or as
 * the events of a stream, so that both ways end in the same reply.
 */
#include "postgres.h"

#include "base/text.h"
#include "llm/draft.h"

#define MADE_ID "call_sqlagent_"

/* More in one reply are no work of a model's. */
#define MAX_CALLS 1000
#define MAX_TEXT (16 * 1024 * 1024)

SaDraft *
sa_draft_new(bool streamed)
{
	SaDraft *draft = palloc0(sizeof(SaDraft));

	draft->streamed = streamed;
	draft->stop = SA_STOP_OTHER;
	initStringInfo(&draft->content);
	initStringInfo(&draft->refusal);
	initStringInfo(&draft->thinking);
	return draft;
}

void
sa_draft_text(SaDraft *draft, const char *text)
{
	if (text == NULL)
		return;
	if (strlen(text) > (size_t) (MAX_TEXT - draft->content.len))
		sa_draft_fail(draft, "its text is too long", false);
	else
		appendStringInfoString(&draft->content, text);
}

SaDraftCall *
sa_draft_call(SaDraft *draft, int64 index, char *id)
{
	SaDraftCall *call;

	for (int i = list_length(draft->calls) - 1; index >= 0 && i >= 0; i--)
	{
		call = list_nth(draft->calls, i);
		if (call->index != index)
			continue;
		if (call->id == NULL)
			call->id = id;
		if (id == NULL || strcmp(call->id, id) == 0)
			return call;
		break;
	}
	if (list_length(draft->calls) >= MAX_CALLS)
	{
		sa_draft_fail(draft, "it holds too many tool calls", false);
		return llast(draft->calls);
	}
	call = palloc0(sizeof(SaDraftCall));
	call->index = index;
	call->id = id;
	initStringInfo(&call->arguments);
	draft->calls = lappend(draft->calls, call);
	return call;
}

void
sa_draft_arguments(SaDraftCall *call, const SaJson *arguments)
{
	if (sa_json_is_string(arguments))
		appendStringInfoString(&call->arguments, sa_json_string(arguments));
	else if (arguments != NULL)
	{
		const char *text = sa_json_print(arguments);

		appendStringInfoString(&call->arguments,
							   sa_json_from_utf8(text, (int) strlen(text)));
	}
}

static SaJson *
opaque_of(SaDraft *draft)
{
	if (draft->opaque == NULL)
		draft->opaque = sa_json_new_object();
	return draft->opaque;
}

void
sa_draft_opaque(SaDraft *draft, const char *key, SaJson *item, bool needed)
{
	SaJson *opaque = opaque_of(draft);
	SaJson *array = sa_json_get(opaque, key);

	if (array == NULL)
	{
		array = sa_json_child_array();
		sa_json_add(opaque, key, array);
	}
	sa_json_append(array, sa_json_ref(item));
	draft->opaque_needed = draft->opaque_needed || needed;
}

void
sa_draft_fail(SaDraft *draft, const char *problem, bool passing)
{
	if (draft->problem)
		return;
	draft->problem = pstrdup(problem);
	draft->passing = passing;
}

static List *
finish_calls(const List *drafts)
{
	List *calls = NIL;
	ListCell *lc;

	foreach (lc, drafts)
	{
		SaDraftCall *draft = lfirst(lc);
		SaToolCall *call = palloc(sizeof(SaToolCall));

		call->id = sa_text_blank(draft->id)
					   ? psprintf(MADE_ID "%d", list_length(calls) + 1)
					   : draft->id;
		call->name = draft->name ? draft->name : pstrdup("");
		call->arguments =
			draft->arguments.len > 0 ? draft->arguments.data : pstrdup("{}");
		calls = lappend(calls, call);
	}
	return calls;
}

bool
sa_draft_is_made_id(const char *id)
{
	return strncmp(id, MADE_ID, sizeof(MADE_ID) - 1) == 0;
}

/* Thoughts are only wanted back while the model waits for tools. */
static char *
finish_opaque(SaDraft *draft)
{
	if (draft->calls == NIL)
		return NULL;
	if (draft->thinking_key && draft->thinking.len > 0)
	{
		sa_json_add_string(opaque_of(draft), draft->thinking_key,
						   draft->thinking.data);
		draft->opaque_needed = true;
	}
	return draft->opaque_needed ? sa_json_print(draft->opaque) : NULL;
}

SaReply *
sa_draft_finish(SaDraft *draft)
{
	SaReply *reply;

	if (!draft->has_message)
		sa_draft_fail(draft, "it holds no message", false);
	else if (draft->streamed && !draft->ended)
		sa_draft_fail(draft, "it ends in the middle", true);
	if (draft->problem)
		return NULL;
	reply = palloc0(sizeof(SaReply));
	reply->content = draft->content.len > 0 ? draft->content.data : NULL;
	reply->calls = finish_calls(draft->calls);
	reply->stop = draft->stop;
	reply->usage = draft->usage;
	reply->model = draft->model;
	reply->opaque = finish_opaque(draft);
	if (reply->content == NULL && draft->refusal.len > 0)
	{
		reply->content = draft->refusal.data;
		reply->stop = SA_STOP_REFUSED;
	}
	/* Not every server says so. */
	if (reply->calls != NIL && reply->stop != SA_STOP_LENGTH)
		reply->stop = SA_STOP_TOOLS;
	return reply;
}
