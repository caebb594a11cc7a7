/*
 * ground.h
 *	  Whether the rows of a run support its answer.
 */
#ifndef SA_GROUND_H
#define SA_GROUND_H

#include "agent/run.h"

/*
 * Compare the answer that was just made with the rows, as sqlagent.ground says.
 * False when the model was asked to correct it; otherwise the answer stands,
 * with what is not supported appended.
 */
extern bool sa_ground_answer(SaRunState *run, const SaReply *reply);

/* {"checked", "unsupported"}, or null when nothing was compared. */
extern void sa_ground_json(StringInfo out, const SaRunState *run);

#endif /* SA_GROUND_H */
