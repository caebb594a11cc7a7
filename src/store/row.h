/*
 * row.h
 *	  The derived columns of a row of knowledge.
 */
#ifndef SA_ROW_H
#define SA_ROW_H

#include "commands/trigger.h"
#include "store/knowledge.h"

/* What else has to be done about a row that is updated. */
typedef struct SaRowNews
{
	int64 id;
	bool is_revived; /* was stale, and somebody decided otherwise */
	List *tables;	 /* their names when they are not those of before */
} SaRowNews;

/* The row that a BEFORE trigger is called with, completed. */
extern HeapTuple sa_row_complete(SaKnowledge kind, TriggerData *trigger,
								 SaRowNews *news);

/*
 * A remembered object, as it is inserted: in a restored copy the same table has
 * another OID and its columns other numbers.
 */
extern HeapTuple sa_row_rebind(TriggerData *trigger);

#endif /* SA_ROW_H */
