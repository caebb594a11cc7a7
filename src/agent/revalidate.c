/*
 * revalidate.c
 *	  Every approved pattern is guarded and planned again.
 *
 * A command of the worker.  A pattern is stale when its SQL cannot work for
 * anybody; that the one who revalidates may not read a table, or that a
 * statement is too dear for its limits, is no fault of the pattern.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "agent/knowledge.h"
#include "base/spi.h"
#include "base/text.h"
#include "base/wait.h"
#include "db/query.h"
#include "store/object.h"
#include "store/pattern.h"
#include "store/question.h"
#include "store/sqltext.h"

#include "queries/queries.gen.h"

typedef struct Count
{
	int checked;
	int valid;
	StringInfoData stale;	/* items of an array of JSON */
	StringInfoData skipped; /* likewise */
} Count;

typedef struct Pattern
{
	int64 id;
	char *name;
	char *sql; /* NULL placeholders filled in */
	bool checked;
	List *objects;
} Pattern;

/* Errors that say nothing about the pattern. */
static const char *const not_its_fault[] = {
	SA_ERROR_PERMISSION, SA_ERROR_TIMEOUT,	 SA_ERROR_COST,
	SA_ERROR_CONNECTION, SA_ERROR_TOO_LARGE, SA_ERROR_BUDGET};

static bool
is_its_fault(const SaError *error)
{
	for (int i = 0; i < (int) lengthof(not_its_fault); i++)
		if (strcmp(error->type, not_its_fault[i]) == 0)
			return false;
	return true;
}

static void
note(StringInfo out, const Pattern *pattern, const char *reason)
{
	appendStringInfo(out, "%s{\"id\": " INT64_FORMAT ", \"name\": ",
					 out->len > 0 ? ", " : "", pattern->id);
	sa_text_json(out, pattern->name);
	appendStringInfoString(out, ", \"reason\": ");
	sa_text_json(out, reason);
	appendStringInfoChar(out, '}');
}

static List *
approved_ids(void)
{
	List *ids = NIL;
	int count;

	sa_tx_begin(SA_TX_OWNER);
	count = SA_QUERY0(SA_QUERY_REVALIDATE_LIST);
	for (int i = 0; i < count; i++)
	{
		int64 *id = palloc(sizeof(int64));

		*id = sa_row_int8(i, 1);
		ids = lappend(ids, id);
	}
	sa_tx_commit();
	return ids;
}

static bool
read_approved(Pattern *pattern)
{
	char *question;

	if (SA_QUERY(SA_QUERY_REVALIDATE_READ, sa_arg_int8(pattern->id)) == 0)
		return false;
	pattern->name = sa_row_text(0, 1);
	question = sa_row_text(0, 2);
	pattern->sql =
		sa_sqltext_fill(sa_row_text(0, 3), sa_question_placeholders(question));
	pattern->checked = sa_row_bool(0, 4);
	return true;
}

/* False when it is not approved any more; a change may just have made it so. */
static bool
load(Pattern *pattern, Count *count)
{
	bool found;

	sa_tx_begin(SA_TX_OWNER);
	found = read_approved(pattern);
	if (found && sa_objects_follow_item(SA_PATTERN, pattern->id) &&
		!read_approved(pattern))
	{
		(void) SA_QUERY(
			"SELECT note FROM sqlagent.query_patterns WHERE id = $1",
			sa_arg_int8(pattern->id));
		note(&count->stale, pattern, sa_row_text(0, 1));
		count->checked++;
		found = false;
	}
	if (found)
		pattern->objects = sa_objects_of(SA_PATTERN, pattern->id);
	sa_tx_commit();
	return found;
}

static void
check(Pattern *pattern, Count *count)
{
	SaResult *result = sa_query_check(pattern->sql);
	const char *reason = NULL;

	count->checked++;
	if (result->error && !is_its_fault(result->error))
	{
		note(&count->skipped, pattern, result->error->message);
		return;
	}
	if (result->error)
		reason = result->error->message;
	else if (pattern->objects != NIL &&
			 !sa_objects_stand(pattern->objects, pattern->checked,
							   result->objects))
		reason = "its SQL means other tables or columns than it did";
	sa_tx_begin(SA_TX_OWNER);
	if (reason)
		sa_knowledge_stale(SA_PATTERN, pattern->id, reason);
	else
		sa_pattern_checked(pattern->id, result->objects);
	sa_tx_commit();
	if (reason)
		note(&count->stale, pattern, reason);
	else
		count->valid++;
}

char *
sa_knowledge_revalidate(const SaJson *args, const char *asker)
{
	MemoryContext context = AllocSetContextCreate(
		CurrentMemoryContext, "sqlagent pattern", ALLOCSET_DEFAULT_SIZES);
	Count count = {0};
	ListCell *cell;

	initStringInfo(&count.stale);
	initStringInfo(&count.skipped);
	foreach (cell, approved_ids())
	{
		MemoryContext old = MemoryContextSwitchTo(context);
		Pattern pattern = {0};

		sa_wait_check();
		pattern.id = *(int64 *) lfirst(cell);
		if (load(&pattern, &count))
			check(&pattern, &count);
		MemoryContextSwitchTo(old);
		MemoryContextReset(context);
	}
	MemoryContextDelete(context);
	return psprintf("{\"checked\": %d, \"valid\": %d, \"stale\": [%s], "
					"\"skipped\": [%s]}",
					count.checked, count.valid, count.stale.data,
					count.skipped.data);
}
