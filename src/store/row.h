/*
 * row.h
 *	  The derived columns of a row of knowledge.
 */
#ifndef SA_ROW_H
#define SA_ROW_H

#include "commands/trigger.h"
#include "store/knowledge.h"

/* The row that a BEFORE trigger is called with, completed. */
extern HeapTuple sa_row_complete(SaKnowledge kind, TriggerData *trigger);

#endif /* SA_ROW_H */
