/*
 * verb_sql.c
 *	  The verbs that work on a statement of the asker: explain_sql and fix_sql.
 *
 * Called by the loop at the start of such a run.  The statement goes through the
 * guard and is never executed; what the server says about it is part of what the
 * model is told, so that the asker need not copy errors from one place to
 * another.
 */
#include "postgres.h"

#include "agent/prompt.h"
#include "agent/tool.h"
#include "agent/verb.h"
#include "base/text.h"
#include "db/query.h"
#include "llm/client.h"

/* "id integer, name text" */
static char *
column_list(const SaResult *result)
{
	StringInfoData out;

	initStringInfo(&out);
	for (int i = 0; i < result->ncolumns; i++)
		appendStringInfo(&out, "%s%s %s", i > 0 ? ", " : "",
						 result->columns[i].name, result->columns[i].type_name);
	return out.data;
}

static char *
plan_text(const SaResult *result)
{
	return psprintf("It returns the columns %s; the planner expects %.0f "
					"rows at a cost of %.0f%s%s.",
					column_list(result), result->plan_rows, result->plan_cost,
					result->costly ? ", most of it for " : "",
					result->costly ? result->costly : "");
}

static char *
explain_question(const SaTask *task, char **answer)
{
	SaResult *result = sa_query_check(task->question);

	if (result->error)
		sa_error_raise(result->error, ERROR);
	if (sa_client_is_local())
	{
		/* What is known without a model. */
		*answer = plan_text(result);
		return NULL;
	}
	return sa_prompt_explain(task->question, plan_text(result));
}

static char *
fix_question(const SaTask *task, char **answer)
{
	SaResult *result = sa_query_check(task->question);
	const char *said = task->args;
	StringInfoData problem;

	initStringInfo(&problem);
	if (result->error)
	{
		if (sa_client_is_local())
			ereport(
				ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("provider \"builtin\" cannot correct a statement"),
				 errdetail("The server says: %s. %s", result->error->message,
						   result->error->hint ? result->error->hint : ""),
				 errhint("Set sqlagent.provider to one that has a model.")));
		sa_error_to_json(&problem, result->error);
	}
	else if (sa_text_blank(said))
	{
		ereport(NOTICE,
				(errmsg("the server finds nothing wrong with the statement"),
				 errhint("Say in the second argument what is wrong.")));
		*answer = pstrdup(task->question);
		return NULL;
	}
	if (!sa_text_blank(said))
		appendStringInfo(&problem, "%s%s", problem.len > 0 ? "\n" : "", said);
	return sa_prompt_fix(task->question, problem.data);
}

char *
sa_verb_question(const SaTask *task, char **answer)
{
	*answer = NULL;
	switch (task->verb)
	{
		case SA_VERB_EXPLAIN_SQL:
			return explain_question(task, answer);
		case SA_VERB_FIX_SQL:
			return fix_question(task, answer);
		default:
			return pstrdup(task->question);
	}
}
