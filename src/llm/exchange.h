/*
 * exchange.h
 *	  One try of a model call, in the provider's dialect.
 */
#ifndef SA_EXCHANGE_H
#define SA_EXCHANGE_H

#include "base/error.h"
#include "llm/message.h"
#include "llm/wire.h"

typedef struct SaOutcome
{
	SaReply *reply;			/* or NULL, with a failure */
	const SaError *failure; /* never with a header or the key */
	bool passing;			/* the failure may be gone at the next try */
	int retry_after;		/* seconds the provider asks for; -1 = none */
	bool went_out;			/* the whole request was sent */
} SaOutcome;

/* URL and body of a request; the body is JSON in UTF-8. */
extern char *sa_exchange_url(const SaWire *wire, const char *model,
							 bool stream);
extern char *sa_exchange_body(const SaWire *wire, const SaRequest *request,
							  const char *model, bool stream);

/* Raises what no other try can cure: settings, files, interrupts. */
extern SaOutcome *sa_exchange_try(const SaWire *wire, const SaRequest *request,
								  const char *model, bool stream);

#endif /* SA_EXCHANGE_H */
