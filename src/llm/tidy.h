/*
 * tidy.h
 *	  Makes an orderly reply of what models really say.
 */
#ifndef SA_TIDY_H
#define SA_TIDY_H

#include "llm/message.h"

/*
 * Takes thoughts and control characters out of the text, makes tool calls of
 * those that were sent as text, and makes ids unique.
 */
extern void sa_tidy_reply(SaReply *reply, const SaRequest *request);

#endif /* SA_TIDY_H */
