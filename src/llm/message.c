/*
 * message.c
 *	  Making, copying and measuring the neutral messages.
 *
 * Used by the loop, which keeps the conversation, and by the wire formats,
 * which make replies.  Knows no provider and no JSON.
 */
#include "postgres.h"

#include "llm/message.h"

/* What a message costs besides its text: role, punctuation, ids. */
#define MESSAGE_OVERHEAD 16

static char *
copy_or_null(const char *text)
{
	return text ? pstrdup(text) : NULL;
}

static List *
copy_calls(const List *calls)
{
	List *copy = NIL;
	ListCell *lc;

	foreach (lc, calls)
	{
		const SaToolCall *call = lfirst(lc);
		SaToolCall *mine = palloc(sizeof(SaToolCall));

		mine->id = pstrdup(call->id);
		mine->name = pstrdup(call->name);
		mine->arguments = pstrdup(call->arguments);
		copy = lappend(copy, mine);
	}
	return copy;
}

SaMessage *
sa_message_new(SaRole role, const char *content)
{
	SaMessage *message = palloc0(sizeof(SaMessage));

	message->role = role;
	message->content = copy_or_null(content);
	return message;
}

SaMessage *
sa_message_tool_result(const SaToolCall *call, const char *content,
					   bool is_error)
{
	SaMessage *message = sa_message_new(SA_ROLE_TOOL, content);

	message->call_id = pstrdup(call->id);
	message->tool_name = pstrdup(call->name);
	message->is_error = is_error;
	return message;
}

SaMessage *
sa_message_from_reply(const SaReply *reply)
{
	SaMessage *message = sa_message_new(SA_ROLE_ASSISTANT, reply->content);

	message->calls = copy_calls(reply->calls);
	message->opaque = copy_or_null(reply->opaque);
	return message;
}

SaReply *
sa_reply_copy(const SaReply *reply)
{
	SaReply *copy = palloc(sizeof(SaReply));

	*copy = *reply;
	copy->content = copy_or_null(reply->content);
	copy->calls = copy_calls(reply->calls);
	copy->model = copy_or_null(reply->model);
	copy->opaque = copy_or_null(reply->opaque);
	return copy;
}

void
sa_usage_add(SaUsage *total, const SaUsage *usage)
{
	total->requests += usage->requests;
	total->prompt_tokens += usage->prompt_tokens;
	total->completion_tokens += usage->completion_tokens;
	total->cached_tokens += usage->cached_tokens;
	total->reasoning_tokens += usage->reasoning_tokens;
}

static int64
text_bytes(const char *text)
{
	return text ? (int64) strlen(text) : 0;
}

static int64
message_bytes(const SaMessage *message)
{
	int64 bytes = MESSAGE_OVERHEAD + text_bytes(message->content) +
				  text_bytes(message->opaque);
	ListCell *lc;

	foreach (lc, message->calls)
	{
		const SaToolCall *call = lfirst(lc);

		bytes += MESSAGE_OVERHEAD + text_bytes(call->id) +
				 text_bytes(call->name) + text_bytes(call->arguments);
	}
	return bytes + text_bytes(message->call_id);
}

int64
sa_request_bytes(const SaRequest *request)
{
	int64 bytes = text_bytes(request->result_schema);
	ListCell *lc;

	foreach (lc, request->messages)
		bytes += message_bytes(lfirst(lc));
	foreach (lc, request->tools)
	{
		const SaToolSpec *tool = lfirst(lc);

		bytes += MESSAGE_OVERHEAD + text_bytes(tool->name) +
				 text_bytes(tool->description) + text_bytes(tool->parameters);
	}
	return bytes;
}
