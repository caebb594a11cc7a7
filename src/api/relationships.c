/*
 * relationships.c
 *	  Trigger of sqlagent.relationships: workers keep relationships in memory,
 *	  and learn of a change as they learn of one to a table.
 */
#include "postgres.h"

#include "commands/trigger.h"
#include "utils/inval.h"
#include "utils/rel.h"

#include "base/export.h"

SA_FUNCTION(sqlagent_relationships_changed);

Datum
sqlagent_relationships_changed(PG_FUNCTION_ARGS)
{
	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("function \"%s\" was not called as a trigger",
							   "sqlagent.relationships_changed")));
	CacheInvalidateRelcache(((TriggerData *) fcinfo->context)->tg_relation);
	return PointerGetDatum(NULL);
}
