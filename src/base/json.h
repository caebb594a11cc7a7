/*
 * json.h
 *	  JSON trees (json-c) that are owned by a memory context.
 *
 * For what is read from or written to a model.  All text inside a tree is
 * UTF-8, as JSON is; sa_json_string() and friends convert to the server
 * encoding.  JSON that we build from rows is written straight into a
 * StringInfo (base/text.h, db/result.h) and needs no tree.
 */
#ifndef SA_JSON_H
#define SA_JSON_H

#include "lib/stringinfo.h"

typedef struct json_object SaJson;

/* A reply nested deeper than this is refused. */
#define SA_JSON_MAX_DEPTH 64

/*
 * Parse UTF-8 text.  A key that comes twice in one object is malformed: what
 * is checked must be what is used.  The tree is released with CurrentMemoryContext.  NULL on
 * malformed input, with *problem saying what is wrong (never the text itself).
 */
extern SaJson *sa_json_parse(const char *text, size_t len,
							 const char **problem);

/* A new {} or [] that is released with CurrentMemoryContext. */
extern SaJson *sa_json_new_object(void);
extern SaJson *sa_json_new_array(void);

/* Add to an object; the text is in server encoding.  NULL is left out. */
extern void sa_json_add_string(SaJson *object, const char *key,
							   const char *value);
extern void sa_json_add_int(SaJson *object, const char *key, int64 value);
extern void sa_json_add_double(SaJson *object, const char *key, double value);
extern void sa_json_add_bool(SaJson *object, const char *key, bool value);
/* Adds a child; the parent takes over the child's reference. */
extern void sa_json_add(SaJson *object, const char *key, SaJson *child);
extern void sa_json_append(SaJson *array, SaJson *child);
/* A child to be handed to sa_json_add or sa_json_append: not owned. */
extern SaJson *sa_json_child_object(void);
extern SaJson *sa_json_child_array(void);
extern SaJson *sa_json_child_string(const char *value);
/* The object that is a member of an object; a new one when there is none. */
extern SaJson *sa_json_member(SaJson *object, const char *key);
/* A child that is a tree of its own, or part of one, as well. */
extern SaJson *sa_json_ref(SaJson *json);
/*
 * A child that is printed as the text says, which is valid JSON in UTF-8 (a
 * tool's schema) and lives as long as the tree.  To all else it is a string.
 */
extern SaJson *sa_json_child_verbatim(const char *text);

/*
 * Put the members of one object into another; where both hold an object, go
 * on inside it, else the new value replaces the old.  null takes a member away.
 */
extern void sa_json_merge(SaJson *into, const SaJson *from);

/* The text of a tree, UTF-8, in the current context. */
extern char *sa_json_print(const SaJson *json);

/* Reading.  A missing member, null or a wrong type gives the default. */
extern SaJson *sa_json_get(const SaJson *object, const char *key);
extern bool sa_json_is_object(const SaJson *json);
extern bool sa_json_is_array(const SaJson *json);
extern bool sa_json_is_string(const SaJson *json);
extern bool sa_json_is_int(const SaJson *json);
extern bool sa_json_is_bool(const SaJson *json);
/* A whole number or not, within what a double holds. */
extern bool sa_json_is_number(const SaJson *json);
extern double sa_json_number(const SaJson *json);
extern bool sa_json_bool(const SaJson *json);
/* Whether there is a member, be it null. */
extern bool sa_json_has(const SaJson *object, const char *key);
extern bool sa_json_equal(const SaJson *a, const SaJson *b);
/* Whether a text, in server encoding, is a JSON object. */
extern bool sa_json_is_object_text(const char *text);
/* A copy in server encoding; what it cannot hold becomes '?'. */
extern char *sa_json_string(const SaJson *json);
extern char *sa_json_get_string(const SaJson *object, const char *key);
extern int64 sa_json_get_int(const SaJson *object, const char *key,
							 int64 missing);
extern bool sa_json_get_bool(const SaJson *object, const char *key,
							 bool missing);
extern int sa_json_length(const SaJson *array);
extern SaJson *sa_json_at(const SaJson *array, int index);
/* Members in order: for (i = 0; (key = sa_json_key(o, i, &value)); i++) */
extern const char *sa_json_key(const SaJson *object, int index, SaJson **value);

/*
 * Server encoding to UTF-8 and back (base/encoding.c); whatever cannot be
 * carried over becomes '?', also a NUL.  sa_json_to_utf8 gives the same pointer
 * when nothing changes.
 */
extern char *sa_json_to_utf8(const char *text);
extern char *sa_json_from_utf8(const char *text, int len);

#endif /* SA_JSON_H */
