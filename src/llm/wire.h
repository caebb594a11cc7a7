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
	const char *name;			  /* of the provider */
	const char *default_endpoint; /* with scheme, without trailing slash */
	/* Path below the endpoint; may depend on the model. */
	char *(*path)(const char *model);
	/* The header that carries the key, "Name: value". */
	char *(*auth_header)(const char *key);
	/* Further fixed headers, or NULL: of char *. */
	List *(*headers)(void);
	/* The request's body, in the current context. */
	SaJson *(*encode)(const SaRequest *request, const char *model);
	/* The reply in a body of status 2xx; NULL and *problem when it has none. */
	SaReply *(*decode)(const SaJson *body, const char **problem);
	/* The provider's message in a body of another status, or NULL. */
	char *(*decode_error)(const SaJson *body);
} SaWire;

extern const SaWire sa_wire_openai;

#endif /* SA_WIRE_H */
