/*
 * request.h
 *	  The arguments of a verb as a request to the session's worker.
 */
#ifndef SA_REQUEST_H
#define SA_REQUEST_H

#include "fmgr.h"

#include "agent/loop.h"
#include "worker/launch.h"

/* Raises when the question is null or blank. */
extern void sa_request_fill(SaAskRequest *ask, SaRequestKind kind, SaVerb verb,
							const text *question, int64 thread);

/* The answer to a verb whose arguments are (question, thread). */
extern char *sa_request_question(FunctionCallInfo fcinfo, SaRequestKind kind,
								 SaVerb verb);

extern Datum sa_request_jsonb(char *json);

#endif /* SA_REQUEST_H */
