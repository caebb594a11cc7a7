/*
 * command.h
 *	  What is done in the worker, on our own tables, without a model.
 */
#ifndef SA_COMMAND_H
#define SA_COMMAND_H

#include "agent/loop.h"

/*
 * Run a command with arguments as JSON text and give its answer.  Here and not
 * in the asker's backend since what it writes must be there for the next run,
 * whatever becomes of the asker's transaction.
 */
extern char *sa_command_call(const char *name, const char *args,
							 const char *asker, const SaSink *sink);

#endif /* SA_COMMAND_H */
