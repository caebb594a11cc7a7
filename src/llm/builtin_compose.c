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

#include "llm/builtin_query.h"

/* A table in some FROM, and what it is called there. */
typedef struct Source
{
	SaBiTable *table;
	const char *alias;
} Source;

typedef struct Composer
{
	const SaBiSchema *schema;
	const SaBiQuery *query;
	SaBiProblem *problem;
	List *used;	   /* of char *: aliases */
	List *sources; /* of Source *: the outer FROM */
	StringInfoData from;
} Composer;

static void
fail(Composer *c, const char *reason)
{
	if (c->problem->reason == NULL)
		c->problem->reason = reason;
}

/* A short alias that is not taken: the first letter, or with a number. */
static const char *
new_alias(Composer *c, const SaBiTable *table)
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

static Source *
find_source(List *sources, const SaBiTable *table)
{
	ListCell *cell;

	foreach (cell, sources)
		if (((Source *) lfirst(cell))->table == table)
			return lfirst(cell);
	return NULL;
}

static Source *
new_source(Composer *c, List **sources, SaBiTable *table)
{
	Source *source = palloc(sizeof(Source));

	source->table = table;
	source->alias = new_alias(c, table);
	*sources = lappend(*sources, source);
	return source;
}

static char *
column_sql(const char *alias, const SaBiColumn *column)
{
	return psprintf("%s.%s", alias, quote_identifier(column->name));
}

static void
append_link(StringInfo out, const SaBiEdge *edge, const char *from_alias,
			const char *to_alias)
{
	for (int i = 0; i < list_length(edge->from_columns); i++)
		appendStringInfo(
			out, "%s%s = %s", i ? " AND " : "",
			column_sql(to_alias, list_nth(edge->to_columns, i)),
			column_sql(from_alias, list_nth(edge->from_columns, i)));
}

/* The nearest table of a FROM to another one. */
static List *
nearest_path(Composer *c, List *sources, SaBiTable *table)
{
	List *best = NIL;
	int best_cost = SA_BI_FAR;
	ListCell *cell;

	foreach (cell, sources)
	{
		int cost;
		List *path = sa_builtin_join_path(
			c->schema, ((Source *) lfirst(cell))->table, table, &cost);

		if (path && cost < best_cost)
		{
			best = path;
			best_cost = cost;
		}
	}
	return best;
}

/* Bring a table into the outer FROM. */
static Source *
join_table(Composer *c, SaBiTable *table)
{
	Source *source = find_source(c->sources, table);
	List *path;
	ListCell *cell;

	if (source)
		return source;
	if (c->sources == NIL)
	{
		source = new_source(c, &c->sources, table);
		appendStringInfo(&c->from, "%s %s", table->sql, source->alias);
		return source;
	}
	path = nearest_path(c, c->sources, table);
	if (path == NIL)
	{
		fail(c, "no relationship ties the tables together");
		return linitial(c->sources);
	}
	foreach (cell, path)
	{
		SaBiEdge *edge = lfirst(cell);
		Source *from = find_source(c->sources, edge->from);

		source = find_source(c->sources, edge->to);
		if (source)
			continue;
		source = new_source(c, &c->sources, edge->to);
		appendStringInfo(&c->from, "\nJOIN %s %s ON ", edge->to->sql,
						 source->alias);
		append_link(&c->from, edge, from->alias, source->alias);
	}
	return find_source(c->sources, table);
}

static const char *
literal(Composer *c, const SaBiColumn *column, const char *text)
{
	if (column->type == SA_BI_T_NUMBER)
	{
		if (*text == '\0' || strspn(text, "0123456789.-") != strlen(text))
			fail(c, "a number is expected");
		return text;
	}
	return quote_literal_cstr(text);
}

/* A LIKE pattern that takes the text as it is. */
static char *
pattern(const char *text, SaBiOp op)
{
	StringInfoData out;

	initStringInfo(&out);
	if (op != SA_BI_OP_PREFIX)
		appendStringInfoChar(&out, '%');
	for (; *text; text++)
	{
		if (*text == '%' || *text == '_' || *text == '\\')
			appendStringInfoChar(&out, '\\');
		appendStringInfoChar(&out, *text);
	}
	if (op != SA_BI_OP_SUFFIX)
		appendStringInfoChar(&out, '%');
	return quote_literal_cstr(out.data);
}

static const char *
op_sql(SaBiOp op)
{
	static const char *const ops[] = {"=", "<>", "<", "<=", ">", ">="};

	return op < lengthof(ops) ? ops[op] : "=";
}

static const char *
agg_sql(SaBiAgg agg)
{
	static const char *const names[] = {"",	   "count", "sum",
										"avg", "min",	"max"};

	return agg < lengthof(names) ? names[agg] : "";
}

static void
append_period(StringInfo out, const char *column, const List *values)
{
	const char *begin = linitial(values);
	const char *end = lsecond(values);

	if (begin && end)
		appendStringInfo(out, "%s >= %s AND %s < %s", column, begin, column,
						 end);
	else if (begin)
		appendStringInfo(out, "%s >= %s", column, begin);
	else
		appendStringInfo(out, "%s < %s", column, end);
}

static void
append_list(Composer *c, StringInfo out, const SaBiCond *cond)
{
	ListCell *cell;

	appendStringInfoString(out,
						   cond->op == SA_BI_OP_NE ? " NOT IN (" : " IN (");
	foreach (cell, cond->values)
		appendStringInfo(out, "%s%s", foreach_current_index(cell) ? ", " : "",
						 literal(c, cond->column, lfirst(cell)));
	appendStringInfoChar(out, ')');
}

/* One condition on a row called alias. */
static void
append_cond(Composer *c, StringInfo out, const SaBiCond *cond,
			const char *alias)
{
	char *column = column_sql(alias, cond->column);
	bool negated = cond->negated && cond->op != SA_BI_OP_EQ;

	if (negated)
		appendStringInfoString(out, "NOT (");
	if (cond->than)
	{
		const char *inner = new_alias(c, cond->than->table);

		appendStringInfo(out, "%s %s (SELECT %s(%s) FROM %s %s)", column,
						 op_sql(cond->op), agg_sql(cond->than->agg),
						 column_sql(inner, cond->than->column),
						 cond->than->table->sql, inner);
	}
	else if (cond->op == SA_BI_OP_PERIOD)
		append_period(out, column, cond->values);
	else if (cond->op == SA_BI_OP_NULL)
		appendStringInfo(out, "%s IS NULL", column);
	else if (cond->op == SA_BI_OP_BETWEEN)
		appendStringInfo(out, "%s BETWEEN %s AND %s", column,
						 literal(c, cond->column, linitial(cond->values)),
						 literal(c, cond->column, lsecond(cond->values)));
	else if (cond->op >= SA_BI_OP_CONTAINS && cond->op <= SA_BI_OP_SUFFIX)
		appendStringInfo(out, "%s ILIKE %s", column,
						 pattern(linitial(cond->values), cond->op));
	else if (list_length(cond->values) > 1)
	{
		SaBiCond copy = *cond;

		if (cond->negated)
			copy.op = SA_BI_OP_NE;
		appendStringInfoString(out, column);
		append_list(c, out, &copy);
	}
	else
		appendStringInfo(out, "%s %s %s", column,
						 op_sql(cond->negated ? SA_BI_OP_NE : cond->op),
						 literal(c, cond->column, linitial(cond->values)));
	if (negated)
		appendStringInfoChar(out, ')');
}

static void append_scope(Composer *c, StringInfo out, const SaBiScope *scope,
						 List *outer);

/* A FROM of its own that leads from an outer table to the scope's table. */
static const char *
append_inner_from(Composer *c, StringInfo out, const List *path,
				  const Source *start, List **inner, StringInfo link)
{
	ListCell *cell;
	const char *alias = start->alias;

	foreach (cell, path)
	{
		SaBiEdge *edge = lfirst(cell);
		Source *source = new_source(c, inner, edge->to);

		if (foreach_current_index(cell) == 0)
		{
			appendStringInfo(out, "%s %s", edge->to->sql, source->alias);
			append_link(link, edge, alias, source->alias);
		}
		else
		{
			appendStringInfo(out, " JOIN %s %s ON ", edge->to->sql,
							 source->alias);
			append_link(out, edge, alias, source->alias);
		}
		alias = source->alias;
	}
	return alias;
}

/* One condition, in a row of the FROM or in one reached from there. */
static void
append_placed(Composer *c, StringInfo out, SaBiCond *cond, List *sources)
{
	Source *source = find_source(sources, cond->column->table);

	if (source)
		append_cond(c, out, cond, source->alias);
	else
	{
		SaBiScope scope = {SA_BI_SCOPE_SOME, cond->column->table,
						   list_make1(cond)};

		append_scope(c, out, &scope, sources);
	}
}

/* Conditions of a scope; alternatives go into parentheses. */
static void
append_conds(Composer *c, StringInfo out, List *conds, List *sources)
{
	int n = list_length(conds);

	for (int i = 0; i < n; i++)
	{
		int last = i;

		while (last + 1 < n &&
			   ((SaBiCond *) list_nth(conds, last + 1))->or_previous)
			last++;
		if (i > 0)
			appendStringInfoString(out, " AND ");
		if (last > i)
			appendStringInfoChar(out, '(');
		for (int j = i; j <= last; j++)
		{
			if (j > i)
				appendStringInfoString(out, " OR ");
			append_placed(c, out, list_nth(conds, j), sources);
		}
		if (last > i)
			appendStringInfoChar(out, ')');
		i = last;
	}
}

static void
append_top(Composer *c, StringInfo out, const SaBiScope *scope,
		   const char *alias)
{
	List *inner = NIL;
	Source *source = new_source(c, &inner, scope->table);

	appendStringInfo(out, "%s = (SELECT %s(%s) FROM %s %s",
					 column_sql(alias, scope->by->column),
					 scope->descending ? "max" : "min",
					 column_sql(source->alias, scope->by->column),
					 scope->table->sql, source->alias);
	if (scope->conds)
	{
		appendStringInfoString(out, " WHERE ");
		append_conds(c, out, scope->conds, inner);
	}
	appendStringInfoChar(out, ')');
}

/* What a number of rows is compared with. */
static void
append_number(StringInfo out, const SaBiScope *scope)
{
	if (scope->op == SA_BI_OP_BETWEEN)
		appendStringInfo(out, " BETWEEN %s AND %s",
						 (char *) linitial(scope->numbers),
						 (char *) lsecond(scope->numbers));
	else
		appendStringInfo(out, " %s %s", op_sql(scope->op),
						 (char *) linitial(scope->numbers));
}

static void
append_scope(Composer *c, StringInfo out, const SaBiScope *scope, List *outer)
{
	List *path = nearest_path(c, outer, scope->table);
	StringInfoData from;
	StringInfoData link;
	List *inner = NIL;
	const char *alias;

	if (path == NIL)
	{
		fail(c, "no relationship ties the tables together");
		return;
	}
	initStringInfo(&from);
	initStringInfo(&link);
	alias = append_inner_from(
		c, &from, path, find_source(outer, ((SaBiEdge *) linitial(path))->from),
		&inner, &link);
	if (scope->kind == SA_BI_SCOPE_COUNT)
		appendStringInfo(
			out, "(SELECT count(%s) FROM %s WHERE %s",
			scope->counted
				? psprintf("DISTINCT %s", column_sql(alias, scope->counted))
				: "*",
			from.data, link.data);
	else
		appendStringInfo(out, "%sEXISTS (SELECT 1 FROM %s WHERE %s",
						 scope->kind == SA_BI_SCOPE_NO ? "NOT " : "", from.data,
						 link.data);
	if (scope->conds)
	{
		appendStringInfoString(out, " AND ");
		append_conds(c, out, scope->conds, inner);
	}
	if (scope->kind == SA_BI_SCOPE_TOP)
	{
		appendStringInfoString(out, " AND ");
		append_top(c, out, scope, alias);
	}
	appendStringInfoChar(out, ')');
	if (scope->kind == SA_BI_SCOPE_COUNT)
		append_number(out, scope);
}

/* Whether a row of the table can meet several of some other table's rows. */
static bool
multiplies(Composer *c, SaBiTable *table)
{
	ListCell *cell;

	foreach (cell, c->sources)
	{
		SaBiTable *other = ((Source *) lfirst(cell))->table;
		int cost;

		if (other != table && !sa_builtin_join_to_one(sa_builtin_join_path(
								  c->schema, table, other, &cost)))
			return true;
	}
	return false;
}

static char *
count_sql(Composer *c, const SaBiTerm *term)
{
	SaBiTable *table = term->table ? term->table : c->query->main;
	SaBiColumn *key = sa_builtin_schema_key(table);

	if (term->column)
		return psprintf(
			"count(%s%s)", term->distinct ? "DISTINCT " : "",
			column_sql(find_source(c->sources, table)->alias, term->column));
	if (!multiplies(c, table))
		return pstrdup("count(*)");
	if (key == NULL)
	{
		fail(c, "its rows cannot be told apart, so that they cannot be "
				"counted across tables");
		return pstrdup("count(*)");
	}
	return psprintf("count(DISTINCT %s)",
					column_sql(find_source(c->sources, table)->alias, key));
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

/* The expression of a term that is no entity. */
static char *
term_sql(Composer *c, const SaBiTerm *term)
{
	Source *source;
	char *column;

	if (term->agg == SA_BI_AGG_COUNT)
		return count_sql(c, term);
	source = find_source(c->sources, term->table);
	column = column_sql(source->alias, term->column);
	if (term->bucket)
		return bucket_sql(term, column);
	if (term->agg == SA_BI_AGG_NONE)
		return column;
	if (term->agg != SA_BI_AGG_MIN && term->agg != SA_BI_AGG_MAX)
	{
		if (term->column->type != SA_BI_T_NUMBER)
			fail(c, "only numbers can be summed or averaged");
		if (multiplies(c, term->table))
			fail(c, "the tables that it joins would count values twice");
	}
	if (term->agg == SA_BI_AGG_MEDIAN)
		return psprintf("percentile_cont(0.5) WITHIN GROUP (ORDER BY %s)",
						column);
	return psprintf("%s(%s%s)", agg_sql(term->agg),
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
	if (term->agg == SA_BI_AGG_NONE)
		return NULL;
	if (term->agg == SA_BI_AGG_COUNT)
		return "count";
	name = psprintf("%s_%s",
					term->agg == SA_BI_AGG_MEDIAN ? "median"
					: term->agg == SA_BI_AGG_SUM  ? "total"
												  : agg_sql(term->agg),
					term->column->name);
	if (strncmp(name, "total_total", 11) == 0)
		return "total";
	return strlen(name) < NAMEDATALEN ? quote_identifier(name) : NULL;
}

/* The terms, entities as their columns, without repetition. */
static List *
append_terms(Composer *c, StringInfo out, const List *terms, bool named)
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
					column_sql(find_source(c->sources, term->table)->alias,
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
join_terms(Composer *c, const List *terms)
{
	ListCell *cell;

	foreach (cell, terms)
		if (((SaBiTerm *) lfirst(cell))->table)
			(void) join_table(c, ((SaBiTerm *) lfirst(cell))->table);
}

/* Whether a scope's conditions hold for a row of the outer FROM. */
static bool
holds_here(Composer *c, const SaBiScope *scope)
{
	ListCell *cell;

	if (scope->kind == SA_BI_SCOPE_MAIN)
		return true;
	if (scope->kind != SA_BI_SCOPE_SOME ||
		find_source(c->sources, scope->table) == NULL)
		return false;
	/* of several such scopes only the first is of the row that is shown */
	foreach (cell, c->query->scopes)
		if (lfirst(cell) == scope)
			return true;
		else if (((SaBiScope *) lfirst(cell))->table == scope->table &&
				 ((SaBiScope *) lfirst(cell))->kind == SA_BI_SCOPE_SOME)
			return false;
	return true;
}

static void
append_where(Composer *c, StringInfo out)
{
	StringInfoData where;
	ListCell *cell;
	bool alternatives = false;

	initStringInfo(&where);
	foreach (cell, c->query->scopes)
	{
		SaBiScope *scope = lfirst(cell);
		bool here = holds_here(c, scope);

		if (here && scope->conds == NIL)
			continue;
		if (scope->kind == SA_BI_SCOPE_NO &&
			find_source(c->sources, scope->table) &&
			scope->table != c->query->main)
			fail(c, "what it shows of a table it also says there is none of");
		/* "a and b or c" can be read in two ways */
		if (scope->or_previous && where.len &&
			(foreach_current_index(cell) > 1 ||
			 list_length(((SaBiScope *) linitial(c->query->scopes))->conds) >
				 1))
			fail(c, "it has several conditions and alternatives");
		alternatives = alternatives || scope->or_previous;
		if (where.len)
			appendStringInfoString(&where,
								   scope->or_previous ? "\nOR " : "\nAND ");
		if (here)
			append_conds(c, &where, scope->conds, c->sources);
		else
			append_scope(c, &where, scope, c->sources);
	}
	if (alternatives && list_length(c->query->scopes) > 2)
		fail(c, "it has several conditions and alternatives");
	if (where.len)
		appendStringInfo(out, "\nWHERE %s", where.data);
}

static void
append_order(Composer *c, StringInfo out)
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
				&key, column_sql(find_source(c->sources, term->table)->alias,
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
	Composer c = {schema, query, problem};
	StringInfoData sql;
	StringInfoData select;
	ListCell *cell;

	initStringInfo(&c.from);
	initStringInfo(&sql);
	initStringInfo(&select);
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
	append_where(&c, &sql);
	if (query->groups)
	{
		appendStringInfoString(&sql, "\nGROUP BY ");
		(void) append_terms(&c, &sql, query->groups, false);
	}
	if (query->having)
	{
		appendStringInfoString(&sql, "\nHAVING count(*)");
		append_number(&sql, query->having);
	}
	append_order(&c, &sql);
	if (query->limit)
		appendStringInfo(&sql, "\nLIMIT %d", query->limit);
	return problem->reason ? NULL : sql.data;
}
