/*
 * builtin_compose.h
 *	  What the two files that write SQL share; private to them.
 */
#ifndef SA_BUILTIN_COMPOSE_H
#define SA_BUILTIN_COMPOSE_H

#include "llm/builtin_query.h"

/* A table in some FROM, and what it is called there. */
typedef struct SaBiSource
{
	SaBiTable *table;
	const char *alias;
} SaBiSource;

typedef struct SaBiComposer
{
	const SaBiSchema *schema;
	const SaBiQuery *query;
	SaBiProblem *problem;
	List *used;	   /* of char *: aliases */
	List *sources; /* of SaBiSource *: the outer FROM */
	StringInfoData from;
} SaBiComposer;

extern void sa_builtin_compose_fail(SaBiComposer *c, const char *reason);
extern const char *sa_builtin_compose_alias(SaBiComposer *c,
											const SaBiTable *table);
extern SaBiSource *sa_builtin_compose_find(List *sources,
										   const SaBiTable *table);
extern SaBiSource *sa_builtin_compose_source(SaBiComposer *c, List **sources,
											 SaBiTable *table);
extern char *sa_builtin_compose_column(const char *alias,
									   const SaBiColumn *column);
extern void sa_builtin_compose_link(StringInfo out, const SaBiEdge *edge,
									const char *from_alias,
									const char *to_alias);
/* The shortest way from one of the sources to the table; NIL: none. */
extern List *sa_builtin_compose_path(SaBiComposer *c, List *sources,
									 SaBiTable *table);
extern const char *sa_builtin_compose_agg(SaBiAgg agg);

/* builtin_where.c */
extern void sa_builtin_where_append(SaBiComposer *c, StringInfo out);
extern void sa_builtin_where_number(StringInfo out, const SaBiScope *scope);

#endif /* SA_BUILTIN_COMPOSE_H */
