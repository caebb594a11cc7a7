/*
 * wire.h
 *	  The wire formats: how the neutral messages are written for a provider and
 *	  how its replies are read.
 */
#ifndef SA_WIRE_H
#define SA_WIRE_H

#include "base/json.h"
#include "llm/draft.h"
#include "llm/message.h"

typedef struct SaWire
{
	int provider;				  /* SaProviderId */
	const char *name;			  /* of the provider */
	const char *default_endpoint; /* with scheme, without trailing slash */
	bool needs_key;				  /* at the default endpoint */
	bool stream_lines; /* streams JSON values one a line, not events */
	/* What stands before the key in the header that carries it. */
	const char *(*key_prefix)(const char *url);
	/* Further fixed headers, ended by NULL. */
	const char *const *headers;
	/* Path below the endpoint, with the query that it needs. */
	char *(*path)(const char *model, bool stream);
	/* The request's body, in the current context. */
	SaJson *(*encode)(const SaRequest *request, const char *model, bool stream);
	/* Take in a body of status 2xx as a whole, or an event of a stream. */
	void (*read)(SaDraft *draft, const SaJson *json);
} SaWire;

extern const SaWire sa_wire_anthropic;
extern const SaWire sa_wire_gemini;
extern const SaWire sa_wire_ollama;
extern const SaWire sa_wire_openai;

/* The format of a provider; NULL for one that speaks none. */
extern const SaWire *sa_wire_find(int provider);

/* Helpers that the formats share (wire.c). */

/* The leading system messages as one text; *count = how many they were. */
extern char *sa_wire_system(const List *messages, int *count);
/* A tool's name as every provider accepts it. */
extern char *sa_wire_tool_name(const char *name);
/* A call's arguments as a child object: {} when the model's text is none. */
extern SaJson *sa_wire_arguments(const SaToolCall *call);
/* A message's opaque part, or NULL. */
extern SaJson *sa_wire_opaque(const SaMessage *message);
/* [{"type": "function", "function": {name, description, parameters}}] */
extern SaJson *sa_wire_functions(const List *tools);
/* The text of a content: a string, or the text parts of an array. */
extern char *sa_wire_text(const SaJson *content);
/* A count of tokens: what is no count is 0. */
extern int64 sa_wire_tokens(const SaJson *usage, const char *key);
/* Set a count of tokens, if there is such a member. */
extern void sa_wire_count(int64 *count, const SaJson *usage, const char *key);
/* The provider's message in an error body, or NULL. */
extern char *sa_wire_error(const SaJson *body);
/* Whether a status, as HTTP's or inside an error body, may pass. */
extern bool sa_wire_is_passing(int status);
/* A body or event that reports an error makes the draft fail: then true. */
extern bool sa_wire_take_error(SaDraft *draft, const SaJson *body);
/* How a format writes one message after the other (wire_chat.c). */
typedef struct SaWireChat
{
	/* Add to a call's item, and to its function, which has its name. */
	void (*call)(SaJson *item, SaJson *function, const SaToolCall *call);
	/* Add to a message, which has its role and content, or change them. */
	void (*message)(SaJson *item, const SaMessage *message);
} SaWireChat;
/* The messages, the leading system messages as one. */
extern SaJson *sa_wire_chat(const List *messages, const SaWireChat *how);

/* How a format writes turns of which each has parts (wire_chat.c). */
typedef struct SaWireTurns
{
	const char *assistant; /* role of the model */
	const char *parts;	   /* member that holds them */
	void (*add)(SaJson *parts, const SaMessage *message);
} SaWireTurns;
/*
 * The messages from the first on, with roles that alternate: neighbours of one
 * role become one, so that the results of a turn are together.
 */
extern SaJson *sa_wire_turns(const List *messages, int first,
							 const SaWireTurns *how);

/* The SaStop for a provider's word; an array ended by NULL. */
typedef struct SaStopWord
{
	const char *word;
	SaStop stop;
} SaStopWord;
extern SaStop sa_wire_stop(const SaStopWord *words, const char *word);

#endif /* SA_WIRE_H */
