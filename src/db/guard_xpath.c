/*
 * guard_xpath.c
 *	  R42: XML, whose parser and paths cannot be interrupted.
 *
 * Called by guard_walk and guard_size.  A path must be a short constant of a
 * simple form: nested predicates and several searches through the whole tree
 * take cubic time in a document of a few kilobytes.
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"

#include "db/guard_walk.h"

#define MAX_PATH 200
/* A larger document may be searched, but not by predicates that compare. */
#define MAX_COMPARED_DOCUMENT 20000
#define MAX_DOCUMENT 1000000

static int
count_text(const char *text, const char *part)
{
	int count = 0;

	for (text = strstr(text, part); text; text = strstr(text + 1, part))
		count++;
	return count;
}

/* What is wrong with a path, or NULL. */
static const char *
path_problem(const char *path, bool is_large)
{
	int depth = 0;
	char quote = '\0';

	if (strlen(path) > MAX_PATH)
		return "the path is longer than 200 bytes";
	if (count_text(path, "//") > 1)
		return "the path has more than one //";
	if (strstr(path, "::"))
		return "the path names an axis";
	for (const char *c = path; *c; c++)
	{
		if (quote)
		{
			if (*c == quote)
				quote = '\0';
			continue;
		}
		switch (*c)
		{
			case '\'':
			case '"':
				quote = *c;
				break;
			case '[':
				if (++depth > 1)
					return "the path has nested predicates";
				break;
			case ']':
				depth--;
				break;
			case '/':
			case '(':
				if (depth > 0)
					return "a predicate of the path holds a path or a call";
				break;
			case '=':
			case '<':
			case '>':
				if (depth > 0 && is_large)
					return "a predicate compares in a large document";
				break;
			default:
				break;
		}
	}
	return NULL;
}

static bool
check_path(SaWalk *walk, Node *path, double document, int location)
{
	char *text;
	const char *problem;

	if (path == NULL)
		return false;
	if (IsA(path, Const) && ((Const *) path)->constisnull)
		return false;
	text = sa_guard_constant_text(path);
	problem = text ? path_problem(text, document > MAX_COMPARED_DOCUMENT)
				   : "the path is not a constant";
	if (problem == NULL)
		return false;
	return sa_guard_refuse(walk, "R42", location, "XPath can take too long: %s",
						   problem);
}

static bool
check_document(SaWalk *walk, double document, int location)
{
	if (document <= MAX_DOCUMENT)
		return false;
	return sa_guard_refuse_text(
		walk, "R42", location,
		"Parse the XML of single rows, not what is made of many.",
		"XML can take too long: the document has no bound");
}

/* XMLTABLE: the path of the rows and those of the columns. */
static bool
check_table(SaWalk *walk, TableFunc *table)
{
	double document = sa_guard_length(walk, table->docexpr);
	ListCell *cell;

	if (table->rowexpr == NULL)
		return false;
	/* of SQL/JSON, whose paths can be interrupted */
	if (exprType(table->docexpr) != XMLOID)
		return false;
	if (check_document(walk, document, table->location) ||
		check_path(walk, table->rowexpr, document, table->location))
		return true;
	foreach (cell, table->colexprs)
		if (check_path(walk, lfirst(cell), document, table->location))
			return true;
	return false;
}

static bool
check_function(SaWalk *walk, FuncExpr *call)
{
	char *name = get_func_name(call->funcid);
	double document;

	if (name == NULL || call->args == NIL)
		return false;
	if (strcmp(name, "xpath") == 0 || strcmp(name, "xpath_exists") == 0 ||
		strcmp(name, "xmlexists") == 0)
	{
		if (list_length(call->args) < 2)
			return false;
		document = sa_guard_length(walk, lsecond(call->args));
		return check_document(walk, document, call->location) ||
			   check_path(walk, linitial(call->args), document, call->location);
	}
	if (strcmp(name, "xml") == 0 ||
		strncmp(name, "xml_is_well_formed", strlen("xml_is_well_formed")) == 0)
		return check_document(walk, sa_guard_length(walk, linitial(call->args)),
							  call->location);
	return false;
}

bool
sa_guard_xpath(SaWalk *walk, Node *node)
{
	if (walk->author == SA_AUTHOR_SYSTEM)
		return false;
	switch (nodeTag(node))
	{
		case T_TableFunc:
			return check_table(walk, (TableFunc *) node);
		case T_FuncExpr:
			return check_function(walk, (FuncExpr *) node);
		case T_XmlExpr:
			if (((XmlExpr *) node)->op != IS_XMLPARSE)
				return false;
			return check_document(
				walk, sa_guard_length(walk, linitial(((XmlExpr *) node)->args)),
				exprLocation(node));
		default:
			return false;
	}
}
