/*
 * catalog.c
 *	  The catalog in the worker's memory: when it is read anew.
 *
 * Invalidation messages say which tables changed since the last transaction,
 * and those alone are read again.  What changes rights or names everywhere
 * (roles, schemas, types in use) has all of it read again.  Comments send no
 * message: the versions of their rows are compared each time.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/transam.h"
#include "catalog/indexing.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_description.h"
#include "common/hashfn.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/varlena.h"

#include "base/guc.h"
#include "base/spi.h"
#include "db/catalog.h"
#include "db/catalog_load.h"
#include "db/imply.h"
#include "db/words.h"

/* More changes than this, and reading all is as cheap. */
#define MAX_STALE 256
/* Below this number of comments the index is the shorter way. */
#define FEW_COMMENTS 2000

static SaCatalog *current = NULL;
static bool catalog_ready = false; /* false: an error broke into loading */
static Oid catalog_user;
static Oid catalog_language;		 /* of its words */
static char *catalog_setting = NULL; /* sqlagent.schemas it was read with */
static char *catalog_path = NULL;	 /* search_path, which types are named by */
static uint64 last_version = 0;
static uint64 last_generation = 0;

/* What messages said since the catalog was read. */
static bool stale_all = false;
static Oid stale[MAX_STALE];
static int nstale = 0;

static void
mark_stale(Oid relation)
{
	if (stale_all)
		return;
	for (int i = 0; i < nstale; i++)
		if (stale[i] == relation)
			return;
	if (!OidIsValid(relation) || nstale == MAX_STALE)
		stale_all = true;
	else
		stale[nstale++] = relation;
}

void
sa_catalog_read_again(Oid relation)
{
	mark_stale(relation);
}

static void
on_relation_change(Datum arg, Oid relation)
{
	mark_stale(relation);
}

static void
on_any_change(Datum arg, int cache, uint32 hash)
{
	stale_all = true;
}

/* Each new table has a row type: only types that columns have matter. */
static void
on_type_change(Datum arg, int cache, uint32 hash)
{
	if (hash == 0 || current == NULL)
		stale_all = true;
	for (int i = 0; !stale_all && i < current->ntype_hashes; i++)
		if (current->type_hashes[i] == hash)
			stale_all = true;
}

static void
listen_for_changes(void)
{
	static bool listening = false;

	if (listening)
		return;
	listening = true;
	CacheRegisterRelcacheCallback(on_relation_change, (Datum) 0);
	CacheRegisterSyscacheCallback(NAMESPACEOID, on_any_change, (Datum) 0);
	CacheRegisterSyscacheCallback(AUTHOID, on_any_change, (Datum) 0);
	CacheRegisterSyscacheCallback(AUTHMEMMEMROLE, on_any_change, (Datum) 0);
	CacheRegisterSyscacheCallback(ENUMOID, on_any_change, (Datum) 0);
	CacheRegisterSyscacheCallback(TYPEOID, on_type_change, (Datum) 0);
}

/*
 * Look at the versions of all comments of users.  With "sums" (a hash of
 * CommentSum) also per table.
 */
typedef struct CommentSum
{
	Oid oid;
	uint32 hash;
} CommentSum;

static uint32
sum_comments(HTAB *sums, bool by_index, int *count)
{
	Relation rel = table_open(DescriptionRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple tuple;
	uint32 total = 0;

	ScanKeyInit(&key, Anum_pg_description_objoid, BTGreaterEqualStrategyNumber,
				F_OIDGE, ObjectIdGetDatum(FirstNormalObjectId));
	scan = systable_beginscan(rel, DescriptionObjIndexId, by_index,
							  GetActiveSnapshot(), 1, &key);
	*count = 0;
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_description row = (Form_pg_description) GETSTRUCT(tuple);
		uint32 hash = sa_catalog_comment_hash(
			HeapTupleHeaderGetXmin(tuple->t_data), row->objoid, row->objsubid);

		(*count)++;
		total += hash;
		if (sums && row->classoid == RelationRelationId)
		{
			bool found;
			CommentSum *sum =
				hash_search(sums, &row->objoid, HASH_ENTER, &found);

			sum->hash = found ? sum->hash + hash : hash;
		}
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return total;
}

/* Mark the tables whose comments are other ones than those read. */
static void
compare_comments(void)
{
	HASHCTL ctl = {.keysize = sizeof(Oid), .entrysize = sizeof(CommentSum)};
	HTAB *sums;
	HASH_SEQ_STATUS scan;
	SaTable *table;
	int count;
	uint32 total =
		sum_comments(NULL, current->ncomments < FEW_COMMENTS, &count);

	if (total == current->comment_hash && count == current->ncomments)
		return;
	ctl.hcxt = CurrentMemoryContext;
	sums = hash_create("sqlagent comments", 256, &ctl,
					   HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	current->comment_hash =
		sum_comments(sums, count < FEW_COMMENTS, &current->ncomments);
	hash_seq_init(&scan, current->tables);
	while ((table = hash_seq_search(&scan)) != NULL)
	{
		CommentSum *sum = hash_search(sums, &table->oid, HASH_FIND, NULL);

		if (table->comment_hash != (sum ? sum->hash : 0))
			mark_stale(table->oid);
	}
	hash_destroy(sums);
}

/* The schemas that sqlagent.schemas names; an empty list means all. */
static char **
wanted_schemas(int *count)
{
	char *setting = pstrdup(sa_guc_schemas ? sa_guc_schemas : "");
	List *names;
	char **wanted;

	*count = 0;
	if (!SplitIdentifierString(setting, ',', &names))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("invalid list of schemas in \"%s\"",
							   "sqlagent.schemas"),
						errhint("Separate the names of schemas by commas.")));
	wanted = palloc(sizeof(char *) * Max(list_length(names), 1));
	for (int i = 0; i < list_length(names); i++)
		wanted[(*count)++] = list_nth(names, i);
	return wanted;
}

/* Note the types that columns have, for on_type_change. */
static void
note_types(void)
{
	HASH_SEQ_STATUS scan;
	SaType *type;
	long count = hash_get_num_entries(current->types);

	if (current->ntype_hashes == count)
		return;
	if (current->type_hashes)
		pfree(current->type_hashes);
	current->ntype_hashes = 0;
	current->type_hashes =
		MemoryContextAlloc(current->context, sizeof(uint32) * count);
	hash_seq_init(&scan, current->types);
	while ((type = hash_seq_search(&scan)) != NULL)
		current->type_hashes[current->ntype_hashes++] = type->cache_hash;
}

static void
read_all(void)
{
	const char *setting = sa_guc_schemas ? sa_guc_schemas : "";
	Oid language = sa_words_language();
	int count;
	char **wanted = wanted_schemas(&count);

	if (current)
		MemoryContextDelete(current->context);
	current = NULL;
	sa_words_speak(language);
	stale_all = false;
	nstale = 0;
	current = sa_catalog_load_begin(wanted, count);
	current->generation = ++last_generation;
	sa_catalog_load_tables(current, NULL, 0, false);
	sa_catalog_load_foreign_keys(current);
	sa_imply_keys(current);
	sa_catalog_load_relationships(current);
	note_types();
	catalog_user = GetUserId();
	catalog_language = language;
	catalog_setting = MemoryContextStrdup(current->context, setting);
	catalog_path = MemoryContextStrdup(current->context, namespace_search_path);
	current->comment_hash = sum_comments(NULL, false, &current->ncomments);
}

/* What of a table that is read again is compared with what it was. */
typedef struct Before
{
	bool known;
	uint32 shape;
	uint32 reference;
	List *foreign_keys;
} Before;

/*
 * After tables were read again: keys between tables are found anew only if a
 * table is another one now, since an ANALYZE or GRANT leaves them as they are.
 */
static void
renew_keys(const Oid *changed, const Before *before, int count)
{
	bool same = true;

	sa_catalog_note_references(current, changed, count);
	for (int i = 0; i < count && same; i++)
	{
		const SaTable *table = sa_catalog_table(current, changed[i]);

		same = !sa_catalog_is_relationships(changed[i]) &&
			   before[i].known == (table != NULL) &&
			   (table == NULL || (table->shape == before[i].shape &&
								  table->reference == before[i].reference));
	}
	for (int i = 0; i < count && same; i++)
		if (before[i].known)
			sa_catalog_table(current, changed[i])->foreign_keys =
				before[i].foreign_keys;
	if (same)
		return;
	sa_catalog_load_foreign_keys(current);
	sa_imply_keys(current);
	sa_catalog_load_relationships(current);
}

/*
 * Read the tables that changed; those that are gone are forgotten, as are
 * partitions, which are read again when asked for.
 */
static void
read_changed(void)
{
	Oid changed[MAX_STALE];
	Before before[MAX_STALE] = {0};
	int count = nstale;
	uint32 labels = current->label_hash;

	memcpy(changed, stale, sizeof(Oid) * count);
	nstale = 0;
	for (int i = 0; i < count; i++)
	{
		SaTable *table = sa_catalog_table(current, changed[i]);

		if (table == NULL)
			continue;
		before[i] = (Before){table->listed, table->shape, table->reference,
							 table->foreign_keys};
		sa_catalog_load_remove(current, table);
	}
	sa_catalog_load_types(current);
	sa_catalog_load_tables(current, changed, count, false);
	/* a label speaks of parents, children and views as well */
	if (sa_catalog_load_labels(current) != labels ||
		current->label_hash != labels)
		read_all();
	else
	{
		renew_keys(changed, before, count);
		note_types();
	}
}

/* Bring the catalog up to date. */
static void
refresh(void)
{
	bool all =
		!catalog_ready || catalog_user != GetUserId() ||
		catalog_language != sa_words_language() ||
		strcmp(catalog_path, namespace_search_path) != 0 ||
		strcmp(catalog_setting, sa_guc_schemas ? sa_guc_schemas : "") != 0;

	catalog_ready = false;
	if (!all && !stale_all)
		compare_comments();
	if (all || stale_all)
		read_all();
	else if (nstale > 0)
		read_changed();
	else
	{
		catalog_ready = true;
		return;
	}
	current->version = ++last_version;
	catalog_ready = true;
}

SaCatalog *
sa_catalog_open(void)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext work;

	listen_for_changes();
	sa_words_limit();
	sa_tx_begin(SA_TX_ASKER);
	work = AllocSetContextCreate(caller, "sqlagent catalog load",
								 ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(work);
	refresh();
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(work);
	return current;
}
