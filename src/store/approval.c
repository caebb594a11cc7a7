/*
 * approval.c
 *	  Statements that wait for a person, and what was decided.
 *
 * Called by the agent, as the owner of the extension; who may decide is part of
 * the statements.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/spi.h"
#include "store/approval.h"

#include "queries/queries.gen.h"

void
sa_approval_add(const SaApprovalRequest *request)
{
	sa_tx_begin(SA_TX_OWNER_SYNC);
	(void) SA_QUERY(
		SA_QUERY_APPROVAL_ADD, sa_arg_int8(request->run),
		sa_arg_text(request->asker), sa_arg_text(request->question),
		sa_arg_text(request->sql), sa_arg_float8(request->cost),
		sa_arg_float8(request->rows), sa_arg_timestamptz(request->requested_at),
		sa_arg_timestamptz(request->expires_at), sa_arg_jsonb(request->state));
	sa_tx_commit();
}

SaApproval *
sa_approval_find(int64 run, const char *role)
{
	SaApproval *approval = palloc0(sizeof(SaApproval));

	sa_tx_begin(SA_TX_OWNER);
	if (SA_QUERY(SA_QUERY_APPROVAL_FIND, sa_arg_int8(run), sa_arg_text(role)) ==
		0)
		ereport(
			ERROR,
			(errcode(ERRCODE_UNDEFINED_OBJECT),
			 errmsg("run " INT64_FORMAT " does not wait for a decision", run),
			 errdetail("There is no such run that role \"%s\" may decide "
					   "on.",
					   role),
			 errhint("The view sqlagent.waiting lists them.")));
	approval->id = sa_row_int8(0, 1);
	approval->run = run;
	approval->asker = sa_row_text(0, 2);
	approval->sql = sa_row_text(0, 3);
	approval->decision = sa_row_text(0, 4);
	approval->edited_sql = sa_row_text(0, 5);
	approval->reason = sa_row_text(0, 6);
	approval->state = sa_row_text(0, 7);
	approval->expired = sa_row_bool(0, 8);
	approval->question = sa_row_text(0, 9);
	approval->thread = sa_row_int8(0, 10);
	approval->started_at = sa_row_int8(0, 11);
	sa_tx_commit();
	return approval;
}

bool
sa_approval_decide(const SaApproval *approval, const char *decision,
				   const char *role, const char *edited_sql, const char *reason)
{
	int count;

	sa_tx_begin(SA_TX_OWNER_SYNC);
	count = SA_QUERY(SA_QUERY_APPROVAL_DECIDE, sa_arg_int8(approval->id),
					 sa_arg_text(decision), sa_arg_text(role),
					 sa_arg_text(edited_sql), sa_arg_text(reason));
	sa_tx_commit();
	return count == 1;
}

bool
sa_approval_take(const SaApproval *approval, const char *status)
{
	int count;

	sa_tx_begin(SA_TX_OWNER_SYNC);
	count = SA_QUERY(SA_QUERY_APPROVAL_TAKE, sa_arg_int8(approval->id),
					 sa_arg_text(status), sa_arg_int4(MyProcPid),
					 sa_arg_timestamptz(MyStartTimestamp));
	sa_tx_commit();
	return count == 1;
}
