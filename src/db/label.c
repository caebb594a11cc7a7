/*
 * label.c
 *	  The provider of SECURITY LABEL FOR sqlagent, and a cache of its labels.
 *
 * The server stores the labels and pg_dump keeps them.  Asked by the guard,
 * the lineage of result columns, and introspection.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/indexing.h"
#include "catalog/pg_class.h"
#include "catalog/pg_seclabel.h"
#include "commands/seclabel.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "db/label.h"

#define PROVIDER "sqlagent"

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

static SaLabel
label_value(const char *text)
{
	if (strcmp(text, "hidden") == 0)
		return SA_LABEL_HIDDEN;
	if (strcmp(text, "masked") == 0)
		return SA_LABEL_MASKED;
	return SA_LABEL_NONE;
}

/* Is asked by SECURITY LABEL before it stores one. */
static void
check_label(const ObjectAddress *object, const char *text)
{
	bool is_column =
		object->classId == RelationRelationId && object->objectSubId != 0;
	SaLabel label;

	if (object->classId != RelationRelationId)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("sqlagent has labels for tables and columns only")));
	/* labels are no part of the relation, so its caches must be told */
	CacheInvalidateRelcacheByRelid(object->objectId);
	if (text == NULL)
		return;
	label = label_value(text);
	if (label == SA_LABEL_NONE || (label == SA_LABEL_MASKED && !is_column))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid sqlagent label \"%s\"", text),
				 errhint(is_column ? "A column can be \"hidden\" or \"masked\"."
								   : "A table can be \"hidden\".")));
}

void
sa_label_init(void)
{
	register_label_provider(PROVIDER, check_label);
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
}

static void
add_label(KnownLabels *known, int column, SaLabel label)
{
	if (column == 0)
	{
		known->is_hidden = known->is_hidden || label == SA_LABEL_HIDDEN;
		return;
	}
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

static void
read_labels(KnownLabels *known)
{
	Relation rel = table_open(SecLabelRelationId, AccessShareLock);
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple tuple;

	ScanKeyInit(&keys[0], Anum_pg_seclabel_objoid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(known->relation));
	ScanKeyInit(&keys[1], Anum_pg_seclabel_classoid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(RelationRelationId));
	scan = systable_beginscan(rel, SecLabelObjectIndexId, true, NULL,
							  lengthof(keys), keys);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		TupleDesc desc = RelationGetDescr(rel);
		bool isnull;
		Datum provider =
			heap_getattr(tuple, Anum_pg_seclabel_provider, desc, &isnull);
		Datum column =
			heap_getattr(tuple, Anum_pg_seclabel_objsubid, desc, &isnull);
		Datum label =
			heap_getattr(tuple, Anum_pg_seclabel_label, desc, &isnull);

		if (strcmp(TextDatumGetCString(provider), PROVIDER) == 0)
			add_label(known, DatumGetInt32(column),
					  label_value(TextDatumGetCString(label)));
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
}

/* Valid until the next lookup. */
static const KnownLabels *
know_labels(Oid relation)
{
	KnownLabels *entry;
	KnownLabels known = {relation};

	prepare_known_labels();
	entry = hash_search(known_labels, &relation, HASH_FIND, NULL);
	if (entry)
		return entry;
	read_labels(&known);
	/*
	 * When something was invalidated meanwhile the table is emptied at the
	 * next lookup; this answer is still as good as any.
	 */
	entry = hash_search(known_labels, &relation, HASH_ENTER, NULL);
	*entry = known;
	return entry;
}

bool
sa_label_table_hidden(Oid relation)
{
	return know_labels(relation)->is_hidden;
}

SaLabel
sa_label_column(Oid relation, AttrNumber number)
{
	const KnownLabels *known = know_labels(relation);

	if (number == InvalidAttrNumber)
		return (SaLabel) known->strictest;
	if (number < 0 || number > known->count)
		return SA_LABEL_NONE;
	return (SaLabel) known->columns[number - 1];
}
