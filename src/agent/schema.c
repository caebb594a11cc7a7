/*
 * schema.c
 *	  Whether a JSON value conforms to a schema that schema_check.c has found to
 *	  be understood.
 *
 * Used on answers (ask_json with a schema) and on arguments of tools.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"

#include "agent/schema.h"

static char *violation(const char *path, const SaJson *schema,
					   const SaJson *value);

/* JSON null is a NULL pointer in a tree. */
static bool
fits_type(const char *type, const SaJson *value)
{
	static const struct
	{
		const char *name;
		bool (*fits)(const SaJson *);
	} types[] = {
		{"string", sa_json_is_string}, {"number", sa_json_is_number},
		{"boolean", sa_json_is_bool},  {"object", sa_json_is_object},
		{"array", sa_json_is_array},
	};

	if (strcmp(type, "null") == 0)
		return value == NULL;
	/* 3.0 is a whole number as well. */
	if (strcmp(type, "integer") == 0)
		return sa_json_is_int(value) ||
			   (sa_json_is_number(value) &&
				sa_json_number(value) ==
					(double) (int64) sa_json_number(value));
	for (int i = 0; i < (int) lengthof(types); i++)
		if (strcmp(type, types[i].name) == 0)
			return types[i].fits(value);
	return false;
}

static char *
check_type(const char *path, const SaJson *type, const SaJson *value)
{
	StringInfoData names;

	initStringInfo(&names);
	if (sa_json_is_string(type))
		appendStringInfoString(&names, sa_json_string(type));
	for (int i = 0; i < sa_json_length(type); i++)
	{
		char *name = sa_json_string(sa_json_at(type, i));

		if (fits_type(name, value))
			return NULL;
		appendStringInfo(&names, "%s%s", i > 0 ? " or " : "", name);
	}
	if (sa_json_is_string(type) && fits_type(names.data, value))
		return NULL;
	return psprintf("%s: must be of type %s", path, names.data);
}

static char *
print(const SaJson *json)
{
	const char *text = json ? sa_json_print(json) : "null";

	return sa_json_from_utf8(text, (int) strlen(text));
}

static char *
check_enum(const char *path, const SaJson *list, const SaJson *value)
{
	for (int i = 0; i < sa_json_length(list); i++)
		if (sa_json_equal(sa_json_at(list, i), value))
			return NULL;
	return psprintf("%s: must be one of %s", path, print(list));
}

static char *
check_any(const char *path, const SaJson *list, const SaJson *value)
{
	for (int i = 0; i < sa_json_length(list); i++)
		if (violation(path, sa_json_at(list, i), value) == NULL)
			return NULL;
	return psprintf("%s: fits none of the schemas of anyOf", path);
}

/* Limits of a size or a number. */
static char *
check_limits(const char *path, const SaJson *schema, const SaJson *value)
{
	double number = sa_json_is_number(value) ? sa_json_number(value) : 0;
	char *text = sa_json_string(value);
	double length = text ? pg_mbstrlen_with_len(text, (int) strlen(text)) : 0;
	const struct
	{
		const char *keyword;
		bool applies;
		double size;
		int sign; /* 1: at least, -1: at most */
		bool exclusive;
		const char *what;
	} limits[] = {
		{"minItems", sa_json_is_array(value), sa_json_length(value), 1, false,
		 "must have at least %s items"},
		{"maxItems", sa_json_is_array(value), sa_json_length(value), -1, false,
		 "must have at most %s items"},
		{"minLength", text != NULL, length, 1, false,
		 "must have at least %s characters"},
		{"maxLength", text != NULL, length, -1, false,
		 "must have at most %s characters"},
		{"minimum", sa_json_is_number(value), number, 1, false,
		 "must be at least %s"},
		{"maximum", sa_json_is_number(value), number, -1, false,
		 "must be at most %s"},
		{"exclusiveMinimum", sa_json_is_number(value), number, 1, true,
		 "must be more than %s"},
		{"exclusiveMaximum", sa_json_is_number(value), number, -1, true,
		 "must be less than %s"},
	};

	for (int i = 0; i < (int) lengthof(limits); i++)
	{
		const SaJson *limit = sa_json_get(schema, limits[i].keyword);
		double over;

		if (!limits[i].applies || !sa_json_is_number(limit))
			continue;
		over = limits[i].sign * (limits[i].size - sa_json_number(limit));
		if (over < 0 || (limits[i].exclusive && over == 0))
		{
			StringInfoData out;

			initStringInfo(&out);
			appendStringInfo(&out, "%s: ", path);
			appendStringInfo(&out, limits[i].what, print(limit));
			return out.data;
		}
	}
	return NULL;
}

static char *
check_items(const char *path, const SaJson *schema, const SaJson *value)
{
	char *problem = NULL;

	for (int i = 0; problem == NULL && i < sa_json_length(value); i++)
		problem = violation(psprintf("%s[%d]", path, i), schema,
							sa_json_at(value, i));
	return problem;
}

static char *
check_required(const char *path, const SaJson *required, const SaJson *value)
{
	for (int i = 0; i < sa_json_length(required); i++)
	{
		char *name = sa_json_string(sa_json_at(required, i));

		if (!sa_json_has(value, sa_json_to_utf8(name)))
			return psprintf("%s.%s: is missing", path, name);
	}
	return NULL;
}

static char *
check_members(const char *path, const SaJson *schema, const SaJson *value)
{
	const SaJson *properties = sa_json_get(schema, "properties");
	const SaJson *more = sa_json_get(schema, "additionalProperties");
	const char *key;
	SaJson *member;

	for (int i = 0; (key = sa_json_key(value, i, &member)) != NULL; i++)
	{
		const SaJson *inner = sa_json_get(properties, key);
		char *where =
			psprintf("%s.%s", path, sa_json_from_utf8(key, (int) strlen(key)));
		char *problem = NULL;

		if (inner == NULL && sa_json_is_bool(more) && !sa_json_bool(more))
			return psprintf("%s: is not allowed", where);
		if (inner == NULL && sa_json_is_object(more))
			inner = more;
		if (inner)
			problem = violation(where, inner, member);
		if (problem)
			return problem;
	}
	return NULL;
}

static char *
violation(const char *path, const SaJson *schema, const SaJson *value)
{
	const SaJson *type = sa_json_get(schema, "type");
	const SaJson *items = sa_json_get(schema, "items");
	char *problem = NULL;

	if (type)
		problem = check_type(path, type, value);
	if (problem == NULL && sa_json_has(schema, "enum"))
		problem = check_enum(path, sa_json_get(schema, "enum"), value);
	if (problem == NULL && sa_json_has(schema, "const") &&
		!sa_json_equal(sa_json_get(schema, "const"), value))
		problem = psprintf("%s: must be %s", path,
						   print(sa_json_get(schema, "const")));
	if (problem == NULL && sa_json_has(schema, "anyOf"))
		problem = check_any(path, sa_json_get(schema, "anyOf"), value);
	if (problem == NULL)
		problem = check_limits(path, schema, value);
	if (problem == NULL && items && sa_json_is_array(value))
		problem = check_items(path, items, value);
	if (problem == NULL && sa_json_is_object(value))
		problem = check_required(path, sa_json_get(schema, "required"), value);
	if (problem == NULL && sa_json_is_object(value))
		problem = check_members(path, schema, value);
	return problem;
}

char *
sa_schema_violation(const SaJson *schema, const SaJson *value)
{
	return violation("$", schema, value);
}
