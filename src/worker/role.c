/*
 * role.c
 *	  As whom a run works: the asker, or the stand-in of a superuser.
 *
 * Called by launch in the asker's backend.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/parallel.h"
#include "catalog/pg_authid.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

#include "base/compat.h"
#include "base/guc.h"
#include "llm/client.h"
#include "worker/role.h"

/* The part of pg_authid that matters here. */
typedef struct RoleFacts
{
	bool superuser;
	bool replication;
	bool login;
} RoleFacts;

static RoleFacts
role_facts(Oid role)
{
	HeapTuple tuple = SearchSysCache1(AUTHOID, ObjectIdGetDatum(role));
	RoleFacts facts;
	Form_pg_authid form;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for role %u", role);
	form = (Form_pg_authid) GETSTRUCT(tuple);
	facts.superuser = form->rolsuper;
	facts.replication = form->rolreplication;
	facts.login = form->rolcanlogin;
	ReleaseSysCache(tuple);
	return facts;
}

/*
 * Why generated SQL must not run with this role's rights, or NULL.  Behind each
 * of these rights every gap in the guard would be a way to the server itself.
 */
static const char *
power_of(Oid role)
{
	static const struct
	{
		Oid role;
		const char *power;
	} powers[] = {
		{ROLE_PG_READ_SERVER_FILES, "may read files of the server"},
		{ROLE_PG_WRITE_SERVER_FILES, "may write files of the server"},
		{ROLE_PG_EXECUTE_SERVER_PROGRAM, "may run programs of the server"}};
	RoleFacts facts = role_facts(role);

	if (facts.superuser)
		return "is a superuser";
	if (facts.replication)
		return "may replicate";
	for (int i = 0; i < (int) lengthof(powers); i++)
		if (is_member_of_role(role, powers[i].role))
			return powers[i].power;
	return NULL;
}

static void
check_login(Oid role)
{
	if (SA_CAN_BYPASS_LOGIN || role_facts(role).login)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_AUTHORIZATION_SPECIFICATION),
			 errmsg("role \"%s\" is not permitted to log in",
					GetUserNameFromId(role, false)),
			 errdetail("Before PostgreSQL 17 a run needs a session of the role "
					   "that asks."),
			 errhint("Ask as a role that has LOGIN, or RESET ROLE first.")));
}

/*
 * Inside a SECURITY DEFINER function, an index expression or a materialized
 * view the effective user is not the person who asks, and the question may
 * come from data.
 */
static void
check_context(void)
{
	Oid user;
	int sec_context;

	GetUserIdAndSecContext(&user, &sec_context);
	if (IsParallelWorker())
		ereport(ERROR, (errcode(ERRCODE_INVALID_TRANSACTION_STATE),
						errmsg("cannot ask in a parallel worker")));
	if (sec_context != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("cannot ask within a security-restricted operation"),
				 errdetail("In a SECURITY DEFINER function, an index "
						   "expression or a materialized view the current user "
						   "is not the person who asks."),
				 errhint("Call sqlagent from a SECURITY INVOKER function or "
						 "directly.")));
}

static Oid
superuser_stand_in(void)
{
	Oid role = get_role_oid(sa_guc_superuser_role, true);
	const char *power;

	if (!OidIsValid(role))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("role \"%s\" does not exist", sa_guc_superuser_role),
				 errhint("Set sqlagent.superuser_role to a role that "
						 "may read what shall be asked about.")));
	power = power_of(role);
	if (power)
		ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
						errmsg("role \"%s\" cannot stand in for a superuser",
							   sa_guc_superuser_role),
						errdetail("It %s.", power),
						errhint("Set sqlagent.superuser_role to a role "
								"without such rights.")));
	return role;
}

Oid
sa_role_for_run(void)
{
	Oid role = GetUserId();
	const char *power;

	check_context();
	power = power_of(role);
	if (power && *sa_guc_superuser_role != '\0')
		role = superuser_stand_in();
	else if (power && !sa_client_is_local())
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("cannot run a model's SQL with the rights of role "
						"\"%s\"",
						GetUserNameFromId(role, false)),
				 errdetail("It %s.", power),
				 errhint("Ask as another role, or set sqlagent.superuser_role "
						 "to the role with whose rights the runs of a "
						 "superuser shall work.")));
	check_login(role);
	return role;
}
