/*
 * knowledge.h
 *	  What a run does with knowledge: answers from an approved pattern, is told
 *	  what is known, and leaves behind what it found out.
 *
 * recall.c, reuse.c, learn.c, feedback.c, import.c, revalidate.c.
 */
#ifndef SA_AGENT_KNOWLEDGE_H
#define SA_AGENT_KNOWLEDGE_H

#include "agent/run.h"
#include "base/json.h"
#include "store/search.h"

/* Something that a run was given. */
typedef struct SaUsed
{
	SaKnowledge kind;
	int64 id;
	char *name;
	const char *how; /* "reused", "prompt", "search" */
	bool touched;	 /* it is about a table of the answering statement */
} SaUsed;

/*
 * reuse.c: answer from an approved pattern whose question this is, without a
 * model.  True when the run has its answer.
 */
extern bool sa_knowledge_reuse(SaRunState *run);

/* What is known about a question. */
typedef struct SaRecall
{
	int kinds; /* bits 1 << SaKnowledge: of these something is approved */
	List *hits[SA_KNOWLEDGE_KINDS]; /* SaHit * */
	List *likely;					/* SaLikely *: tables that they speak of */
} SaRecall;

/*
 * recall.c: first what is known about the question, then, of it and of the
 * tables that were chosen for it, a message for the model, or NULL.  run may be
 * NULL.
 */
extern void sa_knowledge_find(const SaRunState *run, const SaTask *task,
							  SaRecall *recall);
extern SaMessage *sa_knowledge_recall(SaRunState *run, SaRecall *recall,
									  const List *tables);

/* recall.c: remember that the run was given these. */
extern void sa_knowledge_given(SaRunState *run,
							   List *const hits[SA_KNOWLEDGE_KINDS],
							   const char *how);

/* recall.c: at the run's end, find out what of it was of use, and count that. */
extern void sa_knowledge_settle(SaRunState *run);

/* recall.c: [{"kind", "id", "name", "how", "touched"}] for the report. */
extern void sa_knowledge_used_json(StringInfo out, const SaRunState *run);

/* learn.c: after the run's end, propose what repaired an error. */
extern void sa_knowledge_learn(SaRunState *run);

/* tools_knowledge.c: who proposes, for the tool call that is being served. */
extern SaOrigin sa_knowledge_origin(void);

/* Commands: arguments as JSON, the answer as JSON text. */
extern char *sa_knowledge_feedback(const SaJson *args, const char *asker);
extern char *sa_knowledge_import(const SaJson *args, const char *asker);
extern char *sa_knowledge_revalidate(const SaJson *args, const char *asker);

#endif /* SA_AGENT_KNOWLEDGE_H */
