/*
 * search.h
 *	  Finding knowledge by words: full text, any of the words, best first.
 *
 * Needs an open SA_TX_OWNER transaction.
 */
#ifndef SA_SEARCH_H
#define SA_SEARCH_H

#include "lib/stringinfo.h"
#include "store/knowledge.h"

#define SA_MAX_FIELDS 8

typedef struct SaHit
{
	SaKnowledge kind;
	int64 id;
	double score;				 /* 0 to 1, comparable across kinds */
	char *fields[SA_MAX_FIELDS]; /* as sa_search_field() names them; NULL */
} SaHit;

typedef struct SaSearch
{
	const char *words;
	const char *asker; /* whose own proposals are found too; NULL = none's */
	Oid role;		   /* who must be able to read the tables; 0 = nobody */
	int kinds;		   /* bits 1 << SaKnowledge */
	int limit;		   /* of each kind */
} SaSearch;

/* The hits of each kind, best first: hits[kind] is a List of SaHit *. */
extern void sa_search(const SaSearch *search, List *hits[SA_KNOWLEDGE_KINDS]);

/* The value of a field by its name, or NULL. */
extern const char *sa_search_field(const SaHit *hit, const char *name);

/* {"id", fields…, "relevance_score"} */
extern void sa_search_json(StringInfo out, const SaHit *hit);

/* Rules that are about one of these tables (OIDs), or about none: SaHit *. */
extern List *sa_search_rules(const List *tables, int limit);

/* Whether anything is approved at all: bits 1 << SaKnowledge. */
extern int sa_search_approved(void);

#endif /* SA_SEARCH_H */
