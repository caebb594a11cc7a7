/*
 * compat.h
 *	  Every difference between the server versions, 15 to 18.
 *
 * The wrappers have the signature of the newest version; no other file
 * mentions PG_VERSION_NUM.
 */
#ifndef SA_COMPAT_H
#define SA_COMPAT_H

#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "storage/latch.h"
#include "utils/guc.h"
#include "utils/guc_tables.h"
#include "utils/regproc.h"
#include "utils/resowner.h"
#include "utils/wait_event.h"

#if PG_VERSION_NUM < 150000
#error "sqlagent needs PostgreSQL 15 or later"
#endif

#if PG_VERSION_NUM >= 160000
#include "parser/parse_relation.h"
#include "varatt.h"
#endif
#if PG_VERSION_NUM >= 180000
#include "storage/waiteventset.h"
#endif

/* PostgreSQL 18 can carry the module's name and version in its magic block. */
#ifdef PG_MODULE_MAGIC_EXT
#define SA_MODULE_MAGIC                                                        \
	PG_MODULE_MAGIC_EXT(.name = "sqlagent", .version = SQLAGENT_VERSION)
#else
#define SA_MODULE_MAGIC PG_MODULE_MAGIC
#endif

/* PostgreSQL 17: a wait event set belongs to a resource owner, or to none. */
static inline WaitEventSet *
sa_create_wait_event_set(int nevents)
{
#if PG_VERSION_NUM >= 170000
	return CreateWaitEventSet(NULL, nevents);
#else
	return CreateWaitEventSet(TopMemoryContext, nevents);
#endif
}

/* PostgreSQL 18 dropped execute_once: a QueryDesc is always run once. */
static inline void
sa_executor_run(QueryDesc *queryDesc, ScanDirection direction, uint64 count)
{
#if PG_VERSION_NUM >= 180000
	ExecutorRun(queryDesc, direction, count);
#else
	ExecutorRun(queryDesc, direction, count, true);
#endif
}

/* PostgreSQL 17: a worker may connect as a role that has no LOGIN. */
#if PG_VERSION_NUM >= 170000
#define SA_CAN_BYPASS_LOGIN true
#define SA_WORKER_FLAGS (BGWORKER_BYPASS_ROLELOGINCHECK)
#else
#define SA_CAN_BYPASS_LOGIN false
#define SA_WORKER_FLAGS 0
#endif

/* PostgreSQL 17: extensions name their own wait events. */
static inline uint32
sa_wait_event(uint32 *event, const char *name)
{
#if PG_VERSION_NUM >= 170000
	if (*event == 0)
		*event = WaitEventExtensionNew(name);
	return *event;
#else
	(void) event;
	(void) name;
	return PG_WAIT_EXTENSION;
#endif
}

/* PostgreSQL 16: the settings moved into a hash table. */
static inline struct config_generic **
sa_guc_variables(int *count)
{
#if PG_VERSION_NUM >= 160000
	return get_guc_variables(count);
#else
	*count = GetNumConfigOptions();
	return get_guc_variables();
#endif
}

/* PostgreSQL 16: what is read of a relation moved out of its entry. */
static inline Bitmapset *
sa_rte_selected_columns(const Query *query, const RangeTblEntry *rte)
{
#if PG_VERSION_NUM >= 160000
	if (rte->perminfoindex == 0)
		return NULL;
	return getRTEPermissionInfo(query->rteperminfos, (RangeTblEntry *) rte)
		->selectedCols;
#else
	(void) query;
	return rte->selectedCols;
#endif
}

/* Raises an error unless the current user may read all that the plan reads. */
static inline void
sa_check_permissions(const PlannedStmt *plan)
{
#if PG_VERSION_NUM >= 160000
	(void) ExecCheckPermissions(plan->rtable, plan->permInfos, true);
#else
	(void) ExecCheckRTPerms(plan->rtable, true);
#endif
}

/* PostgreSQL 18: an entry that stands for the grouping step. */
static inline bool
sa_rte_is_group(const RangeTblEntry *rte)
{
#if PG_VERSION_NUM >= 180000
	return rte->rtekind == RTE_GROUP;
#else
	(void) rte;
	return false;
#endif
}

/* PostgreSQL 16: an error context that can be soft; ours is not. */
static inline List *
sa_qualified_name_list(const char *name)
{
#if PG_VERSION_NUM >= 160000
	return stringToQualifiedNameList(name, NULL);
#else
	return stringToQualifiedNameList(name);
#endif
}

/* The expression that such an entry's column stands for. */
static inline Node *
sa_rte_group_expression(const RangeTblEntry *rte, AttrNumber number)
{
#if PG_VERSION_NUM >= 180000
	if (number > 0 && number <= list_length(rte->groupexprs))
		return list_nth(rte->groupexprs, number - 1);
#else
	(void) rte;
	(void) number;
#endif
	return NULL;
}

/* PostgreSQL 16 and 17: SQL/JSON expressions, which make values of any type. */
static inline bool
sa_is_json_value(const Node *node)
{
#if PG_VERSION_NUM >= 170000
	return IsA(node, JsonConstructorExpr) || IsA(node, JsonExpr);
#elif PG_VERSION_NUM >= 160000
	return IsA(node, JsonConstructorExpr);
#else
	(void) node;
	return false;
#endif
}

#endif /* SA_COMPAT_H */
