/*
 * guard_lists.c
 *	  The lists of the guard's policy: names of built-ins and system relations.
 *
 * Asked by guard_function and guard_relation.  Each list is sorted, for
 * bsearch.  A built-in called pg_* is refused unless it is listed, so what a
 * later version adds under this prefix is refused as well.
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/varlena.h"

#include "db/guard_lists.h"

static const char *const volatile_allowed[] = {
	"array_sample",		"array_shuffle",   "bernoulli",
	"clock_timestamp",	"gen_random_uuid", "pg_indexes_size",
	"pg_relation_size", "pg_table_size",   "pg_total_relation_size",
	"random",			"random_normal",   "system",
	"timeofday",		"uuidv4",		   "uuidv7",
};

static const char *const pg_allowed[] = {
	"pg_column_size",		  "pg_indexes_size", "pg_relation_size",
	"pg_size_bytes",		  "pg_size_pretty",	 "pg_table_size",
	"pg_total_relation_size", "pg_typeof",
};

/*
 * access lists and validators; the text of settings, encodings and rules;
 * queries in disguise (*_to_xml*); transaction numbers; addresses; relations
 * by OID; dictionaries, which are files
 */
static const char *const harmful[] = {
	"aclcontains",
	"acldefault",
	"aclexplode",
	"aclinsert",
	"aclremove",
	"current_setting",
	"database_to_xml",
	"database_to_xml_and_xmlschema",
	"database_to_xmlschema",
	"fmgr_c_validator",
	"fmgr_internal_validator",
	"fmgr_sql_validator",
	"getdatabaseencoding",
	"has_largeobject_privilege",
	"has_parameter_privilege",
	"hash_aclitem",
	"hash_aclitem_extended",
	"inet_client_addr",
	"inet_client_port",
	"inet_server_addr",
	"inet_server_port",
	"isn_weak",
	"makeaclitem",
	"mxid_age",
	"postgresql_fdw_validator",
	"querytree",
	"row_security_active",
	"satisfies_hash_partition",
	"schema_to_xml",
	"schema_to_xml_and_xmlschema",
	"schema_to_xmlschema",
	"shobj_description",
	"system_user",
	"table_to_xml",
	"table_to_xml_and_xmlschema",
	"table_to_xmlschema",
	"ts_debug",
	"ts_lexize",
	"ts_parse",
	"ts_token_type",
};

static const char *const never_extensions[] = {
	"adminpack",	 "dblink",		   "file_fdw",	"http",		  "lo",
	"pageinspect",	 "pg_buffercache", "pg_cron",	"pg_net",	  "pg_prewarm",
	"pg_visibility", "pg_walinspect",  "pgcrypto",	"pgrowlocks", "pgstattuple",
	"postgres_fdw",	 "sqlagent",	   "tablefunc", "xml2",
};

static const char *const tolerated[] = {
	"current_setting",
	"pg_get_userbyid",
	"pg_has_role",
	"row_security_active",
};

static const char *const catalog_relations[] = {
	"pg_attribute", "pg_class",	 "pg_constraint", "pg_description",
	"pg_enum",		"pg_index",	 "pg_indexes",	  "pg_matviews",
	"pg_namespace", "pg_tables", "pg_type",		  "pg_views",
};

static const char *const information_relations[] = {
	"columns",			"constraint_column_usage",
	"key_column_usage", "referential_constraints",
	"schemata",			"table_constraints",
	"tables",			"views",
};

static int
compare_names(const void *key, const void *member)
{
	return strcmp(key, *(const char *const *) member);
}

#define HAS(list, name)                                                        \
	(bsearch(name, list, lengthof(list), sizeof(char *), compare_names) != NULL)

bool
sa_list_volatile_allowed(const char *name)
{
	return HAS(volatile_allowed, name);
}

bool
sa_list_pg_allowed(const char *name)
{
	return HAS(pg_allowed, name);
}

bool
sa_list_harmful(const char *name)
{
	return HAS(harmful, name);
}

bool
sa_list_extension_never(const char *name)
{
	return HAS(never_extensions, name) || strncmp(name, "pl", 2) == 0;
}

bool
sa_list_tolerated(const char *name)
{
	return HAS(tolerated, name);
}

bool
sa_list_system_relation(const char *name, bool information_schema)
{
	return information_schema ? HAS(information_relations, name)
							  : HAS(catalog_relations, name);
}

bool
sa_list_setting_has(const char *setting, const char *name)
{
	char *copy = pstrdup(setting);
	List *names;
	ListCell *cell;

	if (!SplitIdentifierString(copy, ',', &names))
		return false;
	foreach (cell, names)
		if (strcmp(lfirst(cell), name) == 0)
			return true;
	return false;
}
