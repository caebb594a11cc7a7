/*
 * loop.c
 *	  The run: question, model, tools, answer.
 *
 * Called by the worker.  No transaction is open while a model is awaited: each
 * thing that touches the database below opens and closes its own.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/timestamp.h"

#include "agent/gate.h"
#include "agent/ground.h"
#include "agent/history.h"
#include "agent/knowledge.h"
#include "agent/limit.h"
#include "agent/loop.h"
#include "agent/notes.h"
#include "agent/pack.h"
#include "agent/prompt.h"
#include "agent/prompt_text.h"
#include "agent/run.h"
#include "agent/state.h"
#include "agent/structured.h"
#include "agent/verb.h"
#include "base/guc.h"
#include "base/spi.h"
#include "base/text.h"
#include "db/literal.h"
#include "db/query.h"
#include "db/sandbox.h"
#include "llm/client.h"

void
sa_run_warn(SaRunState *run, const char *warning)
{
	run->warnings = lappend(run->warnings, pstrdup(warning));
}

/* While a reply is awaited there is time to write what happened so far. */
static void
write_while_waiting(void *arg)
{
	sa_run_flush((SaRun *) arg);
}

/* What is said about the form of the answer, of SaMessage *. */
static List *
answer_form(const SaTask *task)
{
	const char *schema = sa_structured_schema(task);

	if (schema)
		return list_make1(
			sa_message_new(SA_ROLE_SYSTEM, sa_prompt_structured(schema)));
	if (sa_notes_wanted(task))
		return list_make1(sa_message_new(SA_ROLE_SYSTEM, sa_prompt_notes()));
	return NIL;
}

static SaRequest *
new_request(const SaTask *task, SaRun *record)
{
	SaRequest *request = palloc0(sizeof(SaRequest));

	request->tools = sa_tool_specs(sa_verb_info(task->verb)->offer);
	request->deadline = sa_limit_deadline();
	if (record)
	{
		request->idle = write_while_waiting;
		request->idle_arg = record;
	}
	return request;
}

/* The request of a run that goes on: its messages, as things are today. */
static SaRequest *
renew_request(const SaRunState *run)
{
	SaRequest *request = new_request(run->task, run->record);

	request->messages = run->request->messages;
	return request;
}

static SaRequest *
first_request(const SaTask *task, const char *question, const char *history,
			  List *earlier, SaRunState *run)
{
	SaRequest *request = new_request(task, run ? run->record : NULL);
	SaRecall recall;
	SaMessage *known;
	List *tables = NIL;

	if (!sa_client_is_local())
	{
		sa_prompt_text_load();
		sa_knowledge_find(run, task, &recall);
		request->messages = sa_prompt_messages(task->question, task->verb,
											   recall.likely, &tables);
		known = sa_knowledge_recall(run, &recall, tables);
		if (known)
			request->messages = lappend(request->messages, known);
		if (history)
			request->messages = lappend(
				request->messages, sa_message_new(SA_ROLE_SYSTEM, history));
		request->messages = list_concat(request->messages, answer_form(task));
	}
	else
		request->messages = list_copy(earlier);
	request->messages =
		lappend(request->messages, sa_message_new(SA_ROLE_USER, question));
	return request;
}

static SaReply *
call_model(SaRunState *run)
{
	SaReply *reply;

	sa_pack_request(run);
	reply = sa_client_complete(run->request);
	sa_pack_learn(run, reply);
	run->iterations++;
	sa_usage_add(&run->usage, &reply->usage);
	if (reply->usage.prompt_tokens == 0)
		run->uncounted += sa_pack_estimate(run);
	if (reply->model)
		run->model = reply->model;
	return reply;
}

static void
record_answer(SaRunState *run, const SaReply *reply, const char *outcome,
			  TimestampTz started)
{
	SaStep step = {0};

	step.kind = "answer";
	step.name = run->model ? run->model : sa_client_provider();
	step.output = reply->content;
	step.outcome = outcome;
	step.row_count = -1;
	step.started_at = started;
	step.duration_ms = (GetCurrentTimestamp() - started) / 1000.0;
	step.prompt_tokens = reply->usage.prompt_tokens;
	step.completion_tokens = reply->usage.completion_tokens;
	sa_run_step(run->record, &step);
}

/*
 * In to_sql nothing is run: a model that calls run_sql all the same has written
 * the statement that was asked for.
 */
static void
take_statement_of_call(SaReply *reply)
{
	ListCell *cell;

	foreach (cell, reply->calls)
	{
		const SaToolCall *call = lfirst(cell);
		const char *problem;
		SaJson *args;

		if (strcmp(call->name, "run_sql") != 0)
			continue;
		args =
			sa_json_parse(call->arguments, strlen(call->arguments), &problem);
		if (args && sa_json_is_string(sa_json_get(args, "sql")))
		{
			reply->content = sa_json_get_string(args, "sql");
			reply->calls = NIL;
			return;
		}
	}
}

/*
 * The end of a to_sql run, if the statement passes; otherwise the model is
 * told why, and false.
 */
static bool
accept_statement(SaRunState *run, const SaReply *reply, TimestampTz started)
{
	SaResult *result;
	char *sql;

	sa_answer_from_reply(run, reply);
	if (run->answer == NULL || strcmp(run->status, SA_STATUS_ANSWERED) != 0)
	{
		record_answer(run, reply, "ok", started);
		return true;
	}
	sql = sa_tool_strip_fence(run->answer);
	result = sa_query_check(sql);
	record_answer(run, reply, result->error ? "error" : "ok", started);
	if (result->error == NULL)
	{
		run->result = result;
		run->answer = sql;
		run->failure = NULL;
		return true;
	}
	run->errors = lappend(run->errors, unconstify(SaError *, result->error));
	run->status = SA_STATUS_FAILED;
	run->failure = unconstify(SaError *, result->error);
	run->answer = NULL;
	run->request->messages =
		lappend(run->request->messages, sa_message_from_reply(reply));
	run->request->messages = lappend(
		run->request->messages,
		sa_message_new(SA_ROLE_USER, sa_prompt_repair(sa_tool_text(
										 sa_tool_failed(result->error)))));
	return false;
}

/* True when the reply ended the run. */
static bool
take_reply(SaRunState *run, SaReply *reply, TimestampTz started)
{
	bool stands;

	if (sa_verb_writes_sql(run->task->verb))
		take_statement_of_call(reply);
	if (reply->calls != NIL && run->request->tools != NIL)
	{
		sa_serve_calls(run, reply);
		return sa_gate_is_closed(run);
	}
	if (sa_verb_writes_sql(run->task->verb))
		return accept_statement(run, reply, started);
	sa_answer_from_reply(run, reply);
	sa_notes_take(run);
	stands = sa_structured_take(run, reply) && sa_ground_answer(run, reply);
	record_answer(
		run, reply,
		!stands || strcmp(run->status, SA_STATUS_FAILED) == 0 ? "error" : "ok",
		started);
	return stands;
}

/*
 * One last call without tools, which must bring the answer; or, when even that
 * is too much, an answer from what is known.
 */
static void
force_answer(SaRunState *run, const char *limit)
{
	TimestampTz started = GetCurrentTimestamp();

	sa_limit_note(run, limit);
	run->request->tools = NIL;
	if (run->iterations == 0 || !sa_limit_allows(run, 1))
	{
		if (!sa_limit_answer(run))
			sa_limit_raise(run);
		return;
	}
	if (!sa_limit_allows(run, 2))
		run->structured_repaired = run->ground_repaired = true;
	if (sa_structured_schema(run->task))
		run->request->result_schema = sa_json_to_utf8(run->task->args);
	run->request->messages =
		lappend(run->request->messages,
				sa_message_new(SA_ROLE_USER, sa_prompt_final()));
	if (take_reply(run, call_model(run), started) ||
		sa_verb_writes_sql(run->task->verb))
		return;
	/* An answer that has to be corrected. */
	started = GetCurrentTimestamp();
	(void) take_reply(run, call_model(run), started);
}

/* Why the answer is empty, as far as words that do not occur are the reason. */
static void
warn_of_misses(SaRunState *run)
{
	char *misses;

	if (run->result == NULL)
		return;
	/* this is for the person, who sees what the model may not */
	misses = sa_literal_check(run->result, true);
	if (misses)
		sa_run_warn(run, sa_text_trim(misses));
}

/* Reply after reply, until one of them ends the run. */
static void
go_on(SaRunState *run)
{
	const char *limit;
	bool done = false;

	while (!done && (limit = sa_limit_reached(run)) == NULL)
	{
		TimestampTz started = GetCurrentTimestamp();

		done = take_reply(run, call_model(run), started);
	}
	if (!done)
		force_answer(run, limit);
	warn_of_misses(run);
}

static void
converse(SaRunState *run, const SaApproval *resumed)
{
	char *question;

	if (resumed)
	{
		sa_serve_resumed(run, resumed);
		if (!sa_gate_is_closed(run))
			go_on(run);
		return;
	}
	question = sa_verb_question(run->task, &run->answer);
	if (question == NULL)
	{
		run->status = SA_STATUS_ANSWERED;
		return;
	}
	/*
	 * A stored statement runs without a model: not where a person has to
	 * approve each, nor where the answer has a form that only a model gives it.
	 */
	if (sa_guc_approval != SA_APPROVAL_ALWAYS &&
		sa_structured_schema(run->task) == NULL && sa_knowledge_reuse(run))
		return;
	run->request =
		first_request(run->task, question, run->history, run->earlier, run);
	if (!sa_client_is_local())
		run->prompt_hash = sa_prompt_hash(run->task->verb);
	go_on(run);
}

/* What was raised becomes the end of the run. */
static void
fail(SaRunState *run, MemoryContext context)
{
	MemoryContextSwitchTo(context);
	run->failure = sa_error_capture(context, NULL);
	sa_tx_abort();
	run->errors = lappend(run->errors, run->failure);
	run->answer = NULL;
	run->status = sa_error_is_cancel(run->failure) ? SA_STATUS_CANCELLED
												   : SA_STATUS_FAILED;
}

static char *
finish(SaRunState *run)
{
	SaRunTail tail = {0};

	tail.status = run->status;
	tail.answer = run->answer;
	tail.sql = run->waiting_for ? run->waiting_for->sql
			   : run->result	? run->result->sql
								: NULL;
	tail.row_count = run->result && !sa_verb_writes_sql(run->task->verb)
						 ? run->result->nrows
						 : -1;
	tail.model = run->model;
	tail.prompt_hash = run->prompt_hash;
	tail.iterations = run->iterations;
	tail.requests = run->usage.requests;
	tail.prompt_tokens = run->usage.prompt_tokens;
	tail.completion_tokens = run->usage.completion_tokens;
	tail.cached_tokens = run->usage.cached_tokens;
	return sa_run_finish(run->record, &tail, sa_report_make, run);
}

/* The rows, for the verb whose caller gets them. */
static char *
result_text(const SaRunState *run)
{
	StringInfoData out;

	if (run->task->verb != SA_VERB_ASK_ROWS || run->result == NULL)
		return NULL;
	initStringInfo(&out);
	sa_result_json(&out, run->result);
	return out.data;
}

/* Do the work of a run and make its answer, however the work ends. */
static SaAnswer *
complete(SaRunState *run, const SaApproval *resumed)
{
	MemoryContext context = CurrentMemoryContext;
	SaAnswer *answer = palloc0(sizeof(SaAnswer));

	sa_tool_set_caller(run->task->asker, run);
	sa_sandbox_run_end = sa_limit_deadline();
	PG_TRY();
	{
		converse(run, resumed);
	}
	PG_CATCH();
	{
		fail(run, context);
	}
	PG_END_TRY();
	sa_limit_rescue(run);
	sa_sandbox_run_end = 0;
	sa_knowledge_settle(run);
	answer->report = finish(run);
	sa_knowledge_learn(run);
	answer->verb = run->task->verb;
	answer->status = run->status;
	answer->text = run->answer;
	answer->error = run->failure;
	answer->result = result_text(run);
	answer->warnings = run->warnings;
	return answer;
}

/* What is told of the thread, to a model or to the provider inside the server */
static void
read_thread(const SaTask *task, char **history, List **earlier)
{
	if (task->thread == 0)
		return;
	if (sa_client_is_local())
		*earlier = sa_history_questions(task->thread, task->asker);
	else
		*history = sa_history_text(task->thread, task->asker);
}

SaAnswer *
sa_loop_run(const SaTask *task, const SaSink *sink)
{
	SaRunHead head = {task->asker, sa_verb_info(task->verb)->name,
					  task->question, task->thread, sa_client_provider()};
	SaRunState *run = palloc0(sizeof(SaRunState));

	run->task = task;
	run->sink = sink;
	read_thread(task, &run->history, &run->earlier);
	run->record = sa_run_begin(&head);
	return complete(run, NULL);
}

SaAnswer *
sa_loop_resume(const SaApproval *approval, const SaSink *sink)
{
	SaTask *task = palloc0(sizeof(SaTask));
	SaRunState *run = palloc0(sizeof(SaRunState));
	SaRunHead head = {approval->asker, NULL, approval->question,
					  approval->thread, sa_client_provider()};

	task->question = approval->question;
	task->thread = approval->thread;
	task->asker = approval->asker;
	run->task = task;
	run->sink = sink;
	run->resumed = true;
	run->request = palloc0(sizeof(SaRequest));
	sa_state_read(run, task, approval->state);
	head.kind = sa_verb_info(task->verb)->name;
	if (!sa_client_is_local())
		sa_prompt_text_load();
	run->record = sa_run_resume(&head, approval->run, approval->started_at);
	run->request = renew_request(run);
	return complete(run, approval);
}

char *
sa_loop_show_prompt(const SaTask *task)
{
	char *history = NULL;
	List *earlier = NIL;
	SaRequest *request;
	StringInfoData out;

	read_thread(task, &history, &earlier);
	request = first_request(task, task->question, history, earlier, NULL);
	initStringInfo(&out);
	appendStringInfoString(&out, "{\"provider\": ");
	sa_text_json(&out, sa_client_provider());
	appendStringInfo(&out, ", \"tokens\": %d, \"request\": %s}",
					 sa_text_tokens(sa_request_bytes(request)),
					 sa_client_show(request));
	return out.data;
}
