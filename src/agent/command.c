/*
 * command.c
 *	  What is done in the worker, on our own tables, without a model.
 *
 * Called by the worker.  A command is a row of the table below; its arguments
 * are made by our own SQL-callable functions.
 */
#include "postgres.h"

#include "agent/command.h"
#include "agent/decide.h"
#include "agent/knowledge.h"
#include "base/json.h"
#include "store/thread.h"

/* Whom a run is told to that a command goes on with. */
static const SaSink *told;

static char *
new_thread(const SaJson *args, const char *asker)
{
	return psprintf(INT64_FORMAT,
					sa_thread_create(asker, sa_json_get_string(args, "title")));
}

static char *
decide(const SaJson *args, const char *asker)
{
	SaDecision decision = {0};

	decision.run = sa_json_get_int(args, "run", 0);
	decision.approved = sa_json_get_bool(args, "approved", false);
	decision.sql = sa_json_get_string(args, "sql");
	decision.reason = sa_json_get_string(args, "reason");
	decision.role = asker;
	return sa_decide(&decision, told);
}

static const struct
{
	const char *name;
	char *(*call)(const SaJson *args, const char *asker);
} commands[] = {
	{"new_thread", new_thread},
	{"feedback", sa_knowledge_feedback},
	{"import_knowledge", sa_knowledge_import},
	{"revalidate_knowledge", sa_knowledge_revalidate},
	{"decide", decide},
};

char *
sa_command_call(const char *name, const char *args, const char *asker,
				const SaSink *sink)
{
	const char *text = sa_json_to_utf8(args);
	const char *problem;
	SaJson *tree = sa_json_parse(text, strlen(text), &problem);

	told = sink;
	if (tree == NULL)
		elog(ERROR, "invalid arguments of command \"%s\": %s", name, problem);
	for (int i = 0; i < (int) lengthof(commands); i++)
		if (strcmp(commands[i].name, name) == 0)
			return commands[i].call(tree, asker);
	elog(ERROR, "unknown command \"%s\"", name);
	return NULL; /* keep the compiler quiet */
}
