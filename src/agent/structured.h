/*
 * structured.h
 *	  Answers that conform to a JSON Schema of the asker.
 */
#ifndef SA_STRUCTURED_H
#define SA_STRUCTURED_H

#include "agent/run.h"

/* Raises when the text is no schema that is understood in full. */
extern void sa_structured_check_schema(const char *schema);

/* The schema that the run's answer shall conform to, or NULL. */
extern const char *sa_structured_schema(const SaTask *task);

/*
 * Check the answer that was just made against the schema, if there is one.
 * False when the model was asked to correct it; otherwise the answer stands or
 * the run has failed.
 */
extern bool sa_structured_take(SaRunState *run, const SaReply *reply);

/* Make the result of the rows alone; false when they do not conform. */
extern bool sa_structured_from_rows(SaRunState *run);

#endif /* SA_STRUCTURED_H */
