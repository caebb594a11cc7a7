/*
 * prompt_text.c
 *	  The texts of the prompts by name: those of src/prompts, or what the
 *	  administrator has put in their place.
 *
 * A text is checked when it is saved, so that a run never meets one with a
 * placeholder too many or too few.
 */
#include "postgres.h"

#include "nodes/pg_list.h"
#include "utils/memutils.h"

#include "agent/prompt_text.h"
#include "store/override.h"

#include "prompts/prompts.gen.h"

static const struct
{
	const char *name;
	const char *body;
} prompts[SA_TEXT_COUNT] = {
	[SA_TEXT_CONTEXT] = {"context", SA_PROMPT_CONTEXT},
	[SA_TEXT_EXPLAIN] = {"explain", SA_PROMPT_EXPLAIN},
	[SA_TEXT_FINAL] = {"final", SA_PROMPT_FINAL},
	[SA_TEXT_FIX] = {"fix", SA_PROMPT_FIX},
	[SA_TEXT_GROUND] = {"ground", SA_PROMPT_GROUND},
	[SA_TEXT_KNOWLEDGE] = {"knowledge", SA_PROMPT_KNOWLEDGE},
	[SA_TEXT_NOTES] = {"notes", SA_PROMPT_NOTES},
	[SA_TEXT_REPAIR] = {"repair", SA_PROMPT_REPAIR},
	[SA_TEXT_REVIEW] = {"review", SA_PROMPT_REVIEW},
	[SA_TEXT_STRUCTURED] = {"structured", SA_PROMPT_STRUCTURED},
	[SA_TEXT_STRUCTURED_REPAIR] = {"structured_repair",
								   SA_PROMPT_STRUCTURED_REPAIR},
	[SA_TEXT_SYSTEM] = {"system", SA_PROMPT_SYSTEM},
	[SA_TEXT_SYSTEM_EXPLAIN] = {"system_explain", SA_PROMPT_SYSTEM_EXPLAIN},
	[SA_TEXT_SYSTEM_SQL] = {"system_sql", SA_PROMPT_SYSTEM_SQL},
	[SA_TEXT_THREAD] = {"thread", SA_PROMPT_THREAD},
};

/* Of the last load; its context lives as long as the process. */
static MemoryContext context = NULL;
static const char *changed[SA_TEXT_COUNT];

/* SA_TEXT_COUNT when there is none of the name. */
static int
find_prompt(const char *name)
{
	int i = 0;

	while (i < SA_TEXT_COUNT && strcmp(prompts[i].name, name) != 0)
		i++;
	return i;
}

/* The names between {{ and }}, in order, of char *. */
static List *
placeholders(const char *text)
{
	List *names = NIL;
	const char *open;

	while ((open = strstr(text, "{{")) != NULL)
	{
		const char *close = strstr(open, "}}");

		/* What is not closed is no name of ours, and will be told as such. */
		if (close == NULL)
			return lappend(names, pstrdup(open + 2));
		names = lappend(names, pnstrdup(open + 2, close - open - 2));
		text = close + 2;
	}
	return names;
}

static bool
is_among(const List *names, const char *name)
{
	ListCell *cell;

	foreach (cell, names)
		if (strcmp(lfirst(cell), name) == 0)
			return true;
	return false;
}

/* The first name of one list that the other has not; NULL for none. */
static const char *
missing_from(const List *names, const List *others)
{
	ListCell *cell;

	foreach (cell, names)
		if (!is_among(others, lfirst(cell)))
			return lfirst(cell);
	return NULL;
}

/* NULL when the text has just the placeholders of the prompt. */
static char *
problem_with(SaPromptId id, const char *body)
{
	List *wanted = placeholders(prompts[id].body);
	List *found = placeholders(body);
	const char *extra = missing_from(found, wanted);
	const char *missing = missing_from(wanted, found);

	if (extra)
		return psprintf("prompt \"%s\" has no placeholder {{%.40s}}",
						prompts[id].name, extra);
	if (missing)
		return psprintf("placeholder {{%s}} of prompt \"%s\" is missing",
						missing, prompts[id].name);
	return NULL;
}

void
sa_prompt_text_load(void)
{
	MemoryContext old;
	ListCell *cell;

	memset(changed, 0, sizeof(changed));
	if (context == NULL)
		context = AllocSetContextCreate(TopMemoryContext, "sqlagent prompts",
										ALLOCSET_SMALL_SIZES);
	MemoryContextReset(context);
	old = MemoryContextSwitchTo(context);
	foreach (cell, sa_overrides_load())
	{
		const SaOverride *override = lfirst(cell);
		int id = find_prompt(override->name);
		char *problem =
			id < SA_TEXT_COUNT ? problem_with(id, override->body) : NULL;

		/* Another version of the extension may have saved it. */
		if (problem)
			ereport(WARNING, (errmsg("the original of prompt \"%s\" is used",
									 override->name),
							  errdetail("Of the changed text: %s.", problem)));
		else if (id < SA_TEXT_COUNT)
			changed[id] = override->body;
	}
	MemoryContextSwitchTo(old);
}

const char *
sa_prompt_text(SaPromptId id)
{
	return changed[id] ? changed[id] : prompts[id].body;
}

const char *
sa_prompt_name(SaPromptId id)
{
	return prompts[id].name;
}

const char *
sa_prompt_default(SaPromptId id)
{
	return prompts[id].body;
}

void
sa_prompt_check(const char *name, const char *body)
{
	int id = find_prompt(name);
	char *problem;

	if (id == SA_TEXT_COUNT)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
						errmsg("there is no prompt \"%s\"", name),
						errhint("SELECT * FROM sqlagent.prompts() lists "
								"them.")));
	problem = id < SA_TEXT_COUNT ? problem_with(id, body) : NULL;
	if (problem)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("%s", problem)));
}
