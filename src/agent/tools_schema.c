/*
 * tools_schema.c
 *	  The tools that tell about the schema: introspect_schema and find_values.
 *
 * Handlers of the table in tool.c.
 */
#include "postgres.h"

#include "agent/tool.h"
#include "base/text.h"
#include "db/introspect.h"
#include "llm/client.h"

SaToolResult *
sa_tools_introspect_schema(const SaJson *args)
{
	char *table = sa_json_get_string(args, "table_name");
	SaError *error = NULL;
	char *json;

	if (sa_text_blank(table))
		return sa_tool_done(
			sa_introspect_list(sa_json_get_string(args, "search")));
	json = sa_introspect_table(
		sa_text_trim(table),
		sa_json_get_bool(args, "include_sample_data", false),
		sa_client_is_local(), &error);
	return json ? sa_tool_done(json) : sa_tool_failed(error);
}

SaToolResult *
sa_tools_find_values(const SaJson *args)
{
	SaError *error = NULL;
	char *json = sa_values_find(
		sa_json_get_string(args, "table"), sa_json_get_string(args, "column"),
		sa_json_get_string(args, "text"), sa_client_is_local(), &error);

	return json ? sa_tool_done(json) : sa_tool_failed(error);
}
