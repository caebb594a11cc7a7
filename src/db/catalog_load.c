/*
 * catalog_load.c
 *	  From the system catalogs into SaCatalog, by a handful of queries whatever
 *	  the number of tables.
 *
 * Called by catalog.c inside an SA_TX_ASKER transaction.  Opens no table of the
 * user.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "miscadmin.h"
#include "parser/parse_coerce.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "base/spi.h"
#include "base/wait.h"
#include "db/catalog_load.h"
#include "queries/queries.gen.h"

/* An interned text; the key is the text itself. */
typedef struct InternedName
{
	const char *text;
} InternedName;

static uint32
name_hash_text(const void *key, Size keysize)
{
	const char *text = ((const InternedName *) key)->text;

	return string_hash(text, strlen(text) + 1);
}

static int
name_match_text(const void *left, const void *right, Size keysize)
{
	return strcmp(((const InternedName *) left)->text,
				  ((const InternedName *) right)->text);
}

static char *
intern(SaCatalog *catalog, const char *text)
{
	InternedName key = {text};
	bool found;
	InternedName *entry = hash_search(catalog->names, &key, HASH_ENTER, &found);

	if (!found)
		entry->text = MemoryContextStrdup(catalog->context, text);
	return unconstify(char *, entry->text);
}

/* A hash table in the catalog's context, by oid. */
static HTAB *
oid_table(SaCatalog *catalog, const char *name, Size entrysize)
{
	HASHCTL ctl = {0};

	ctl.keysize = sizeof(Oid);
	ctl.entrysize = entrysize;
	ctl.hcxt = catalog->context;
	return hash_create(name, 128, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

static char **
copy_texts(MemoryContext context, char **texts, int count)
{
	char **copy;

	if (count == 0)
		return NULL;
	copy = MemoryContextAlloc(context, sizeof(char *) * count);
	for (int i = 0; i < count; i++)
		copy[i] = MemoryContextStrdup(context, texts[i]);
	return copy;
}

/* Schemas that the asker may use, as far as they are wanted. */
static void
load_schemas(SaCatalog *catalog, char **wanted, int nwanted)
{
	int rows = SA_QUERY(SA_QUERY_CATALOG_SCHEMAS,
						nwanted > 0 ? sa_arg_text_array(wanted, nwanted)
									: sa_arg_null(TEXTARRAYOID));

	catalog->schemas =
		MemoryContextAlloc(catalog->context, sizeof(Oid) * Max(rows, 1));
	catalog->schema_names =
		MemoryContextAlloc(catalog->context, sizeof(char *) * Max(rows, 1));
	for (int i = 0; i < rows; i++)
	{
		catalog->schemas[i] = sa_row_oid(i, 1);
		catalog->schema_names[i] =
			MemoryContextStrdup(catalog->context, sa_row_text(i, 2));
	}
	catalog->nschemas = rows;
}

static SaType *
find_type(SaCatalog *catalog, Oid oid)
{
	bool found;
	SaType *type = hash_search(catalog->types, &oid, HASH_ENTER, &found);
	bool preferred;

	if (found)
		return type;
	MemSet(type, 0, sizeof(SaType));
	type->oid = oid;
	type->cache_hash = GetSysCacheHashValue1(TYPEOID, ObjectIdGetDatum(oid));
	get_type_category_preferred(getBaseType(oid), &type->category, &preferred);
	return type;
}

/* Enums and domains of users, as far as they are not known yet. */
void
sa_catalog_load_types(SaCatalog *catalog)
{
	int rows = SA_QUERY0(SA_QUERY_CATALOG_TYPES);

	for (int i = 0; i < rows; i++)
	{
		SaType *type = find_type(catalog, sa_row_oid(i, 1));
		char **texts;

		if (type->described)
			continue;
		type->described = true;
		texts = sa_row_text_array(i, 2, &type->nlabels);
		type->labels = copy_texts(catalog->context, texts, type->nlabels);
		if (!sa_row_isnull(i, 3))
			type->base =
				MemoryContextStrdup(catalog->context, sa_row_text(i, 3));
		texts = sa_row_text_array(i, 4, &type->nchecks);
		type->checks = copy_texts(catalog->context, texts, type->nchecks);
		type->not_null = sa_row_bool(i, 5);
	}
	/* a domain over an enum has its labels */
	for (int i = 0; i < rows; i++)
	{
		SaType *type = find_type(catalog, sa_row_oid(i, 1));
		Oid base = getBaseType(type->oid);

		if (base != type->oid && type_is_enum(base))
		{
			const SaType *of = find_type(catalog, base);

			type->nlabels = of->nlabels;
			type->labels = of->labels;
		}
	}
}

SaCatalog *
sa_catalog_load_begin(char **schemas, int nschemas)
{
	MemoryContext context = AllocSetContextCreate(
		TopMemoryContext, "sqlagent catalog", ALLOCSET_DEFAULT_SIZES);
	SaCatalog *catalog = MemoryContextAllocZero(context, sizeof(SaCatalog));
	HASHCTL ctl = {0};

	catalog->context = context;
	catalog->tables =
		oid_table(catalog, "sqlagent catalog tables", sizeof(SaTable));
	catalog->types =
		oid_table(catalog, "sqlagent catalog types", sizeof(SaType));
	ctl.keysize = sizeof(InternedName);
	ctl.entrysize = sizeof(InternedName);
	ctl.hash = name_hash_text;
	ctl.match = name_match_text;
	ctl.hcxt = context;
	catalog->names =
		hash_create("sqlagent catalog names", 256, &ctl,
					HASH_ELEM | HASH_FUNCTION | HASH_COMPARE | HASH_CONTEXT);
	load_schemas(catalog, schemas, nschemas);
	sa_catalog_load_types(catalog);
	return catalog;
}

static char *
schema_name(SaCatalog *catalog, Oid oid)
{
	for (int i = 0; i < catalog->nschemas; i++)
		if (catalog->schemas[i] == oid)
			return catalog->schema_names[i];
	elog(ERROR, "schema %u is not in the catalog", oid);
	return NULL;
}

/*
 * The tables themselves; gives their oids.  *partial lists those of which the
 * asker may read some columns only.
 */
static Oid *
load_relations(SaCatalog *catalog, const Oid *oids, int count, bool partitions,
			   int *nloaded, List **partial)
{
	int rows = SA_QUERY(SA_QUERY_CATALOG_TABLES,
						sa_arg_oid_array(catalog->schemas, catalog->nschemas),
						oids ? sa_arg_oid_array(oids, count)
							 : sa_arg_null(OIDARRAYOID),
						sa_arg_bool(partitions));
	Oid *loaded = palloc(sizeof(Oid) * Max(rows, 1));

	for (int i = 0; i < rows; i++)
	{
		Oid oid = sa_row_oid(i, 1);
		bool found;
		SaTable *table = hash_search(catalog->tables, &oid, HASH_ENTER, &found);

		Assert(!found);
		MemSet(table, 0, sizeof(SaTable));
		table->oid = oid;
		table->document = -1;
		table->name = intern(catalog, sa_row_text(i, 2));
		table->schema_oid = sa_row_oid(i, 3);
		table->schema = schema_name(catalog, table->schema_oid);
		table->kind = sa_row_text(i, 4)[0];
		/* a view is not counted, and a table only once it was analyzed */
		table->rows = sa_row_float8(i, 5);
		if (table->kind == RELKIND_VIEW ||
			(table->kind == RELKIND_FOREIGN_TABLE && table->rows <= 0))
			table->rows = -1;
		table->listed = !sa_row_bool(i, 6);
		if (table->listed)
			catalog->nlisted++;
		if (!sa_row_bool(i, 7))
			*partial = lappend(*partial, table);
		loaded[i] = oid;
	}
	*nloaded = rows;
	return loaded;
}

static int
compare_columns(const void *left, const void *right)
{
	return ((const SaCatalogColumn *) left)->attnum -
		   ((const SaCatalogColumn *) right)->attnum;
}

static void
load_column(SaCatalog *catalog, SaTable *table, int row)
{
	SaCatalogColumn *column = &table->columns[table->ncolumns];

	column->attnum = (int16) sa_row_int4(row, 2);
	column->name = intern(catalog, sa_row_text(row, 3));
	column->type_name = intern(catalog, sa_row_text(row, 4));
	column->type = find_type(catalog, sa_row_oid(row, 5));
	column->not_null = sa_row_bool(row, 6);
	column->identity = sa_row_bool(row, 7);
	column->generated = sa_row_bool(row, 8);
	table->ncolumns++;
}

/* Columns; rows of one table need not come together. */
static void
load_columns(SaCatalog *catalog, const Oid *oids, int count, List *partial)
{
	int rows =
		SA_QUERY(SA_QUERY_CATALOG_COLUMNS, sa_arg_oid_array(oids, count));
	SaTable *table = NULL;
	Oid user = GetUserId();

	for (int i = 0; i < rows; i++)
	{
		Oid oid = sa_row_oid(i, 1);

		if (table == NULL || table->oid != oid)
			table = hash_search(catalog->tables, &oid, HASH_FIND, NULL);
		table->ncolumns++;
	}
	for (int i = 0; i < count; i++)
	{
		table = hash_search(catalog->tables, &oids[i], HASH_FIND, NULL);
		table->columns = MemoryContextAllocZero(catalog->context,
												sizeof(SaCatalogColumn) *
													Max(table->ncolumns, 1));
		table->ncolumns = 0;
	}
	for (int i = 0; i < rows; i++)
	{
		Oid oid = sa_row_oid(i, 1);

		if (table->oid != oid)
			table = hash_search(catalog->tables, &oid, HASH_FIND, NULL);
		if (partial != NIL && list_member_ptr(partial, table) &&
			pg_attribute_aclcheck(oid, (AttrNumber) sa_row_int4(i, 2), user,
								  ACL_SELECT) != ACLCHECK_OK)
			continue;
		load_column(catalog, table, i);
		if ((i & 1023) == 0)
			sa_wait_check();
	}
	for (int i = 0; i < count; i++)
	{
		table = hash_search(catalog->tables, &oids[i], HASH_FIND, NULL);
		if (table->ncolumns > 1)
			qsort(table->columns, table->ncolumns, sizeof(SaCatalogColumn),
				  compare_columns);
	}
}

uint32
sa_catalog_comment_hash(uint32 xmin, Oid object, int32 sub)
{
	return hash_combine(hash_combine(murmurhash32(xmin), murmurhash32(object)),
						murmurhash32((uint32) sub));
}

static void
load_comments(SaCatalog *catalog, const Oid *oids, int count)
{
	int rows =
		SA_QUERY(SA_QUERY_CATALOG_COMMENTS, sa_arg_oid_array(oids, count));

	for (int i = 0; i < rows; i++)
	{
		Oid oid = sa_row_oid(i, 1);
		int attnum = sa_row_int4(i, 2);
		SaTable *table = hash_search(catalog->tables, &oid, HASH_FIND, NULL);
		SaCatalogColumn *column;
		char **comment;

		if (table == NULL)
			continue;
		column = attnum != 0 ? sa_catalog_column(table, attnum) : NULL;
		comment = column ? &column->comment : &table->comment;
		table->comment_hash += sa_catalog_comment_hash(
			(uint32) strtoul(sa_row_text(i, 4), NULL, 10), oid, attnum);
		if (attnum == 0 || column != NULL)
			*comment = MemoryContextStrdup(catalog->context, sa_row_text(i, 3));
	}
}

/* What has to stay the same for keys between tables to stay as they are. */
static void
note_shapes(SaCatalog *catalog, const Oid *oids, int count)
{
	for (int i = 0; i < count; i++)
	{
		SaTable *table = sa_catalog_table(catalog, oids[i]);
		uint32 shape = 0;

		if (table == NULL)
			continue;
		for (int j = 0; j < table->ncolumns; j++)
		{
			const SaCatalogColumn *column = &table->columns[j];

			shape = hash_combine(
				shape, hash_combine(murmurhash32(column->type->oid),
									string_hash(column->name, NAMEDATALEN)));
			shape = hash_combine(shape, column->attnum * 2 + column->masked);
		}
		for (int j = 0; j < table->nkeys; j++)
			for (int k = 0; k < table->keys[j].ncolumns; k++)
				shape = hash_combine(shape, table->keys[j].columns[k]);
		shape = hash_combine(shape, string_hash(table->name, NAMEDATALEN));
		table->shape = hash_combine(shape, murmurhash32(table->schema_oid));
	}
}

void
sa_catalog_load_tables(SaCatalog *catalog, const Oid *oids, int count,
					   bool partitions)
{
	List *partial = NIL;
	int nloaded;
	Oid *loaded =
		load_relations(catalog, oids, count, partitions, &nloaded, &partial);

	if (nloaded == 0)
		return;
	load_columns(catalog, loaded, nloaded, partial);
	catalog->label_hash = sa_catalog_load_labels(catalog);
	load_comments(catalog, loaded, nloaded);
	sa_catalog_load_keys(catalog, loaded, nloaded);
	note_shapes(catalog, loaded, nloaded);
}

void
sa_catalog_load_remove(SaCatalog *catalog, SaTable *table)
{
	sa_detail_forget(table);
	if (table->listed)
		catalog->nlisted--;
	for (int i = 0; i < table->ncolumns; i++)
		if (table->columns[i].comment)
			pfree(table->columns[i].comment);
	pfree(table->columns);
	if (table->comment)
		pfree(table->comment);
	for (int i = 0; i < table->nkeys; i++)
		pfree(table->keys[i].columns);
	if (table->keys)
		pfree(table->keys);
	(void) hash_search(catalog->tables, &table->oid, HASH_REMOVE, NULL);
}
