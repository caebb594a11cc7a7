/*
 * object.c
 *	  The tables and columns that knowledge speaks of, and what becomes of it
 *	  when they change.
 *
 * Called by the event trigger when tables change, and before knowledge is used,
 * since an event trigger can be off, and a restored database has other OIDs.
 */
#include "postgres.h"

#include "access/xlog.h"
#include "utils/builtins.h"

#include "base/object.h"
#include "base/spi.h"
#include "store/object.h"
#include "store/sqltext.h"

#include "queries/queries.gen.h"

/* Something that an item speaks of is not what it was. */
typedef struct Change
{
	SaKnowledge kind;
	int64 id;
	int column; /* 0 = the table */
	bool restored;
	bool retyped;
	char *old_schema;
	char *old_table;
	char *old_column;
	char *old_type;
	char *schema; /* NULL when the table is gone */
	char *table;
	char *name; /* of the column, NULL when it is gone */
	char *type;
} Change;

static SaArg
item_arg(SaKnowledge kind, SaKnowledge of, int64 id)
{
	return kind == of ? sa_arg_int8(id) : sa_arg_null(INT8OID);
}

/* Arguments that name an item among the three kinds. */
#define ITEM_ARGS(kind, id)                                                    \
	item_arg(kind, SA_PATTERN, id), item_arg(kind, SA_LEARNING, id),           \
		item_arg(kind, SA_RULE, id)

static SaArg
int2_arg(int16 value)
{
	SaArg arg = {INT2OID, Int16GetDatum(value), false};

	return arg;
}

void
sa_objects_remember(SaKnowledge kind, int64 id, const List *objects)
{
	ListCell *cell;

	(void) SA_QUERY("DELETE FROM sqlagent.knowledge_objects "
					"WHERE pattern = $1 OR learning = $2 OR rule = $3",
					ITEM_ARGS(kind, id));
	foreach (cell, objects)
	{
		const SaObject *object = lfirst(cell);

		(void) SA_QUERY(SA_QUERY_OBJECT_ADD, ITEM_ARGS(kind, id),
						sa_arg_oid(object->relation), int2_arg(object->column));
	}
}

List *
sa_objects_of(SaKnowledge kind, int64 id)
{
	int count = SA_QUERY(
		"SELECT DISTINCT relation::oid, number::integer "
		"FROM sqlagent.knowledge_objects "
		"WHERE pattern = $1 OR learning = $2 OR rule = $3 ORDER BY 1, 2",
		ITEM_ARGS(kind, id));
	List *objects = NIL;

	for (int i = 0; i < count; i++)
	{
		SaObject *object = palloc(sizeof(SaObject));

		object->relation = sa_row_oid(i, 1);
		object->column = sa_row_int4(i, 2);
		objects = lappend(objects, object);
	}
	return objects;
}

static bool
are_equal(const List *left, const List *right)
{
	ListCell *l;
	ListCell *r;

	if (list_length(left) != list_length(right))
		return false;
	forboth (l, left, r, right)
	{
		const SaObject *a = lfirst(l);
		const SaObject *b = lfirst(r);

		if (a->relation != b->relation || a->column != b->column)
			return false;
	}
	return true;
}

/*
 * Whether all of the tables are mentioned.  Of columns no more is known than that
 * their names are words of the SQL.
 */
static bool
are_tables_of(const List *objects, const List *mentioned)
{
	ListCell *cell;

	foreach (cell, objects)
		if (((const SaObject *) lfirst(cell))->column == 0 &&
			!sa_objects_touch(list_make1(lfirst(cell)), mentioned))
			return false;
	return true;
}

bool
sa_objects_stand(const List *remembered, bool checked, const List *mentioned)
{
	return are_equal(remembered, mentioned) ||
		   (!checked && are_tables_of(remembered, mentioned));
}

bool
sa_objects_touch(const List *left, const List *right)
{
	ListCell *l;
	ListCell *r;

	foreach (l, left)
		foreach (r, right)
			if (((const SaObject *) lfirst(l))->relation ==
				((const SaObject *) lfirst(r))->relation)
				return true;
	return false;
}

static List *
find_changes(Oid relation, SaKnowledge kind, int64 id)
{
	int count = OidIsValid(relation)
					? SA_QUERY(SA_QUERY_OBJECTS_CHANGED, sa_arg_oid(relation),
							   sa_arg_null(INT8OID), sa_arg_null(INT8OID),
							   sa_arg_null(INT8OID))
					: SA_QUERY(SA_QUERY_OBJECTS_CHANGED, sa_arg_null(OIDOID),
							   ITEM_ARGS(kind, id));
	List *changes = NIL;

	for (int i = 0; i < count; i++)
	{
		Change *change = palloc0(sizeof(Change));

		change->kind = sa_knowledge_named(sa_row_text(i, 1));
		change->id = sa_row_int8(i, 2);
		change->column = atoi(sa_row_text(i, 4));
		change->old_schema = sa_row_text(i, 5);
		change->old_table = sa_row_text(i, 6);
		change->old_column = sa_row_text(i, 7);
		change->old_type = sa_row_text(i, 8);
		change->restored = sa_row_bool(i, 9);
		change->schema = sa_row_text(i, 10);
		change->table = sa_row_text(i, 11);
		change->name = sa_row_text(i, 12);
		change->type = sa_row_text(i, 13);
		change->retyped = sa_row_bool(i, 14);
		changes = lappend(changes, change);
	}
	return changes;
}

/* Why the item cannot stay as it is, or NULL. */
static char *
why_stale(const Change *change)
{
	bool retyped = change->restored && change->type
					   ? strcmp(change->old_type, change->type) != 0
					   : change->retyped;

	if (change->table == NULL)
		return psprintf(
			"table %s was dropped",
			quote_qualified_identifier(change->old_schema, change->old_table));
	if (change->column == 0)
		return NULL;
	if (change->name == NULL)
		return psprintf(
			"column %s of table %s was dropped",
			quote_identifier(change->old_column),
			quote_qualified_identifier(change->schema, change->table));
	if (retyped)
		return psprintf(
			"column %s of table %s is of type %s now, it was %s",
			quote_identifier(change->name),
			quote_qualified_identifier(change->schema, change->table),
			change->type, change->old_type);
	return NULL;
}

static void
rename_in_item(const Change *change)
{
	char *old_table =
		quote_qualified_identifier(change->old_schema, change->old_table);
	char *sql = NULL;

	if (SA_QUERY(sa_knowledge_query(SA_QUERY_KNOWLEDGE_SQL, change->kind, NULL),
				 sa_arg_int8(change->id)) > 0)
		sql = sa_row_text(0, 1);
	if (sql && strcmp(change->old_table, change->table) != 0)
		sql = sa_sqltext_rename(sql, change->old_table, change->old_table,
								change->table);
	if (sql && change->column > 0 &&
		strcmp(change->old_column, change->name) != 0)
		sql = sa_sqltext_rename(sql, change->table, change->old_column,
								change->name);
	(void) SA_QUERY(
		sa_knowledge_query(SA_QUERY_KNOWLEDGE_RENAME, change->kind, NULL),
		sa_arg_int8(change->id), sa_arg_text(sql), sa_arg_text(old_table),
		sa_arg_text(quote_qualified_identifier(change->schema, change->table)));
}

static bool
is_renamed(const Change *change)
{
	return strcmp(change->old_table, change->table) != 0 ||
		   strcmp(change->old_schema, change->schema) != 0 ||
		   (change->column > 0 &&
			strcmp(change->old_column, change->name) != 0);
}

static void
accept_item(const Change *change)
{
	(void) SA_QUERY(SA_QUERY_OBJECTS_ACCEPT,
					ITEM_ARGS(change->kind, change->id));
}

/* The changes of one item, from index i on; the index behind them. */
static int
follow_one(const List *changes, int i)
{
	const Change *first = list_nth(changes, i);
	bool stale = false;
	int end;

	for (end = i; end < list_length(changes); end++)
	{
		const Change *change = list_nth(changes, end);
		char *why = why_stale(change);

		if (change->kind != first->kind || change->id != first->id)
			break;
		if (why && !stale)
			sa_knowledge_stale(change->kind, change->id, why);
		stale |= why != NULL;
	}
	if (stale)
		return end;
	for (int n = i; n < end; n++)
	{
		Change *change = list_nth(changes, n);

		/* The table's own change is first; its columns need not repeat it. */
		if (n > i && change->column > 0)
			change->old_table = change->table;
		if (is_renamed(change))
			rename_in_item(change);
	}
	accept_item(first);
	return end;
}

static void
follow(const List *changes)
{
	int i = 0;

	if (RecoveryInProgress())
		return;
	while (i < list_length(changes))
		i = follow_one(changes, i);
}

bool
sa_objects_follow_item(SaKnowledge kind, int64 id)
{
	List *changes = find_changes(InvalidOid, kind, id);

	follow(changes);
	return changes != NIL;
}

void
sa_objects_follow_table(Oid relation)
{
	follow(find_changes(relation, SA_PATTERN, 0));
}

void
sa_objects_follow_command(bool dropped)
{
	List *relations = NIL;
	ListCell *cell;
	int count =
		dropped ? SA_QUERY0("SELECT DISTINCT objid FROM "
							"pg_event_trigger_dropped_objects() "
							"WHERE classid = 'pg_class'::regclass AND EXISTS "
							"(SELECT FROM sqlagent.knowledge_objects "
							"WHERE relation = objid)")
				: SA_QUERY0("SELECT DISTINCT objid FROM "
							"pg_event_trigger_ddl_commands() "
							"WHERE classid = 'pg_class'::regclass AND EXISTS "
							"(SELECT FROM sqlagent.knowledge_objects "
							"WHERE relation = objid)");

	for (int i = 0; i < count; i++)
		relations = lappend_oid(relations, sa_row_oid(i, 1));
	foreach (cell, relations)
		sa_objects_follow_table(lfirst_oid(cell));
}

void
sa_objects_added(SaKnowledge kind)
{
	(void) SA_QUERY0(sa_knowledge_query(SA_QUERY_OBJECTS_ADDED, kind, NULL));
}

void
sa_objects_renew(SaKnowledge kind, int64 id)
{
	(void) SA_QUERY(SA_QUERY_OBJECTS_FORGET, ITEM_ARGS(kind, id));
	(void) SA_QUERY(SA_QUERY_OBJECTS_ACCEPT, ITEM_ARGS(kind, id));
}

void
sa_objects_name(SaKnowledge kind, int64 id, const List *names)
{
	List *objects = NIL;
	int count = SA_QUERY("SELECT DISTINCT to_regclass(n)::oid "
						 "FROM unnest($1) n WHERE to_regclass(n) IS NOT NULL",
						 sa_arg_texts(names));

	for (int i = 0; i < count; i++)
	{
		SaObject *object = palloc0(sizeof(SaObject));

		object->relation = sa_row_oid(i, 1);
		objects = lappend(objects, object);
	}
	sa_objects_remember(kind, id, objects);
}
