/*
 * ground.c
 *	  Whether the rows of a run support its answer.
 *
 * Called by the loop when an answer was made of a model's words.  Answers that
 * we make from the rows, and those of the provider inside the server, need it
 * not.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "agent/ground.h"
#include "agent/ground_fact.h"
#include "agent/prompt.h"
#include "agent/verb.h"
#include "base/guc.h"
#include "base/text.h"
#include "llm/client.h"

/* Claims that are listed; more are only counted. */
#define MAX_LISTED 20

/* What the run's tools said, for a run in which no statement ran. */
static void
add_tool_texts(SaFacts *facts, const List *messages)
{
	ListCell *cell;

	foreach (cell, messages)
	{
		const SaMessage *message = lfirst(cell);

		if (message->role == SA_ROLE_TOOL)
			sa_facts_add_text(facts, message->content);
	}
}

static SaFacts *
facts_of(const SaRunState *run)
{
	SaFacts *facts = sa_facts_new();
	ListCell *cell;

	foreach (cell, run->results)
		sa_facts_add_result(facts, lfirst(cell));
	/* Of a run that waited only these are left. */
	if (run->results == NIL || run->resumed)
		add_tool_texts(facts, run->request->messages);
	sa_facts_add_text(facts, run->task->question);
	sa_facts_add_text(facts, run->history);
	return facts;
}

static bool
is_listed(const List *texts, const char *text)
{
	ListCell *cell;

	foreach (cell, texts)
		if (strcmp(lfirst(cell), text) == 0)
			return true;
	return false;
}

static void
compare(SaRunState *run)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext scratch = AllocSetContextCreate(caller, "sqlagent grounding",
												  ALLOCSET_DEFAULT_SIZES);
	SaFacts *facts;
	List *claims;
	ListCell *cell;

	run->ground_checked = 0;
	run->ground_unsupported = NIL;
	MemoryContextSwitchTo(scratch);
	facts = facts_of(run);
	claims = sa_claims_find(run->answer, false);
	foreach (cell, claims)
	{
		const SaClaim *claim = lfirst(cell);

		run->ground_checked++;
		if (sa_facts_support(facts, claim) ||
			is_listed(run->ground_unsupported, claim->text) ||
			list_length(run->ground_unsupported) == MAX_LISTED)
			continue;
		MemoryContextSwitchTo(caller);
		run->ground_unsupported =
			lappend(run->ground_unsupported, pstrdup(claim->text));
		MemoryContextSwitchTo(scratch);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(scratch);
	run->ground_done = true;
}

static char *
join(const List *texts)
{
	StringInfoData out;
	ListCell *cell;

	initStringInfo(&out);
	foreach (cell, texts)
		appendStringInfo(&out, "%s%s", out.len > 0 ? ", " : "",
						 (char *) lfirst(cell));
	return out.data;
}

static bool
may_repair(const SaRunState *run)
{
	return sa_guc_ground == SA_GROUND_REPAIR && !run->ground_repaired &&
		   run->request->tools != NIL;
}

static bool
is_compared(const SaRunState *run)
{
	return sa_guc_ground != SA_GROUND_OFF && run->answer &&
		   strcmp(run->status, SA_STATUS_ANSWERED) == 0 && !run->from_rows &&
		   sa_verb_info(run->task->verb)->offer == SA_OFFER_ASK &&
		   !sa_client_is_local();
}

bool
sa_ground_answer(SaRunState *run, const SaReply *reply)
{
	char *claims;

	if (!is_compared(run))
		return true;
	compare(run);
	if (run->ground_unsupported == NIL)
		return true;
	claims = join(run->ground_unsupported);
	if (may_repair(run))
	{
		run->ground_repaired = true;
		run->request->messages =
			lappend(run->request->messages, sa_message_from_reply(reply));
		run->request->messages =
			lappend(run->request->messages,
					sa_message_new(SA_ROLE_USER, sa_prompt_ground(claims)));
		return false;
	}
	run->ground_warning = psprintf("the rows do not support: %s", claims);
	/* What a program reads stays what it is. */
	if (run->structured == NULL)
		run->answer = psprintf("%s\n\nNot supported by the rows: %s.",
							   run->answer, claims);
	return true;
}

void
sa_ground_json(StringInfo out, const SaRunState *run)
{
	ListCell *cell;

	if (!run->ground_done)
	{
		appendStringInfoString(out, "null");
		return;
	}
	appendStringInfo(out, "{\"checked\": %d, \"unsupported\": [",
					 run->ground_checked);
	foreach (cell, run->ground_unsupported)
	{
		if (foreach_current_index(cell) > 0)
			appendStringInfoString(out, ", ");
		sa_text_json(out, lfirst(cell));
	}
	appendStringInfoString(out, "]}");
}
