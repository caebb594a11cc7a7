/*
 * result_value.h
 *	  One value of a result in JSON; for db/result*.c.
 */
#ifndef SA_RESULT_VALUE_H
#define SA_RESULT_VALUE_H

#include "db/result.h"

/* text NULL = SQL NULL */
extern void sa_result_value_json(StringInfo out, SaValueKind kind,
								 const char *text);

#endif /* SA_RESULT_VALUE_H */
