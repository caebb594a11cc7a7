/*
 * tools_knowledge.c
 *	  The tools that search and propose knowledge.
 *
 * Handlers of the table in tool.c.  What is proposed here is a proposal: a
 * reviewer decides, and until then nobody but who proposed it sees it.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "agent/knowledge.h"
#include "agent/run.h"
#include "agent/tool.h"
#include "base/guc.h"
#include "base/spi.h"
#include "base/text.h"
#include "db/query.h"
#include "store/learning.h"
#include "store/pattern.h"
#include "store/question.h"
#include "store/search.h"
#include "store/sqltext.h"

#define DEFAULT_LIMIT 5
#define MAX_LIMIT 20

/* In the answer of search_knowledge, and as its argument "type". */
static const char *const lists[SA_KNOWLEDGE_KINDS] = {
	[SA_PATTERN] = "query_patterns",
	[SA_LEARNING] = "learnings",
	[SA_RULE] = "rules",
};

static const struct
{
	const char *type;
	int kinds;
} types[] = {
	{"patterns", 1 << SA_PATTERN},
	{"query_patterns", 1 << SA_PATTERN},
	{"learnings", 1 << SA_LEARNING},
	{"rules", 1 << SA_RULE},
};

static SaToolResult *
wrong(const char *message)
{
	return sa_tool_failed(sa_error_make(
		SA_ERROR_OTHER, ERRCODE_INVALID_PARAMETER_VALUE, message, NULL, NULL));
}

static int
kinds_of_type(const char *type)
{
	for (int i = 0; type && i < (int) lengthof(types); i++)
		if (pg_strcasecmp(types[i].type, type) == 0)
			return types[i].kinds;
	return (1 << SA_KNOWLEDGE_KINDS) - 1;
}

/* {"query_patterns": […], "learnings": […], "rules": […], "total_found": n} */
static char *
hits_json(List *const hits[SA_KNOWLEDGE_KINDS])
{
	StringInfoData out;
	int total = 0;

	initStringInfo(&out);
	appendStringInfoChar(&out, '{');
	for (int kind = 0; kind < SA_KNOWLEDGE_KINDS; kind++)
	{
		ListCell *cell;

		appendStringInfo(&out, "\"%s\": [", lists[kind]);
		foreach (cell, hits[kind])
		{
			if (foreach_current_index(cell) > 0)
				appendStringInfoString(&out, ", ");
			sa_search_json(&out, lfirst(cell));
		}
		appendStringInfoString(&out, "], ");
		total += list_length(hits[kind]);
	}
	appendStringInfo(&out, "\"total_found\": %d}", total);
	return out.data;
}

SaToolResult *
sa_tools_search_knowledge(const SaJson *args)
{
	const SaCaller *caller = sa_tool_caller();
	List *hits[SA_KNOWLEDGE_KINDS];
	SaSearch search = {0};

	search.words = sa_json_get_string(args, "query");
	if (sa_text_blank(search.words))
		return wrong("the query is empty");
	search.asker = caller->asker;
	/* What a run cannot read is of no use to it; a person may see it. */
	search.role = caller->run ? GetSessionUserId() : InvalidOid;
	search.kinds = kinds_of_type(sa_json_get_string(args, "type"));
	search.limit = (int) Min(
		Max(sa_json_get_int(args, "limit", DEFAULT_LIMIT), 1), MAX_LIMIT);
	sa_tx_begin(SA_TX_OWNER);
	sa_search(&search, hits);
	sa_tx_commit();
	if (caller->run)
		sa_knowledge_given(caller->run, hits, "search");
	return sa_tool_done(hits_json(hits));
}

SaOrigin
sa_knowledge_origin(void)
{
	const SaCaller *caller = sa_tool_caller();
	SaOrigin origin = {caller->asker, 0};

	if (caller->run)
	{
		/* The id is given at the first write. */
		sa_run_flush(caller->run->record);
		origin.run = sa_run_id(caller->run->record);
	}
	return origin;
}

/* "done", with an id, a name and what else there is. */
static void
begin_success(StringInfo out, const char *message)
{
	initStringInfo(out);
	appendStringInfoString(out, "{\"success\": true, \"message\": ");
	sa_text_json(out, message);
}

static void
add_string(StringInfo out, const char *name, const char *value)
{
	appendStringInfo(out, ", \"%s\": ", name);
	sa_text_json(out, value);
}

SaToolResult *
sa_tools_save_learning(const SaJson *args)
{
	SaLearningText text = {0};
	SaOrigin origin = sa_knowledge_origin();
	List *objects = NIL;
	StringInfoData out;
	SaError *problem;
	int64 id;
	bool known;

	text.title = sa_json_get_string(args, "title");
	text.description = sa_json_get_string(args, "description");
	text.category = sa_json_get_string(args, "category");
	text.sql = sa_json_get_string(args, "sql");
	problem = sa_learning_problem(&text);
	if (problem)
		return sa_tool_failed(problem);
	/* An example may as well be one of what does not work. */
	if (!sa_text_blank(text.sql))
		objects = sa_query_check(text.sql)->objects;
	sa_tx_begin(SA_TX_OWNER_SYNC);
	id = sa_learning_propose(&text, &origin, objects, &known);
	sa_tx_commit();
	begin_success(&out, known ? "This is known already; it was counted."
							  : "The learning is saved and waits for review.");
	appendStringInfo(&out, ", \"learning_id\": " INT64_FORMAT, id);
	add_string(&out, "title", sa_text_trim(text.title));
	add_string(&out, "category", text.category);
	appendStringInfoChar(&out, '}');
	return sa_tool_done(out.data);
}

/* Whether this run has run the statement with success. */
static bool
has_run(const SaRunState *run, const char *sql, const List *placeholders)
{
	for (int i = 0; i < sa_run_nsteps(run->record); i++)
	{
		const SaStep *step = sa_run_get_step(run->record, i);

		if (step->sql && strcmp(step->name, "run_sql") == 0 &&
			strcmp(step->outcome, "ok") == 0 &&
			sa_sqltext_same(sql, step->sql, placeholders))
			return true;
	}
	return false;
}

/*
 * The statement has to work: in a run it has been run, and is guarded again; a
 * person's is guarded and run now.  With placeholders it can only be guarded.
 */
static SaToolResult *
validate(const SaPatternText *text, List **objects)
{
	const SaCaller *caller = sa_tool_caller();
	List *placeholders = sa_question_placeholders(text->question);
	char *sql = sa_sqltext_fill(text->sql, placeholders);
	SaResult *result;
	SaToolResult *failed;

	if (caller->run && !has_run(caller->run, text->sql, placeholders))
		return sa_tool_failed(sa_error_make(
			SA_ERROR_OTHER, ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
			"this run has not run the statement with success", NULL,
			"Run it with run_sql first, and save it as it was run."));
	if (caller->run || placeholders != NIL)
		result = sa_query_check(sql);
	else
		result = sa_query_run(sql, 1);
	*objects = result->objects;
	if (result->error == NULL)
		return NULL;
	failed = sa_tool_failed(result->error);
	failed->result = result;
	return failed;
}

static List *
strings_of(const SaJson *value)
{
	List *strings = NIL;

	if (sa_json_is_string(value))
		return list_make1(sa_json_string(value));
	for (int i = 0; i < sa_json_length(value); i++)
		if (sa_json_is_string(sa_json_at(value, i)))
			strings = lappend(strings, sa_json_string(sa_json_at(value, i)));
	return strings;
}

static SaToolResult *
pattern_saved(const SaPatternText *text, int64 id, const List *tables)
{
	StringInfoData out;
	ListCell *cell;

	begin_success(&out, "The query is saved and waits for review.");
	appendStringInfo(&out, ", \"pattern_id\": " INT64_FORMAT, id);
	add_string(&out, "name", sa_text_trim(text->name));
	appendStringInfoString(&out, ", \"tables_used\": [");
	foreach (cell, tables)
	{
		if (foreach_current_index(cell) > 0)
			appendStringInfoString(&out, ", ");
		sa_text_json(&out, lfirst(cell));
	}
	appendStringInfoString(&out, "]}");
	return sa_tool_done(out.data);
}

SaToolResult *
sa_tools_save_validated_query(const SaJson *args)
{
	SaPatternText text = {0};
	SaOrigin origin;
	List *objects = NIL;
	List *tables;
	SaError *problem;
	SaToolResult *failed;
	int64 id;

	text.name = sa_json_get_string(args, "name");
	text.question = sa_json_get_string(args, "question");
	text.sql = sa_tool_strip_fence(sa_json_get_string(args, "sql"));
	text.summary = sa_json_get_string(args, "summary");
	text.quality_notes = sa_json_get_string(args, "data_quality_notes");
	text.tables = strings_of(sa_json_get(args, "tables_used"));
	problem = sa_pattern_problem(&text);
	if (problem)
		return sa_tool_failed(problem);
	failed = validate(&text, &objects);
	if (failed)
		return failed;
	origin = sa_knowledge_origin();
	sa_tx_begin(SA_TX_OWNER_SYNC);
	id = sa_pattern_propose(&text, &origin, objects, &problem);
	tables =
		text.tables != NIL ? text.tables : sa_knowledge_table_names(objects);
	sa_tx_commit();
	return problem ? sa_tool_failed(problem) : pattern_saved(&text, id, tables);
}
