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
#include "store/knowledge.h"

/* What is done to a row, for each kind: SQL knows no variable tables. */
static const struct
{
	const char *name;
	const char *table;
	const char *use;
	const char *doubt;
	const char *stale;
} kinds[SA_KNOWLEDGE_KINDS] = {
#define SA_KIND(name, table)                                                   \
	{                                                                          \
		name, "sqlagent." table,                                               \
			"UPDATE sqlagent." table " SET use_count = use_count + 1, "        \
			"last_used_at = now() WHERE id = (SELECT id FROM sqlagent." table  \
			" WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED)",                   \
			"UPDATE sqlagent." table " SET status = 'proposed', note = $2 "    \
			"WHERE id = $1 AND status = 'approved'",                           \
			"UPDATE sqlagent." table " SET status = 'stale', note = $2 "       \
			"WHERE id = $1 AND status IN ('proposed', 'approved')"             \
	}
	[SA_PATTERN] = SA_KIND("pattern", "query_patterns"),
	[SA_LEARNING] = SA_KIND("learning", "learnings"),
	[SA_RULE] = SA_KIND("rule", "rules"),
#undef SA_KIND
};

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

bool
sa_knowledge_is_reviewer(SaKnowledge kind, const char *role)
{
	(void) SA_QUERY("SELECT has_any_column_privilege($1::name, $2, 'UPDATE')",
					sa_arg_text(role), sa_arg_text(kinds[kind].table));
	return sa_row_bool(0, 1);
}

void
sa_knowledge_use(SaKnowledge kind, int64 id)
{
	if (!RecoveryInProgress())
		(void) SA_QUERY(kinds[kind].use, sa_arg_int8(id));
}

bool
sa_knowledge_doubt(SaKnowledge kind, int64 id, const char *note)
{
	return SA_QUERY(kinds[kind].doubt, sa_arg_int8(id), sa_arg_text(note)) > 0;
}

void
sa_knowledge_stale(SaKnowledge kind, int64 id, const char *note)
{
	if (!RecoveryInProgress())
		(void) SA_QUERY(kinds[kind].stale, sa_arg_int8(id), sa_arg_text(note));
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
