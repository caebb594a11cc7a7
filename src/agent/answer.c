/*
 * answer.c
 *	  The end of a run: an answer of the model's last reply, or of the rows when
 *	  that reply is blank or cut off.
 *
 * Called by the loop.
 */
#include "postgres.h"

#include "agent/run.h"
#include "base/text.h"

/* What a reply begins with that says why the question has no answer. */
#define CANNOT_ANSWER "CANNOT ANSWER:"

/* Rows that an answer made by us shows. */
#define FALLBACK_ROWS 20

static const char *
shown(const SaResult *result, int row, int column)
{
	const char *value = result->rows[row][column];

	return value ? value : "NULL";
}

/* "name: Bob Brown, salary: 110000" */
static void
append_row(StringInfo out, const SaResult *result)
{
	for (int i = 0; i < result->ncolumns; i++)
		appendStringInfo(out, "%s%s: %s", i > 0 ? ", " : "",
						 result->columns[i].name, shown(result, 0, i));
}

char *
sa_answer_from_rows(const SaResult *result)
{
	StringInfoData out;

	if (result == NULL)
		return NULL;
	initStringInfo(&out);
	if (result->nrows == 0)
		appendStringInfoString(&out, "There are no rows that fit.");
	else if (result->nrows == 1)
		append_row(&out, result);
	else
	{
		sa_result_table(&out, result, FALLBACK_ROWS);
		if (result->nrows > FALLBACK_ROWS)
			appendStringInfo(&out, "\n(the first %d of %d rows)", FALLBACK_ROWS,
							 result->nrows);
	}
	if (result->truncated)
		appendStringInfo(&out,
						 "\n(only the first %d rows were read; there are "
						 "more)",
						 result->nrows);
	return out.data;
}

static void
refuse(SaRunState *run, const char *reason)
{
	run->status = SA_STATUS_REFUSED;
	run->answer = sa_text_trim(reason);
}

void
sa_answer_from_reply(SaRunState *run, const SaReply *reply)
{
	char *text = reply->content ? sa_text_trim(reply->content) : "";
	char *rows = NULL;

	if (reply->stop == SA_STOP_REFUSED)
	{
		refuse(run, *text ? text : "The model declined to answer.");
		return;
	}
	if (pg_strncasecmp(text, CANNOT_ANSWER, strlen(CANNOT_ANSWER)) == 0)
	{
		refuse(run, text + strlen(CANNOT_ANSWER));
		return;
	}
	run->status = SA_STATUS_ANSWERED;
	if (*text == '\0' || reply->stop == SA_STOP_LENGTH)
		rows = sa_answer_from_rows(run->result);
	run->from_rows = rows != NULL;
	if (rows)
		sa_run_warn(run, *text ? "the model's answer was cut off by its token "
								 "limit; this answer was made from the rows"
							   : "the model gave no answer; this answer was "
								 "made from the rows");
	else if (*text && reply->stop == SA_STOP_LENGTH)
		sa_run_warn(run, "the model's answer was cut off by its token limit");
	else if (*text == '\0')
	{
		run->status = SA_STATUS_FAILED;
		run->failure =
			sa_error_make(SA_ERROR_MODEL, ERRCODE_EXTERNAL_ROUTINE_EXCEPTION,
						  "the model gave no answer", NULL,
						  "Ask again, or use another model (sqlagent.model).");
	}
	run->answer = rows ? rows : *text ? text : NULL;
}
