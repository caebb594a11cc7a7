/*
 * verb.c
 *	  The verbs: what kind of run each is, and what its caller gets.
 *
 * Used by the loop, and by the worker at the end of a run.
 */
#include "postgres.h"

#include "agent/tool.h"
#include "agent/verb.h"
#include "store/run.h"

static const SaVerbInfo verbs[] = {
	[SA_VERB_ASK] = {"ask", SA_GIVES_TEXT, SA_OFFER_ASK},
	[SA_VERB_ASK_JSON] = {"ask_json", SA_GIVES_REPORT, SA_OFFER_ASK},
	[SA_VERB_ASK_ROWS] = {"ask_rows", SA_GIVES_ROWS, SA_OFFER_ASK},
	[SA_VERB_TO_SQL] = {"to_sql", SA_GIVES_SQL, SA_OFFER_SQL},
	[SA_VERB_EXPLAIN_SQL] = {"explain_sql", SA_GIVES_TEXT, 0},
	[SA_VERB_FIX_SQL] = {"fix_sql", SA_GIVES_SQL, SA_OFFER_SQL},
};

const SaVerbInfo *
sa_verb_info(SaVerb verb)
{
	Assert((int) verb >= 0 && (int) verb < (int) lengthof(verbs));
	return &verbs[verb];
}

SaVerb
sa_verb_find(const char *name)
{
	for (int i = 0; name && i < (int) lengthof(verbs); i++)
		if (strcmp(verbs[i].name, name) == 0)
			return i;
	elog(ERROR, "unknown verb \"%s\"", name ? name : "");
	return SA_VERB_ASK; /* keep the compiler quiet */
}

bool
sa_verb_writes_sql(SaVerb verb)
{
	return sa_verb_info(verb)->gives == SA_GIVES_SQL;
}

static void
raise_nothing(const char *message, const SaAnswer *answer)
{
	ereport(ERROR, (errcode(ERRCODE_NO_DATA_FOUND), errmsg("%s", message),
					answer->text ? errdetail("%s", answer->text) : 0));
}

/* A report has the warnings; elsewhere they are told. */
static void
tell_warnings(const List *warnings)
{
	ListCell *cell;

	foreach (cell, warnings)
		ereport(WARNING, (errmsg("%s", (char *) lfirst(cell))));
}

char *
sa_verb_give(const SaAnswer *answer)
{
	SaVerbGives gives = sa_verb_info(answer->verb)->gives;
	bool answered = strcmp(answer->status, SA_STATUS_ANSWERED) == 0;

	if (gives != SA_GIVES_REPORT)
		tell_warnings(answer->warnings);
	if (answer->error &&
		(gives != SA_GIVES_REPORT || sa_error_is_cancel(answer->error)))
		sa_error_raise(answer->error, ERROR);
	switch (gives)
	{
		case SA_GIVES_REPORT:
			return answer->report;
		case SA_GIVES_ROWS:
			if (!answered || answer->result == NULL)
				raise_nothing("no rows answer this question", answer);
			return answer->result;
		case SA_GIVES_SQL:
			if (!answered)
				raise_nothing("no SQL answers this question", answer);
			return answer->text;
		case SA_GIVES_TEXT:
			break;
	}
	return answer->text;
}
