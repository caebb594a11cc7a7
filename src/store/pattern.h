/*
 * pattern.h
 *	  Patterns: questions with the SQL that answers them.
 *
 * Needs an open SA_TX_OWNER transaction.
 */
#ifndef SA_PATTERN_H
#define SA_PATTERN_H

#include "base/error.h"
#include "store/knowledge.h"

typedef struct SaPatternText
{
	const char *name;
	const char *question;
	const char *sql;
	const char *summary;	   /* or NULL */
	const char *quality_notes; /* or NULL */
	List *tables;			   /* of char *; NIL = those of the objects */
} SaPatternText;

typedef struct SaPatternHit
{
	int64 id;
	char *name;
	char *question;
	char *sql; /* placeholders filled */
	bool checked;
	List *placeholders; /* with values */
} SaPatternHit;

/* What is wrong with a text before anything is asked of the server, or NULL. */
extern SaError *sa_pattern_problem(const SaPatternText *text);

/* The approved pattern that a question equals, or NULL. */
extern SaPatternHit *sa_pattern_match(const char *question);

/*
 * Propose one that speaks of these objects.  0 when the question has one
 * already, with *existing saying which.
 */
extern int64 sa_pattern_propose(const SaPatternText *text,
								const SaOrigin *origin, const List *objects,
								SaError **existing);

/* The guard let it pass, and these are its objects now. */
extern void sa_pattern_checked(int64 id, const List *objects);

#endif /* SA_PATTERN_H */
