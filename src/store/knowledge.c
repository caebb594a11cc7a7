/*
 * knowledge.c
 *	  What the kinds of knowledge have in common.
 *
 * Called by the files of each kind and by the agent.
 */
#include "postgres.h"

#include "access/xlog.h"
#include "catalog/namespace.h"
#include "catalog/pg_ts_config.h"
#include "tsearch/ts_cache.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/varlena.h"

#include "base/compat.h"
#include "base/guc.h"
#include "base/object.h"
#include "base/spi.h"
#include "base/text.h"
#include "store/knowledge.h"

#include "queries/queries.gen.h"

static const struct
{
	const char *name; /* also its column of knowledge_objects */
	const char *table;
	const char *tables; /* columns that mean the same in each kind */
	const char *sql;
} kinds[SA_KNOWLEDGE_KINDS] = {
	[SA_PATTERN] = {"pattern", "query_patterns", "tables_used", "sql"},
	[SA_LEARNING] = {"learning", "learnings", "tables", "sql"},
	[SA_RULE] = {"rule", "rules", "tables", "calculation"},
};

/* A statement that sa_knowledge_query made. */
typedef struct Filled
{
	const char *template; /* the address */
	SaKnowledge kind;
	const char *sql;
} Filled;

static List *filled = NIL; /* of Filled *, in TopMemoryContext */

const char *
sa_knowledge_name(SaKnowledge kind)
{
	return kinds[kind].name;
}

int
sa_knowledge_named(const char *name)
{
	for (int i = 0; i < SA_KNOWLEDGE_KINDS; i++)
		if (strcmp(kinds[i].name, name) == 0)
			return i;
	return -1;
}

const char *
sa_knowledge_table(SaKnowledge kind)
{
	return kinds[kind].table;
}

const char *
sa_knowledge_query(const char *template, SaKnowledge kind, const char *fields)
{
	MemoryContext old;
	ListCell *cell;
	Filled *entry;

	foreach (cell, filled)
	{
		entry = lfirst(cell);
		if (entry->template == template && entry->kind == kind)
			return entry->sql;
	}
	old = MemoryContextSwitchTo(TopMemoryContext);
	entry = palloc(sizeof(Filled));
	entry->template = template;
	entry->kind = kind;
	entry->sql =
		sa_text_fill(template, "kind", kinds[kind].name, "table",
					 kinds[kind].table, "tables", kinds[kind].tables, "sql",
					 kinds[kind].sql, "fields", fields ? fields : "", NULL);
	filled = lappend(filled, entry);
	MemoryContextSwitchTo(old);
	return entry->sql;
}

bool
sa_knowledge_is_reviewer(SaKnowledge kind, const char *role)
{
	(void) SA_QUERY("SELECT has_any_column_privilege($1::name, $2, 'UPDATE')",
					sa_arg_text(role),
					sa_arg_text(psprintf("sqlagent.%s", kinds[kind].table)));
	return sa_row_bool(0, 1);
}

void
sa_knowledge_use(SaKnowledge kind, int64 id)
{
	if (!RecoveryInProgress())
		(void) SA_QUERY(sa_knowledge_query(SA_QUERY_KNOWLEDGE_USE, kind, NULL),
						sa_arg_int8(id));
}

bool
sa_knowledge_doubt(SaKnowledge kind, int64 id, const char *note)
{
	return SA_QUERY(sa_knowledge_query(SA_QUERY_KNOWLEDGE_DOUBT, kind, NULL),
					sa_arg_int8(id), sa_arg_text(note)) > 0;
}

void
sa_knowledge_stale(SaKnowledge kind, int64 id, const char *note)
{
	if (!RecoveryInProgress())
		(void) SA_QUERY(
			sa_knowledge_query(SA_QUERY_KNOWLEDGE_STALE, kind, NULL),
			sa_arg_int8(id), sa_arg_text(note));
}

char *
sa_knowledge_config(void)
{
	Oid config =
		*sa_guc_text_search_config
			? get_ts_config_oid(
				  sa_qualified_name_list(sa_guc_text_search_config), false)
			: getTSCurrentConfig(true);
	HeapTuple tuple = SearchSysCache1(TSCONFIGOID, ObjectIdGetDatum(config));
	Form_pg_ts_config form;
	char *name;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for text search configuration %u",
			 config);
	form = (Form_pg_ts_config) GETSTRUCT(tuple);
	name = quote_qualified_identifier(get_namespace_name(form->cfgnamespace),
									  NameStr(form->cfgname));
	ReleaseSysCache(tuple);
	return name;
}

char *
sa_knowledge_table_name(Oid relation)
{
	return quote_qualified_identifier(
		get_namespace_name(get_rel_namespace(relation)),
		get_rel_name(relation));
}

List *
sa_knowledge_table_names(const List *objects)
{
	List *names = NIL;
	ListCell *cell;

	foreach (cell, objects)
	{
		const SaObject *object = lfirst(cell);

		if (object->column == 0)
			names = lappend(names, sa_knowledge_table_name(object->relation));
	}
	return names;
}

Oid
sa_knowledge_find_table(const char *name)
{
	List *names = NIL;
	Oid relation = InvalidOid;

	if (SplitIdentifierString(pstrdup(name), '.', &names) && names != NIL &&
		list_length(names) <= 2)
	{
		List *strings = NIL;
		ListCell *cell;

		foreach (cell, names)
			strings = lappend(strings, makeString(lfirst(cell)));
		relation =
			RangeVarGetRelid(makeRangeVarFromNameList(strings), NoLock, true);
	}
	return relation;
}
