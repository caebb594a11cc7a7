/*
 * tool.h
 *	  The tools: what the model may call, and people by tool_NAME(jsonb).
 */
#ifndef SA_TOOL_H
#define SA_TOOL_H

#include "base/error.h"
#include "base/json.h"
#include "db/result.h"
#include "llm/message.h"

typedef enum SaParamType
{
	SA_PARAM_STRING,
	SA_PARAM_INTEGER,
	SA_PARAM_BOOLEAN,
	SA_PARAM_STRINGS /* an array of strings; a single one is taken, too */
} SaParamType;

typedef struct SaToolParam
{
	const char *name; /* NULL ends the list */
	SaParamType type;
	bool required;
	const char *description;
} SaToolParam;

typedef struct SaToolResult
{
	char *json;			  /* for people; NULL with an error */
	char *text;			  /* for the model, where it differs; or NULL */
	const SaError *error; /* or NULL */
	SaResult *result;	  /* of run_sql and check_sql; or NULL */
} SaToolResult;

/* Which runs a tool is offered in. */
#define SA_OFFER_ASK 1
#define SA_OFFER_SQL 2	  /* to_sql: nothing may be run */
#define SA_OFFER_PERSON 4 /* tool_NAME(jsonb) */

typedef struct SaTool
{
	const char *name;
	const char *description;
	const SaToolParam *params;
	int offered; /* SA_OFFER_* */
	SaToolResult *(*call)(const SaJson *args);
	const bool *setting; /* that switches it off; or NULL */
} SaTool;

/* For whom a tool works. */
typedef struct SaCaller
{
	const char *asker;
	struct SaRunState *run; /* NULL when a person calls it */
} SaCaller;

extern void sa_tool_set_caller(const char *asker, struct SaRunState *run);
extern const SaCaller *sa_tool_caller(void);
extern bool sa_tool_is_builtin(const char *name);

/* The tools that are offered in a kind of run: List of SaToolSpec *. */
extern List *sa_tool_specs(int offer);

/*
 * Call a tool that is offered in this kind of run, with arguments as JSON text.
 * An unknown name, malformed arguments and failures of the tool are results,
 * not errors.
 */
extern SaToolResult *sa_tool_call(const char *name, const char *arguments,
								  int offer);

/* What the model is told: the tool's text, its JSON, or its error. */
extern char *sa_tool_text(const SaToolResult *result);
/* What a person gets: JSON, also of an error. */
extern char *sa_tool_json(const SaToolResult *result);

/* The SQL in a model's text, out of a code fence and without blanks. */
extern char *sa_tool_strip_fence(const char *text);

/* Rows of the table in tool.c, by what they work on. */
extern SaToolResult *sa_tools_run_sql(const SaJson *args);
extern SaToolResult *sa_tools_check_sql(const SaJson *args);
extern SaToolResult *sa_tools_introspect_schema(const SaJson *args);
extern SaToolResult *sa_tools_find_values(const SaJson *args);
extern SaToolResult *sa_tools_search_knowledge(const SaJson *args);
extern SaToolResult *sa_tools_save_learning(const SaJson *args);
extern SaToolResult *sa_tools_save_validated_query(const SaJson *args);
extern SaToolResult *sa_tool_failed(const SaError *error);
extern SaToolResult *sa_tool_done(char *json);

#endif /* SA_TOOL_H */
