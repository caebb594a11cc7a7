/*
 * guard_relation.c
 *	  R20 to R25: which relations and columns a statement may read.
 *
 * Called by guard_walk for each relation of the statement and of the bodies
 * of its views.  Whether the asker has the right to read it is the executor's
 * business, not ours.  What is found out is kept until some relation changes.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "access/transam.h"
#include "catalog/dependency.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_namespace.h"
#include "commands/extension.h"
#include "nodes/bitmapset.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "base/guc.h"
#include "db/guard_lists.h"
#include "db/guard_walk.h"
#include "db/label.h"

typedef struct KnownRelation
{
	Oid relation; /* hash key */
	bool is_system;
	bool is_listed_system;
	bool is_temporary;
	bool is_ours;
	bool is_foreign; /* or has a foreign child */
	Oid extension;	 /* that owns it, or InvalidOid */
} KnownRelation;

static HTAB *known_relations = NULL;
static bool is_stale = false;

static void
forget_relations(Datum arg, Oid relation)
{
	is_stale = true;
}

static void
prepare_known_relations(void)
{
	HASHCTL ctl = {0};

	if (known_relations && !is_stale)
		return;
	if (known_relations)
		hash_destroy(known_relations);
	else
		CacheRegisterRelcacheCallback(forget_relations, (Datum) 0);
	ctl.keysize = sizeof(Oid);
	ctl.entrysize = sizeof(KnownRelation);
	ctl.hcxt = TopMemoryContext;
	known_relations = hash_create("sqlagent relations", 64, &ctl,
								  HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	is_stale = false;
}

static bool
has_foreign_child(Oid relation)
{
	ListCell *cell;

	if (!has_subclass(relation))
		return false;
	foreach (cell, find_all_inheritors(relation, NoLock, NULL))
		if (get_rel_relkind(lfirst_oid(cell)) == RELKIND_FOREIGN_TABLE)
			return true;
	return false;
}

static KnownRelation
look_at(Oid relation)
{
	KnownRelation known = {relation};
	Oid schema = get_rel_namespace(relation);
	const char *schema_name = get_namespace_name(schema);
	const char *name = get_rel_name(relation);

	known.is_system = relation < FirstNormalObjectId;
	if (known.is_system && name && schema_name)
		known.is_listed_system = sa_list_system_relation(
			name, strcmp(schema_name, "information_schema") == 0);
	known.is_temporary = isAnyTempNamespace(schema);
	known.is_ours = schema_name && strcmp(schema_name, "sqlagent") == 0;
	known.is_foreign = get_rel_relkind(relation) == RELKIND_FOREIGN_TABLE ||
					   has_foreign_child(relation);
	known.extension = known.is_system
						  ? InvalidOid
						  : getExtensionOfObject(RelationRelationId, relation);
	return known;
}

/* By value: the table may be emptied at any lookup. */
static KnownRelation
know_relation(Oid relation)
{
	KnownRelation *entry;
	KnownRelation known;

	prepare_known_relations();
	entry = hash_search(known_relations, &relation, HASH_FIND, NULL);
	if (entry)
		return *entry;
	known = look_at(relation);
	prepare_known_relations();
	entry = hash_search(known_relations, &relation, HASH_ENTER, NULL);
	*entry = known;
	return known;
}

static bool
refuse(SaWalk *walk, const char *rule, Oid relation, const char *what)
{
	return sa_guard_refuse(walk, rule, sa_guard_table_location(walk, relation),
						   "%s \"%s\" is not allowed", what,
						   get_rel_name(relation));
}

static bool
is_readable_kind(char relkind)
{
	return relkind == RELKIND_RELATION ||
		   relkind == RELKIND_PARTITIONED_TABLE || relkind == RELKIND_VIEW ||
		   relkind == RELKIND_MATVIEW || relkind == RELKIND_SEQUENCE ||
		   relkind == RELKIND_FOREIGN_TABLE;
}

/* R20 to R23 */
static bool
check_relation(SaWalk *walk, const RangeTblEntry *rte)
{
	KnownRelation known = know_relation(rte->relid);

	if (!is_readable_kind(rte->relkind))
		return refuse(walk, "R20", rte->relid, "relation");
	if (known.is_system)
	{
		/* what the owner of a policy looks up is not shown to anybody */
		if (walk->author == SA_AUTHOR_POLICY)
			return false;
		if (known.is_listed_system && sa_label_any_hidden())
			return sa_guard_refuse_text(
				walk, "R20", sa_guard_table_location(walk, rte->relid),
				"Use the tool introspect_schema.",
				psprintf("system relation \"%s\" is not allowed, since it "
						 "tells of hidden tables and columns",
						 get_rel_name(rte->relid)));
		if (known.is_listed_system)
			return false;
		return refuse(walk, "R20", rte->relid, "system relation");
	}
	if (known.is_ours)
		return refuse(walk, "R21", rte->relid, "relation of sqlagent");
	if (OidIsValid(known.extension) &&
		!sa_list_setting_has(sa_guc_allowed_extensions,
							 get_extension_name(known.extension)))
		return refuse(walk, "R21", rte->relid, "relation of an extension");
	if (known.is_temporary)
		return refuse(walk, "R22", rte->relid, "temporary table");
	if (known.is_foreign && !sa_guc_allow_foreign)
		return refuse(walk, "R23", rte->relid, "foreign table");
	return false;
}

/*
 * Is it in a schema that sqlagent.schemas leaves out?  What a view of another
 * schema reads is its author's business.
 */
static bool
is_outside(Oid relation)
{
	const char *wanted = sa_guc_schemas;
	const char *schema;

	if (wanted == NULL || *wanted == '\0' || relation < FirstNormalObjectId)
		return false;
	schema = get_namespace_name(get_rel_namespace(relation));
	return schema && !sa_list_setting_has(wanted, schema);
}

static bool
check_columns(SaWalk *walk, const Query *query, const RangeTblEntry *rte)
{
	Bitmapset *columns = sa_rte_selected_columns(query, rte);
	int member = -1;

	while ((member = bms_next_member(columns, member)) >= 0)
	{
		AttrNumber number = member + FirstLowInvalidHeapAttributeNumber;

		SaLabel label = sa_label_column(rte->relid, number);

		walk->touches_masked = walk->touches_masked || label != SA_LABEL_NONE;
		/* what a view reads counts where its columns are used */
		if (label != SA_LABEL_HIDDEN || walk->author != SA_AUTHOR_MODEL)
			continue;
		if (number == InvalidAttrNumber)
			return sa_guard_refuse(
				walk, "R25", sa_guard_table_location(walk, rte->relid),
				"the whole row of \"%s\" is not allowed, since it has hidden "
				"columns",
				get_rel_name(rte->relid));
		return sa_guard_refuse(
			walk, "R25", sa_guard_table_location(walk, rte->relid),
			"column \"%s\" of \"%s\" is hidden",
			get_attname(rte->relid, number, false), get_rel_name(rte->relid));
	}
	return false;
}

bool
sa_guard_relation(SaWalk *walk, const Query *query, RangeTblEntry *rte)
{
	/* a rule of version 15 refers to its own view as OLD and NEW */
	if (list_member_oid(walk->views, rte->relid) ||
		walk->author == SA_AUTHOR_SYSTEM)
		return false;
	if (check_relation(walk, rte))
		return true;
	if (walk->author == SA_AUTHOR_POLICY)
		return false;
	if (walk->author == SA_AUTHOR_MODEL && is_outside(rte->relid))
		return refuse(walk, "R24", rte->relid,
					  "relation outside of sqlagent.schemas");
	if (sa_label_table_hidden(rte->relid))
		return refuse(walk, "R24", rte->relid, "hidden table");
	return check_columns(walk, query, rte);
}
