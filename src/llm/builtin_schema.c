/*
 * builtin_schema.c
 *	  Reads what introspect_schema answered into a small model.
 *
 * Nothing here asks the database; keys that are not declared are found by
 * builtin_join.c.
 */
#include "postgres.h"

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
	table->name = sa_builtin_naming_table(sa_builtin_naming_bare(sql));
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
	sa_builtin_naming_columns(table);
	guess_key(table);
	schema->tables = lappend(schema->tables, table);
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

/* company_name, where there is no plain name. */
static void
set_other_label(SaBiTable *table)
{
	static const char *const tails[] = {"name", "title", "description"};
	ListCell *cell;

	for (int i = 0; i < lengthof(tails); i++)
		foreach (cell, table->columns)
		{
			SaBiColumn *column = lfirst(cell);
			int n = column->full->n;

			if (column->type == SA_BI_T_TEXT && n > 0 &&
				(!column->key || column->primary) &&
				strcmp(column->full->raw[n - 1], tails[i]) == 0)
			{
				table->labels = list_make1(column);
				return;
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

	sa_builtin_naming_tables(schema);
	foreach (cell, schema->tables)
	{
		SaBiTable *table = lfirst(cell);

		set_split_labels(table);
		if (table->labels == NIL)
			set_labels(table);
		if (table->labels == NIL)
			set_other_label(table);
		set_stamps(table);
	}
	sa_builtin_join_imply(schema);
}
