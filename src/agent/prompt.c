/*
 * prompt.c
 *	  What the model is told before the question.
 *
 * The texts are in src/prompts.  The part that never changes comes first, so
 * that the prompt caches of providers hit.
 */
#include "postgres.h"

#include "pgtime.h"
#include "utils/timestamp.h"

#include "agent/prompt.h"
#include "base/guc.h"
#include "base/text.h"
#include "db/introspect.h"
#include "llm/message.h"

#include "prompts/prompts.gen.h"

static char *
today(void)
{
	pg_time_t now = timestamptz_to_time_t(GetCurrentTimestamp());
	char date[16];

	pg_strftime(date, sizeof(date), "%Y-%m-%d",
				pg_localtime(&now, session_timezone));
	return pstrdup(date);
}

/* In data, nothing may look like the end of the data. */
static char *
fence_data(const char *text)
{
	StringInfoData out;
	const char *close;

	initStringInfo(&out);
	while ((close = strstr(text, "</data")) != NULL)
	{
		appendBinaryStringInfo(&out, text, close - text);
		appendStringInfoString(&out, "&lt;");
		text = close + 1;
	}
	appendStringInfoString(&out, text);
	return out.data;
}

/* The text that is the same in every run of a verb. */
static const char *const systems[] = {
	[SA_VERB_ASK] = SA_PROMPT_SYSTEM,
	[SA_VERB_ASK_JSON] = SA_PROMPT_SYSTEM,
	[SA_VERB_ASK_ROWS] = SA_PROMPT_SYSTEM,
	[SA_VERB_TO_SQL] = SA_PROMPT_SYSTEM_SQL,
	[SA_VERB_EXPLAIN_SQL] = SA_PROMPT_SYSTEM_EXPLAIN,
	[SA_VERB_FIX_SQL] = SA_PROMPT_SYSTEM_SQL,
};

List *
sa_prompt_messages(const char *question, SaVerb verb, List **tables)
{
	char *schema = sa_describe(question, sa_guc_schema_tokens, tables);
	char *context;

	context = sa_text_fill(SA_PROMPT_CONTEXT, "date", today(), "timezone",
						   pg_get_timezone_name(session_timezone), "version",
						   PG_MAJORVERSION, "schema", fence_data(schema),
						   "instructions", sa_guc_instructions, NULL);
	return list_make2(sa_message_new(SA_ROLE_SYSTEM, systems[verb]),
					  sa_message_new(SA_ROLE_SYSTEM, context));
}

const char *
sa_prompt_final(void)
{
	return SA_PROMPT_FINAL;
}

char *
sa_prompt_repair(const char *error)
{
	return sa_text_fill(SA_PROMPT_REPAIR, "error", error, NULL);
}

char *
sa_prompt_knowledge(const char *knowledge)
{
	return sa_text_fill(SA_PROMPT_KNOWLEDGE, "knowledge", fence_data(knowledge),
						NULL);
}

char *
sa_prompt_thread(const char *runs)
{
	return sa_text_fill(SA_PROMPT_THREAD, "runs", fence_data(runs), NULL);
}

char *
sa_prompt_explain(const char *sql, const char *plan)
{
	return sa_text_fill(SA_PROMPT_EXPLAIN, "sql", fence_data(sql), "plan", plan,
						NULL);
}

char *
sa_prompt_fix(const char *sql, const char *problem)
{
	return sa_text_fill(SA_PROMPT_FIX, "sql", fence_data(sql), "problem",
						fence_data(problem), NULL);
}

char *
sa_prompt_ground(const char *claims)
{
	return sa_text_fill(SA_PROMPT_GROUND, "claims", claims, NULL);
}

char *
sa_prompt_structured(const char *schema)
{
	return sa_text_fill(SA_PROMPT_STRUCTURED, "schema", schema, NULL);
}

char *
sa_prompt_structured_repair(const char *problem)
{
	return sa_text_fill(SA_PROMPT_STRUCTURED_REPAIR, "problem", problem, NULL);
}

const char *
sa_prompt_notes(void)
{
	return SA_PROMPT_NOTES;
}
