/*
 * ground_fact.h
 *	  What the rows of a run, and what was asked, support.
 */
#ifndef SA_GROUND_FACT_H
#define SA_GROUND_FACT_H

#include "agent/ground_claim.h"
#include "db/result.h"

typedef struct SaFacts SaFacts;

extern SaFacts *sa_facts_new(void);
/* The rows, with their sums, means, differences, shares and counts. */
extern void sa_facts_add_result(SaFacts *facts, const SaResult *result);
/* A text whose numbers, dates and words support an answer as they are. */
extern void sa_facts_add_text(SaFacts *facts, const char *text);

extern bool sa_facts_support(SaFacts *facts, const SaClaim *claim);

#endif /* SA_GROUND_FACT_H */
