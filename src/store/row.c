/*
 * row.c
 *	  The derived columns of a row of knowledge, whoever writes it: search
 *	  vector, key of the question, names of tables with their schema, who
 *	  reviewed it, and whether it has to be looked at again.
 *
 * Called by the trigger on the tables.  Runs with the rights and the
 * search_path of whoever writes; a restored row keeps what it comes with.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/namespace.h"
#include "miscadmin.h"
#include "tsearch/ts_utils.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/timestamp.h"
#include "utils/varlena.h"

#include "base/compat.h"
#include "base/text.h"
#include "store/question.h"
#include "store/row.h"
#include "store/sqltext.h"

#define MAX_WEIGHTED 6

/* What of a kind is searched, and how much each column weighs: A most. */
static const struct
{
	struct
	{
		const char *column;
		char weight;
	} searched[MAX_WEIGHTED + 1];
	const char *tables;
	const char *sql;
} kinds[SA_KNOWLEDGE_KINDS] = {
	[SA_PATTERN] = {{{"name", 'A'},
					 {"question", 'B'},
					 {"summary", 'C'},
					 {"data_quality_notes", 'D'},
					 {NULL, 0}},
					"tables_used",
					"sql"},
	[SA_LEARNING] = {{{"title", 'A'}, {"description", 'C'}, {NULL, 0}},
					 "tables",
					 "sql"},
	[SA_RULE] = {{{"name", 'A'},
				  {"description", 'C'},
				  {"calculation", 'D'},
				  {"solution", 'D'},
				  {NULL, 0}},
				 "tables",
				 "calculation"},
};

typedef struct Row
{
	TupleDesc desc;
	HeapTuple old; /* NULL on insert */
	HeapTuple new;
	Datum *values;
	bool *nulls;
} Row;

/* Index of a column. */
static int
column(const Row *row, const char *name)
{
	for (int i = 0; i < row->desc->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(row->desc, i);

		if (!attribute->attisdropped &&
			strcmp(NameStr(attribute->attname), name) == 0)
			return i;
	}
	elog(ERROR, "no column \"%s\"", name);
	return -1; /* keep the compiler quiet */
}

static char *
text_of(const Row *row, const char *name)
{
	int i = column(row, name);

	return row->nulls[i] ? NULL : TextDatumGetCString(row->values[i]);
}

static void
set(Row *row, const char *name, Datum value)
{
	int i = column(row, name);

	row->values[i] = value;
	row->nulls[i] = false;
}

static void
set_text(Row *row, const char *name, const char *value)
{
	set(row, name, value ? CStringGetTextDatum(value) : (Datum) 0);
	row->nulls[column(row, name)] = value == NULL;
}

static bool
is_null(const Row *row, const char *name)
{
	return row->nulls[column(row, name)];
}

/* Whether an update changes it; an insert changes everything. */
static bool
changed(const Row *row, const char *name)
{
	int i = column(row, name);
	Form_pg_attribute attribute = TupleDescAttr(row->desc, i);
	bool isnull;
	Datum old;

	if (row->old == NULL)
		return true;
	old = heap_getattr(row->old, i + 1, row->desc, &isnull);
	if (isnull || row->nulls[i])
		return isnull != row->nulls[i];
	if (attribute->attlen == -1)
		return datumIsEqual(
				   PointerGetDatum(PG_DETOAST_DATUM_PACKED(old)),
				   PointerGetDatum(PG_DETOAST_DATUM_PACKED(row->values[i])),
				   false, -1) == false;
	return !datumIsEqual(old, row->values[i], attribute->attbyval,
						 attribute->attlen);
}

static Oid
config_of(Row *row)
{
	char *name = text_of(row, "config");
	Oid config = InvalidOid;

	if (name)
		config = get_ts_config_oid(sa_qualified_name_list(name), true);
	if (!OidIsValid(config))
	{
		name = sa_knowledge_config();
		config = get_ts_config_oid(sa_qualified_name_list(name), false);
		set_text(row, "config", name);
	}
	return config;
}

static void
set_search(SaKnowledge kind, Row *row)
{
	Datum config = ObjectIdGetDatum(config_of(row));
	Datum vector = 0;

	for (int i = 0; kinds[kind].searched[i].column; i++)
	{
		char *text = text_of(row, kinds[kind].searched[i].column);
		Datum part;

		part = DirectFunctionCall2(to_tsvector_byid, config,
								   CStringGetTextDatum(text ? text : ""));
		part =
			DirectFunctionCall2(tsvector_setweight, part,
								CharGetDatum(kinds[kind].searched[i].weight));
		vector =
			i == 0 ? part : DirectFunctionCall2(tsvector_concat, vector, part);
	}
	set(row, "search", vector);
}

/* "public.customers" for "customers"; what is no table stays as it is. */
static char *
qualified(const char *name)
{
	Oid relation = sa_knowledge_find_table(name);

	return OidIsValid(relation) ? sa_knowledge_table_name(relation)
								: pstrdup(name);
}

static bool
has_string(const List *strings, const char *string)
{
	ListCell *cell;

	foreach (cell, strings)
		if (strcmp(lfirst(cell), string) == 0)
			return true;
	return false;
}

static void
set_tables(SaKnowledge kind, Row *row, const List *names)
{
	Datum *values = palloc(sizeof(Datum) * Max(list_length(names), 1));
	ListCell *cell;

	foreach (cell, names)
		values[foreach_current_index(cell)] =
			CStringGetTextDatum((char *) lfirst(cell));
	set(row, kinds[kind].tables,
		PointerGetDatum(construct_array(values, list_length(names), TEXTOID, -1,
										false, TYPALIGN_INT)));
}

/* The tables that the SQL reads, as far as its text says it. */
static List *
tables_of_sql(const char *sql)
{
	List *names = NIL;
	ListCell *cell;

	foreach (cell, sa_sqltext_tables(sql))
	{
		Oid relation = sa_knowledge_find_table(lfirst(cell));
		char *name;

		if (!OidIsValid(relation))
			continue;
		name = sa_knowledge_table_name(relation);
		if (!has_string(names, name))
			names = lappend(names, name);
	}
	return names;
}

/* The names of tables that the row has: char *. */
static List *
tables_of(SaKnowledge kind, const Row *row)
{
	int i = column(row, kinds[kind].tables);
	List *names = NIL;
	Datum *values;
	bool *nulls;
	int count;

	if (row->nulls[i])
		return NIL; /* the constraint says it better */
	deconstruct_array(DatumGetArrayTypeP(row->values[i]), TEXTOID, -1, false,
					  TYPALIGN_INT, &values, &nulls, &count);
	for (int n = 0; n < count; n++)
		if (!nulls[n])
			names = lappend(names, TextDatumGetCString(values[n]));
	return names;
}

static void
qualify_tables(SaKnowledge kind, Row *row)
{
	List *names = NIL;
	ListCell *cell;

	if (is_null(row, kinds[kind].tables))
		return;
	foreach (cell, tables_of(kind, row))
		names = lappend(names, qualified(lfirst(cell)));
	if (names == NIL && kind == SA_PATTERN && !is_null(row, "sql"))
		names = tables_of_sql(text_of(row, "sql"));
	set_tables(kind, row, names);
}

static void
set_question(Row *row)
{
	char *question = text_of(row, "question");
	char *key;

	if (question == NULL)
		return; /* the constraint says it better */
	key = sa_question_key(question);
	if (*key == '\0')
		ereport(ERROR, (errcode(ERRCODE_CHECK_VIOLATION),
						errmsg("the question of a pattern has no words")));
	set_text(row, "question_key", key);
	set_text(row, "question_prefix", sa_question_prefix(question));
}

/* A decision is signed by who makes it. */
static void
sign(Row *row)
{
	char *status = text_of(row, "status");

	if (status == NULL || !changed(row, "status") ||
		(strcmp(status, "approved") != 0 && strcmp(status, "rejected") != 0))
		return;
	if (row->old ? changed(row, "reviewed_at") : !is_null(row, "reviewed_at"))
		return; /* a restored row */
	set(row, "reviewed_by",
		DirectFunctionCall1(
			namein, CStringGetDatum(GetUserNameFromId(GetUserId(), false))));
	set(row, "reviewed_at", TimestampTzGetDatum(GetCurrentTimestamp()));
	/* Why it was doubted is no longer so, unless who approves it notes more. */
	if (row->old && strcmp(status, "approved") == 0 && !changed(row, "note"))
		row->nulls[column(row, "note")] = true;
}

/* SQL that is new has to be guarded before it is used. */
static void
mark_unchecked(SaKnowledge kind, Row *row)
{
	int i = column(row, "checked_at");

	if (row->old == NULL)
		return;
	if ((changed(row, kinds[kind].sql) || changed(row, kinds[kind].tables)) &&
		!changed(row, "checked_at"))
		row->nulls[i] = true;
}

/* Whether a stale row gets a status that says otherwise. */
static bool
is_revived(const Row *row)
{
	char *status = text_of(row, "status");
	bool isnull;
	Datum old;

	if (row->old == NULL || status == NULL || !changed(row, "status"))
		return false;
	old = heap_getattr(row->old, column(row, "status") + 1, row->desc, &isnull);
	return !isnull && strcmp(TextDatumGetCString(old), "stale") == 0 &&
		   strcmp(status, "rejected") != 0;
}

static void
load(Row *row, const TriggerData *trigger)
{
	bool insert = TRIGGER_FIRED_BY_INSERT(trigger->tg_event);

	row->desc = RelationGetDescr(trigger->tg_relation);
	row->old = insert ? NULL : trigger->tg_trigtuple;
	row->new = insert ? trigger->tg_trigtuple : trigger->tg_newtuple;
	row->values = palloc(sizeof(Datum) * row->desc->natts);
	row->nulls = palloc(sizeof(bool) * row->desc->natts);
	heap_deform_tuple(row->new, row->desc, row->values, row->nulls);
}

HeapTuple
sa_row_complete(SaKnowledge kind, TriggerData *trigger, SaRowNews *news)
{
	Row row;

	load(&row, trigger);
	if (changed(&row, kinds[kind].tables))
		qualify_tables(kind, &row);
	if (kind == SA_PATTERN)
		set_question(&row);
	if (kind == SA_LEARNING && is_null(&row, "key") && !is_null(&row, "title"))
		set_text(&row, "key",
				 psprintf("title %s", sa_question_key(text_of(&row, "title"))));
	set_search(kind, &row);
	sign(&row);
	mark_unchecked(kind, &row);
	news->id = DatumGetInt64(row.values[column(&row, "id")]);
	news->is_revived = is_revived(&row);
	news->tables = NIL;
	if (row.old && changed(&row, kinds[kind].tables))
		news->tables = tables_of(kind, &row);
	if (news->is_revived)
		row.nulls[column(&row, "checked_at")] = true;
	return heap_form_tuple(row.desc, row.values, row.nulls);
}

HeapTuple
sa_row_rebind(TriggerData *trigger)
{
	Row row = {0};
	Oid relation;
	char *name;
	AttrNumber number = 0;

	load(&row, trigger);
	relation = DatumGetObjectId(row.values[column(&row, "relation")]);
	if (DatumGetObjectId(row.values[column(&row, "relid")]) == relation ||
		get_rel_name(relation) == NULL)
		return row.new;
	if (!is_null(&row, "attname"))
	{
		name = NameStr(*DatumGetName(row.values[column(&row, "attname")]));
		number = get_attnum(relation, name);
		/* What is not there, or is of another type, is for others to tell. */
		if (number <= 0 || strcmp(format_type_be(get_atttype(relation, number)),
								  text_of(&row, "type")) != 0)
			return row.new;
		set(&row, "typid", ObjectIdGetDatum(get_atttype(relation, number)));
	}
	set(&row, "relid", ObjectIdGetDatum(relation));
	set(&row, "number", Int16GetDatum(number));
	return heap_form_tuple(row.desc, row.values, row.nulls);
}
