/*
 * knowledge_trigger.c
 *	  The triggers that keep knowledge in order.
 *
 * They run in whatever backend changes the tables.  What they write of our own
 * is written with the rights of the extension's owner.
 */
#include "postgres.h"

#include "commands/event_trigger.h"
#include "commands/trigger.h"

#include "base/export.h"
#include "base/spi.h"
#include "store/object.h"
#include "store/row.h"

SA_FUNCTION(sqlagent_knowledge_row);
SA_FUNCTION(sqlagent_knowledge_added);
SA_FUNCTION(sqlagent_knowledge_object);
SA_FUNCTION(sqlagent_knowledge_altered);

static TriggerData *
trigger_data(FunctionCallInfo fcinfo)
{
	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("this function can only be called as a "
							   "trigger")));
	return (TriggerData *) fcinfo->context;
}

static SaKnowledge
kind_of(const TriggerData *trigger)
{
	int kind = trigger->tg_trigger->tgnargs == 1
				   ? sa_knowledge_named(trigger->tg_trigger->tgargs[0])
				   : -1;

	if (kind < 0)
		elog(ERROR, "trigger \"%s\" does not name a kind of knowledge",
			 trigger->tg_trigger->tgname);
	return kind;
}

Datum
sqlagent_knowledge_row(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = trigger_data(fcinfo);
	SaKnowledge kind = kind_of(trigger);
	SaRowNews news;
	HeapTuple row = sa_row_complete(kind, trigger, &news);
	SaInside inside;

	if (news.is_revived || (news.tables != NIL && kind == SA_RULE))
	{
		sa_inside_begin(&inside, NULL);
		if (news.is_revived)
			sa_objects_renew(kind, news.id);
		/* A rule speaks of tables alone; the rest is guarded again. */
		if (kind == SA_RULE)
			sa_objects_name(kind, news.id, news.tables);
		sa_inside_end(&inside);
	}
	PG_RETURN_POINTER(row);
}

Datum
sqlagent_knowledge_added(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = trigger_data(fcinfo);
	SaInside inside;

	sa_inside_begin(&inside, trigger);
	sa_objects_added(kind_of(trigger));
	sa_inside_end(&inside);
	PG_RETURN_POINTER(NULL);
}

Datum
sqlagent_knowledge_object(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(sa_row_rebind(trigger_data(fcinfo)));
}

static void
follow_command(void *arg)
{
	SaInside inside;

	sa_inside_begin(&inside, NULL);
	sa_objects_follow_command(*(bool *) arg);
	sa_inside_end(&inside);
}

/* A command on somebody's table must not fail for our sake. */
Datum
sqlagent_knowledge_altered(PG_FUNCTION_ARGS)
{
	EventTriggerData *trigger = (EventTriggerData *) fcinfo->context;
	bool dropped;

	if (!CALLED_AS_EVENT_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_EVENT_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("this function can only be called as an event "
						"trigger")));
	dropped = strcmp(trigger->event, "sql_drop") == 0;
	sa_inside_try(follow_command, &dropped,
				  "knowledge of sqlagent could not be told of this command");
	PG_RETURN_VOID();
}
