/*
 * label.c
 *	  The provider of SECURITY LABEL FOR sqlagent, and what its labels mean for
 *	  a table or column.
 *
 * The server stores the labels and pg_dump keeps them.  Asked by the guard and
 * by introspection.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "commands/seclabel.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"

#include "db/label.h"
#include "db/label_store.h"
#include "db/lineage.h"

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
	label = sa_label_store_value(text);
	if (label == SA_LABEL_NONE || (label == SA_LABEL_MASKED && !is_column))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("invalid sqlagent label \"%s\"", text),
						is_column ? errhint("A column can be \"hidden\" or "
											"\"masked\".")
								  : errhint("A table can be \"hidden\".")));
}

void
sa_label_init(void)
{
	register_label_provider(SA_LABEL_PROVIDER, check_label);
}

bool
sa_label_any_hidden(void)
{
	return sa_label_store_any_hidden();
}

bool
sa_label_table_hidden(Oid relation)
{
	return sa_label_store_table_hidden(relation);
}

SaLabel
sa_label_column(Oid relation, AttrNumber number)
{
	char relkind;

	if (!sa_label_store_any())
		return SA_LABEL_NONE;
	relkind = get_rel_relkind(relation);
	if (relkind == RELKIND_VIEW || relkind == RELKIND_MATVIEW)
		return sa_lineage_view_column(relation, number);
	return sa_label_store_column(relation, number);
}
