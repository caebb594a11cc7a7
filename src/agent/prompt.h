/*
 * prompt.h
 *	  What the model is told before the question.
 */
#ifndef SA_PROMPT_H
#define SA_PROMPT_H

#include "agent/loop.h"
#include "nodes/pg_list.h"

/*
 * The system messages of a run, as SaMessage *: first the part that is the same
 * in every run, then date, schema and instructions.  Reads the catalog in a
 * short transaction.  likely: SaLikely *, tables that knowledge speaks of.
 * *tables: OIDs of those that the schema shows in full.
 */
extern List *sa_prompt_messages(const char *question, SaVerb verb,
								const List *likely, List **tables);

/* A copy in which nothing looks like the end of a block of data. */
extern char *sa_prompt_fence(const char *text);

/* A hash of what a verb's prompt is made of: texts and instructions, no data. */
extern char *sa_prompt_hash(SaVerb verb);

/* Asks for the answer when no more tools are offered. */
extern const char *sa_prompt_final(void);
/* Asks for a corrected statement. */
extern char *sa_prompt_repair(const char *error);
/* Asks for an answer without the claims that the rows do not support. */
extern char *sa_prompt_ground(const char *claims);
/* Tells what is known about the data. */
extern char *sa_prompt_knowledge(const char *knowledge);
/* Tells the schema of the answer, and asks for one that conforms. */
extern char *sa_prompt_structured(const char *schema);
extern char *sa_prompt_structured_repair(const char *problem);
/* Asks for assumptions and follow-up questions. */
extern const char *sa_prompt_notes(void);
/* Asks another model about a statement. */
extern char *sa_prompt_review(const char *question, const char *sql);
/* Puts the earlier runs of a thread before the question. */
extern char *sa_prompt_thread(const char *runs);
/* The questions of explain_sql and fix_sql. */
extern char *sa_prompt_explain(const char *sql, const char *plan);
extern char *sa_prompt_fix(const char *sql, const char *problem);

#endif /* SA_PROMPT_H */
