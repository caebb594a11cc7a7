/*
 * feedback.c
 *	  The asker's verdict on a run.
 *
 * A command of the worker.  What the asker says is a proposal, too: right, and
 * question and SQL become a pattern to review; wrong, and a correction becomes a
 * learning to review, and what the run had used goes back to its reviewers.  Its
 * answer tells the asker what became of it, for a notice.
 */
#include "postgres.h"

#include "agent/knowledge.h"
#include "base/spi.h"
#include "base/text.h"
#include "db/query.h"
#include "store/learning.h"
#include "store/pattern.h"
#include "store/question.h"

#include "queries/queries.gen.h"

#define MAX_NAME 100
#define MAX_SUMMARY 500

typedef struct Verdict
{
	int64 run;
	const char *asker;
	bool correct;
	char *correction; /* or NULL */
	char *question;
	char *sql; /* or NULL */
	char *answer;
	bool answered;
	bool gave_sql; /* the answer is the SQL itself */
	StringInfoData told;
} Verdict;

/* One more sentence for the asker. */
static void
tell(Verdict *verdict, const char *sentence)
{
	appendStringInfo(&verdict->told, "%s%s", verdict->told.len > 0 ? "; " : "",
					 sentence);
}

static void
load(Verdict *verdict)
{
	sa_tx_begin(SA_TX_OWNER);
	if (SA_QUERY(SA_QUERY_FEEDBACK_RUN, sa_arg_int8(verdict->run),
				 sa_arg_text(verdict->asker)) == 0)
		ereport(ERROR, (errcode(ERRCODE_NO_DATA_FOUND),
						errmsg("there is no run " INT64_FORMAT " of yours",
							   verdict->run)));
	verdict->question = sa_row_text(0, 1);
	verdict->sql = sa_row_text(0, 2);
	verdict->answer = sa_row_text(0, 3);
	verdict->answered = sa_row_bool(0, 4);
	verdict->gave_sql = sa_row_bool(0, 5);
	sa_tx_commit();
}

/* At most 100 characters of it. */
static char *
short_name(const char *text)
{
	return sa_text_clip(sa_text_trim(text), MAX_NAME - 4);
}

/* What of approved knowledge the run has used. */
static void
judge_used(Verdict *verdict)
{
	char *note =
		psprintf("run " INT64_FORMAT " was called wrong by %s%s%s",
				 verdict->run, verdict->asker, verdict->correction ? ": " : "",
				 verdict->correction ? verdict->correction : "");
	int count;
	int64 *ids;
	SaKnowledge *kinds;
	bool reused = false;

	sa_tx_begin(SA_TX_OWNER_SYNC);
	count = SA_QUERY(SA_QUERY_FEEDBACK_USED, sa_arg_int8(verdict->run),
					 sa_arg_text(verdict->asker));
	ids = palloc(sizeof(int64) * Max(count, 1));
	kinds = palloc(sizeof(SaKnowledge) * Max(count, 1));
	for (int i = 0; i < count; i++)
	{
		/* A pattern that was the answer itself is alone to blame. */
		reused |= sa_row_bool(i, 3);
		kinds[i] = sa_knowledge_named(sa_row_text(i, 1));
		ids[i] = sa_row_int8(i, 2);
	}
	if (reused)
		count = 1;
	for (int i = 0; i < count; i++)
	{
		if (verdict->correct)
			sa_knowledge_use(kinds[i], ids[i]);
		else if (kinds[i] != SA_RULE &&
				 sa_knowledge_doubt(kinds[i], ids[i], note))
			tell(verdict, psprintf("%s " INT64_FORMAT " goes back to review",
								   sa_knowledge_name(kinds[i]), ids[i]));
	}
	sa_tx_commit();
}

/* Question and SQL of a run that was right; one that is known is enough. */
static void
propose_pattern(Verdict *verdict)
{
	SaOrigin origin = {verdict->asker, verdict->run};
	SaPatternText text = {0};
	SaError *existing;
	SaResult *result;
	int64 id;

	if (verdict->sql == NULL || !verdict->answered)
	{
		tell(verdict,
			 "the run has no statement that answers a question, so there "
			 "is no pattern to propose");
		return;
	}
	result = sa_query_check(verdict->sql);
	if (result->error)
		sa_error_raise(result->error, ERROR);
	text.name = short_name(verdict->question);
	text.question = verdict->question;
	text.sql = verdict->sql;
	if (verdict->answer && !verdict->gave_sql)
		text.summary = sa_text_clip(verdict->answer, MAX_SUMMARY);
	existing = sa_pattern_problem(&text);
	if (existing)
		sa_error_raise(existing, ERROR);
	sa_tx_begin(SA_TX_OWNER_SYNC);
	id = sa_pattern_propose(&text, &origin, result->objects, &existing);
	sa_tx_commit();
	if (existing)
		tell(verdict, psprintf("%s: %s", existing->message, existing->detail));
	else
		tell(verdict,
			 psprintf("pattern " INT64_FORMAT " waits for review", id));
}

static void
propose_learning(Verdict *verdict)
{
	SaOrigin origin = {verdict->asker, verdict->run};
	SaLearningText text = {0};
	List *objects = NIL;
	SaError *problem;
	bool known;
	int64 id;

	text.title = short_name(verdict->question);
	text.description = verdict->correction;
	text.category = "business_logic";
	if (verdict->correct)
		text.sql = verdict->sql;
	else
		text.failing_sql = verdict->sql;
	problem = sa_learning_problem(&text);
	if (problem)
		sa_error_raise(problem, ERROR);
	text.key = psprintf("feedback %s %s", sa_text_hash(verdict->correction),
						sa_question_key(verdict->question));
	if (verdict->sql)
		objects = sa_query_check(verdict->sql)->objects;
	sa_tx_begin(SA_TX_OWNER_SYNC);
	id = sa_learning_propose(&text, &origin, objects, &known);
	sa_tx_commit();
	tell(verdict, psprintf("learning " INT64_FORMAT " %s", id,
						   known ? "is there already and was counted"
								 : "waits for review"));
}

char *
sa_knowledge_feedback(const SaJson *args, const char *asker)
{
	Verdict verdict = {0};

	verdict.run = sa_json_get_int(args, "run", 0);
	verdict.asker = asker;
	verdict.correct = sa_json_get_bool(args, "correct", true);
	verdict.correction = sa_json_get_string(args, "correction");
	if (sa_text_blank(verdict.correction))
		verdict.correction = NULL;
	initStringInfo(&verdict.told);
	load(&verdict);
	judge_used(&verdict);
	if (verdict.correct)
		propose_pattern(&verdict);
	if (verdict.correction)
		propose_learning(&verdict);
	return verdict.told.data;
}
