/*
 * pattern.c
 *	  Patterns: questions with the SQL that answers them.
 *
 * Called by the agent.  Nothing here is executed: the SQL is data until the
 * agent guards it.
 */
#include "postgres.h"

#include "access/xlog.h"
#include "mb/pg_wchar.h"

#include "base/spi.h"
#include "base/text.h"
#include "store/object.h"
#include "store/pattern.h"
#include "store/question.h"
#include "store/sqltext.h"

#include "queries/queries.gen.h"

#define MAX_NAME 100
#define MAX_QUESTION 4000
#define MAX_TEXT 8000

static SaError *
wrong(const char *message, const char *hint)
{
	return sa_error_make(SA_ERROR_OTHER, ERRCODE_INVALID_PARAMETER_VALUE,
						 message, NULL, hint);
}

SaError *
sa_pattern_problem(const SaPatternText *text)
{
	const char *unused;

	if (sa_text_blank(text->name) ||
		pg_mbstrlen(sa_text_trim(text->name)) > MAX_NAME)
		return wrong(
			psprintf("the name must have 1 to %d characters", MAX_NAME), NULL);
	if (sa_text_blank(text->question) ||
		*sa_question_key(text->question) == '\0')
		return wrong("the question is empty", NULL);
	if (strlen(text->question) > MAX_QUESTION)
		return wrong(
			psprintf("the question is longer than %d bytes", MAX_QUESTION),
			NULL);
	if (sa_text_blank(text->sql))
		return wrong("the SQL is empty", NULL);
	if (text->summary && strlen(text->summary) > MAX_TEXT)
		return wrong(psprintf("the summary is longer than %d bytes", MAX_TEXT),
					 NULL);
	if (text->quality_notes && strlen(text->quality_notes) > MAX_TEXT)
		return wrong(psprintf("the data quality notes are longer than %d bytes",
							  MAX_TEXT),
					 NULL);
	unused =
		sa_sqltext_unused(text->sql, sa_question_placeholders(text->question));
	if (unused)
		return wrong(psprintf("the SQL does not use the placeholder :%s of the "
							  "question",
							  unused),
					 "Write it in the SQL where its value shall stand.");
	return NULL;
}

static SaPatternHit *
read_hit(int row)
{
	SaPatternHit *hit = palloc0(sizeof(SaPatternHit));

	hit->id = sa_row_int8(row, 1);
	hit->name = sa_row_text(row, 2);
	hit->question = sa_row_text(row, 3);
	hit->sql = sa_row_text(row, 4);
	hit->checked = sa_row_bool(row, 5);
	return hit;
}

/* One whose placeholders the question fills. */
static SaPatternHit *
match_placeholders(const char *question)
{
	int count = SA_QUERY(SA_QUERY_PATTERN_TEMPLATES,
						 sa_arg_texts(sa_question_prefixes(question)));

	for (int i = 0; i < count; i++)
	{
		SaPatternHit *hit = read_hit(i);

		if (!sa_question_fits(hit->question, question, &hit->placeholders))
			continue;
		hit->sql = sa_sqltext_fill(hit->sql, hit->placeholders);
		return hit;
	}
	return NULL;
}

SaPatternHit *
sa_pattern_match(const char *question)
{
	int count =
		SA_QUERY("SELECT id, name, question, sql, checked_at IS NOT NULL "
				 "FROM sqlagent.query_patterns "
				 "WHERE question_key = $1 AND status = 'approved' "
				 "AND question_prefix IS NULL",
				 sa_arg_text(sa_question_key(question)));

	return count > 0 ? read_hit(0) : match_placeholders(question);
}

/* The one that stands in the way of a new one for the question, or NULL. */
static SaError *
find_existing(const char *question, const char *asker)
{
	char *status;

	if (SA_QUERY(SA_QUERY_PATTERN_EXISTING,
				 sa_arg_text(sa_question_key(question)),
				 sa_arg_text(asker)) == 0)
		return NULL;
	status = sa_row_text(0, 3);
	return sa_error_make(SA_ERROR_OTHER, ERRCODE_UNIQUE_VIOLATION,
						 "there is a pattern for this question already",
						 psprintf("It is pattern %s, \"%s\", which is %s.",
								  sa_row_text(0, 1), sa_row_text(0, 2), status),
						 strcmp(status, "approved") == 0
							 ? "Use it: its SQL answers the question."
							 : "It waits for a reviewer.");
}

int64
sa_pattern_propose(const SaPatternText *text, const SaOrigin *origin,
				   const List *objects, SaError **existing)
{
	int64 id;
	int count;

	*existing = find_existing(text->question, origin->asker);
	if (*existing)
		return 0;
	count = SA_QUERY(
		SA_QUERY_PATTERN_PROPOSE, sa_arg_text(sa_text_trim(text->name)),
		sa_arg_text(sa_text_trim(text->question)), sa_arg_text(text->sql),
		sa_arg_text(text->summary),
		sa_arg_texts(objects ? sa_knowledge_table_names(objects)
							 : text->tables),
		sa_arg_text(text->quality_notes), sa_arg_text(origin->asker),
		origin->run ? sa_arg_int8(origin->run) : sa_arg_null(INT8OID));
	if (count == 0)
	{
		/* Another session was faster; its row is there now. */
		*existing = find_existing(text->question, origin->asker);
		return 0;
	}
	id = sa_row_int8(0, 1);
	sa_objects_remember(SA_PATTERN, id, objects);
	return id;
}

void
sa_pattern_checked(int64 id, const List *objects)
{
	/* Whoever has it under his hands makes it new; nobody waits for him. */
	if (RecoveryInProgress() ||
		SA_QUERY("SELECT FROM sqlagent.query_patterns WHERE id = $1 "
				 "FOR NO KEY UPDATE SKIP LOCKED",
				 sa_arg_int8(id)) == 0)
		return;
	sa_objects_remember(SA_PATTERN, id, objects);
	(void) SA_QUERY("UPDATE sqlagent.query_patterns SET checked_at = now() "
					"WHERE id = $1",
					sa_arg_int8(id));
}
