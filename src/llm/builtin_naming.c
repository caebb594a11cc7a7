/*
 * builtin_naming.c
 *	  What the names of tables and columns say: prefixes that all share, the
 *	  table's name in the column's, words written together, is_ and has_.
 */
#include "postgres.h"

#include <ctype.h>

#include "llm/builtin_schema.h"

/* The last part of a possibly qualified, possibly quoted name, unquoted. */
char *
sa_builtin_naming_bare(const char *sql)
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

void
sa_builtin_naming_columns(SaBiTable *table)
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
SaBiName *
sa_builtin_naming_table(const char *raw)
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

/* How many tables' names begin with the same characters. */
static int
tables_with_prefix(const SaBiSchema *schema, const char *prefix, int len)
{
	int count = 0;
	ListCell *cell;

	foreach (cell, schema->tables)
	{
		const char *name =
			sa_builtin_naming_bare(((SaBiTable *) lfirst(cell))->sql);

		if (strlen(name) > len && strncmp(name, prefix, len) == 0)
			count++;
	}
	return count;
}

/* A prefix like "sb" that nearly all table names share is no word. */
void
sa_builtin_naming_tables(SaBiSchema *schema)
{
	int n = list_length(schema->tables);
	const char *prefix = NULL;
	int len = 0;
	ListCell *cell;

	if (n < 3 || n > 100)
		return;
	foreach (cell, schema->tables)
	{
		const char *name =
			sa_builtin_naming_bare(((SaBiTable *) lfirst(cell))->sql);
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
		const char *name = sa_builtin_naming_bare(table->sql);

		if (strlen(name) <= len || strncmp(name, prefix, len) != 0)
			continue;
		table->name = sa_builtin_naming_table(name + len);
		sa_builtin_naming_columns(table);
	}
}
