/*
 * prompt.h
 *	  What the model is told before the question.
 */
#ifndef SA_PROMPT_H
#define SA_PROMPT_H

#include "nodes/pg_list.h"

/*
 * The system messages of a run, as SaMessage *: first the part that is the same
 * in every run, then date, schema and instructions.  Reads the catalog in a
 * short transaction.
 */
extern List *sa_prompt_messages(const char *question, bool sql_only);

/* Asks for the answer when no more tools are offered. */
extern const char *sa_prompt_final(void);
/* Asks for a corrected statement. */
extern char *sa_prompt_repair(const char *error);

#endif /* SA_PROMPT_H */
