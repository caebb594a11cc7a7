/*
 * builtin_where.c
 *	  The conditions of a statement.
 *
 * Conditions on rows of which there may be many are EXISTS, so that they never
 * multiply what is counted or listed.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "llm/builtin_compose.h"

static void append_scope(SaBiComposer *c, StringInfo out,
						 const SaBiScope *scope, List *outer);
static void append_conds(SaBiComposer *c, StringInfo out, List *conds,
						 List *sources);

static const char *
op_sql(SaBiOp op)
{
	static const char *const ops[] = {"=", "<>", "<", "<=", ">", ">="};

	return op < lengthof(ops) ? ops[op] : "=";
}

static const char *
literal(SaBiComposer *c, const SaBiColumn *column, const char *text)
{
	if (column->type == SA_BI_T_NUMBER)
	{
		if (*text == '\0' || strspn(text, "0123456789.-") != strlen(text))
			sa_builtin_compose_fail(c, "a number is expected");
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
append_list(SaBiComposer *c, StringInfo out, const SaBiCond *cond)
{
	ListCell *cell;

	appendStringInfoString(out,
						   cond->op == SA_BI_OP_NE ? " NOT IN (" : " IN (");
	foreach (cell, cond->values)
		appendStringInfo(out, "%s%s", foreach_current_index(cell) ? ", " : "",
						 literal(c, cond->column, lfirst(cell)));
	appendStringInfoChar(out, ')');
}

/* Compared with an aggregate of the column. */
static void
append_than(SaBiComposer *c, StringInfo out, const SaBiCond *cond,
			const char *column)
{
	List *sources = NIL;
	SaBiSource *inner =
		sa_builtin_compose_source(c, &sources, cond->than->table);

	appendStringInfo(
		out, "%s %s (SELECT %s(%s) FROM %s %s", column, op_sql(cond->op),
		sa_builtin_compose_agg(cond->than->agg),
		sa_builtin_compose_column(inner->alias, cond->than->column),
		cond->than->table->sql, inner->alias);
	if (cond->than_conds)
	{
		appendStringInfoString(out, " WHERE ");
		append_conds(c, out, cond->than_conds, sources);
	}
	appendStringInfoChar(out, ')');
}

/* One condition on a row called alias. */
static void
append_cond(SaBiComposer *c, StringInfo out, const SaBiCond *cond,
			const char *alias)
{
	char *column = sa_builtin_compose_column(alias, cond->column);
	bool negated = cond->negated && cond->op != SA_BI_OP_EQ;

	if (negated)
		appendStringInfoString(out, "NOT (");
	if (cond->than)
		append_than(c, out, cond, column);
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

/* A FROM of its own that leads from an outer table to the scope's table. */
static const char *
append_inner_from(SaBiComposer *c, StringInfo out, const List *path,
				  const SaBiSource *start, List **inner, StringInfo link)
{
	ListCell *cell;
	const char *alias = start->alias;

	foreach (cell, path)
	{
		SaBiEdge *edge = lfirst(cell);
		SaBiSource *source = sa_builtin_compose_source(c, inner, edge->to);

		if (foreach_current_index(cell) == 0)
		{
			appendStringInfo(out, "%s %s", edge->to->sql, source->alias);
			sa_builtin_compose_link(link, edge, alias, source->alias);
		}
		else
		{
			appendStringInfo(out, " JOIN %s %s ON ", edge->to->sql,
							 source->alias);
			sa_builtin_compose_link(out, edge, alias, source->alias);
		}
		alias = source->alias;
	}
	return alias;
}

/* One condition, in a row of the FROM or in one reached from there. */
static void
append_placed(SaBiComposer *c, StringInfo out, SaBiCond *cond, List *sources)
{
	SaBiSource *source = sa_builtin_compose_find(sources, cond->column->table);

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
append_conds(SaBiComposer *c, StringInfo out, List *conds, List *sources)
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
append_top(SaBiComposer *c, StringInfo out, const SaBiScope *scope,
		   const char *alias)
{
	List *inner = NIL;
	SaBiSource *source = sa_builtin_compose_source(c, &inner, scope->table);

	appendStringInfo(
		out, "%s = (SELECT %s(%s) FROM %s %s",
		sa_builtin_compose_column(alias, scope->by->column),
		scope->descending ? "max" : "min",
		sa_builtin_compose_column(source->alias, scope->by->column),
		scope->table->sql, source->alias);
	if (scope->conds)
	{
		appendStringInfoString(out, " WHERE ");
		append_conds(c, out, scope->conds, inner);
	}
	appendStringInfoChar(out, ')');
}

/* What a number of rows is compared with. */
void
sa_builtin_where_number(StringInfo out, const SaBiScope *scope)
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
append_scope(SaBiComposer *c, StringInfo out, const SaBiScope *scope,
			 List *outer)
{
	List *path = sa_builtin_compose_path(c, outer, scope->table);
	StringInfoData from;
	StringInfoData link;
	List *inner = NIL;
	const char *alias;

	if (path == NIL)
	{
		sa_builtin_compose_fail(c, "no relationship ties the tables together");
		return;
	}
	initStringInfo(&from);
	initStringInfo(&link);
	alias = append_inner_from(
		c, &from, path,
		sa_builtin_compose_find(outer, ((SaBiEdge *) linitial(path))->from),
		&inner, &link);
	if (scope->kind == SA_BI_SCOPE_COUNT)
		appendStringInfo(
			out, "(SELECT count(%s) FROM %s WHERE %s",
			scope->counted ? psprintf("DISTINCT %s", sa_builtin_compose_column(
														 alias, scope->counted))
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
		sa_builtin_where_number(out, scope);
}

/* Whether a scope's conditions hold for a row of the outer FROM. */
static bool
holds_here(SaBiComposer *c, const SaBiScope *scope)
{
	ListCell *cell;

	if (scope->kind == SA_BI_SCOPE_MAIN)
		return true;
	if (scope->kind != SA_BI_SCOPE_SOME ||
		sa_builtin_compose_find(c->sources, scope->table) == NULL)
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

void
sa_builtin_where_append(SaBiComposer *c, StringInfo out)
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
			sa_builtin_compose_find(c->sources, scope->table) &&
			scope->table != c->query->main)
			sa_builtin_compose_fail(
				c, "what it shows of a table it also says there is none of");
		/* "a and b or c" can be read in two ways */
		if (scope->or_previous && where.len &&
			(foreach_current_index(cell) > 1 ||
			 list_length(((SaBiScope *) linitial(c->query->scopes))->conds) >
				 1))
			sa_builtin_compose_fail(
				c, "it has several conditions and alternatives");
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
		sa_builtin_compose_fail(c,
								"it has several conditions and alternatives");
	if (where.len)
		appendStringInfo(out, "\nWHERE %s", where.data);
}
