/*
 * builtin_compose.c
 *	  The SQL of a query.
 *
 * Names come from the tools (tables as SQL writes them, columns raw) and are
 * quoted here; values are written as literals by PostgreSQL's own quoting, and
 * numbers only when they consist of digits.  Conditions on rows of which there
 * may be many are EXISTS, so that they never multiply what is counted.
 */
#include "postgres.h"

#include <ctype.h>

#include "utils/builtins.h"

#include "llm/builtin_compose.h"

void
sa_builtin_compose_fail(SaBiComposer *c, const char *reason)
{
	if (c->problem->reason == NULL)
		c->problem->reason = reason;
}

/* A short alias that is not taken: the first letter, or with a number. */
const char *
sa_builtin_compose_alias(SaBiComposer *c, const SaBiTable *table)
{
	char letter =
		table->name->n && isalpha((unsigned char) *table->name->raw[0])
			? *table->name->raw[0]
			: 't';

	for (int i = 1;; i++)
	{
		char *alias =
			i == 1 ? psprintf("%c", letter) : psprintf("%c%d", letter, i);
		ListCell *cell;
		bool taken = false;

		foreach (cell, c->used)
			taken = taken || strcmp(lfirst(cell), alias) == 0;
		if (!taken)
		{
			c->used = lappend(c->used, alias);
			return alias;
		}
	}
}

SaBiSource *
sa_builtin_compose_find(List *sources, const SaBiTable *table)
{
	ListCell *cell;

	foreach (cell, sources)
		if (((SaBiSource *) lfirst(cell))->table == table)
			return lfirst(cell);
	return NULL;
}

SaBiSource *
sa_builtin_compose_source(SaBiComposer *c, List **sources, SaBiTable *table)
{
	SaBiSource *source = palloc(sizeof(SaBiSource));

	source->table = table;
	source->alias = sa_builtin_compose_alias(c, table);
	*sources = lappend(*sources, source);
	return source;
}

char *
sa_builtin_compose_column(const char *alias, const SaBiColumn *column)
{
	return psprintf("%s.%s", alias, quote_identifier(column->name));
}

void
sa_builtin_compose_link(StringInfo out, const SaBiEdge *edge,
						const char *from_alias, const char *to_alias)
{
	for (int i = 0; i < list_length(edge->from_columns); i++)
		appendStringInfo(
			out, "%s%s = %s", i ? " AND " : "",
			sa_builtin_compose_column(to_alias, list_nth(edge->to_columns, i)),
			sa_builtin_compose_column(from_alias,
									  list_nth(edge->from_columns, i)));
}

/* The nearest table of a FROM to another one. */
List *
sa_builtin_compose_path(SaBiComposer *c, List *sources, SaBiTable *table)
{
	List *best = NIL;
	int best_cost = SA_BI_FAR;
	ListCell *cell;

	foreach (cell, sources)
	{
		int cost;
		List *path = sa_builtin_join_path(
			c->schema, ((SaBiSource *) lfirst(cell))->table, table, &cost);

		if (path && cost < best_cost)
		{
			best = path;
			best_cost = cost;
		}
	}
	return best;
}

/* Bring a table into the outer FROM. */
static SaBiSource *
join_table(SaBiComposer *c, SaBiTable *table)
{
	SaBiSource *source = sa_builtin_compose_find(c->sources, table);
	List *path;
	ListCell *cell;

	if (source)
		return source;
	if (c->sources == NIL)
	{
		source = sa_builtin_compose_source(c, &c->sources, table);
		appendStringInfo(&c->from, "%s %s", table->sql, source->alias);
		return source;
	}
	path = sa_builtin_compose_path(c, c->sources, table);
	if (path == NIL)
	{
		sa_builtin_compose_fail(c, "no relationship ties the tables together");
		return linitial(c->sources);
	}
	foreach (cell, path)
	{
		SaBiEdge *edge = lfirst(cell);
		SaBiSource *from = sa_builtin_compose_find(c->sources, edge->from);

		source = sa_builtin_compose_find(c->sources, edge->to);
		if (source)
			continue;
		source = sa_builtin_compose_source(c, &c->sources, edge->to);
		appendStringInfo(&c->from, "\nJOIN %s %s ON ", edge->to->sql,
						 source->alias);
		sa_builtin_compose_link(&c->from, edge, from->alias, source->alias);
	}
	return sa_builtin_compose_find(c->sources, table);
}

const char *
sa_builtin_compose_agg(SaBiAgg agg)
{
	static const char *const names[] = {"",	   "count", "sum",
										"avg", "min",	"max"};

	return agg < lengthof(names) ? names[agg] : "";
}

/* Whether a row of the table can meet several of some other table's rows. */
static bool
multiplies(SaBiComposer *c, SaBiTable *table)
{
	ListCell *cell;

	foreach (cell, c->sources)
	{
		SaBiTable *other = ((SaBiSource *) lfirst(cell))->table;
		int cost;

		if (other != table && !sa_builtin_join_to_one(sa_builtin_join_path(
								  c->schema, table, other, &cost)))
			return true;
	}
	return false;
}

static char *
count_sql(SaBiComposer *c, const SaBiTerm *term)
{
	SaBiTable *table = term->table ? term->table : c->query->main;
	SaBiColumn *key = sa_builtin_schema_key(table);

	if (term->column)
		return psprintf("count(%s%s)", term->distinct ? "DISTINCT " : "",
						sa_builtin_compose_column(
							sa_builtin_compose_find(c->sources, table)->alias,
							term->column));
	if (!multiplies(c, table))
		return pstrdup("count(*)");
	if (key == NULL)
	{
		sa_builtin_compose_fail(
			c, "its rows cannot be told apart, so that they cannot be "
			   "counted across tables");
		return pstrdup("count(*)");
	}
	return psprintf(
		"count(DISTINCT %s)",
		sa_builtin_compose_column(
			sa_builtin_compose_find(c->sources, table)->alias, key));
}

static char *
bucket_sql(const SaBiTerm *term, const char *column)
{
	if (strcmp(term->bucket, "year") == 0)
		return psprintf("EXTRACT(year FROM %s)::integer", column);
	if (strcmp(term->bucket, "month") == 0)
		return psprintf("to_char(%s, 'YYYY-MM')", column);
	return psprintf("date_trunc('%s', %s)::date", term->bucket, column);
}

static char *term_sql(SaBiComposer *c, const SaBiTerm *term);

static char *
rows_sql(SaBiComposer *c, const SaBiTerm *term)
{
	return psprintf("(SELECT count(*) FROM %s %s)", term->table->sql,
					sa_builtin_compose_alias(c, term->table));
}

static char *
ratio_sql(SaBiComposer *c, const SaBiTerm *term)
{
	SaBiTerm left = *term;

	left.over = NULL;
	if (c->query->scalar)
		return psprintf("%s::float8 / NULLIF(%s, 0)", rows_sql(c, &left),
						rows_sql(c, term->over));
	return psprintf("%s::float8 / NULLIF(%s, 0)", term_sql(c, &left),
					term_sql(c, term->over));
}

/* The expression of a term that is no entity. */
static char *
term_sql(SaBiComposer *c, const SaBiTerm *term)
{
	SaBiSource *source;
	char *column;

	if (term->over)
		return ratio_sql(c, term);
	if (term->agg == SA_BI_AGG_COUNT)
		return count_sql(c, term);
	source = sa_builtin_compose_find(c->sources, term->table);
	column = sa_builtin_compose_column(source->alias, term->column);
	if (term->bucket)
		return bucket_sql(term, column);
	if (term->agg == SA_BI_AGG_NONE)
		return column;
	if (term->agg != SA_BI_AGG_MIN && term->agg != SA_BI_AGG_MAX)
	{
		if (term->column->type != SA_BI_T_NUMBER)
			sa_builtin_compose_fail(c,
									"only numbers can be summed or averaged");
		if (multiplies(c, term->table))
			sa_builtin_compose_fail(
				c, "the tables that it joins would count values twice");
	}
	if (term->agg == SA_BI_AGG_MEDIAN)
		return psprintf("percentile_cont(0.5) WITHIN GROUP (ORDER BY %s)",
						column);
	return psprintf("%s(%s%s)", sa_builtin_compose_agg(term->agg),
					term->distinct ? "DISTINCT " : "", column);
}

/* The columns that show an entity to a person. */
static List *
entity_columns(const SaBiTable *table)
{
	List *columns = list_copy(table->primary);
	ListCell *cell;

	foreach (cell, table->labels)
		columns = list_append_unique_ptr(columns, lfirst(cell));
	if (columns == NIL || table->labels == NIL)
		foreach (cell, table->columns)
		{
			if (list_length(columns) >= 6)
				break;
			columns = list_append_unique_ptr(columns, lfirst(cell));
		}
	return columns;
}

static const char *
term_name(const SaBiTerm *term)
{
	char *name;

	if (term->bucket)
		return quote_identifier(term->bucket);
	if (term->over)
		return "ratio";
	if (term->agg == SA_BI_AGG_NONE)
		return NULL;
	if (term->agg == SA_BI_AGG_COUNT)
		return "count";
	name = psprintf("%s_%s",
					term->agg == SA_BI_AGG_MEDIAN ? "median"
					: term->agg == SA_BI_AGG_SUM
						? "total"
						: sa_builtin_compose_agg(term->agg),
					term->column->name);
	if (strncmp(name, "total_total", 11) == 0)
		return "total";
	return strlen(name) < NAMEDATALEN ? quote_identifier(name) : NULL;
}

/* The terms, entities as their columns, without repetition. */
static List *
append_terms(SaBiComposer *c, StringInfo out, const List *terms, bool named)
{
	List *done = NIL;
	ListCell *cell;

	foreach (cell, terms)
	{
		SaBiTerm *term = lfirst(cell);
		List *columns = NIL;
		ListCell *column;

		if (term->agg == SA_BI_AGG_NONE && term->column == NULL)
			foreach (column, entity_columns(term->table))
				columns = lappend(
					columns,
					sa_builtin_compose_column(
						sa_builtin_compose_find(c->sources, term->table)->alias,
						lfirst(column)));
		else
			columns = list_make1(term_sql(c, term));
		foreach (column, columns)
		{
			ListCell *other;
			bool repeated = false;

			foreach (other, done)
				repeated =
					repeated || strcmp(lfirst(other), lfirst(column)) == 0;
			if (repeated)
				continue;
			appendStringInfo(out, "%s%s", done ? ", " : "",
							 (char *) lfirst(column));
			if (named && term_name(term))
				appendStringInfo(out, " AS %s", term_name(term));
			done = lappend(done, lfirst(column));
		}
	}
	return done;
}

/* Tables whose columns are shown, grouped or ordered by are joined. */
static void
join_terms(SaBiComposer *c, const List *terms)
{
	ListCell *cell;

	foreach (cell, terms)
		if (((SaBiTerm *) lfirst(cell))->table)
			(void) join_table(c, ((SaBiTerm *) lfirst(cell))->table);
}

static void
append_order(SaBiComposer *c, StringInfo out)
{
	ListCell *cell;

	foreach (cell, c->query->orders)
	{
		SaBiOrder *order = lfirst(cell);
		SaBiTerm *term = order->term;
		StringInfoData key;

		initStringInfo(&key);
		if (term->agg == SA_BI_AGG_NONE && term->column == NULL)
		{
			List *labels = term->table->labels;
			List *columns = labels ? labels : entity_columns(term->table);

			appendStringInfoString(
				&key,
				sa_builtin_compose_column(
					sa_builtin_compose_find(c->sources, term->table)->alias,
					linitial(columns)));
		}
		else
			appendStringInfoString(&key, term_sql(c, term));
		appendStringInfo(out, "%s%s%s",
						 foreach_current_index(cell) ? ", " : "\nORDER BY ",
						 key.data, order->descending ? " DESC NULLS LAST" : "");
	}
}

char *
sa_builtin_compose(const SaBiSchema *schema, const SaBiQuery *query,
				   SaBiProblem *problem)
{
	SaBiComposer c = {schema, query, problem};
	StringInfoData sql;
	StringInfoData select;
	ListCell *cell;

	initStringInfo(&c.from);
	initStringInfo(&sql);
	initStringInfo(&select);
	if (query->scalar)
	{
		if (list_length(query->select) != 1 || query->groups || query->orders ||
			list_length(query->scopes) > 1 ||
			((SaBiScope *) linitial(query->scopes))->conds)
			sa_builtin_compose_fail(&c, "its ratio is of more than two tables");
		return problem->reason
				   ? NULL
				   : psprintf("SELECT %s AS ratio",
							  ratio_sql(&c, linitial(query->select)));
	}
	(void) join_table(&c, query->main);
	join_terms(&c, query->select);
	join_terms(&c, query->groups);
	foreach (cell, query->orders)
		join_terms(&c, list_make1(((SaBiOrder *) lfirst(cell))->term));
	if (problem->reason)
		return NULL;
	(void) append_terms(&c, &select, query->select, true);
	appendStringInfo(&sql, "SELECT %s%s\nFROM %s",
					 query->distinct ? "DISTINCT " : "", select.data,
					 c.from.data);
	sa_builtin_where_append(&c, &sql);
	if (query->groups)
	{
		appendStringInfoString(&sql, "\nGROUP BY ");
		(void) append_terms(&c, &sql, query->groups, false);
	}
	if (query->having)
	{
		appendStringInfo(&sql, "\nHAVING %s",
						 query->having->by ? term_sql(&c, query->having->by)
										   : "count(*)");
		sa_builtin_where_number(&sql, query->having);
	}
	append_order(&c, &sql);
	/* "the highest" is of all who share it; "top 5" is five rows */
	if (query->limit == 1 && query->orders)
		appendStringInfoString(&sql, "\nFETCH FIRST ROW WITH TIES");
	else if (query->limit)
		appendStringInfo(&sql, "\nLIMIT %d", query->limit);
	return problem->reason ? NULL : sql.data;
}
