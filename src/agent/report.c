/*
 * report.c
 *	  The report of a run: what ask_json returns and runs.report keeps.
 *
 * Called by the loop at the end of a run.
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "agent/gate.h"
#include "agent/ground.h"
#include "agent/knowledge.h"
#include "agent/run.h"
#include "agent/shape.h"
#include "agent/structured.h"
#include "agent/verb.h"
#include "base/text.h"

static void
add_member(StringInfo out, const char *name)
{
	appendStringInfo(
		out, "%s\"%s\": ", out->data[out->len - 1] == '{' ? "" : ", ", name);
}

static void
add_text(StringInfo out, const char *name, const char *value)
{
	add_member(out, name);
	sa_text_json(out, value);
}

static void
add_int(StringInfo out, const char *name, int64 value)
{
	add_member(out, name);
	appendStringInfo(out, INT64_FORMAT, value);
}

static void
add_bool(StringInfo out, const char *name, bool value)
{
	add_member(out, name);
	appendStringInfoString(out, value ? "true" : "false");
}

static void
add_ms(StringInfo out, const char *name, double ms)
{
	add_member(out, name);
	appendStringInfo(out, "%.3f", ms);
}

/* columns, rows, row_count, truncated, execution_ms of the answering query. */
static void
add_result(StringInfo out, const SaResult *result, bool executed)
{
	add_text(out, "sql", result ? result->sql : NULL);
	add_member(out, "columns");
	if (result)
		sa_result_columns_json(out, result);
	else
		appendStringInfoString(out, "[]");
	add_member(out, "rows");
	if (result)
		sa_result_rows_json(out, result, result->nrows);
	else
		appendStringInfoString(out, "[]");
	add_member(out, "row_count");
	if (executed)
		appendStringInfo(out, "%d", result->nrows);
	else
		appendStringInfoString(out, "null");
	add_bool(out, "truncated", result && result->truncated);
	add_member(out, "execution_ms");
	if (executed)
		appendStringInfo(out, "%.3f", result->ms);
	else
		appendStringInfoString(out, "null");
}

/* How the result may be drawn, and its figures. */
static void
add_shape(StringInfo out, const SaResult *result, bool executed)
{
	add_member(out, "visualization");
	if (executed)
		sa_shape_visualization(out, result);
	else
		appendStringInfoString(out, "null");
	add_member(out, "stats");
	if (executed)
		sa_shape_stats(out, result);
	else
		appendStringInfoString(out, "[]");
}

static void
add_errors(StringInfo out, const SaRunState *run)
{
	ListCell *cell;

	add_member(out, "errors");
	appendStringInfoChar(out, '[');
	foreach (cell, run->errors)
	{
		if (foreach_current_index(cell) > 0)
			appendStringInfoString(out, ", ");
		sa_error_to_json(out, lfirst(cell));
	}
	appendStringInfoChar(out, ']');
}

static void
add_strings(StringInfo out, const char *name, const List *strings)
{
	ListCell *cell;

	add_member(out, name);
	appendStringInfoChar(out, '[');
	foreach (cell, strings)
	{
		if (foreach_current_index(cell) > 0)
			appendStringInfoString(out, ", ");
		sa_text_json(out, lfirst(cell));
	}
	appendStringInfoChar(out, ']');
}

static void
add_usage(StringInfo out, const SaUsage *usage)
{
	add_member(out, "usage");
	appendStringInfoChar(out, '{');
	add_int(out, "requests", usage->requests);
	add_int(out, "prompt_tokens", usage->prompt_tokens);
	add_int(out, "completion_tokens", usage->completion_tokens);
	add_int(out, "cached_tokens", usage->cached_tokens);
	add_int(out, "reasoning_tokens", usage->reasoning_tokens);
	appendStringInfoChar(out, '}');
}

static void
add_step(StringInfo out, int number, const SaStep *step)
{
	appendStringInfoChar(out, '{');
	add_int(out, "step", number);
	add_text(out, "kind", step->kind);
	add_text(out, "name", step->name);
	add_text(out, "input", step->input);
	add_text(out, "sql", step->sql);
	add_text(out, "outcome", step->outcome);
	add_member(out, "row_count");
	if (step->row_count >= 0)
		appendStringInfo(out, INT64_FORMAT, step->row_count);
	else
		appendStringInfoString(out, "null");
	add_ms(out, "duration_ms", step->duration_ms);
	appendStringInfoChar(out, '}');
}

static void
add_steps(StringInfo out, const SaRun *record)
{
	add_member(out, "steps");
	appendStringInfoChar(out, '[');
	for (int i = 0; i < sa_run_nsteps(record); i++)
	{
		if (i > 0)
			appendStringInfoString(out, ", ");
		add_step(out, i + 1, sa_run_get_step(record, i));
	}
	appendStringInfoChar(out, ']');
}

char *
sa_report_make(void *run_state)
{
	SaRunState *run = run_state;
	const char *problem = sa_run_problem(run->record);
	const SaResult *result = run->result;
	bool executed = result != NULL && !sa_verb_writes_sql(run->task->verb);
	StringInfoData out;

	if (problem)
		sa_run_warn(run, psprintf("the run could not be stored: %s", problem));
	initStringInfo(&out);
	appendStringInfoChar(&out, '{');
	add_member(&out, "run");
	if (problem)
		appendStringInfoString(&out, "null");
	else
		appendStringInfo(&out, INT64_FORMAT, sa_run_id(run->record));
	add_member(&out, "thread");
	if (run->task->thread)
		appendStringInfo(&out, INT64_FORMAT, run->task->thread);
	else
		appendStringInfoString(&out, "null");
	add_text(&out, "question", run->task->question);
	add_text(&out, "status", run->status);
	add_text(&out, "answer", run->answer);
	add_text(&out, "limit", run->limit);
	if (sa_structured_schema(run->task))
	{
		add_member(&out, "result");
		appendStringInfoString(&out,
							   run->structured ? run->structured : "null");
	}
	add_result(&out, result, executed);
	add_shape(&out, result, executed);
	add_member(&out, "approval");
	sa_gate_json(&out, run);
	add_strings(&out, "assumptions", run->assumptions);
	add_strings(&out, "follow_ups", run->follow_ups);
	add_strings(&out, "warnings",
				run->ground_warning
					? lappend(list_copy(run->warnings), run->ground_warning)
					: run->warnings);
	add_member(&out, "grounding");
	sa_ground_json(&out, run);
	add_errors(&out, run);
	add_member(&out, "knowledge_used");
	sa_knowledge_used_json(&out, run);
	add_usage(&out, &run->usage);
	add_int(&out, "iterations", run->iterations);
	add_text(&out, "model", run->model);
	add_text(&out, "prompt_hash", run->prompt_hash);
	add_steps(&out, run->record);
	appendStringInfoChar(&out, '}');
	return out.data;
}
