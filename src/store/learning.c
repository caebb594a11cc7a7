/*
 * learning.c
 *	  Learnings: what was found out about the data.
 *
 * Called by the agent.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "base/spi.h"
#include "base/text.h"
#include "store/learning.h"
#include "store/object.h"
#include "store/question.h"

#include "queries/queries.gen.h"

#define MAX_TITLE 100
#define MAX_DESCRIPTION 8000
#define MAX_SQL 65536

static const char *const categories[] = {"type_error", "schema_fix",
										 "query_pattern", "data_quality",
										 "business_logic"};

/* Categories of errors, by the beginning of the SQLSTATE; the first that fits. */
static const struct
{
	const char *prefix;
	const char *category;
} of_errors[] = {
	{"42703", "schema_fix"}, /* undefined column */
	{"42P01", "schema_fix"}, /* undefined table */
	{"42702", "schema_fix"}, /* ambiguous column */
	{"3F", "schema_fix"},	 {"42804", "type_error"},
	{"42883", "type_error"}, /* no operator for these types */
	{"42846", "type_error"}, {"42725", "type_error"},
	{"22", "type_error"},	 {"", "query_pattern"},
};

const char *
sa_learning_category(const char *sqlstate)
{
	int i = 0;

	while (strncmp(sqlstate, of_errors[i].prefix,
				   strlen(of_errors[i].prefix)) != 0)
		i++;
	return of_errors[i].category;
}

static SaError *
wrong(const char *message, const char *hint)
{
	return sa_error_make(SA_ERROR_OTHER, ERRCODE_INVALID_PARAMETER_VALUE,
						 message, NULL, hint);
}

static bool
is_category(const char *name)
{
	for (int i = 0; name && i < (int) lengthof(categories); i++)
		if (strcmp(categories[i], name) == 0)
			return true;
	return false;
}

SaError *
sa_learning_problem(const SaLearningText *text)
{
	if (sa_text_blank(text->title) ||
		pg_mbstrlen(sa_text_trim(text->title)) > MAX_TITLE)
		return wrong(
			psprintf("the title must have 1 to %d characters", MAX_TITLE),
			NULL);
	if (sa_text_blank(text->description))
		return wrong("the description is empty", NULL);
	if (strlen(text->description) > MAX_DESCRIPTION)
		return wrong(psprintf("the description is longer than %d bytes",
							  MAX_DESCRIPTION),
					 NULL);
	if (!is_category(text->category))
		return wrong(
			psprintf("unknown category \"%s\"",
					 text->category ? sa_text_clip(text->category, 64) : ""),
			"The categories are type_error, schema_fix, "
			"query_pattern, data_quality and business_logic.");
	if (text->sql && strlen(text->sql) > MAX_SQL)
		return wrong(psprintf("the SQL is longer than %d bytes", MAX_SQL),
					 NULL);
	return NULL;
}

int64
sa_learning_propose(const SaLearningText *text, const SaOrigin *origin,
					const List *objects, bool *known)
{
	const char *key = text->key
						  ? text->key
						  : psprintf("title %s", sa_question_key(text->title));
	int64 id;

	*known = SA_QUERY(SA_QUERY_LEARNING_REPEAT, sa_arg_text(key),
					  sa_arg_text(origin->asker)) > 0;
	if (*known)
		return sa_row_int8(0, 1);
	(void) SA_QUERY(
		SA_QUERY_LEARNING_PROPOSE, sa_arg_text(sa_text_trim(text->title)),
		sa_arg_text(text->description), sa_arg_text(text->category),
		sa_arg_text(text->sql), sa_arg_text(text->failing_sql),
		sa_arg_text(text->sqlstate),
		sa_arg_texts(sa_knowledge_table_names(objects)),
		sa_arg_text(origin->asker),
		origin->run ? sa_arg_int8(origin->run) : sa_arg_null(INT8OID),
		sa_arg_text(key));
	id = sa_row_int8(0, 1);
	*known = !sa_row_bool(0, 2);
	if (!*known)
		sa_objects_remember(SA_LEARNING, id, objects);
	return id;
}
