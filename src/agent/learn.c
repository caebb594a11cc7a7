/*
 * learn.c
 *	  What a run found out by failing: a statement that failed and the one that
 *	  repaired it become one proposed learning.
 *
 * Called by the loop when a run is over and recorded.  A failure alone teaches
 * nothing, and neither does an unrelated statement that works.
 */
#include "postgres.h"

#include "agent/knowledge.h"
#include "base/guc.h"
#include "base/spi.h"
#include "base/text.h"
#include "db/query.h"
#include "store/learning.h"
#include "store/sqltext.h"

/* Statements less alike than this have nothing to do with each other. */
#define MIN_LIKENESS 0.4

static bool
is_statement(const SaStep *step)
{
	return step->sql && strcmp(step->kind, "tool") == 0;
}

/*
 * The part of an error's text that names what it is about: "countri" of
 * 'column "countri" does not exist'.
 */
static char *
subject_of(const char *message)
{
	const char *start = strchr(message, '"');
	const char *end = start ? strchr(start + 1, '"') : NULL;

	return end ? pnstrdup(start + 1, end - start - 1) : pstrdup(message);
}

/* SQLSTATE, tables, and what the error was about: the same mistake again. */
static char *
make_key(const SaStep *failed, const List *objects)
{
	StringInfoData text;
	ListCell *cell;

	initStringInfo(&text);
	foreach (cell, sa_knowledge_table_names(objects))
		appendStringInfo(&text, "%s ", (char *) lfirst(cell));
	appendStringInfoString(&text, subject_of(failed->error->message));
	return psprintf("error %s %s", unpack_sql_state(failed->error->sqlerrcode),
					sa_text_hash(text.data));
}

static char *
describe(const SaError *error)
{
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfo(&out, "A statement failed with: %s.", error->message);
	if (error->hint)
		appendStringInfo(&out, " %s", error->hint);
	appendStringInfoString(&out, " The corrected statement worked.");
	return out.data;
}

static void
propose(SaRunState *run, const SaStep *failed, const SaStep *repaired)
{
	SaOrigin origin = {run->task->asker, sa_run_id(run->record)};
	List *objects = sa_query_check(repaired->sql)->objects;
	SaLearningText text = {0};
	bool known;

	text.title = sa_text_clip(failed->error->message, 96);
	text.description = describe(failed->error);
	text.sqlstate = pstrdup(unpack_sql_state(failed->error->sqlerrcode));
	text.category = sa_learning_category(text.sqlstate);
	text.sql = repaired->sql;
	text.failing_sql = failed->sql;
	sa_tx_begin(SA_TX_OWNER);
	text.key = make_key(failed, objects);
	(void) sa_learning_propose(&text, &origin, objects, &known);
	sa_tx_commit();
}

static void
learn(SaRunState *run)
{
	const SaStep *failed = NULL;

	for (int i = 0; i < sa_run_nsteps(run->record); i++)
	{
		const SaStep *step = sa_run_get_step(run->record, i);

		if (!is_statement(step))
			continue;
		if (step->error)
			failed = step;
		else if (failed && strcmp(step->name, "run_sql") == 0 &&
				 sa_sqltext_likeness(failed->sql, step->sql) >= MIN_LIKENESS)
		{
			propose(run, failed, step);
			failed = NULL;
		}
	}
}

/* The asker has the answer already; what fails here is only a warning. */
void
sa_knowledge_learn(SaRunState *run)
{
	MemoryContext context = CurrentMemoryContext;

	if (!sa_guc_learning || !sa_guc_auto_learn || sa_run_problem(run->record))
		return;
	PG_TRY();
	{
		learn(run);
	}
	PG_CATCH();
	{
		SaError *error;

		MemoryContextSwitchTo(context);
		error = sa_error_capture(context, NULL);
		sa_tx_abort();
		sa_error_raise(error, sa_error_is_cancel(error) ? ERROR : WARNING);
	}
	PG_END_TRY();
}
