/*
 * version.c
 *	  Whether the library and the SQL objects of this database fit together.
 *
 * Called in the asker's backend before the first request: after a package
 * update the library is new and the objects are old until somebody says ALTER
 * EXTENSION, and what goes wrong then is not easy to read.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/indexing.h"
#include "catalog/pg_extension.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"

#include "base/version.h"

char *
sa_version_installed(void)
{
	Relation rel = table_open(ExtensionRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple tuple;
	char *version = NULL;

	ScanKeyInit(&key, Anum_pg_extension_extname, BTEqualStrategyNumber,
				F_NAMEEQ, CStringGetDatum("sqlagent"));
	scan = systable_beginscan(rel, ExtensionNameIndexId, true, NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
	{
		bool isnull;
		Datum value = heap_getattr(tuple, Anum_pg_extension_extversion,
								   RelationGetDescr(rel), &isnull);

		if (!isnull)
			version = TextDatumGetCString(value);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return version;
}

void
sa_version_check(void)
{
	static bool checked = false;
	char *version;

	if (checked)
		return;
	version = sa_version_installed();
	if (version && strcmp(version, SQLAGENT_VERSION) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("sqlagent's library does not fit its objects in this "
						"database"),
				 errdetail("The library has version %s, the objects have "
						   "version %s.",
						   SQLAGENT_VERSION, version),
				 errhint("Run ALTER EXTENSION sqlagent UPDATE TO '%s', or "
						 "begin a new session if that has been done.",
						 SQLAGENT_VERSION)));
	checked = true;
}
