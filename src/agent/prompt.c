/*
 * prompt.c
 *	  What the model is told before the question.
 *
 * The texts are in src/prompts.  The part that never changes comes first, so
 * that the prompt caches of providers hit.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "pgtime.h"
#include "utils/timestamp.h"

#include "agent/prompt.h"
#include "agent/prompt_text.h"
#include "base/guc.h"
#include "base/text.h"
#include "db/introspect.h"
#include "llm/message.h"

static char *
today(void)
{
	pg_time_t now = timestamptz_to_time_t(GetCurrentTimestamp());
	char date[16];

	pg_strftime(date, sizeof(date), "%Y-%m-%d",
				pg_localtime(&now, session_timezone));
	return pstrdup(date);
}

char *
sa_prompt_fence(const char *text)
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
static const SaPromptId systems[] = {
	[SA_VERB_ASK] = SA_TEXT_SYSTEM,
	[SA_VERB_ASK_JSON] = SA_TEXT_SYSTEM,
	[SA_VERB_ASK_ROWS] = SA_TEXT_SYSTEM,
	[SA_VERB_TO_SQL] = SA_TEXT_SYSTEM_SQL,
	[SA_VERB_EXPLAIN_SQL] = SA_TEXT_SYSTEM_EXPLAIN,
	[SA_VERB_FIX_SQL] = SA_TEXT_SYSTEM_SQL,
};

List *
sa_prompt_messages(const char *question, SaVerb verb, const List *likely,
				   List **tables)
{
	char *schema = sa_describe(question, likely, sa_guc_schema_tokens, tables);
	char *context;

	context = sa_text_fill(sa_prompt_text(SA_TEXT_CONTEXT), "date", today(),
						   "timezone", pg_get_timezone_name(session_timezone),
						   "version", PG_MAJORVERSION, "schema",
						   sa_prompt_fence(schema), "instructions",
						   sa_guc_instructions, NULL);
	return list_make2(
		sa_message_new(SA_ROLE_SYSTEM, sa_prompt_text(systems[verb])),
		sa_message_new(SA_ROLE_SYSTEM, context));
}

const char *
sa_prompt_final(void)
{
	return sa_prompt_text(SA_TEXT_FINAL);
}

char *
sa_prompt_repair(const char *error)
{
	return sa_text_fill(sa_prompt_text(SA_TEXT_REPAIR), "error", error, NULL);
}

char *
sa_prompt_knowledge(const char *knowledge)
{
	return sa_text_fill(sa_prompt_text(SA_TEXT_KNOWLEDGE), "knowledge",
						sa_prompt_fence(knowledge), NULL);
}

char *
sa_prompt_thread(const char *runs)
{
	return sa_text_fill(sa_prompt_text(SA_TEXT_THREAD), "runs",
						sa_prompt_fence(runs), NULL);
}

char *
sa_prompt_explain(const char *sql, const char *plan)
{
	return sa_text_fill(sa_prompt_text(SA_TEXT_EXPLAIN), "sql",
						sa_prompt_fence(sql), "plan", plan, NULL);
}

char *
sa_prompt_fix(const char *sql, const char *problem)
{
	return sa_text_fill(sa_prompt_text(SA_TEXT_FIX), "sql",
						sa_prompt_fence(sql), "problem",
						sa_prompt_fence(problem), NULL);
}

char *
sa_prompt_ground(const char *claims)
{
	return sa_text_fill(sa_prompt_text(SA_TEXT_GROUND), "claims", claims, NULL);
}

char *
sa_prompt_structured(const char *schema)
{
	return sa_text_fill(sa_prompt_text(SA_TEXT_STRUCTURED), "schema", schema,
						NULL);
}

char *
sa_prompt_structured_repair(const char *problem)
{
	return sa_text_fill(sa_prompt_text(SA_TEXT_STRUCTURED_REPAIR), "problem",
						problem, NULL);
}

const char *
sa_prompt_notes(void)
{
	return sa_prompt_text(SA_TEXT_NOTES);
}

char *
sa_prompt_review(const char *question, const char *sql)
{
	return sa_text_fill(sa_prompt_text(SA_TEXT_REVIEW), "question",
						sa_prompt_fence(question), "sql", sa_prompt_fence(sql),
						NULL);
}

char *
sa_prompt_hash(SaVerb verb)
{
	char *text = psprintf("%s%s%s", sa_prompt_text(systems[verb]),
						  sa_prompt_text(SA_TEXT_CONTEXT), sa_guc_instructions);
	/* Not md5, which the server computes only inside a transaction. */
	uint64 hash = hash_bytes_extended((const unsigned char *) text,
									  (int) strlen(text), 0);

	return psprintf("%08x%08x", (uint32) (hash >> 32), (uint32) hash);
}
