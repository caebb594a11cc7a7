/*
 * schema.h
 *	  JSON Schema, the part of it that we keep: a schema is either understood in
 *	  full or refused.
 */
#ifndef SA_SCHEMA_H
#define SA_SCHEMA_H

#include "base/json.h"

/*
 * NULL when the schema is understood; else what is not, with its path:
 * "$.properties.total: keyword \"pattern\" is not supported".
 */
extern char *sa_schema_problem(const SaJson *schema);

/*
 * NULL when the value conforms to an understood schema; else where it does not:
 * "$.rows[2].total: must be of type number".
 */
extern char *sa_schema_violation(const SaJson *schema, const SaJson *value);

/* "type, enum, …": for a hint. */
extern char *sa_schema_keywords(void);

#endif /* SA_SCHEMA_H */
