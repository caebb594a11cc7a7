/*
 * ground_claim.h
 *	  What a text claims: the numbers, dates and proper names in it.
 */
#ifndef SA_GROUND_CLAIM_H
#define SA_GROUND_CLAIM_H

#include "nodes/pg_list.h"

typedef enum SaClaimKind
{
	SA_CLAIM_NUMBER,
	SA_CLAIM_DATE,
	SA_CLAIM_NAME,
	SA_CLAIM_QUOTED /* as it stands, in a script without capitals */
} SaClaimKind;

/* A number may be read in two ways: 1.234 is 1234 or 1 and a fraction. */
#define SA_CLAIM_READINGS 2

typedef struct SaClaim
{
	SaClaimKind kind;
	char *text; /* as it stands there */

	/* a number */
	int nreadings;
	double values[SA_CLAIM_READINGS];
	double units[SA_CLAIM_READINGS]; /* of the last digit that is written */
	bool percent;
	bool rough; /* "about", "more than", … */
	bool part;	/* "2 of", "two": may count the rows of which something holds */

	/* a date; 0 = not said */
	int year;
	int month;
	int day;
	bool day_or_month; /* the two may be the other way round */

	/* a name */
	List *words; /* of char *, folded */
} SaClaim;

/* Claims of a text, in order; without names for numbers_only. */
extern List *sa_claims_find(const char *text, bool numbers_only);

/* Lower case, so that words can be compared. */
extern char *sa_claims_fold(const char *text);

#endif /* SA_GROUND_CLAIM_H */
