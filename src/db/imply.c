/*
 * imply.c
 *	  Foreign keys that nobody declared.
 *
 * A column refers to another table of its schema when it has the name and type
 * of that table's key ("author_id" in both), or the name of the table and the
 * type of its key ("author_id" and authors.id).  A table without any key is
 * presumed to have one when its first column is called like one.
 */
#include "postgres.h"

#include "common/hashfn.h"

#include "db/catalog_load.h"
#include "db/imply.h"
#include "db/relation.h"
#include "db/words.h"

/* What a name stands for within a schema. */
typedef struct Target
{
	struct
	{
		char name[NAMEDATALEN];
		Oid schema;
	} key;
	int count; /* of tables that it could be */
	bool presumed;
	const SaTable *table;
	int16 attnum;
} Target;

typedef struct Targets
{
	HTAB *keys;	  /* by the name of the key column */
	HTAB *tables; /* by the name of the table, in words */
	HTAB *names;  /* NameForms of columns */
} Targets;

/* Endings of names that hold keys; the rest of the name says whose. */
static const char *const endings[] = {"_id",  "_key", "_code", "_no",
									  "_nbr", "_num", "_fk",   "id"};

/* Names that keys of many tables have, and that say nothing of which. */
static const char *const general_names[] = {
	"id", "key", "code", "no", "nr", "name", "year", "date", "type", "uuid"};

static bool
is_general(const char *name)
{
	for (int i = 0; i < lengthof(general_names); i++)
		if (pg_strcasecmp(general_names[i], name) == 0)
			return true;
	return false;
}

/* Length of the name before the ending of a key; -1 when it has none. */
static int
key_stem_length(const char *name)
{
	int len = strlen(name);

	for (int i = 0; i < lengthof(endings); i++)
	{
		int ending = strlen(endings[i]);

		if (len >= ending &&
			pg_strcasecmp(name + len - ending, endings[i]) == 0)
			return len - ending;
	}
	return -1;
}

/* The words of a name, stemmed and without anything between them. */
static void
normalize(const char *name, int len, char *normal)
{
	char copy[NAMEDATALEN];
	char word[SA_WORD_MAX + 1];
	const char *p = copy;

	strlcpy(copy, name, Min(len + 1, NAMEDATALEN));
	normal[0] = '\0';
	while (sa_words_next(&p, word))
	{
		const char *stem = sa_words_stem(word);

		strlcat(normal, stem ? stem : word, NAMEDATALEN);
	}
}

static Target *
find_target(HTAB *targets, Oid schema, const char *name, bool enter)
{
	Target key = {0};
	Target *target;
	bool found;

	strlcpy(key.key.name, name, NAMEDATALEN);
	key.key.schema = schema;
	target =
		hash_search(targets, &key.key, enter ? HASH_ENTER : HASH_FIND, &found);
	if (enter && !found)
		target->count = 0;
	return target;
}

static void
add_target(HTAB *targets, const SaTable *table, const char *name, int attnum,
		   bool presumed)
{
	Target *target = find_target(targets, table->schema_oid, name, true);

	/* a declared key is better than a presumed one */
	if (target->count > 0 && presumed && !target->presumed)
		return;
	if (target->count > 0 && target->presumed && !presumed)
		target->count = 0;
	target->count++;
	target->table = table;
	target->attnum = (int16) attnum;
	target->presumed = presumed;
}

/* The column that is the table's key by itself, or seems to be; 0 = none. */
static int
single_key(const SaTable *table, bool *presumed)
{
	*presumed = false;
	for (int i = 0; i < table->nkeys; i++)
		if (table->keys[i].ncolumns == 1)
			return table->keys[i].columns[0];
	if (table->nkeys > 0 || table->ncolumns == 0 ||
		key_stem_length(table->columns[0].name) < 0)
		return 0;
	*presumed = true;
	return table->columns[0].attnum;
}

static HTAB *
make_table(const char *name, Size keysize, Size entrysize)
{
	HASHCTL ctl = {0};

	ctl.keysize = keysize;
	ctl.entrysize = entrysize;
	ctl.hcxt = CurrentMemoryContext;
	return hash_create(name, 256, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

static void
find_targets(SaCatalog *catalog, Targets *targets)
{
	HASH_SEQ_STATUS scan;
	const SaTable *table;

	hash_seq_init(&scan, catalog->tables);
	while ((table = hash_seq_search(&scan)) != NULL)
	{
		bool presumed;
		int attnum = table->listed ? single_key(table, &presumed) : 0;
		char normal[NAMEDATALEN];

		if (attnum == 0)
			continue;
		add_target(targets->keys, table, sa_catalog_column(table, attnum)->name,
				   attnum, presumed);
		normalize(table->name, strlen(table->name), normal);
		add_target(targets->tables, table, normal, attnum, presumed);
	}
}

/*
 * A name of columns, and what it is looked up by: "home_team_id" speaks of a
 * table "home_team" or "team".  Most names are those of many columns.
 */
typedef struct NameForms
{
	const char *name; /* hash key: the address, since names are interned */
	bool general;
	int count;
	char **forms;
} NameForms;

#define MAX_FORMS 4

static void
make_forms(NameForms *forms)
{
	const char *start = forms->name;
	int len = key_stem_length(start);

	forms->general = is_general(forms->name);
	forms->count = 0;
	forms->forms = NULL;
	while (len > 0 && start[len - 1] == '_')
		len--;
	if (len > 0)
		forms->forms = palloc(sizeof(char *) * MAX_FORMS);
	while (len > 0 && forms->count < MAX_FORMS)
	{
		const char *next = memchr(start, '_', len);
		char *normal = palloc(NAMEDATALEN);

		normalize(start, len, normal);
		forms->forms[forms->count++] = normal;
		if (next == NULL)
			break;
		len -= next + 1 - start;
		start = next + 1;
	}
}

static const NameForms *
forms_of(const Targets *targets, const char *name)
{
	bool found;
	NameForms *forms = hash_search(targets->names, &name, HASH_ENTER, &found);

	if (!found)
		make_forms(forms);
	return forms;
}

static const Target *
target_of(const Targets *targets, const SaTable *table,
		  const SaCatalogColumn *column)
{
	const NameForms *forms = forms_of(targets, column->name);
	const Target *target = NULL;

	if (!forms->general)
		target =
			find_target(targets->keys, table->schema_oid, column->name, false);
	if (target && (target->count != 1 || target->table == table))
		target = NULL;
	for (int i = 0; target == NULL && i < forms->count; i++)
		target = find_target(targets->tables, table->schema_oid,
							 forms->forms[i], false);
	if (target == NULL || target->count != 1 || target->table == table)
		return NULL;
	if (sa_catalog_column(target->table, target->attnum)->type->oid !=
		column->type->oid)
		return NULL;
	return target;
}

/* Does a declared key already say where the column leads? */
static bool
has_key(const SaTable *table, int attnum)
{
	ListCell *cell;

	foreach (cell, table->foreign_keys)
	{
		const SaForeignKey *key = lfirst(cell);

		for (int i = 0; key->table == table->oid && i < key->ncolumns; i++)
			if (key->columns[i] == attnum)
				return true;
	}
	return false;
}

static void
imply_key(SaCatalog *catalog, const SaTable *table, int attnum,
		  const Target *target)
{
	SaForeignKey *key =
		MemoryContextAllocZero(catalog->keys, sizeof(SaForeignKey));

	key->table = table->oid;
	key->foreign_table = target->table->oid;
	key->ncolumns = 1;
	key->columns = MemoryContextAlloc(catalog->keys, sizeof(int16));
	key->columns[0] = (int16) attnum;
	key->foreign_columns = MemoryContextAlloc(catalog->keys, sizeof(int16));
	key->foreign_columns[0] = target->attnum;
	key->implied = true;
	key->presumed = target->presumed;
	sa_catalog_link(catalog, key);
}

void
sa_imply_keys(SaCatalog *catalog)
{
	Size keysize = sizeof(((Target *) NULL)->key);
	Targets targets = {
		make_table("sqlagent key names", keysize, sizeof(Target)),
		make_table("sqlagent table names", keysize, sizeof(Target)),
		make_table("sqlagent name forms", sizeof(char *), sizeof(NameForms))};
	HASH_SEQ_STATUS scan;
	const SaTable *table;

	find_targets(catalog, &targets);
	hash_seq_init(&scan, catalog->tables);
	while ((table = hash_seq_search(&scan)) != NULL)
	{
		bool presumed = false;
		int own = table->listed ? single_key(table, &presumed) : 0;

		for (int i = 0; table->listed && i < table->ncolumns; i++)
		{
			const SaCatalogColumn *column = &table->columns[i];
			const Target *target;

			/* a masked column is no way to join, since its values show */
			if (column->masked || has_key(table, column->attnum))
				continue;
			target = target_of(&targets, table, column);
			if (target == NULL)
				continue;
			/* a table's own key leads nowhere, unless it only seems to be one */
			if (column->attnum == own && (!presumed || target->presumed))
				continue;
			imply_key(catalog, table, column->attnum, target);
		}
	}
	hash_destroy(targets.keys);
	hash_destroy(targets.tables);
	hash_destroy(targets.names);
}
