/*
 * json.c
 *	  JSON trees (json-c) that are owned by a memory context.
 *
 * json-c allocates by malloc; a reset callback on the context puts the tree
 * when the context goes, normally or by an error.
 */
#include "postgres.h"

#include <json-c/json.h>

#include "mb/pg_wchar.h"
#include "utils/memutils.h"

#include "base/json.h"

static void
put_tree(void *arg)
{
	json_object_put((json_object *) arg);
}

/* Tie a tree to CurrentMemoryContext. */
static SaJson *
own(json_object *tree)
{
	MemoryContextCallback *callback = palloc(sizeof(MemoryContextCallback));

	callback->func = put_tree;
	callback->arg = tree;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, callback);
	return tree;
}

static void
no_memory(void)
{
	ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory"),
					errdetail("A JSON value could not be allocated.")));
}

static json_object *
not_null(json_object *tree)
{
	if (tree == NULL)
		no_memory();
	return tree;
}

/* How many members all the objects of a tree have together. */
static size_t
count_members(json_object *tree)
{
	size_t count = 0;

	if (sa_json_is_object(tree))
	{
		json_object_object_foreach(tree, key, value)
		{
			(void) key;
			count += 1 + count_members(value);
		}
	}
	else if (sa_json_is_array(tree))
		for (size_t i = 0; i < json_object_array_length(tree); i++)
			count += count_members(json_object_array_get_idx(tree, i));
	return count;
}

/* How many members a valid JSON text writes: the colons outside strings. */
static size_t
count_colons(const char *text, size_t len)
{
	size_t count = 0;
	bool in_string = false;

	for (size_t i = 0; i < len; i++)
	{
		if (text[i] == '"')
			in_string = !in_string;
		else if (in_string && text[i] == '\\')
			i++;
		else if (!in_string && text[i] == ':')
			count++;
	}
	return count;
}

static bool
is_blank(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (strchr(" \t\r\n", text[i]) == NULL)
			return false;
	return true;
}

/* Why a text need not be parsed, or NULL. */
static const char *
unfit(const char *text, size_t len)
{
	if (len == 0)
		return "it is empty";
	if (len > PG_INT32_MAX)
		return "it is too long";
	if (memchr(text, '\0', len) != NULL)
		return "it contains a NUL byte";
	if (pg_encoding_verifymbstr(PG_UTF8, text, (int) len) != (int) len)
		return "it is not valid UTF-8";
	return NULL;
}

/*
 * json-c 0.18 takes the bytes of other letters for control characters when it
 * is strict (fixed in 0.19): it is given their escapes instead.
 */
static const char *
escape_letters(const char *text, size_t *len)
{
	const char *end = text + *len;
	StringInfoData out;

	if (json_c_version_num() != ((0 << 16) | (18 << 8)))
		return text;
	initStringInfo(&out);
	while (text < end)
	{
		int size = pg_utf_mblen((const unsigned char *) text);
		pg_wchar letter;

		if (size == 1)
		{
			appendStringInfoCharMacro(&out, *text++);
			continue;
		}
		letter = utf8_to_unicode((const unsigned char *) text);
		text += size;
		if (letter >= 0x10000)
		{
			letter -= 0x10000;
			appendStringInfo(&out, "\\u%04x", 0xd800 + (letter >> 10));
			letter = 0xdc00 + (letter & 0x3ff);
		}
		appendStringInfo(&out, "\\u%04x", letter);
	}
	*len = out.len;
	return out.data;
}

static json_object *
parse_as(int flags, const char *text, size_t len,
		 enum json_tokener_error *error, size_t *end)
{
	json_tokener *tokener = json_tokener_new_ex(SA_JSON_MAX_DEPTH);
	json_object *tree;

	if (tokener == NULL)
		(void) not_null(NULL);
	json_tokener_set_flags(tokener, flags);
	tree = json_tokener_parse_ex(tokener, text, (int) len);
	*error = json_tokener_get_error(tokener);
	*end = json_tokener_get_parse_end(tokener);
	if (*error == json_tokener_continue)
	{
		/* A number is not known to be complete before its text has ended. */
		tree = json_tokener_parse_ex(tokener, "", 1);
		if (json_tokener_get_error(tokener) == json_tokener_success)
			*error = json_tokener_success;
		*end = len;
	}
	json_tokener_free(tokener);
	return tree;
}

SaJson *
sa_json_parse(const char *text, size_t len, const char **problem)
{
	json_object *tree;
	enum json_tokener_error error;
	size_t end;

	*problem = unfit(text, len);
	if (*problem)
		return NULL;
	text = escape_letters(text, &len);
	tree = parse_as(JSON_TOKENER_STRICT, text, len, &error, &end);
	/* From 0.18 on strict refuses an integer of more than 64 bits. */
	if (error == json_tokener_error_parse_number)
		tree = parse_as(0, text, len, &error, &end);
	if (error == json_tokener_continue)
		*problem = "it ends in the middle";
	else if (error == json_tokener_error_depth)
		*problem = "it is nested too deeply";
	else if (error != json_tokener_success)
		*problem = json_tokener_error_desc(error);
	else if (!is_blank(text + end, len - end))
		*problem = "there is text behind its end";
	else if (tree == NULL)
		*problem = "it is null";
	else if (count_colons(text, len) != count_members(tree))
		/* The last would win: what was looked at may not be what counts. */
		*problem = "an object has the same key twice";
	if (*problem)
	{
		json_object_put(tree);
		return NULL;
	}
	return own(tree);
}

SaJson *
sa_json_new_object(void)
{
	return own(not_null(json_object_new_object()));
}

SaJson *
sa_json_new_array(void)
{
	return own(not_null(json_object_new_array()));
}

SaJson *
sa_json_child_object(void)
{
	return not_null(json_object_new_object());
}

SaJson *
sa_json_child_array(void)
{
	return not_null(json_object_new_array());
}

SaJson *
sa_json_child_string(const char *value)
{
	return not_null(json_object_new_string(sa_json_to_utf8(value)));
}

SaJson *
sa_json_member(SaJson *object, const char *key)
{
	SaJson *member = sa_json_get(object, key);

	if (!sa_json_is_object(member))
	{
		member = sa_json_child_object();
		sa_json_add(object, key, member);
	}
	return member;
}

SaJson *
sa_json_ref(SaJson *json)
{
	return json_object_get(json);
}

static int
print_verbatim(json_object *json, struct printbuf *out, int level, int flags)
{
	const char *text = json_object_get_userdata(json);

	return printbuf_memappend(out, text, (int) strlen(text));
}

SaJson *
sa_json_child_verbatim(const char *text)
{
	json_object *child = not_null(json_object_new_string_len("", 0));

	json_object_set_serializer(child, print_verbatim, (void *) text, NULL);
	return child;
}

void
sa_json_add(SaJson *object, const char *key, SaJson *child)
{
	json_object_object_add(object, key, child);
}

void
sa_json_append(SaJson *array, SaJson *child)
{
	json_object_array_add(array, child);
}

void
sa_json_merge(SaJson *into, const SaJson *from)
{
	json_object_object_foreach((json_object *) from, key, value)
	{
		json_object *mine;

		if (value == NULL)
			json_object_object_del(into, key);
		else if (sa_json_is_object(value) &&
				 json_object_object_get_ex(into, key, &mine) &&
				 sa_json_is_object(mine))
			sa_json_merge(mine, value);
		else
			json_object_object_add(into, key, json_object_get(value));
	}
}

void
sa_json_add_string(SaJson *object, const char *key, const char *value)
{
	if (value)
		sa_json_add(object, key, sa_json_child_string(value));
}

void
sa_json_add_int(SaJson *object, const char *key, int64 value)
{
	sa_json_add(object, key, not_null(json_object_new_int64(value)));
}

void
sa_json_add_double(SaJson *object, const char *key, double value)
{
	sa_json_add(object, key, not_null(json_object_new_double(value)));
}

void
sa_json_add_bool(SaJson *object, const char *key, bool value)
{
	sa_json_add(object, key, not_null(json_object_new_boolean(value)));
}

char *
sa_json_print(const SaJson *json)
{
	const char *text = json_object_to_json_string_ext(
		(json_object *) json,
		JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);

	if (text == NULL)
		no_memory();
	return pstrdup(text);
}

SaJson *
sa_json_get(const SaJson *object, const char *key)
{
	json_object *value;

	if (!sa_json_is_object(object) ||
		!json_object_object_get_ex(object, key, &value))
		return NULL;
	return value;
}

bool
sa_json_is_object(const SaJson *json)
{
	return json_object_is_type(json, json_type_object);
}

bool
sa_json_is_array(const SaJson *json)
{
	return json_object_is_type(json, json_type_array);
}

bool
sa_json_is_string(const SaJson *json)
{
	return json_object_is_type(json, json_type_string);
}

bool
sa_json_is_int(const SaJson *json)
{
	return json_object_is_type(json, json_type_int);
}

bool
sa_json_is_bool(const SaJson *json)
{
	return json_object_is_type(json, json_type_boolean);
}

bool
sa_json_is_number(const SaJson *json)
{
	return json_object_is_type(json, json_type_int) ||
		   json_object_is_type(json, json_type_double);
}

double
sa_json_number(const SaJson *json)
{
	return json_object_get_double(json);
}

bool
sa_json_bool(const SaJson *json)
{
	return json_object_get_boolean(json);
}

bool
sa_json_has(const SaJson *object, const char *key)
{
	return sa_json_is_object(object) &&
		   json_object_object_get_ex(object, key, NULL);
}

bool
sa_json_equal(const SaJson *a, const SaJson *b)
{
	/* 1 and 1.0 are of two types in json-c, and one number in JSON. */
	if (sa_json_is_number(a) && sa_json_is_number(b))
		return sa_json_number(a) == sa_json_number(b);
	return json_object_equal((json_object *) a, (json_object *) b);
}

bool
sa_json_is_object_text(const char *text)
{
	const char *problem;
	const char *utf8 = sa_json_to_utf8(text);

	return sa_json_is_object(sa_json_parse(utf8, strlen(utf8), &problem));
}

char *
sa_json_string(const SaJson *json)
{
	if (!sa_json_is_string(json))
		return NULL;
	return sa_json_from_utf8(json_object_get_string((json_object *) json),
							 json_object_get_string_len(json));
}

char *
sa_json_get_string(const SaJson *object, const char *key)
{
	return sa_json_string(sa_json_get(object, key));
}

int64
sa_json_get_int(const SaJson *object, const char *key, int64 missing)
{
	SaJson *value = sa_json_get(object, key);

	if (!json_object_is_type(value, json_type_int) &&
		!json_object_is_type(value, json_type_double))
		return missing;
	return json_object_get_int64(value);
}

bool
sa_json_get_bool(const SaJson *object, const char *key, bool missing)
{
	SaJson *value = sa_json_get(object, key);

	if (!json_object_is_type(value, json_type_boolean))
		return missing;
	return json_object_get_boolean(value);
}

int
sa_json_length(const SaJson *array)
{
	return sa_json_is_array(array) ? (int) json_object_array_length(array) : 0;
}

SaJson *
sa_json_at(const SaJson *array, int index)
{
	return index < sa_json_length(array)
			   ? json_object_array_get_idx(array, index)
			   : NULL;
}

const char *
sa_json_key(const SaJson *object, int index, SaJson **value)
{
	struct json_object_iterator at;
	struct json_object_iterator end;

	if (!sa_json_is_object(object) ||
		index >= json_object_object_length(object))
		return NULL;
	at = json_object_iter_begin((json_object *) object);
	end = json_object_iter_end(object);
	for (; index > 0 && !json_object_iter_equal(&at, &end); index--)
		json_object_iter_next(&at);
	*value = json_object_iter_peek_value(&at);
	return json_object_iter_peek_name(&at);
}
