/*
 * schema_check.c
 *	  Whether a JSON Schema is understood in full: keywords and their form.
 *
 * Called where a schema comes in, before anything is done with it, so that no
 * keyword is silently ignored.
 */
#include "postgres.h"

#include "lib/stringinfo.h"

#include "agent/schema.h"

typedef bool (*FormCheck)(const SaJson *value);

static bool
is_type_name(const SaJson *value)
{
	static const char *const names[] = {
		"string", "number", "integer", "boolean", "object", "array", "null"};
	char *name = sa_json_string(value);

	for (int i = 0; name && i < (int) lengthof(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static bool
is_type(const SaJson *value)
{
	if (!sa_json_is_array(value))
		return is_type_name(value);
	for (int i = 0; i < sa_json_length(value); i++)
		if (!is_type_name(sa_json_at(value, i)))
			return false;
	return sa_json_length(value) > 0;
}

static bool
is_anything(const SaJson *value)
{
	return true;
}

static bool
is_list(const SaJson *value)
{
	return sa_json_length(value) > 0;
}

static bool
is_string_list(const SaJson *value)
{
	if (!sa_json_is_array(value))
		return false;
	for (int i = 0; i < sa_json_length(value); i++)
		if (!sa_json_is_string(sa_json_at(value, i)))
			return false;
	return true;
}

static bool
is_schema(const SaJson *value)
{
	return sa_json_is_object(value);
}

static bool
is_bool_or_schema(const SaJson *value)
{
	return sa_json_is_bool(value) || sa_json_is_object(value);
}

static bool
is_schema_list(const SaJson *value)
{
	for (int i = 0; i < sa_json_length(value); i++)
		if (!sa_json_is_object(sa_json_at(value, i)))
			return false;
	return sa_json_length(value) > 0;
}

static bool
is_schema_map(const SaJson *value)
{
	SaJson *member;

	if (!sa_json_is_object(value))
		return false;
	for (int i = 0; sa_json_key(value, i, &member) != NULL; i++)
		if (!sa_json_is_object(member))
			return false;
	return true;
}

static bool
is_count(const SaJson *value)
{
	return sa_json_is_int(value) && sa_json_number(value) >= 0;
}

static const struct
{
	const char *name;
	FormCheck form;
	const char *form_name;
	bool annotation; /* says nothing about the value */
} keywords[] = {
	{"type", is_type, "the name of a type, or several", false},
	{"enum", is_list, "an array of values", false},
	{"const", is_anything, "a value", false},
	{"properties", is_schema_map, "an object of schemas", false},
	{"required", is_string_list, "an array of names", false},
	{"additionalProperties", is_bool_or_schema, "a boolean or a schema", false},
	{"items", is_schema, "a schema", false},
	{"anyOf", is_schema_list, "an array of schemas", false},
	{"minItems", is_count, "a whole number", false},
	{"maxItems", is_count, "a whole number", false},
	{"minLength", is_count, "a whole number", false},
	{"maxLength", is_count, "a whole number", false},
	{"minimum", sa_json_is_number, "a number", false},
	{"maximum", sa_json_is_number, "a number", false},
	{"exclusiveMinimum", sa_json_is_number, "a number", false},
	{"exclusiveMaximum", sa_json_is_number, "a number", false},
	{"title", sa_json_is_string, "a text", true},
	{"description", sa_json_is_string, "a text", true},
	{"default", is_anything, "a value", true},
	{"examples", is_list, "an array", true},
	{"$schema", sa_json_is_string, "a text", true},
	{"$id", sa_json_is_string, "a text", true},
	{"$comment", sa_json_is_string, "a text", true},
};

char *
sa_schema_keywords(void)
{
	StringInfoData out;

	initStringInfo(&out);
	for (int i = 0; i < (int) lengthof(keywords); i++)
		if (!keywords[i].annotation)
			appendStringInfo(&out, "%s%s", i > 0 ? ", " : "", keywords[i].name);
	return out.data;
}

static char *
check_keyword(const char *path, const char *name, const SaJson *value)
{
	for (int i = 0; i < (int) lengthof(keywords); i++)
	{
		if (strcmp(keywords[i].name, name) != 0)
			continue;
		if (keywords[i].form(value))
			return NULL;
		return psprintf("%s.%s: must be %s", path, name, keywords[i].form_name);
	}
	return psprintf("%s: keyword \"%s\" is not supported", path,
					sa_json_from_utf8(name, (int) strlen(name)));
}

static char *check_schema(const char *path, const SaJson *schema);

static char *
check_map(const char *path, const SaJson *map)
{
	const char *key;
	SaJson *member;

	for (int i = 0; (key = sa_json_key(map, i, &member)) != NULL; i++)
	{
		char *problem =
			check_schema(psprintf("%s.properties.%s", path,
								  sa_json_from_utf8(key, (int) strlen(key))),
						 member);

		if (problem)
			return problem;
	}
	return NULL;
}

/* The schemas inside a schema. */
static char *
check_inner(const char *path, const SaJson *schema)
{
	const SaJson *items = sa_json_get(schema, "items");
	const SaJson *more = sa_json_get(schema, "additionalProperties");
	const SaJson *any = sa_json_get(schema, "anyOf");
	char *problem = check_map(path, sa_json_get(schema, "properties"));

	if (problem == NULL && items)
		problem = check_schema(psprintf("%s.items", path), items);
	if (problem == NULL && sa_json_is_object(more))
		problem = check_schema(psprintf("%s.additionalProperties", path), more);
	for (int i = 0; problem == NULL && i < sa_json_length(any); i++)
		problem =
			check_schema(psprintf("%s.anyOf[%d]", path, i), sa_json_at(any, i));
	return problem;
}

static char *
check_schema(const char *path, const SaJson *schema)
{
	const char *key;
	SaJson *value;

	if (!sa_json_is_object(schema))
		return psprintf("%s: a schema must be an object", path);
	for (int i = 0; (key = sa_json_key(schema, i, &value)) != NULL; i++)
	{
		char *problem = check_keyword(path, key, value);

		if (problem)
			return problem;
	}
	return check_inner(path, schema);
}

char *
sa_schema_problem(const SaJson *schema)
{
	return check_schema("$", schema);
}
