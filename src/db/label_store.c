/*
 * label_store.c
 *	  The labels that are stored for tables, kept in memory.
 *
 * Used by label.c and lineage.c.  A table is kept with the labels of its
 * parents and children, by the names of columns: partitions are read through
 * their parents and on their own.  All is forgotten when any relation
 * changes; setting a label counts as a change.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/indexing.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_seclabel.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "db/label_store.h"

/* Labels of columns from 1; as many as the highest that has one. */
typedef struct KnownLabels
{
	Oid relation; /* hash key */
	bool is_hidden;
	uint8 strictest; /* SaLabel of the whole row */
	int count;
	uint8 *columns; /* SaLabel */
} KnownLabels;

static HTAB *known_labels = NULL;
static MemoryContext known_context = NULL;
static bool is_stale = false;

/* The strictest label that there is: -1 = not known. */
static int strictest_label = -1;

SaLabel
sa_label_store_value(const char *text)
{
	if (strcmp(text, "hidden") == 0)
		return SA_LABEL_HIDDEN;
	if (strcmp(text, "masked") == 0)
		return SA_LABEL_MASKED;
	return SA_LABEL_NONE;
}

static void
forget_labels(Datum arg, Oid relation)
{
	is_stale = true;
}

static void
prepare_known_labels(void)
{
	HASHCTL ctl = {0};

	if (known_labels && !is_stale)
		return;
	if (known_context == NULL)
	{
		known_context = AllocSetContextCreate(
			TopMemoryContext, "sqlagent labels", ALLOCSET_SMALL_SIZES);
		CacheRegisterRelcacheCallback(forget_labels, (Datum) 0);
	}
	else
		MemoryContextReset(known_context);
	ctl.keysize = sizeof(Oid);
	ctl.entrysize = sizeof(KnownLabels);
	ctl.hcxt = known_context;
	known_labels = hash_create("sqlagent labels", 64, &ctl,
							   HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	is_stale = false;
	strictest_label = -1;
}

static void
add_column_label(KnownLabels *known, int column, SaLabel label)
{
	if (column > known->count)
	{
		uint8 *columns = MemoryContextAllocZero(known_context, column);

		if (known->count > 0)
			memcpy(columns, known->columns, known->count);
		known->columns = columns;
		known->count = column;
	}
	known->columns[column - 1] = Max(known->columns[column - 1], label);
	known->strictest = Max(known->strictest, label);
}

/* A label of the relation itself, or of a parent or child of it. */
static void
add_label(KnownLabels *known, Oid relation, int column, SaLabel label)
{
	char *name;

	if (column == 0)
	{
		known->is_hidden = known->is_hidden || label == SA_LABEL_HIDDEN;
		return;
	}
	if (relation != known->relation)
	{
		name = get_attname(relation, column, true);
		column = name ? get_attnum(known->relation, name) : 0;
	}
	if (column > 0)
		add_column_label(known, column, label);
}

/* Column of pg_seclabel; never null there. */
static Datum
field(Relation rel, HeapTuple tuple, AttrNumber number)
{
	bool isnull;

	return heap_getattr(tuple, number, RelationGetDescr(rel), &isnull);
}

/* Adds the labels of the relation; without one, looks through all of them. */
static void
read_labels(KnownLabels *known, Oid relation)
{
	Relation rel = table_open(SecLabelRelationId, AccessShareLock);
	int nkeys = OidIsValid(relation) ? 2 : 0;
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple tuple;

	ScanKeyInit(&keys[0], Anum_pg_seclabel_objoid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(relation));
	ScanKeyInit(&keys[1], Anum_pg_seclabel_classoid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(RelationRelationId));
	scan = systable_beginscan(rel, SecLabelObjectIndexId, nkeys > 0, NULL,
							  nkeys, keys);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		char *provider =
			TextDatumGetCString(field(rel, tuple, Anum_pg_seclabel_provider));
		SaLabel label;

		if (strcmp(provider, SA_LABEL_PROVIDER) != 0)
			continue;
		label = sa_label_store_value(
			TextDatumGetCString(field(rel, tuple, Anum_pg_seclabel_label)));
		if (known == NULL)
			strictest_label = Max(strictest_label, (int) label);
		else
			add_label(
				known, relation,
				DatumGetInt32(field(rel, tuple, Anum_pg_seclabel_objsubid)),
				label);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
}

/* The tables that it inherits from, up to the root. */
static List *
find_parents(Oid relation, List *found)
{
	Relation rel = table_open(InheritsRelationId, AccessShareLock);
	List *parents = NIL;
	ListCell *cell;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple tuple;

	ScanKeyInit(&key, Anum_pg_inherits_inhrelid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(relation));
	scan =
		systable_beginscan(rel, InheritsRelidSeqnoIndexId, true, NULL, 1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		parents = lappend_oid(parents,
							  ((Form_pg_inherits) GETSTRUCT(tuple))->inhparent);
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	foreach (cell, parents)
	{
		if (list_member_oid(found, lfirst_oid(cell)))
			continue;
		found = lappend_oid(found, lfirst_oid(cell));
		found = find_parents(lfirst_oid(cell), found);
	}
	return found;
}

/* Valid until the next lookup. */
static const KnownLabels *
know_labels(Oid relation)
{
	KnownLabels *entry;
	KnownLabels known = {relation};
	List *relatives;
	ListCell *cell;

	prepare_known_labels();
	entry = hash_search(known_labels, &relation, HASH_FIND, NULL);
	if (entry)
		return entry;
	read_labels(&known, relation);
	relatives = find_parents(relation, NIL);
	if (has_subclass(relation))
		relatives =
			list_concat(relatives, find_all_inheritors(relation, NoLock, NULL));
	foreach (cell, relatives)
		if (lfirst_oid(cell) != relation)
			read_labels(&known, lfirst_oid(cell));
	/*
	 * When something was invalidated meanwhile the table is emptied at the
	 * next lookup; this answer is still as good as any.
	 */
	entry = hash_search(known_labels, &relation, HASH_ENTER, NULL);
	*entry = known;
	return entry;
}

bool
sa_label_store_any(void)
{
	prepare_known_labels();
	if (strictest_label < 0)
	{
		strictest_label = SA_LABEL_NONE;
		read_labels(NULL, InvalidOid);
	}
	return strictest_label > SA_LABEL_NONE;
}

bool
sa_label_store_any_hidden(void)
{
	return sa_label_store_any() && strictest_label >= SA_LABEL_HIDDEN;
}

bool
sa_label_store_table_hidden(Oid relation)
{
	return sa_label_store_any() && know_labels(relation)->is_hidden;
}

SaLabel
sa_label_store_column(Oid relation, AttrNumber number)
{
	const KnownLabels *known;

	if (!sa_label_store_any())
		return SA_LABEL_NONE;
	known = know_labels(relation);
	if (number == InvalidAttrNumber)
		return (SaLabel) known->strictest;
	if (number < 0 || number > known->count)
		return SA_LABEL_NONE;
	return (SaLabel) known->columns[number - 1];
}
