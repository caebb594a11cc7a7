/*
 * builtin_word.c
 *	  The answer in words: a sentence for one value, a small table for a few
 *	  rows, the first rows of many.
 *
 * Reads what run_sql gives a model, CSV or JSON between <data> marks.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "base/json.h"
#include "base/text.h"
#include "llm/builtin_dialogue.h"
#include "llm/builtin_schema.h"

#define FEW_rowS 20
#define FIRST_rowS 10
#define MAX_COLUMNS 12
#define MAX_CELL 60

typedef struct Grid
{
	List *names; /* of char * */
	List *rows;	 /* of List of char *, NULL = NULL */
	int64 count;
	bool truncated;
	bool hidden; /* the values are not shared */
} Grid;

/* One CSV field; *at is moved behind it and its separator. */
static char *
read_field(const char **at, bool *end_of_row)
{
	StringInfoData out;
	const char *p = *at;
	bool quoted = *p == '"';

	initStringInfo(&out);
	if (quoted)
		p++;
	for (; *p; p++)
	{
		if (quoted && *p == '"')
		{
			if (p[1] != '"')
			{
				p++;
				break;
			}
			p++;
		}
		else if (!quoted && (*p == ',' || *p == '\n'))
			break;
		if (strncmp(p, "&lt;/data", 9) == 0)
		{
			appendStringInfoChar(&out, '<');
			p += 3;
		}
		else
			appendStringInfoChar(&out, *p);
	}
	*end_of_row = *p != ',';
	*at = *p ? p + 1 : p;
	return quoted || out.len ? out.data : NULL;
}

static void
read_csv(Grid *grid, const char *data, const char *end)
{
	const char *at = pnstrdup(data, end - data);

	while (*at)
	{
		List *row = NIL;
		bool last = false;

		while (!last)
			row = lappend(row, read_field(&at, &last));
		if (grid->names == NIL)
			grid->names = row;
		else
			grid->rows = lappend(grid->rows, row);
	}
}

static void
read_json(Grid *grid, const char *data, const char *end)
{
	const char *problem;
	char *utf8 = sa_json_to_utf8(pnstrdup(data, end - data));
	SaJson *json = sa_json_parse(utf8, strlen(utf8), &problem);
	SaJson *names = sa_json_get(json, "columns");
	SaJson *rows = sa_json_get(json, "rows");

	for (int i = 0; i < sa_json_length(names); i++)
		grid->names =
			lappend(grid->names, sa_json_string(sa_json_at(names, i)));
	for (int i = 0; i < sa_json_length(rows); i++)
	{
		SaJson *cells = sa_json_at(rows, i);
		List *row = NIL;

		for (int j = 0; j < sa_json_length(cells); j++)
		{
			SaJson *cell = sa_json_at(cells, j);

			row = lappend(row, cell == NULL				 ? NULL
							   : sa_json_is_string(cell) ? sa_json_string(cell)
														 : sa_json_print(cell));
		}
		grid->rows = lappend(grid->rows, row);
	}
}

static Grid
read_result(const char *result)
{
	Grid grid = {0};
	const char *rows = strstr(result, "rows: ");
	const char *data = strstr(result, "<data>\n");
	const char *end = data ? strstr(data, "</data>") : NULL;

	if (rows)
		grid.count = atoll(rows + 6);
	grid.truncated = strstr(result, "truncated: true") != NULL &&
					 (data == NULL || strstr(result, "truncated: true") < data);
	if (data == NULL || end == NULL)
	{
		grid.hidden = true;
		return grid;
	}
	data += 7;
	if (*data == '{')
		read_json(&grid, data, end);
	else
		read_csv(&grid, data, end);
	return grid;
}

/* A cell for people: one line, not too long, no endless fractions. */
static char *
cell_text(const char *value)
{
	char *text;
	char *point;
	char *p;

	if (value == NULL)
		return pstrdup("");
	text = pstrdup(value);
	for (p = text; *p; p++)
		if ((unsigned char) *p < ' ')
			*p = ' ';
	/* an average has more digits than anybody wants */
	point = strchr(text, '.');
	if (point && strlen(point) > 5 &&
		strspn(text, "-0123456789.") == strlen(text) && strlen(text) < 40)
	{
		text = psprintf("%.4f", strtod(text, NULL));
		p = text + strlen(text);
		while (p[-1] == '0')
			*--p = '\0';
		if (p[-1] == '.')
			*--p = '\0';
		return text;
	}
	return sa_text_clip(text, MAX_CELL);
}

static int
width_of(const char *text)
{
	return pg_mbstrlen(text);
}

static void
append_padded(StringInfo out, const char *text, int width, bool last)
{
	appendStringInfoString(out, text);
	if (!last)
		appendStringInfoSpaces(out, width - width_of(text));
}

static void
append_line(StringInfo out, List *cells, const int *widths, int columns)
{
	for (int i = 0; i < columns; i++)
	{
		if (i)
			appendStringInfoString(out, " | ");
		append_padded(
			out, cell_text(i < list_length(cells) ? list_nth(cells, i) : NULL),
			widths[i], i == columns - 1);
	}
}

static void
append_table(StringInfo out, const Grid *grid, int rows)
{
	int columns = Min(list_length(grid->names), MAX_COLUMNS);
	int widths[MAX_COLUMNS];

	for (int i = 0; i < columns; i++)
	{
		widths[i] = width_of(cell_text(list_nth(grid->names, i)));
		for (int j = 0; j < rows; j++)
		{
			List *row = list_nth(grid->rows, j);

			if (i < list_length(row))
				widths[i] =
					Max(widths[i], width_of(cell_text(list_nth(row, i))));
		}
	}
	append_line(out, grid->names, widths, columns);
	for (int j = 0; j < rows; j++)
	{
		appendStringInfoChar(out, '\n');
		append_line(out, list_nth(grid->rows, j), widths, columns);
	}
}

/* A name of the schema as words. */
static char *
spaced(const char *name)
{
	char *text = pstrdup(name);

	for (char *p = text; *p; p++)
		if (*p == '_')
			*p = ' ';
	return text;
}

/* Tables are called by one row or by many; counted are many. */
static char *
plural(const char *name)
{
	int len = strlen(name);
	ListCell *cell;

	foreach (cell, sa_builtin_lexicon_all(SA_BI_PLURAL))
		if (strcmp(((SaBiPhrase *) lfirst(cell))->words[0], name) == 0)
			return pstrdup(name);
	if (len < 3 || name[len - 1] == 's')
		return pstrdup(name);
	if (name[len - 1] == 'y' && strchr("aeiou", name[len - 2]) == NULL)
		return psprintf("%.*sies", len - 1, name);
	return psprintf("%s%s", name,
					name[len - 1] == 'x' || name[len - 1] == 'h' ? "es" : "s");
}

/* What a statement of ours counts: the table behind FROM. */
static char *
counted(const char *sql)
{
	const char *from = strstr(sql, "\nFROM ");
	char *name;

	if (from == NULL)
		return pstrdup("rows");
	from += 6;
	name = sa_builtin_naming_bare(pnstrdup(from, strcspn(from, " \n")));
	return psprintf("%s%s", strstr(sql, "\nWHERE ") ? "matching " : "",
					plural(spaced(name)));
}

/* The column behind count(DISTINCT. */
static char *
distinct_column(const char *sql)
{
	const char *column = strchr(strstr(sql, "count(DISTINCT "), '.') + 1;

	return spaced(pnstrdup(column, strcspn(column, ")")));
}

/* What an aggregate's name begins with, in words; *rest is what it is of. */
static const char *
measure_word(const char *name, const char **rest)
{
	static const struct
	{
		const char *prefix;
		const char *word;
	} words[] = {{"max_", "highest "},
				 {"min_", "lowest "},
				 {"avg_", "average "},
				 {"total_", "total "},
				 {"median_", "median "}};

	for (int i = 0; i < lengthof(words); i++)
		if (strncmp(name, words[i].prefix, strlen(words[i].prefix)) == 0)
		{
			*rest = name + strlen(words[i].prefix);
			return words[i].word;
		}
	*rest = name;
	return "";
}

static char *
one_value(const char *sql, const char *name, const char *value)
{
	const char *rest;
	const char *word = measure_word(name, &rest);
	char *text;

	if (strcmp(name, "count") == 0 && strstr(sql, "count(DISTINCT ") &&
		strchr(strstr(sql, "count(DISTINCT "), '.'))
		return psprintf("The number of different values of %s is %s.",
						distinct_column(sql), cell_text(value));
	if (strcmp(name, "count") == 0)
		return psprintf("The number of %s is %s.", counted(sql),
						cell_text(value));
	text = spaced(rest);
	/* hired_on is said as "Hired on 2020-06-15." */
	if (value && *word == '\0' && strlen(name) > 3 &&
		(strcmp(name + strlen(name) - 3, "_on") == 0 ||
		 strcmp(name + strlen(name) - 3, "_at") == 0))
	{
		text[0] = pg_toupper((unsigned char) text[0]);
		return psprintf("%s %s.", text, cell_text(value));
	}
	if (value == NULL)
		return psprintf("There is no %s%s: no row has one.", word, text);
	return psprintf("The %s%s is %s.", word, text, cell_text(value));
}

/* "avg_salary" as people say it. */
static char *
column_text(const char *name)
{
	const char *rest;
	const char *word = measure_word(name, &rest);

	return psprintf("%s%s", word, spaced(rest));
}

static bool
is_id(const char *name)
{
	int len = strlen(name);

	return pg_strcasecmp(name, "id") == 0 ||
		   (len > 3 && pg_strcasecmp(name + len - 3, "_id") == 0);
}

/* Whether two columns are the parts of a person's name. */
static bool
is_full_name(const char *first, const char *last)
{
	return strncmp(first, "first", 5) == 0 && strncmp(last, "last", 4) == 0;
}

/*
 * Whether the value calls something by its name: text, and neither a number nor
 * a date.
 */
static bool
is_label(const char *value)
{
	return value && *value && strspn(value, "-0123456789.:+ ") != strlen(value);
}

/*
 * "Bob Brown (id 2): salary 110000."; columns without a name before them are
 * told one by one.
 */
static char *
one_row(const Grid *grid)
{
	List *row = linitial(grid->rows);
	int columns = Min(list_length(grid->names), list_length(row));
	int at = 0;
	int id = -1;
	bool labelled;
	StringInfoData out;

	initStringInfo(&out);
	if (columns > 1 && is_id(list_nth(grid->names, 0)) && list_nth(row, 0))
		id = at++;
	labelled = is_label(list_nth(row, at));
	if (labelled)
	{
		appendStringInfoString(&out, cell_text(list_nth(row, at++)));
		if (at < columns && is_label(list_nth(row, at)) &&
			is_full_name(list_nth(grid->names, at - 1),
						 list_nth(grid->names, at)))
			appendStringInfo(&out, " %s", cell_text(list_nth(row, at++)));
		if (id >= 0)
			appendStringInfo(&out, " (%s %s)",
							 spaced(list_nth(grid->names, id)),
							 cell_text(list_nth(row, id)));
	}
	else
		at = 0;
	for (int i = at; i < columns; i++)
		appendStringInfo(&out, "%s%s %s",
						 i > at		? ", "
						 : labelled ? ": "
									: "",
						 column_text(list_nth(grid->names, i)),
						 list_nth(row, i) ? cell_text(list_nth(row, i))
										  : "unknown");
	appendStringInfoChar(&out, '.');
	return out.data;
}

char *
sa_builtin_word_result(const char *sql, const char *result)
{
	Grid grid = read_result(result);
	StringInfoData out;
	int shown;

	if (grid.hidden)
		return psprintf("The statement gave %lld row%s; the values are not "
						"shared with the provider.",
						(long long) grid.count, grid.count == 1 ? "" : "s");
	if (grid.count == 0 || grid.rows == NIL)
		return pstrdup("No row of the data matches.");
	if (grid.count == 1 && !grid.truncated)
	{
		if (list_length(grid.names) == 1)
			return one_value(sql, linitial(grid.names),
							 linitial(linitial(grid.rows)));
		return one_row(&grid);
	}
	initStringInfo(&out);
	shown = list_length(grid.rows);
	if (grid.count > FEW_rowS || shown < grid.count || grid.truncated)
		shown = Min(shown, FIRST_rowS);
	if (grid.truncated)
		appendStringInfo(&out,
						 "There are more than %lld rows, the result was cut "
						 "off there. The first %d:\n",
						 (long long) grid.count, shown);
	else if (shown < grid.count)
		appendStringInfo(&out, "There are %lld rows. The first %d:\n",
						 (long long) grid.count, shown);
	else if (strstr(sql, "WITH TIES"))
		appendStringInfo(&out, "%lld rows share the first place:\n",
						 (long long) grid.count);
	append_table(&out, &grid, shown);
	return out.data;
}
