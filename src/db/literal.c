/*
 * literal.c
 *	  Which of the words that a statement compares columns with do not occur.
 *
 * sa_literal_collect() is called by the guard, the rest by the agent.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "base/guc.h"
#include "base/text.h"
#include "db/literal.h"
#include "db/values.h"

/* More words than these are not looked at. */
#define MAX_LITERALS 6
/* Elements of one IN list. */
#define MAX_ELEMENTS 6
/* How long one column is searched, in ms. */
#define SEARCH_MS 700
/* Values that a note gives. */
#define MAX_NEAR 3
/* A word in bytes, in a note. */
#define MAX_SHOWN 80

typedef struct Collect
{
	List *queries; /* those around, innermost first */
	List *literals;
} Collect;

static bool collect_walker(Node *node, void *context);

/* Without what changes the type of a value alone. */
static Node *
strip_casts(Node *node)
{
	for (;;)
	{
		if (node && IsA(node, RelabelType))
			node = (Node *) ((RelabelType *) node)->arg;
		else if (node && IsA(node, CoerceViaIO))
			node = (Node *) ((CoerceViaIO *) node)->arg;
		else if (node && IsA(node, CoerceToDomain))
			node = (Node *) ((CoerceToDomain *) node)->arg;
		else
			return node;
	}
}

/* The column of a table that a Var stands for, through subqueries. */
static bool
find_base_column(const Collect *collect, const Var *var, SaLiteral *literal)
{
	const Query *query;
	const RangeTblEntry *rte;
	int depth = 0;

	if ((int) var->varlevelsup >= list_length(collect->queries))
		return false;
	query = list_nth(collect->queries, var->varlevelsup);
	while (depth++ < 10)
	{
		const TargetEntry *entry;
		Node *expression;

		rte = rt_fetch(var->varno, query->rtable);
		if (var->varattno <= 0)
			return false;
		if (rte->rtekind == RTE_RELATION)
		{
			literal->relation = rte->relid;
			literal->column = var->varattno;
			return true;
		}
		if (rte->rtekind == RTE_JOIN)
			expression = list_nth(rte->joinaliasvars, var->varattno - 1);
		else if (rte->rtekind == RTE_SUBQUERY)
		{
			query = rte->subquery;
			entry = get_tle_by_resno(query->targetList, var->varattno);
			expression = entry ? (Node *) entry->expr : NULL;
		}
		else
			return false;
		expression = strip_casts(expression);
		if (expression == NULL || !IsA(expression, Var) ||
			((Var *) expression)->varlevelsup != 0)
			return false;
		var = (Var *) expression;
	}
	return false;
}

/* A column, or lower() and the like of one. */
static bool
find_column(const Collect *collect, Node *node, SaLiteral *literal)
{
	char category;
	bool preferred;

	node = strip_casts(node);
	literal->folded = false;
	if (node && IsA(node, FuncExpr) &&
		list_length(((FuncExpr *) node)->args) == 1)
	{
		Oid function = ((FuncExpr *) node)->funcid;

		if (function != F_LOWER_TEXT && function != F_UPPER_TEXT &&
			function != F_BTRIM_TEXT)
			return false;
		literal->folded = true;
		node = strip_casts(linitial(((FuncExpr *) node)->args));
	}
	if (node == NULL || !IsA(node, Var))
		return false;
	get_type_category_preferred(getBaseType(((Var *) node)->vartype), &category,
								&preferred);
	return category == TYPCATEGORY_STRING &&
		   find_base_column(collect, (Var *) node, literal);
}

static void
add_literal(Collect *collect, const SaLiteral *literal, Oid type, Datum value)
{
	SaLiteral *copy;
	Oid output;
	bool is_varlena;

	if (list_length(collect->literals) >= MAX_LITERALS)
		return;
	getTypeOutputInfo(type, &output, &is_varlena);
	copy = palloc(sizeof(SaLiteral));
	*copy = *literal;
	copy->text = OidOutputFunctionCall(output, value);
	if (!sa_text_blank(copy->text))
		collect->literals = lappend(collect->literals, copy);
}

static bool
has_wildcard(const char *text)
{
	return strpbrk(text, "%_\\") != NULL;
}

/* column op 'text' */
static void
collect_operator(Collect *collect, const OpExpr *expr)
{
	char *name = get_opname(expr->opno);
	bool like = name && strcmp(name, "~~") == 0;
	bool ilike = name && strcmp(name, "~~*") == 0;
	Node *left;
	Node *right;
	SaLiteral literal = {0};
	Const *constant;

	if (list_length(expr->args) != 2 || name == NULL ||
		(strcmp(name, "=") != 0 && !like && !ilike))
		return;
	left = linitial(expr->args);
	right = strip_casts(lsecond(expr->args));
	if (left && IsA(strip_casts(left), Const) && !like && !ilike)
	{
		left = right;
		right = strip_casts(linitial(expr->args));
	}
	if (right == NULL || !IsA(right, Const) ||
		!find_column(collect, left, &literal))
		return;
	constant = (Const *) right;
	if (constant->constisnull || constant->consttype == UNKNOWNOID)
		return;
	literal.folded = literal.folded || ilike;
	if ((like || ilike) &&
		(constant->consttype != TEXTOID ||
		 has_wildcard(TextDatumGetCString(constant->constvalue))))
		return;
	add_literal(collect, &literal, constant->consttype, constant->constvalue);
}

/* column IN ('a', 'b'), column = ANY ('{a,b}') */
static void
collect_array(Collect *collect, const ScalarArrayOpExpr *expr)
{
	char *name = get_opname(expr->opno);
	Node *array = strip_casts(lsecond(expr->args));
	SaLiteral literal = {0};
	ListCell *cell;

	if (!expr->useOr || name == NULL || strcmp(name, "=") != 0 ||
		!find_column(collect, linitial(expr->args), &literal) ||
		array == NULL || !IsA(array, ArrayExpr))
		return;
	if (list_length(((ArrayExpr *) array)->elements) > MAX_ELEMENTS)
		return;
	foreach (cell, ((ArrayExpr *) array)->elements)
	{
		Node *element = strip_casts(lfirst(cell));
		Const *constant = (Const *) element;

		if (element && IsA(element, Const) && !constant->constisnull)
			add_literal(collect, &literal, constant->consttype,
						constant->constvalue);
	}
}

static void
collect_query(Collect *collect, Query *query)
{
	collect->queries = lcons(query, collect->queries);
	(void) query_tree_walker(query, collect_walker, collect, 0);
	collect->queries = list_delete_first(collect->queries);
}

/* What has to hold: nothing below NOT, nor in CASE. */
static bool
collect_walker(Node *node, void *context)
{
	Collect *collect = context;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		collect_query(collect, (Query *) node);
		return false;
	}
	if (IsA(node, CaseExpr) ||
		(IsA(node, BoolExpr) && ((BoolExpr *) node)->boolop == NOT_EXPR))
		return false;
	if (IsA(node, OpExpr))
		collect_operator(collect, (OpExpr *) node);
	else if (IsA(node, ScalarArrayOpExpr))
		collect_array(collect, (ScalarArrayOpExpr *) node);
	return expression_tree_walker(node, collect_walker, context);
}

List *
sa_literal_collect(Query *query)
{
	Collect collect = {NIL, NIL};

	collect_query(&collect, query);
	return collect.literals;
}

List *
sa_literal_copy(const List *literals)
{
	List *copies = NIL;
	ListCell *cell;

	foreach (cell, literals)
	{
		const SaLiteral *literal = lfirst(cell);
		SaLiteral *copy = palloc(sizeof(SaLiteral));

		*copy = *literal;
		copy->text = pstrdup(literal->text);
		copies = lappend(copies, copy);
	}
	return copies;
}

bool
sa_literal_is_empty(const SaResult *result)
{
	if (result->nrows == 0)
		return true;
	if (result->nrows > 1)
		return false;
	for (int i = 0; i < result->ncolumns; i++)
		if (result->rows[0][i] && strcmp(result->rows[0][i], "0") != 0)
			return false;
	return true;
}

/* Does the word occur, as the statement compares it? */
static bool
occurs(const SaValueSearch *search, const SaLiteral *literal)
{
	SaMatchKind enough = literal->folded ? SA_MATCH_CASE : SA_MATCH_EXACT;

	return search->count > 0 && search->found[0].kind <= enough;
}

static void
add_note(StringInfo out, const SaValueSearch *search, const SaLiteral *literal,
		 SaShare share)
{
	int told = 0;

	appendStringInfo(
		out, "%s.%s has no %s", search->table, quote_identifier(search->column),
		quote_literal_cstr(sa_text_clip(literal->text, MAX_SHOWN)));
	if (!search->complete)
		appendStringInfoString(out, " among the values that were looked at");
	for (int i = 0; i < search->count && told < MAX_NEAR; i++)
		if (share >= SA_SHARE_ROWS ||
			(share >= SA_SHARE_STATISTICS && search->found[i].known))
			appendStringInfo(out, "%s%s", told++ == 0 ? "; near it: " : ", ",
							 quote_literal_cstr(sa_text_clip(
								 search->found[i].value, MAX_SHOWN)));
	appendStringInfoChar(out, '\n');
}

char *
sa_literal_check(const SaResult *result, bool local)
{
	SaShare share = local ? SA_SHARE_ROWS : (SaShare) sa_guc_share;
	StringInfoData out;
	ListCell *cell;

	if (result->error || !sa_literal_is_empty(result))
		return NULL;
	initStringInfo(&out);
	foreach (cell, result->literals)
	{
		const SaLiteral *literal = lfirst(cell);
		SaValueSearch search = {.local = local, .thorough = true};

		if (sa_values_search(&search, literal->relation, literal->column,
							 literal->text, SEARCH_MS) &&
			!occurs(&search, literal))
			add_note(&out, &search, literal, share);
	}
	return out.len > 0 ? out.data : NULL;
}

void
sa_literal_for_model(StringInfo out, const SaResult *result)
{
	char *notes = sa_literal_check(result, false);
	const char *close;

	if (notes == NULL)
		return;
	appendStringInfoString(out,
						   "\nNothing was found, and some of what it looks for "
						   "does not occur. If another spelling is meant, "
						   "correct the statement and run it again.\n<data>\n");
	while ((close = strstr(notes, "</data")) != NULL)
	{
		appendBinaryStringInfo(out, notes, close - notes);
		appendStringInfoString(out, "&lt;");
		notes = unconstify(char *, close) + 1;
	}
	appendStringInfo(out, "%s</data>", notes);
}
