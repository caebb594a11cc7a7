/*
 * reuse.c
 *	  A question that equals an approved pattern is answered by its SQL.
 *
 * Called by the loop before a model is asked.  The SQL is guarded and run like
 * any other, with the asker's rights and limits; approval vouches for its
 * meaning, not for its safety.  Whatever goes wrong here leaves the question to
 * the model.
 *
 * Where each statement waits for a person (sqlagent.approval = always), a pattern
 * that was approved once does not run by itself either.
 *
 * Nothing is decided about the pattern here: that it fails for one role says
 * little (its search_path or rights may be others).
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "agent/knowledge.h"
#include "agent/verb.h"
#include "base/guc.h"
#include "base/spi.h"
#include "base/text.h"
#include "db/literal.h"
#include "db/query.h"
#include "store/object.h"
#include "store/pattern.h"

/* What is known of the pattern before its SQL is run. */
typedef struct Found
{
	SaPatternHit *hit;
	List *objects; /* that it was approved with */
} Found;

static bool
find(SaRunState *run, Found *found)
{
	const char *question = run->task->question;
	int approved;

	sa_tx_begin(SA_TX_OWNER);
	approved = sa_search_approved();
	run->knowledge_none = approved == 0;
	if (approved & (1 << SA_PATTERN))
		found->hit = sa_pattern_match(question);
	if (found->hit && sa_objects_follow_item(SA_PATTERN, found->hit->id))
		found->hit = sa_pattern_match(question);
	if (found->hit)
		found->objects = sa_objects_of(SA_PATTERN, found->hit->id);
	sa_tx_commit();
	return found->hit != NULL;
}

static char *
call_arguments(const char *sql)
{
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfoString(&out, "{\"sql\": ");
	sa_text_json(&out, sql);
	appendStringInfoChar(&out, '}');
	return out.data;
}

static void
record(SaRunState *run, const SaPatternHit *hit, const SaResult *result,
	   bool executed, TimestampTz started)
{
	SaStep step = {0};

	step.kind = "tool";
	step.name = executed ? "run_sql" : "check_sql";
	step.input = call_arguments(hit->sql);
	step.thought = psprintf("pattern " INT64_FORMAT ": %s", hit->id, hit->name);
	step.sql = result->sql;
	step.outcome = result->error == NULL ? "ok"
				   : result->rule		 ? "refused"
										 : "error";
	step.error = result->error;
	step.row_count = executed && !result->error ? result->nrows : -1;
	step.truncated = result->truncated;
	step.started_at = started;
	step.duration_ms = (GetCurrentTimestamp() - started) / 1000.0;
	sa_run_step(run->record, &step);
	if (executed && run->sink->statement)
		run->sink->statement(run->sink->arg, result);
}

/* Why the result is no answer, or NULL. */
static const char *
why_not(const Found *found, const SaResult *result, bool executed)
{
	char *misses;

	if (result->error)
		return psprintf("pattern \"%s\" could not be used: %s",
						found->hit->name, result->error->message);
	if (found->objects != NIL &&
		!sa_objects_stand(found->objects, found->hit->checked, result->objects))
		return psprintf("pattern \"%s\" was not used: its SQL means other "
						"tables or columns here than those it was approved for",
						found->hit->name);
	/*
	 * Nothing for a word of the question may be a word that is written another
	 * way ("usa", "USA"): a model can find out.
	 */
	misses = executed ? sa_literal_check(result, true) : NULL;
	if (misses)
		return psprintf("pattern \"%s\" found nothing: %s", found->hit->name,
						sa_text_trim(misses));
	return NULL;
}

static void
answer(SaRunState *run, const Found *found, SaResult *result, bool executed)
{
	SaUsed *used = palloc0(sizeof(SaUsed));

	used->kind = SA_PATTERN;
	used->id = found->hit->id;
	used->name = found->hit->name;
	used->how = "reused";
	run->knowledge = lappend(run->knowledge, used);
	run->result = result;
	run->from_rows = true;
	run->status = SA_STATUS_ANSWERED;
	run->answer =
		executed ? sa_answer_from_rows(result) : pstrdup(found->hit->sql);
	if (!found->hit->checked && found->objects != NIL)
	{
		sa_tx_begin(SA_TX_OWNER);
		sa_pattern_checked(found->hit->id, result->objects);
		sa_tx_commit();
	}
}

bool
sa_knowledge_reuse(SaRunState *run)
{
	bool executed = !sa_verb_writes_sql(run->task->verb);
	TimestampTz started = GetCurrentTimestamp();
	Found found = {NULL, NIL};
	SaResult *result;
	const char *problem;

	if (!sa_guc_learning || sa_guc_reuse == SA_REUSE_OFF ||
		sa_guc_approval == SA_APPROVAL_ALWAYS ||
		run->task->verb == SA_VERB_EXPLAIN_SQL ||
		run->task->verb == SA_VERB_FIX_SQL || !find(run, &found))
		return false;
	result = executed ? sa_query_run(found.hit->sql, sa_guc_max_rows)
					  : sa_query_check(found.hit->sql);
	record(run, found.hit, result, executed, started);
	problem = why_not(&found, result, executed);
	if (problem)
	{
		sa_run_warn(run, problem);
		if (result->error)
			run->errors =
				lappend(run->errors, unconstify(SaError *, result->error));
		return false;
	}
	answer(run, &found, result, executed);
	return true;
}
