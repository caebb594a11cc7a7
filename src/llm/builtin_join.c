/*
 * builtin_join.c
 *	  Ways from one table to another: declared keys, keys that names or
 *	  comments suggest, and the shortest path.
 *
 * Declared keys weigh less than others, so that a way along them wins even
 * when it is a little longer.
 */
#include "postgres.h"

#include "llm/builtin_schema.h"

#define COST_DECLARED 10
#define COST_IMPLIED 13
#define COST_SHARED 6

/* Whether the columns identify a row of the table. */
static bool
columns_unique(const SaBiTable *table, const List *columns)
{
	ListCell *cell;

	if (list_length(columns) == 1 && ((SaBiColumn *) linitial(columns))->unique)
		return true;
	if (table->primary == NIL)
		return false;
	foreach (cell, table->primary)
		if (!list_member_ptr(columns, lfirst(cell)))
			return false;
	return true;
}

static bool
has_edge(const SaBiTable *from, const SaBiTable *to, const List *from_columns,
		 const List *to_columns)
{
	ListCell *cell;

	foreach (cell, from->edges)
	{
		SaBiEdge *edge = lfirst(cell);

		if (edge->to == to &&
			linitial(edge->from_columns) == linitial(from_columns) &&
			linitial(edge->to_columns) == linitial(to_columns))
			return true;
	}
	return false;
}

static void
add_half(SaBiTable *from, SaBiTable *to, List *from_columns, List *to_columns,
		 bool declared)
{
	SaBiEdge *edge = palloc0(sizeof(SaBiEdge));
	ListCell *cell;

	edge->from = from;
	edge->to = to;
	edge->from_columns = from_columns;
	edge->to_columns = to_columns;
	edge->declared = declared;
	edge->to_one = columns_unique(to, to_columns);
	from->edges = lappend(from->edges, edge);
	foreach (cell, from_columns)
		((SaBiColumn *) lfirst(cell))->key = true;
}

void
sa_builtin_join_add(SaBiTable *from, SaBiTable *to, List *from_columns,
					List *to_columns, bool declared)
{
	if (has_edge(from, to, from_columns, to_columns))
		return;
	add_half(from, to, from_columns, to_columns, declared);
	if (from != to)
		add_half(to, from, to_columns, from_columns, declared);
}

static List *
columns_of(const SaBiTable *table, const SaJson *names)
{
	List *result = NIL;

	for (int i = 0; i < sa_json_length(names); i++)
	{
		char *name = sa_json_string(sa_json_at(names, i));
		SaBiColumn *column =
			name ? sa_builtin_schema_column(table, name) : NULL;

		if (column == NULL)
			return NIL;
		result = lappend(result, column);
	}
	return result;
}

static void
read_relationships(const SaBiSchema *schema, SaBiTable *table)
{
	for (int i = 0; i < sa_json_length(table->relationships); i++)
	{
		SaJson *json = sa_json_at(table->relationships, i);
		char *other_name = sa_json_get_string(json, "table");
		char *direction = sa_json_get_string(json, "direction");
		bool declared = !sa_json_get_bool(json, "implied", false);
		SaBiTable *other =
			other_name ? sa_builtin_schema_table(schema, other_name) : NULL;
		List *ours = columns_of(table, sa_json_get(json, "columns"));
		List *theirs;

		if (other == NULL || direction == NULL)
			continue;
		theirs = columns_of(other, sa_json_get(json, "foreign_columns"));
		if (ours == NIL || list_length(ours) != list_length(theirs))
			continue;
		if (strcmp(direction, "outgoing") == 0)
			sa_builtin_join_add(table, other, ours, theirs, declared);
		else
			sa_builtin_join_add(other, table, theirs, ours, declared);
	}
}

/* Comments may write names in capitals that SQL folds to lower case. */
static SaBiTable *
table_called(const SaBiSchema *schema, const char *name)
{
	ListCell *cell;

	foreach (cell, schema->tables)
		if (pg_strcasecmp(((SaBiTable *) lfirst(cell))->sql, name) == 0)
			return lfirst(cell);
	return NULL;
}

static SaBiColumn *
column_called(const SaBiTable *table, const char *name)
{
	ListCell *cell;

	foreach (cell, table->columns)
		if (pg_strcasecmp(((SaBiColumn *) lfirst(cell))->name, name) == 0)
			return lfirst(cell);
	return NULL;
}

/* "orders.customer_id = customers.id" in a comment. */
static void
read_comment(const SaBiSchema *schema, const char *comment)
{
	const char *equals = comment;

	while ((equals = strstr(equals, " = ")) != NULL)
	{
		const char *begin = equals;
		char left[NAMEDATALEN];
		char left_column[NAMEDATALEN];
		char right[NAMEDATALEN];
		char right_column[NAMEDATALEN];

		while (begin > comment && begin[-1] != ' ' && begin[-1] != ';')
			begin--;
		equals += 3;
		if (sscanf(begin, "%63[A-Za-z0-9_].%63[A-Za-z0-9_]", left,
				   left_column) == 2 &&
			sscanf(equals, "%63[A-Za-z0-9_].%63[A-Za-z0-9_]", right,
				   right_column) == 2)
		{
			SaBiTable *a = table_called(schema, left);
			SaBiTable *b = table_called(schema, right);
			SaBiColumn *ca = a ? column_called(a, left_column) : NULL;
			SaBiColumn *cb = b ? column_called(b, right_column) : NULL;

			if (ca && cb && a != b && ca->type == cb->type)
				sa_builtin_join_add(a, b, list_make1(ca), list_make1(cb),
									false);
		}
	}
}

/* Ends like the name of something that refers to a row. */
static bool
refers(const SaBiName *name)
{
	static const char *const tails[] = {"id",	  "code", "key", "no",
										"number", "name", "uuid"};

	for (int i = 0; i < lengthof(tails); i++)
		if (name->n > 1 && strcmp(name->raw[name->n - 1], tails[i]) == 0)
			return true;
	return false;
}

/* Whether a column's name says that it refers to the target's column. */
static bool
names_target(const SaBiColumn *column, const SaBiColumn *target)
{
	const SaBiTable *owner = target->table;
	bool same_full = strcmp(column->full->joined, target->full->joined) == 0;

	if (column == target || column->table == owner ||
		column->type != target->type || !refers(column->full))
		return false;
	/* the target's table is in the column's name: customer_id and customers */
	if (sa_builtin_name_compare(
			sa_builtin_name_slice(column->full, 0, column->full->n - 1),
			owner->name) >= 95)
	{
		const SaBiName *own = target->bare ? target->bare : target->full;

		return (target->unique || owner->primary == NIL) && own->n == 1 &&
			   strcmp(own->raw[0], column->full->raw[column->full->n - 1]) == 0;
	}
	return same_full && target->unique;
}

/* Tables that have a column of just this name. */
static int
tables_with(const SaBiSchema *schema, const SaBiColumn *column)
{
	int count = 0;
	ListCell *cell;

	foreach (cell, schema->tables)
		if (sa_builtin_schema_column(lfirst(cell), column->name))
			count++;
	return count;
}

static bool
joined_already(const SaBiTable *a, const SaBiTable *b)
{
	ListCell *cell;

	foreach (cell, a->edges)
		if (((SaBiEdge *) lfirst(cell))->to == b)
			return true;
	return false;
}

static void
imply_column(SaBiSchema *schema, SaBiColumn *column)
{
	ListCell *cell;
	ListCell *target_cell;
	bool found = false;

	foreach (cell, schema->tables)
	{
		SaBiTable *other = lfirst(cell);

		if (joined_already(column->table, other))
			continue;
		foreach (target_cell, other->columns)
			if (names_target(column, lfirst(target_cell)))
			{
				sa_builtin_join_add(column->table, other, list_make1(column),
									list_make1(lfirst(target_cell)), false);
				found = true;
				break;
			}
	}
	if (found || !refers(column->full) || column->unique ||
		strcmp(column->full->raw[column->full->n - 1], "id") != 0 ||
		tables_with(schema, column) != 2)
		return;
	/* the only other table that has a column of this name */
	foreach (cell, schema->tables)
	{
		SaBiTable *other = lfirst(cell);
		SaBiColumn *twin = sa_builtin_schema_column(other, column->name);

		if (other != column->table && twin && twin->type == column->type &&
			!joined_already(column->table, other))
			sa_builtin_join_add(column->table, other, list_make1(column),
								list_make1(twin), false);
	}
}

static int
position(const SaBiColumn *column)
{
	ListCell *cell;

	foreach (cell, column->table->columns)
		if (lfirst(cell) == column)
			return foreach_current_index(cell);
	return 0;
}

/*
 * Of several keys between the same tables the first one found is followed:
 * that whose columns are called the same, then the one that comes first.
 */
static int
by_likelihood(const ListCell *a, const ListCell *b)
{
	const SaBiEdge *edge[2] = {lfirst(a), lfirst(b)};
	int rank[2];

	for (int i = 0; i < 2; i++)
	{
		const SaBiColumn *from = linitial(edge[i]->from_columns);
		const SaBiColumn *to = linitial(edge[i]->to_columns);

		rank[i] = (edge[i]->declared ? 0 : 2000) +
				  (strcmp(from->name, to->name) == 0 ? 0 : 1000) +
				  position(from) + position(to);
	}
	return rank[0] - rank[1];
}

void
sa_builtin_join_imply(SaBiSchema *schema)
{
	ListCell *cell;
	ListCell *column;

	foreach (cell, schema->tables)
		read_relationships(schema, lfirst(cell));
	foreach (cell, schema->tables)
		if (((SaBiTable *) lfirst(cell))->comment)
			read_comment(schema, ((SaBiTable *) lfirst(cell))->comment);
	foreach (cell, schema->tables)
		list_sort(((SaBiTable *) lfirst(cell))->edges, by_likelihood);
	foreach (cell, schema->tables)
	{
		SaBiTable *table = lfirst(cell);

		foreach (column, table->columns)
		{
			bool has_key = false;
			ListCell *edge;

			foreach (edge, table->edges)
				if (linitial(((SaBiEdge *) lfirst(edge))->from_columns) ==
						lfirst(column) &&
					((SaBiEdge *) lfirst(edge))->declared)
					has_key = true;
			if (!has_key)
				imply_column(schema, lfirst(column));
		}
	}
}

List *
sa_builtin_join_path(const SaBiSchema *schema, SaBiTable *from, SaBiTable *to,
					 int *cost)
{
	int n = list_length(schema->tables);
	int *distance = palloc(n * sizeof(int));
	bool *done = palloc0(n * sizeof(bool));
	SaBiEdge **came = palloc0(n * sizeof(SaBiEdge *));
	List *path = NIL;

	for (int i = 0; i < n; i++)
		distance[i] = SA_BI_FAR;
	distance[from->id] = 0;
	for (;;)
	{
		int at = -1;
		ListCell *cell;

		for (int i = 0; i < n; i++)
			if (!done[i] && distance[i] < SA_BI_FAR &&
				(at < 0 || distance[i] < distance[at]))
				at = i;
		if (at < 0 || at == to->id)
			break;
		done[at] = true;
		foreach (cell, ((SaBiTable *) list_nth(schema->tables, at))->edges)
		{
			SaBiEdge *edge = lfirst(cell);
			int next =
				distance[at] + (edge->declared ? COST_DECLARED : COST_IMPLIED);

			/* two rows that share a third have little to do with each other */
			if (came[at] && came[at]->to_one && !edge->to_one)
				next += COST_SHARED;
			if (next < distance[edge->to->id])
			{
				distance[edge->to->id] = next;
				came[edge->to->id] = edge;
			}
		}
	}
	*cost = distance[to->id];
	if (*cost >= SA_BI_FAR)
		return NIL;
	for (SaBiTable *t = to; t != from; t = came[t->id]->from)
		path = lcons(came[t->id], path);
	return path;
}

int
sa_builtin_join_cost(const SaBiSchema *schema, SaBiTable *from, SaBiTable *to)
{
	int cost;

	(void) sa_builtin_join_path(schema, from, to, &cost);
	return cost;
}

bool
sa_builtin_join_to_one(const List *path)
{
	ListCell *cell;

	foreach (cell, path)
		if (!((SaBiEdge *) lfirst(cell))->to_one)
			return false;
	return true;
}
