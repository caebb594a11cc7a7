/*
 * pack.h
 *	  Keeps a request within sqlagent.context_tokens.
 */
#ifndef SA_PACK_H
#define SA_PACK_H

#include "agent/run.h"

/* Before a model call: shorten what may be shortened until the request fits. */
extern void sa_pack_request(SaRunState *run);

/* Tokens that the request has, by what was learned of the others. */
extern int sa_pack_estimate(const SaRunState *run);

/* After it: learn how many tokens the request really had. */
extern void sa_pack_learn(SaRunState *run, const SaReply *reply);

#endif /* SA_PACK_H */
