/*
 * wire.h
 *	  The wire formats: how the neutral messages are written for a provider and
 *	  how its replies are read.
 */
#ifndef SA_WIRE_H
#define SA_WIRE_H

#include "base/json.h"
#include "llm/message.h"

typedef struct SaWire
{
	int provider;				  /* SaProviderId */
	const char *name;			  /* of the provider */
	const char *default_endpoint; /* with scheme, without trailing slash */
	bool needs_key;				  /* at the default endpoint */
	/* What stands before the key in the header that carries it. */
	const char *key_prefix;
	/* Further fixed headers, ended by NULL. */
	const char *const *headers;
	/* Path below the endpoint; may depend on the model. */
	char *(*path)(const char *model);
	/* The request's body, in the current context. */
	SaJson *(*encode)(const SaRequest *request, const char *model);
	/* The reply in a body of status 2xx; NULL and *problem when it has none. */
	SaReply *(*decode)(const SaJson *body, const char **problem);
} SaWire;

extern const SaWire sa_wire_openai;

/* The format of a provider; NULL for one that speaks none. */
extern const SaWire *sa_wire_find(int provider);

/* Helpers that the formats share (wire.c). */

/* The leading system messages as one text; *rest = how many they were. */
extern char *sa_wire_system(const List *messages, int *count);
/* A tool's name as every provider accepts it. */
extern char *sa_wire_tool_name(const char *name);
/* A call's arguments as an object: {} when the model's text is none. */
extern SaJson *sa_wire_arguments_object(const SaToolCall *call);
/* A call that was read; makes up an id when it has none. */
extern SaToolCall *sa_wire_new_call(const List *calls, char *id, char *name,
									const SaJson *arguments);
/* The text of a content: a string, or the text parts of an array. */
extern char *sa_wire_text(const SaJson *content);
/* A count of tokens: what is no count is 0. */
extern int64 sa_wire_tokens(const SaJson *usage, const char *key);
/* The provider's message in an error body, or NULL. */
extern char *sa_wire_error(const SaJson *body);

#endif /* SA_WIRE_H */
