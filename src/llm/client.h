/*
 * client.h
 *	  One model call: picks the provider of the settings, sends, waits,
 *	  repeats after passing failures.
 *
 * Must be called with no transaction open.  Raises coded errors: 08xxx when
 * the server cannot be reached or breaks off, 57014 at a time limit, 58000
 * (ERRCODE_SYSTEM_ERROR) with the provider's own message when it refuses, never
 * with a header or the key.
 */
#ifndef SA_CLIENT_H
#define SA_CLIENT_H

#include "lib/stringinfo.h"
#include "llm/message.h"

extern SaReply *sa_client_complete(const SaRequest *request);

/*
 * Whether the provider is inside the server: true for the builtin one, to
 * which sqlagent.share does not apply, and which asks the tools for all that it
 * needs, so that no prompt need be made.
 */
extern bool sa_client_is_local(void);

/* Name of the provider and of the model, for the record of a run. */
extern const char *sa_client_provider(void);
extern const char *sa_client_model(void);

/* The URL and body that would be sent (JSON text), without headers. */
extern char *sa_client_show(const SaRequest *request);

/* Close what is kept open: connections.  Called when the worker idles out. */
extern void sa_client_close(void);

#endif /* SA_CLIENT_H */
