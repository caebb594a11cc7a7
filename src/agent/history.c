/*
 * history.c
 *	  What the model is told of the earlier questions of a thread.
 *
 * Called by the loop.  Values of the database go along only as sqlagent.share
 * allows now, and only what a model was told then: the stored report may hold
 * more, such as columns whose values no model may see.
 */
#include "postgres.h"

#include "agent/history.h"
#include "agent/prompt.h"
#include "base/guc.h"
#include "base/text.h"
#include "llm/message.h"
#include "store/thread.h"

/* Runs that are looked at, and bytes of one of them. */
#define MAX_RUNS 20
#define MAX_ANSWER 2000
#define MAX_ROWS 1000

/* The number of runs back whose rows go along: the last one's. */
#define RUNS_WITH_ROWS 1

static void
add_part(StringInfo out, const char *name, const char *text, int max_bytes)
{
	if (!sa_text_blank(text))
		appendStringInfo(out, "%s: %s\n", name,
						 sa_text_clip(sa_text_trim(text), max_bytes));
}

static char *
run_text(const SaThreadRun *run, int back)
{
	bool with_values = sa_guc_share == SA_SHARE_ROWS && !run->local;
	StringInfoData out;

	initStringInfo(&out);
	add_part(&out, "Question", run->question, MAX_ANSWER);
	add_part(&out, "SQL", run->sql, sa_guc_max_sql_bytes);
	add_part(&out, "Columns", run->columns, MAX_ANSWER);
	if (with_values && back < RUNS_WITH_ROWS && run->sql)
		add_part(&out, "Result", run->rows, MAX_ROWS);
	if (with_values)
		add_part(&out, run->refused ? "Not answered" : "Answer", run->words,
				 MAX_ANSWER);
	else if (run->refused)
		appendStringInfoString(&out, "It was not answered.\n");
	return out.data;
}

/* The newest ones that fit, each behind the older ones; or NULL. */
static char *
pack_runs(const List *runs, int max_tokens)
{
	char *packed = NULL;
	ListCell *cell;

	foreach (cell, runs)
	{
		char *text = run_text(lfirst(cell), foreach_current_index(cell));
		char *longer = packed ? psprintf("%s\n%s", text, packed) : text;

		if (sa_text_tokens(strlen(longer)) > max_tokens)
			break;
		packed = longer;
	}
	return packed;
}

char *
sa_history_text(int64 thread, const char *asker)
{
	List *runs = sa_thread_load(thread, asker, MAX_RUNS);
	char *packed = pack_runs(runs, sa_guc_thread_tokens);

	return packed ? sa_prompt_thread(packed) : NULL;
}

List *
sa_history_questions(int64 thread, const char *asker)
{
	List *messages = NIL;
	int bytes = 0;
	ListCell *cell;

	foreach (cell, sa_thread_load(thread, asker, MAX_RUNS))
	{
		const SaThreadRun *run = lfirst(cell);

		if (run->refused || run->sql == NULL)
			continue;
		bytes += strlen(run->question);
		if (sa_text_tokens(bytes) > sa_guc_thread_tokens)
			break;
		messages = lcons(sa_message_new(SA_ROLE_USER, run->question), messages);
	}
	return messages;
}
