/*
 * builtin.h
 *	  The provider that needs no model: reads the question, asks the tools,
 *	  writes the SQL, words the answer.
 *
 * Stateless like any model: all that it knows is in the request's messages.  Of
 * a thread these hold the earlier questions, each a message of the user.
 */
#ifndef SA_BUILTIN_H
#define SA_BUILTIN_H

#include "llm/message.h"

extern SaReply *sa_builtin_complete(const SaRequest *request);

#endif /* SA_BUILTIN_H */
