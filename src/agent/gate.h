/*
 * gate.h
 *	  Statements, and calls of tools that write, which wait for a person's
 *	  approval.
 */
#ifndef SA_GATE_H
#define SA_GATE_H

#include "agent/run.h"
#include "store/approval.h"

/*
 * Whether a call has to wait for a person.  If so the run is stored and its
 * status and answer say so: nothing more is to be done in it now.
 */
extern bool sa_gate_holds(SaRunState *run, const SaToolCall *call);

/* The statement of a call of run_sql; NULL for any other call. */
extern char *sa_gate_statement(const SaToolCall *call);

/* Whether the run waits. */
extern bool sa_gate_is_closed(const SaRunState *run);

/* The result of a call that was decided on. */
extern SaToolResult *sa_gate_decided(const SaRunState *run,
									 const SaToolCall *call,
									 const SaApproval *approval);

/* {"sql", "cost", "rows", "expires_at"} of a run that waits, else null. */
extern void sa_gate_json(StringInfo out, const SaRunState *run);

#endif /* SA_GATE_H */
