/*
 * knowledge.h
 *	  What the kinds of knowledge have in common: patterns, learnings, rules.
 *
 * All functions that read or write rows need an open SA_TX_OWNER transaction
 * (or sa_inside_begin): knowledge is read with the owner's rights, so that the
 * indexes can be used in spite of row security, and each statement says itself
 * what the asker may see.
 */
#ifndef SA_KNOWLEDGE_H
#define SA_KNOWLEDGE_H

#include "nodes/pg_list.h"

typedef enum SaKnowledge
{
	SA_PATTERN,
	SA_LEARNING,
	SA_RULE
} SaKnowledge;

#define SA_KNOWLEDGE_KINDS 3

extern const char *sa_knowledge_name(SaKnowledge kind);
/* -1 when it is none. */
extern int sa_knowledge_named(const char *name);
/* Its table, without the schema. */
extern const char *sa_knowledge_table(SaKnowledge kind);

/*
 * A template as the statement for one kind: {{kind}}, {{table}}, {{tables}} and
 * {{sql}} (its columns of that meaning), and {{fields}}, which the caller gives
 * as a constant or leaves out (NULL).  Made once: the same pointer each time,
 * so that its plan is kept.
 */
extern const char *sa_knowledge_query(const char *template, SaKnowledge kind,
									  const char *fields);

/* Where knowledge proposed by a run comes from. */
typedef struct SaOrigin
{
	const char *asker;
	int64 run; /* 0 = no run */
} SaOrigin;

/* Whether a role may decide on this kind: UPDATE on its table. */
extern bool sa_knowledge_is_reviewer(SaKnowledge kind, const char *role);

/* Count a use; not while somebody else changes the row: nobody waits for it. */
extern void sa_knowledge_use(SaKnowledge kind, int64 id);

/* An approved one goes back to review; false when it is not approved. */
extern bool sa_knowledge_doubt(SaKnowledge kind, int64 id, const char *note);

/* It cannot be used any more as it is. */
extern void sa_knowledge_stale(SaKnowledge kind, int64 id, const char *note);

/* Text search configuration of new rows, as its qualified name. */
extern char *sa_knowledge_config(void);

/* The table that a name means on the current search_path, or InvalidOid. */
extern Oid sa_knowledge_find_table(const char *name);

/* "public.customers": the table's name as it is remembered. */
extern char *sa_knowledge_table_name(Oid relation);
/* Of the tables among a List of SaObject *: List of char *. */
extern List *sa_knowledge_table_names(const List *objects);

#endif /* SA_KNOWLEDGE_H */
