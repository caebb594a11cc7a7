/*
 * transfer.c
 *	  Knowledge from outside, as a list of items.
 *
 * Called by the import.  Both formats are told apart by the members that an
 * object has, and members go by several names.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "base/text.h"
#include "store/marker.h"
#include "store/transfer.h"

#define MAX_NAME 100

typedef struct Reader
{
	List *items;
	List *skipped;
} Reader;

List *
sa_transfer_skip(List *skipped, const char *what, const char *why)
{
	SaSkipped *item = palloc(sizeof(SaSkipped));

	item->what = what;
	item->why = why;
	return lappend(skipped, item);
}

static void
skip(Reader *reader, const char *what, const char *why)
{
	reader->skipped = sa_transfer_skip(reader->skipped, what, why);
}

/* The first member of these names that is there. */
static SaJson *
member(const SaJson *object, const char *const *names)
{
	for (; *names; names++)
	{
		SaJson *value = sa_json_get(object, *names);

		if (value)
			return value;
	}
	return NULL;
}
#define MEMBER(object, ...)                                                    \
	member(object, (const char *const[]){__VA_ARGS__, NULL})

/* A text, or the lines of an array of texts; NULL when it is blank. */
static char *
text_of(const SaJson *value)
{
	StringInfoData out;

	if (sa_json_is_string(value))
	{
		char *text = sa_json_string(value);

		return sa_text_blank(text) ? NULL : text;
	}
	initStringInfo(&out);
	for (int i = 0; i < sa_json_length(value); i++)
		if (sa_json_is_string(sa_json_at(value, i)))
			appendStringInfo(&out, "%s%s", out.len > 0 ? "\n" : "",
							 sa_json_string(sa_json_at(value, i)));
	return out.len > 0 ? out.data : NULL;
}
#define TEXT(object, ...) text_of(MEMBER(object, __VA_ARGS__))

static List *
texts_of(const SaJson *value)
{
	List *texts = NIL;

	if (sa_json_is_string(value))
		return list_make1(sa_json_string(value));
	for (int i = 0; i < sa_json_length(value); i++)
		if (sa_json_is_string(sa_json_at(value, i)))
			texts = lappend(texts, sa_json_string(sa_json_at(value, i)));
	return texts;
}

/* A name of at most 100 characters. */
static const char *
short_name(const char *text)
{
	char *trimmed = sa_text_trim(text);

	if (pg_mbstrlen(trimmed) <= MAX_NAME)
		return trimmed;
	return sa_text_clip(trimmed,
						pg_mbcliplen(trimmed, strlen(trimmed), MAX_NAME - 4));
}

static SaTransfer *
add(Reader *reader, SaTransferKind kind, const char *name)
{
	SaTransfer *item = palloc0(sizeof(SaTransfer));

	item->kind = kind;
	item->name = short_name(name);
	reader->items = lappend(reader->items, item);
	return item;
}

static void
read_pattern(Reader *reader, const SaJson *object)
{
	char *name = TEXT(object, "name");
	char *question = TEXT(object, "question");
	char *sql = TEXT(object, "sql", "query");
	SaTransfer *item;

	if (name == NULL && question == NULL)
	{
		skip(reader, "a query pattern", "it has neither name nor question");
		return;
	}
	if (sql == NULL)
	{
		skip(reader, psprintf("query pattern \"%s\"", name ? name : question),
			 "it has no SQL");
		return;
	}
	item = add(reader, SA_TRANSFER_PATTERN, name ? name : question);
	item->question = question ? question : name;
	item->sql = sql;
	item->description = TEXT(object, "summary", "description");
	item->notes = TEXT(object, "data_quality_notes", "notes");
	item->tables = texts_of(MEMBER(object, "tables_used", "tables"));
	item->status = TEXT(object, "status");
	item->note = TEXT(object, "note");
}

static void
read_learning(Reader *reader, const SaJson *object)
{
	char *title = TEXT(object, "title", "name");
	SaTransfer *item;

	if (title == NULL)
	{
		skip(reader, "a learning", "it has no title");
		return;
	}
	item = add(reader, SA_TRANSFER_LEARNING, title);
	item->description = TEXT(object, "description");
	item->category = TEXT(object, "category");
	item->sql = TEXT(object, "sql");
	item->failing_sql = TEXT(object, "failing_sql");
	item->sqlstate = TEXT(object, "sqlstate");
	item->key = TEXT(object, "key");
	item->tables = texts_of(MEMBER(object, "tables"));
	item->status = TEXT(object, "status");
	item->note = TEXT(object, "note");
}

/* A metric, a rule or a gotcha; rules and gotchas may be just a text. */
static void
read_rule(Reader *reader, const SaJson *value, const char *kind)
{
	char *text = sa_json_is_string(value) ? text_of(value) : NULL;
	char *name = text ? text : TEXT(value, "name", "issue");
	char *description =
		text ? text : TEXT(value, "description", "definition", "rule", "issue");
	SaTransfer *item;

	if (name == NULL && description == NULL)
	{
		skip(reader, psprintf("a %s", kind), "it has neither name nor text");
		return;
	}
	item = add(reader, SA_TRANSFER_RULE, name ? name : description);
	item->category = kind;
	item->description = description ? description : name;
	if (text)
		return;
	item->sql = TEXT(value, "calculation");
	item->notes = TEXT(value, "solution");
	item->tables =
		texts_of(MEMBER(value, "tables_affected", "tables", "table"));
	item->status = TEXT(value, "status");
	item->note = TEXT(value, "note");
}

/* A rule of our own format says what kind it is. */
static void
read_any_rule(Reader *reader, const SaJson *value)
{
	static const char *const kinds[] = {"metric", "rule", "gotcha"};
	char *kind = sa_json_is_object(value) ? TEXT(value, "kind") : NULL;

	for (int i = 0; i < (int) lengthof(kinds); i++)
		if (kind && strcmp(kind, kinds[i]) == 0)
		{
			read_rule(reader, value, kinds[i]);
			return;
		}
	read_rule(reader, value, "rule");
}

static void
read_metric(Reader *reader, const SaJson *value)
{
	read_rule(reader, value, "metric");
}

static void
read_gotcha(Reader *reader, const SaJson *value)
{
	read_rule(reader, value, "gotcha");
}

static void
add_comment(Reader *reader, const char *table, const char *column,
			const char *text)
{
	SaTransfer *item = add(reader, SA_TRANSFER_COMMENT, table);

	item->name = table;
	item->category = column;
	item->description = text;
}

/* Columns are a map from name to text, or a list of objects. */
static void
read_columns(Reader *reader, const char *table, const SaJson *columns)
{
	SaJson *value;
	const char *key;

	if (sa_json_is_object(columns))
		for (int i = 0; (key = sa_json_key(columns, i, &value)) != NULL; i++)
		{
			char *text = sa_json_is_object(value) ? TEXT(value, "description")
												  : text_of(value);

			if (text)
				add_comment(reader, table, sa_json_from_utf8(key, strlen(key)),
							text);
		}
	for (int i = 0; sa_json_is_array(columns) && i < sa_json_length(columns);
		 i++)
	{
		char *name = TEXT(sa_json_at(columns, i), "name", "column");
		char *text = TEXT(sa_json_at(columns, i), "description", "comment");

		if (name && text)
			add_comment(reader, table, name, text);
	}
}

static void
read_table(Reader *reader, const SaJson *object)
{
	char *table = TEXT(object, "table", "table_name", "name");
	char *description =
		TEXT(object, "description", "table_description", "comment");
	char *uses = TEXT(object, "use_cases");
	char *notes = TEXT(object, "data_quality_notes");

	if (table == NULL)
	{
		skip(reader, "a table", "it has no name");
		return;
	}
	if (description)
		add_comment(reader, table, NULL, description);
	if (notes)
	{
		SaTransfer *item = add(reader, SA_TRANSFER_RULE,
							   psprintf("Data quality of %s", table));

		item->category = "gotcha";
		item->description = notes;
		item->tables = list_make1(table);
	}
	read_columns(reader, table, sa_json_get(object, "columns"));
	if (uses)
		skip(reader, psprintf("use cases of table \"%s\"", table),
			 "what a table is for is its description");
	if (sa_json_length(sa_json_get(object, "relationships")) > 0)
		skip(reader, psprintf("relationships of table \"%s\"", table),
			 "the foreign keys of the database tell them");
}

static void
read_sql_text(Reader *reader, const char *text)
{
	List *blocks = sa_marker_blocks(text);
	ListCell *cell;

	if (blocks == NIL)
		skip(reader, psprintf("text \"%s\"", sa_text_clip(text, 60)),
			 "it has no SQL between query markers");
	foreach (cell, blocks)
	{
		const SaMarkerBlock *block = lfirst(cell);
		SaTransfer *item = add(reader, SA_TRANSFER_PATTERN, block->name);

		item->question = block->description ? block->description : block->words;
		item->description = block->description;
		item->sql = block->sql;
	}
}

/* Members of an object that hold lists, and who reads an entry. */
static const struct
{
	const char *name;
	void (*read)(Reader *reader, const SaJson *value);
} lists[] = {
	{"query_patterns", read_pattern}, {"patterns", read_pattern},
	{"queries", read_pattern},		  {"learnings", read_learning},
	{"metrics", read_metric},		  {"business_rules", read_any_rule},
	{"rules", read_any_rule},		  {"common_gotchas", read_gotcha},
	{"gotchas", read_gotcha},		  {"tables", read_table},
};

/* Members that say something about the whole. */
static const char *const heads[] = {"format", "version", "connection"};

static void read_value(Reader *reader, const char *name, const SaJson *value);

/* False when the member is none of the lists. */
static bool
read_list(Reader *reader, const char *name, const SaJson *value)
{
	for (int i = 0; i < (int) lengthof(lists); i++)
	{
		if (strcmp(lists[i].name, name) != 0 || !sa_json_is_array(value))
			continue;
		for (int n = 0; n < sa_json_length(value); n++)
		{
			const SaJson *entry = sa_json_at(value, n);

			if (sa_json_is_object(entry) || lists[i].read == read_any_rule ||
				lists[i].read == read_gotcha)
				lists[i].read(reader, entry);
			else
				read_value(reader, name, entry);
		}
		return true;
	}
	return false;
}

static void
read_members(Reader *reader, const SaJson *object)
{
	SaJson *value;
	const char *key;

	for (int i = 0; (key = sa_json_key(object, i, &value)) != NULL; i++)
	{
		char *name = sa_json_from_utf8(key, strlen(key));
		bool head = false;

		for (int h = 0; h < (int) lengthof(heads); h++)
			head |= strcmp(heads[h], name) == 0;
		if (!head && !read_list(reader, name, value))
			read_value(reader, name, value);
	}
}

static void
read_object(Reader *reader, const SaJson *object)
{
	bool pattern = MEMBER(object, "sql", "query") != NULL;

	if (sa_json_is_string(MEMBER(object, "table", "table_name")) &&
		!sa_json_get(object, "calculation"))
		read_table(reader, object);
	else if (pattern && MEMBER(object, "name", "question") &&
			 !MEMBER(object, "title"))
		read_pattern(reader, object);
	else
		read_members(reader, object);
}

static void
read_value(Reader *reader, const char *name, const SaJson *value)
{
	if (sa_json_is_object(value))
		read_object(reader, value);
	else if (sa_json_is_array(value))
		for (int i = 0; i < sa_json_length(value); i++)
			read_value(reader, name, sa_json_at(value, i));
	else if (sa_json_is_string(value))
		read_sql_text(reader, sa_json_string(value));
	else
		skip(reader, psprintf("member \"%s\"", name), "it is no knowledge");
}

void
sa_transfer_read(const SaJson *data, List **items, List **skipped)
{
	Reader reader = {NIL, NIL};

	read_value(&reader, "data", data);
	*items = reader.items;
	*skipped = reader.skipped;
}
