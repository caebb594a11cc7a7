/*
 * builtin_schema.c
 *	  Reads what introspect_schema answered into a small model.
 *
 * Nothing here asks the database; keys that are not declared are found by
 * builtin_join.c.
 */
#include "postgres.h"

#include <ctype.h>

#include "base/text.h"
#include "llm/builtin_schema.h"

/* A column comment with more words than this is prose, not a name. */
#define MAX_COMMENT_WORDS 6

/* Beginnings of type names, and what can be done with the type. */
static const struct
{
	const char *prefix;
	SaBiType type;
	bool integer;
} type_kinds[] = {
	{"smallint", SA_BI_T_NUMBER, true}, {"integer", SA_BI_T_NUMBER, true},
	{"bigint", SA_BI_T_NUMBER, true},	{"numeric", SA_BI_T_NUMBER, false},
	{"real", SA_BI_T_NUMBER, false},	{"double", SA_BI_T_NUMBER, false},
	{"money", SA_BI_T_NUMBER, false},	{"date", SA_BI_T_DATE, false},
	{"timestamp", SA_BI_T_DATE, false}, {"boolean", SA_BI_T_BOOL, false},
	{"text", SA_BI_T_TEXT, false},		{"character", SA_BI_T_TEXT, false},
	{"citext", SA_BI_T_TEXT, false},	{"name", SA_BI_T_TEXT, false},
	{"\"char\"", SA_BI_T_TEXT, false},
};

SaBiSchema *
sa_builtin_schema_new(void)
{
	return palloc0(sizeof(SaBiSchema));
}

SaBiTable *
sa_builtin_schema_table(const SaBiSchema *schema, const char *sql)
{
	ListCell *cell;

	foreach (cell, schema->tables)
	{
		SaBiTable *table = lfirst(cell);

		if (strcmp(table->sql, sql) == 0)
			return table;
	}
	return NULL;
}

SaBiColumn *
sa_builtin_schema_column(const SaBiTable *table, const char *name)
{
	ListCell *cell;

	foreach (cell, table->columns)
	{
		SaBiColumn *column = lfirst(cell);

		if (strcmp(column->name, name) == 0)
			return column;
	}
	return NULL;
}

SaBiColumn *
sa_builtin_schema_key(const SaBiTable *table)
{
	return list_length(table->primary) == 1 ? linitial(table->primary) : NULL;
}

/* The last part of a possibly qualified, possibly quoted name, unquoted. */
static char *
bare_name(const char *sql)
{
	StringInfoData out;
	bool quoted = false;

	initStringInfo(&out);
	for (; *sql; sql++)
	{
		if (*sql == '"')
			quoted = !quoted;
		else if (*sql == '.' && !quoted)
			resetStringInfo(&out);
		else
			appendStringInfoChar(&out, *sql);
	}
	return out.data;
}

static void
set_type(SaBiColumn *column, const char *type)
{
	column->type = SA_BI_T_OTHER;
	if (type == NULL || strstr(type, "[]"))
		return;
	for (int i = 0; i < lengthof(type_kinds); i++)
		if (strncmp(type, type_kinds[i].prefix, strlen(type_kinds[i].prefix)) ==
				0 &&
			strncmp(type, "daterange", 9) != 0)
		{
			column->type = type_kinds[i].type;
			column->integer = type_kinds[i].integer;
			column->with_time = strncmp(type, "timestamp", 9) == 0;
			return;
		}
}

static List *
strings(const SaJson *array)
{
	List *result = NIL;

	for (int i = 0; i < sa_json_length(array); i++)
	{
		char *value = sa_json_string(sa_json_at(array, i));

		if (value)
			result = lappend(result, value);
	}
	return result;
}

/* Columns that say yes or no, as a boolean or in some other way. */
static void
set_truth(SaBiColumn *column)
{
	static const char *const pairs[][2] = {
		{"T", "F"},		   {"t", "f"},		  {"Y", "N"},	 {"y", "n"},
		{"Yes", "No"},	   {"yes", "no"},	  {"YES", "NO"}, {"1", "0"},
		{"true", "false"}, {"True", "False"},
	};
	ListCell *cell;

	if (column->type == SA_BI_T_BOOL)
		column->truth = "true";
	if (column->type == SA_BI_T_BOOL || column->values == NIL ||
		list_length(column->values) > 2 || column->distinct > 2)
		return;
	for (int i = 0; i < lengthof(pairs); i++)
	{
		bool all = true;

		foreach (cell, column->values)
			all = all && (strcmp(lfirst(cell), pairs[i][0]) == 0 ||
						  strcmp(lfirst(cell), pairs[i][1]) == 0);
		if (all)
			column->truth = pairs[i][0];
	}
}

static SaBiColumn *
read_column(SaBiTable *table, const SaJson *json)
{
	SaBiColumn *column = palloc0(sizeof(SaBiColumn));
	char *comment = sa_json_get_string(json, "comment");

	column->table = table;
	column->name = sa_json_get_string(json, "name");
	if (column->name == NULL)
		return NULL;
	set_type(column, sa_json_get_string(json, "type"));
	column->nullable = sa_json_get_bool(json, "nullable", true);
	column->primary = sa_json_get_bool(json, "primary_key", false);
	column->key = column->primary;
	column->values = strings(sa_json_get(json, "values"));
	column->values_complete = sa_json_get_bool(json, "values_complete", false);
	column->distinct = sa_json_get_int(json, "distinct", 0);
	column->min = sa_json_get_string(json, "min");
	column->max = sa_json_get_string(json, "max");
	set_truth(column);
	/* an enum has no type name that we know, but it has labels */
	if (column->type == SA_BI_T_OTHER && column->values)
		column->type = SA_BI_T_TEXT;
	if (comment && strlen(comment) < 60)
	{
		column->comment = sa_builtin_name_split(comment);
		if (column->comment->n == 0 || column->comment->n > MAX_COMMENT_WORDS)
			column->comment = NULL;
	}
	return column;
}

static void
read_keys(SaBiTable *table, const SaJson *keys)
{
	for (int i = 0; i < sa_json_length(keys); i++)
	{
		SaJson *key = sa_json_at(keys, i);
		char *kind = sa_json_get_string(key, "kind");
		List *names = strings(sa_json_get(key, "columns"));
		ListCell *cell;

		foreach (cell, names)
		{
			SaBiColumn *column = sa_builtin_schema_column(table, lfirst(cell));

			if (column == NULL)
				continue;
			if (kind && strcmp(kind, "primary key") == 0)
			{
				column->primary = column->key = true;
				table->primary = lappend(table->primary, column);
			}
			if (list_length(names) == 1)
				column->unique = true;
		}
	}
}

/* Characters that all column names of a table begin with. */
static int
common_prefix(const SaBiTable *table)
{
	const char *first;
	int len;
	ListCell *cell;

	if (list_length(table->columns) < 3)
		return 0;
	first = ((SaBiColumn *) linitial(table->columns))->name;
	len = strlen(first);
	foreach (cell, table->columns)
	{
		const char *name = ((SaBiColumn *) lfirst(cell))->name;
		int same = 0;

		while (same < len && tolower((unsigned char) name[same]) ==
								 tolower((unsigned char) first[same]))
			same++;
		len = same;
	}
	return len >= 2 ? len : 0;
}

/* Words of a single lower-case run that ends in another known word. */
static SaBiName *
split_run(const char *name)
{
	static const char *const tails[] = {
		"id",	  "name",	 "code",   "date",	"number", "type",	"status",
		"area",	  "price",	 "count",  "year",	"time",	  "amount", "address",
		"symbol", "country", "rating", "state", "total",  "weight", "length",
	};
	int len = strlen(name);

	for (int i = 0; i < lengthof(tails); i++)
	{
		int tail = strlen(tails[i]);

		/* candidate and migrate are no dates and rates */
		if (len - tail >= 3 && strcmp(name + len - tail, tails[i]) == 0 &&
			(strcmp(tails[i], "date") != 0 || len - tail >= 6 ||
			 strncmp(name, "birth", 5) == 0 || strncmp(name, "join", 4) == 0))
			return sa_builtin_name_split(
				psprintf("%.*s_%s", len - tail, name, tails[i]));
	}
	return sa_builtin_name_split(name);
}

static SaBiName *
column_name(const char *raw)
{
	SaBiName *name = sa_builtin_name_split(raw);

	return name->n == 1 ? split_run(name->raw[0]) : name;
}

/* The table's name at the beginning of the column's: how many words. */
static int
table_prefix(const SaBiTable *table, const SaBiName *name)
{
	for (int n = Min(table->name->n, name->n - 1); n > 0; n--)
	{
		SaBiName *tail = sa_builtin_name_slice(table->name, table->name->n - n,
											   table->name->n);

		if (sa_builtin_name_compare(sa_builtin_name_slice(name, 0, n), tail) >=
			95)
			return n;
	}
	return 0;
}

/* is_official and isofficial are what is asked as "official". */
static SaBiName *
flag_name(SaBiName *name)
{
	static const char *const prefixes[] = {"is", "has", "flag"};

	for (int i = 0; i < lengthof(prefixes); i++)
	{
		int len = strlen(prefixes[i]);

		if (name->n > 1 && strcmp(name->raw[0], prefixes[i]) == 0)
			return sa_builtin_name_slice(name, 1, name->n);
		if (name->n == 1 && strncmp(name->raw[0], prefixes[i], len) == 0 &&
			strlen(name->raw[0]) > len + 3)
			return sa_builtin_name_split(name->raw[0] + len);
	}
	return name;
}

static void
name_columns(SaBiTable *table)
{
	int skip = common_prefix(table);
	ListCell *cell;

	foreach (cell, table->columns)
	{
		SaBiColumn *column = lfirst(cell);
		int prefix;

		column->full = column_name(column->name + skip);
		if (column->full->n == 0)
			column->full = column_name(column->name);
		if (column->truth)
			column->full = flag_name(column->full);
		prefix = table_prefix(table, column->full);
		if (prefix)
		{
			column->bare =
				sa_builtin_name_slice(column->full, prefix, column->full->n);
			column->owned = column->full;
		}
		else
		{
			StringInfoData text;

			initStringInfo(&text);
			for (int i = 0; i < table->name->n; i++)
				appendStringInfo(&text, "%s_", table->name->raw[i]);
			for (int i = 0; i < column->full->n; i++)
				appendStringInfo(&text, "%s_", column->full->raw[i]);
			column->owned = sa_builtin_name_split(text.data);
		}
	}
}

/* What a table's name begins with and says nothing of its rows. */
static SaBiName *
table_name(const char *raw)
{
	static const char *const prefixes[] = {"tbl",  "tb",  "t",	   "dim",
										   "fact", "ref", "lookup"};
	SaBiName *name = sa_builtin_name_split(raw);

	if (name->n > 1)
		for (int i = 0; i < lengthof(prefixes); i++)
			if (strcmp(name->raw[0], prefixes[i]) == 0)
				return sa_builtin_name_slice(name, 1, name->n);
	return name;
}

/*
 * Where no key is declared: the column that by its name identifies the rows and
 * has another value in each of them, as far as statistics tell.
 */
static void
guess_key(SaBiTable *table)
{
	ListCell *cell;

	if (table->primary || table->rows < 2)
		return;
	foreach (cell, table->columns)
	{
		SaBiColumn *column = lfirst(cell);
		const SaBiName *name = column->bare ? column->bare : column->full;
		const char *last = name->n ? name->raw[name->n - 1] : "";

		if (column->distinct < table->rows ||
			(column->type != SA_BI_T_NUMBER && column->type != SA_BI_T_TEXT))
			continue;
		if (strcmp(last, "id") == 0 || strcmp(last, "code") == 0 ||
			strcmp(last, "key") == 0 || strcmp(last, "name") == 0 ||
			strcmp(last, "number") == 0)
		{
			column->unique = column->key = true;
			table->primary = list_make1(column);
			return;
		}
	}
}

void
sa_builtin_schema_add(SaBiSchema *schema, const SaJson *answer)
{
	SaBiTable *table;
	char *sql = sa_json_get_string(answer, "table");
	SaJson *columns = sa_json_get(answer, "columns");

	if (sql == NULL || sa_builtin_schema_table(schema, sql))
		return;
	table = palloc0(sizeof(SaBiTable));
	table->id = list_length(schema->tables);
	table->sql = sql;
	table->kind = sa_json_get_string(answer, "kind");
	table->name = table_name(bare_name(sql));
	table->rows = sa_json_get_int(answer, "rows", -1);
	table->comment = sa_json_get_string(answer, "description");
	table->relationships = sa_json_get(answer, "relationships");
	for (int i = 0; i < sa_json_length(columns); i++)
	{
		SaBiColumn *column = read_column(table, sa_json_at(columns, i));

		if (column)
			table->columns = lappend(table->columns, column);
	}
	read_keys(table, sa_json_get(answer, "keys"));
	name_columns(table);
	guess_key(table);
	schema->tables = lappend(schema->tables, table);
}

/* How many tables' names begin with the same characters. */
static int
tables_with_prefix(const SaBiSchema *schema, const char *prefix, int len)
{
	int count = 0;
	ListCell *cell;

	foreach (cell, schema->tables)
	{
		const char *name = bare_name(((SaBiTable *) lfirst(cell))->sql);

		if (strlen(name) > len && strncmp(name, prefix, len) == 0)
			count++;
	}
	return count;
}

/* A prefix like "sb" that nearly all table names share is no word. */
static void
drop_shared_prefix(SaBiSchema *schema)
{
	int n = list_length(schema->tables);
	const char *prefix = NULL;
	int len = 0;
	ListCell *cell;

	if (n < 3 || n > 100)
		return;
	foreach (cell, schema->tables)
	{
		const char *name = bare_name(((SaBiTable *) lfirst(cell))->sql);
		int same = len;

		while (name[same] &&
			   tables_with_prefix(schema, name, same + 1) * 4 >= Max(n * 3, 12))
			same++;
		if (same > len)
		{
			prefix = name;
			len = same;
		}
	}
	if (len < 2)
		return;
	foreach (cell, schema->tables)
	{
		SaBiTable *table = lfirst(cell);
		const char *name = bare_name(table->sql);

		if (strlen(name) <= len || strncmp(name, prefix, len) != 0)
			continue;
		table->name = table_name(name + len);
		name_columns(table);
	}
}

static void
set_labels(SaBiTable *table)
{
	ListCell *phrase;
	ListCell *cell;

	foreach (phrase, sa_builtin_lexicon_all(SA_BI_LABEL))
	{
		const SaBiPhrase *label = lfirst(phrase);
		SaBiName *name = sa_builtin_name_split(label->words[0]);

		if (label->nwords == 2)
			name = sa_builtin_name_split(
				psprintf("%s_%s", label->words[0], label->words[1]));
		foreach (cell, table->columns)
		{
			SaBiColumn *column = lfirst(cell);

			if (column->type == SA_BI_T_TEXT &&
				(strcmp(column->full->joined, name->joined) == 0 ||
				 (column->bare &&
				  strcmp(column->bare->joined, name->joined) == 0)))
			{
				table->labels = list_make1(column);
				return;
			}
		}
	}
}

/* First and last name, where there is no single name. */
static void
set_split_labels(SaBiTable *table)
{
	List *phrases = sa_builtin_lexicon_all(SA_BI_LABEL2);

	for (int i = 0; i + 1 < list_length(phrases); i += 2)
	{
		List *found = NIL;

		for (int j = i; j < i + 2; j++)
		{
			const SaBiPhrase *phrase = list_nth(phrases, j);
			SaBiName *name = sa_builtin_name_split(
				phrase->nwords == 2
					? psprintf("%s_%s", phrase->words[0], phrase->words[1])
					: phrase->words[0]);
			ListCell *cell;

			foreach (cell, table->columns)
			{
				SaBiColumn *column = lfirst(cell);

				if (sa_builtin_name_compare(name, column->full) == 100 ||
					(column->bare &&
					 sa_builtin_name_compare(name, column->bare) == 100))
				{
					found = lappend(found, column);
					break;
				}
			}
		}
		if (list_length(found) == 2)
		{
			table->labels = found;
			return;
		}
	}
}

static void
set_stamps(SaBiTable *table)
{
	ListCell *cell;
	ListCell *phrase;

	foreach (cell, table->columns)
	{
		SaBiColumn *column = lfirst(cell);

		if (column->type != SA_BI_T_DATE)
			continue;
		foreach (phrase, sa_builtin_lexicon_all(SA_BI_STAMP))
		{
			const SaBiPhrase *stamp = lfirst(phrase);

			if (strcmp(column->full->raw[0], stamp->words[0]) == 0)
				column->stamp = true;
		}
	}
}

void
sa_builtin_schema_finish(SaBiSchema *schema)
{
	ListCell *cell;

	drop_shared_prefix(schema);
	foreach (cell, schema->tables)
	{
		SaBiTable *table = lfirst(cell);

		set_split_labels(table);
		if (table->labels == NIL)
			set_labels(table);
		set_stamps(table);
	}
	sa_builtin_join_imply(schema);
}
