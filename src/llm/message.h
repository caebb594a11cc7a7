/*
 * message.h
 *	  What is said to a model and what it says, in no provider's dialect.
 *
 * All text is in the server encoding; the wire formats convert.  Everything is
 * palloc'd in the context that was current when it was made.
 */
#ifndef SA_MESSAGE_H
#define SA_MESSAGE_H

#include "nodes/pg_list.h"

typedef enum SaRole
{
	SA_ROLE_SYSTEM,
	SA_ROLE_USER,
	SA_ROLE_ASSISTANT,
	SA_ROLE_TOOL
} SaRole;

/* The model wants a tool to be called. */
typedef struct SaToolCall
{
	char *id;		 /* never NULL; made up where a provider has none */
	char *name;		 /* as the model wrote it */
	char *arguments; /* JSON text as the model wrote it; may be malformed */
} SaToolCall;

typedef struct SaMessage
{
	SaRole role;
	char *content;	 /* may be NULL with calls */
	List *calls;	 /* of SaToolCall *; assistant only */
	char *call_id;	 /* of the call that this answers; tool only */
	char *tool_name; /* likewise */
	bool is_error;	 /* the tool failed; tool only */
	char *opaque;	 /* see SaReply; assistant only */
} SaMessage;

/* A tool as it is offered to the model. */
typedef struct SaToolSpec
{
	const char *name;
	const char *description;
	const char *parameters; /* JSON Schema of the arguments, ASCII */
} SaToolSpec;

typedef struct SaUsage
{
	int requests;
	int64 prompt_tokens;
	int64 completion_tokens; /* with reasoning */
	int64 cached_tokens;	 /* of prompt_tokens */
	int64 reasoning_tokens;	 /* of completion_tokens */
} SaUsage;

typedef enum SaStop
{
	SA_STOP_END,	 /* said what it wanted to say */
	SA_STOP_TOOLS,	 /* waits for tools */
	SA_STOP_LENGTH,	 /* cut off by a token limit */
	SA_STOP_REFUSED, /* by the model, or by a content filter */
	SA_STOP_OTHER
} SaStop;

/* Called once a request is sent and its reply is awaited; must not fail. */
typedef void (*SaIdleHook)(void *arg);

typedef struct SaRequest
{
	List *messages; /* of SaMessage *; system messages first, the first of
					 * them the same in every run (prompt caches) */
	List *tools;	/* of SaToolSpec *; NIL = none are offered */
	const char *result_schema; /* JSON Schema of the answer, or NULL; holds only
								* when no tools are offered, since few
								* providers take both */
	int64 deadline;			   /* TimestampTz: end of the run */
	SaIdleHook idle;		   /* or NULL */
	void *idle_arg;
} SaRequest;

typedef struct SaReply
{
	char *content; /* text, or NULL */
	List *calls;   /* of SaToolCall *, in the model's order */
	SaStop stop;
	SaUsage usage; /* of this request, requests = number of tries */
	char *model;   /* that answered, as it calls itself; or NULL */
	char *opaque;  /* a JSON object in UTF-8 that the provider wants to have
					* back with this message (what it thought, signed); or
					* NULL */
} SaReply;

extern SaMessage *sa_message_new(SaRole role, const char *content);
extern SaMessage *sa_message_tool_result(const SaToolCall *call,
										 const char *content, bool is_error);
extern SaMessage *sa_message_from_reply(const SaReply *reply);
/* A copy of all that it holds, in the current context. */
extern SaReply *sa_reply_copy(const SaReply *reply);
extern void sa_usage_add(SaUsage *total, const SaUsage *usage);
/* Bytes of all that a request sends, for estimates. */
extern int64 sa_request_bytes(const SaRequest *request);

#endif /* SA_MESSAGE_H */
