/*
 * decide.c
 *	  approve() and reject(): a person decides on a statement that waits.
 *
 * Called by command.c.  Generated SQL runs with the asker's rights only, so what
 * another role decided is recorded, and the run goes on when the asker comes.
 */
#include "postgres.h"

#include "agent/decide.h"
#include "agent/verb.h"
#include "base/text.h"
#include "db/query.h"
#include "store/approval.h"
#include "store/run.h"

static void
expire(const SaApproval *approval)
{
	(void) sa_approval_decide(approval, "expired", NULL, NULL, NULL);
	(void) sa_approval_take(approval, SA_STATUS_CANCELLED);
	ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					errmsg("the time to decide on run " INT64_FORMAT " is over",
						   approval->run),
					errhint("Ask again; sqlagent.approval_timeout sets the "
							"time.")));
}

/* Edited SQL goes through the guard like any other, before it is recorded. */
static void
check_edited(const char *sql)
{
	SaResult *checked = sa_query_check(sql);

	if (checked->error && strcmp(checked->error->type, SA_ERROR_COST) != 0)
		sa_error_raise(checked->error, ERROR);
}

static void
record(SaApproval *approval, const SaDecision *decision, bool is_asker)
{
	const char *word = decision->approved ? "approved" : "rejected";

	if (approval->decision)
	{
		if (!is_asker)
			ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
							errmsg("run " INT64_FORMAT " is decided already",
								   approval->run),
							errdetail("It was %s.", approval->decision)));
		if (strcmp(approval->decision, word) != 0 || decision->sql)
			ereport(NOTICE, (errmsg("the statement had been %s, which stands",
									approval->decision)));
		return;
	}
	if (decision->sql && is_asker)
		check_edited(decision->sql);
	if (!sa_approval_decide(approval, word, decision->role, decision->sql,
							decision->reason))
		ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						errmsg("run " INT64_FORMAT
							   " was decided by somebody else just now",
							   approval->run)));
	approval->decision = pstrdup(word);
	approval->edited_sql = decision->sql ? pstrdup(decision->sql) : NULL;
	approval->reason = decision->reason ? pstrdup(decision->reason) : NULL;
}

char *
sa_decide(const SaDecision *decision, const SaSink *sink)
{
	SaApproval *approval = sa_approval_find(decision->run, decision->role);
	bool is_asker = strcmp(approval->asker, decision->role) == 0;
	SaAnswer *answer;

	if (approval->expired && approval->decision == NULL)
		expire(approval);
	record(approval, decision, is_asker);
	if (!is_asker)
		return psprintf("The statement of run " INT64_FORMAT
						" is %s. Role \"%s\" goes on with it by SELECT "
						"sqlagent.approve(" INT64_FORMAT ").",
						approval->run, approval->decision, approval->asker,
						approval->run);
	if (!sa_approval_take(approval, "running"))
		ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						errmsg("run " INT64_FORMAT
							   " is gone on with in another session",
							   approval->run)));
	answer = sa_loop_resume(approval, sink);
	/* A run that waits again has no rows to give, but that is no error here. */
	if (strcmp(answer->status, SA_STATUS_WAITING) == 0 &&
		sa_verb_info(answer->verb)->gives == SA_GIVES_ROWS)
		return answer->text;
	return sa_verb_give(answer);
}
