/*
 * notes.c
 *	  Assumptions and follow-up questions that a model adds to its answer.
 *
 * Called by the loop for ask_json(), whose report has members for them.  They
 * are lines of the text: every provider can write these.
 */
#include "postgres.h"

#include "agent/notes.h"
#include "agent/structured.h"
#include "base/text.h"

/* More than these are left out. */
#define MAX_NOTES 10

bool
sa_notes_wanted(const SaTask *task)
{
	return task->verb == SA_VERB_ASK_JSON && sa_structured_schema(task) == NULL;
}

/* What stands behind the word at the start of the line; NULL without it. */
static char *
behind(const char *line, const char *word)
{
	char *trimmed = sa_text_trim(line);

	/* Also in a list, or in bold. */
	trimmed += strspn(trimmed, "*- ");
	if (pg_strncasecmp(trimmed, word, strlen(word)) != 0)
		return NULL;
	trimmed += strlen(word);
	trimmed += strspn(trimmed, "*");
	if (*trimmed != ':')
		return NULL;
	trimmed++;
	return sa_text_trim(trimmed + strspn(trimmed, "* "));
}

static bool
take_line(SaRunState *run, const char *line)
{
	const struct
	{
		const char *word;
		List **list;
	} kinds[] = {{"ASSUMPTION", &run->assumptions},
				 {"FOLLOW-UP", &run->follow_ups},
				 {"FOLLOW UP", &run->follow_ups}};

	for (int i = 0; i < (int) lengthof(kinds); i++)
	{
		char *text = behind(line, kinds[i].word);

		if (text == NULL)
			continue;
		if (*text && list_length(*kinds[i].list) < MAX_NOTES)
			*kinds[i].list = lappend(*kinds[i].list, text);
		return true;
	}
	return false;
}

void
sa_notes_take(SaRunState *run)
{
	StringInfoData rest;
	const char *line = run->answer;

	if (!sa_notes_wanted(run->task) || line == NULL || run->from_rows)
		return;
	run->assumptions = NIL;
	run->follow_ups = NIL;
	initStringInfo(&rest);
	while (*line)
	{
		int len = (int) strcspn(line, "\n");

		if (!take_line(run, pnstrdup(line, len)))
			appendStringInfo(&rest, "%.*s\n", len, line);
		line += len + (line[len] == '\n' ? 1 : 0);
	}
	/* A reply of notes alone is no answer; it stays as it is. */
	if (!sa_text_blank(rest.data))
		run->answer = sa_text_trim(rest.data);
}
