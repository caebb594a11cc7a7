/*
 * import.c
 *	  Knowledge from outside is taken in.
 *
 * A command of the worker.  The same thing twice changes nothing; what is there
 * under the same question, title or name is replaced when the one who imports
 * may review.  SQL that the guard does not let pass is not taken.  Comments on
 * tables are left to the caller's backend, which has the caller's rights.
 */
#include "postgres.h"

#include "agent/knowledge.h"
#include "base/spi.h"
#include "base/text.h"
#include "base/wait.h"
#include "db/query.h"
#include "store/learning.h"
#include "store/object.h"
#include "store/pattern.h"
#include "store/question.h"
#include "store/sqltext.h"
#include "store/transfer.h"

#include "queries/queries.gen.h"

typedef enum Outcome
{
	ADDED,
	UPDATED,
	UNCHANGED,
	SKIPPED
} Outcome;

#define OUTCOMES 3 /* that are counted */

typedef struct Import
{
	const char *asker;
	bool dry_run;
	bool is_reviewer[SA_KNOWLEDGE_KINDS];
	int counts[SA_KNOWLEDGE_KINDS][OUTCOMES];
	List *skipped;
	StringInfoData comments; /* items of an array of JSON */
} Import;

static void
skip(Import *import, const char *what, const char *why)
{
	import->skipped = sa_transfer_skip(import->skipped, what, why);
}

/* What an item becomes: people decide, and who may not review proposes. */
static const char *
status_of(const Import *import, SaKnowledge kind, const SaTransfer *item)
{
	static const char *const known[] = {"proposed", "approved", "rejected",
										"stale"};

	if (!import->is_reviewer[kind])
		return "proposed";
	for (int i = 0; item->status && i < (int) lengthof(known); i++)
		if (strcmp(item->status, known[i]) == 0)
			return known[i];
	return "approved";
}

/* Names of tables as the caller means them, with their schema. */
static List *
qualify(Import *import, const char *what, const List *names)
{
	List *qualified = NIL;
	ListCell *cell;

	if (names == NIL)
		return NIL;
	sa_tx_begin(SA_TX_ASKER);
	foreach (cell, names)
	{
		char *name = lfirst(cell);
		Oid relation;

		(void) SA_QUERY("SELECT pg_catalog.to_regclass($1)::pg_catalog.oid",
						sa_arg_text(name));
		relation = sa_row_oid(0, 1);
		if (OidIsValid(relation))
			name = sa_knowledge_table_name(relation);
		else
			skip(import, psprintf("table \"%s\" of %s", name, what),
				 "there is no such table");
		qualified = lappend(qualified, name);
	}
	sa_tx_commit();
	return qualified;
}

/* How a kind is looked for and written, all with the same arguments. */
typedef struct Writer
{
	const char *find;
	const char *add;
	const char *update;
	const SaArg *find_args;
	int find_nargs;
	const SaArg *add_args;
	int add_nargs;
	const SaArg *update_args; /* the first is the id */
	int update_nargs;
} Writer;

static Outcome
write_item(Import *import, SaKnowledge kind, const char *what, Writer *writer,
		   const List *objects)
{
	int64 id = 0;
	bool same = false;
	int found = sa_query(writer->find, writer->find_args, writer->find_nargs);

	if (found > 0)
	{
		id = sa_row_int8(0, 1);
		same = sa_row_bool(0, 2);
	}
	if (same)
		return UNCHANGED;
	if (found > 0 && !import->is_reviewer[kind])
	{
		skip(import, what, "another one is there already");
		return SKIPPED;
	}
	if (import->dry_run)
		return found > 0 ? UPDATED : ADDED;
	if (found > 0)
	{
		SaArg *args = unconstify(SaArg *, writer->update_args);

		args[0] = sa_arg_int8(id);
		(void) sa_query(writer->update, args, writer->update_nargs);
	}
	else if (sa_query(writer->add, writer->add_args, writer->add_nargs) > 0)
		id = sa_row_int8(0, 1);
	else
	{
		skip(import, what, "another session has just added one");
		return SKIPPED;
	}
	if (objects != NIL)
		sa_objects_remember(kind, id, objects);
	return found > 0 ? UPDATED : ADDED;
}

static Outcome
import_pattern(Import *import, const SaTransfer *item)
{
	char *what = psprintf("query pattern \"%s\"", item->name);
	const char *status = status_of(import, SA_PATTERN, item);
	SaPatternText text = {0};
	SaError *problem;
	SaResult *result;
	Writer writer = {SA_QUERY_IMPORT_PATTERN_FIND, SA_QUERY_IMPORT_PATTERN_ADD,
					 SA_QUERY_IMPORT_PATTERN_UPDATE};
	SaArg tables;
	Outcome outcome;

	text.name = item->name;
	text.question = item->question;
	text.sql = item->sql;
	text.summary = item->description;
	text.quality_notes = item->notes;
	problem = sa_pattern_problem(&text);
	if (problem)
	{
		skip(import, what, problem->message);
		return SKIPPED;
	}
	result = sa_query_check(
		sa_sqltext_fill(item->sql, sa_question_placeholders(item->question)));
	if (result->error &&
		(strcmp(status, "approved") == 0 || strcmp(status, "proposed") == 0))
	{
		skip(import, what, result->error->message);
		return SKIPPED;
	}
	sa_tx_begin(SA_TX_OWNER_SYNC);
	tables =
		sa_arg_texts(result->error ? item->tables
								   : sa_knowledge_table_names(result->objects));
	writer.find_args = (SaArg[]){sa_arg_text(sa_question_key(item->question)),
								 sa_arg_text(import->asker),
								 sa_arg_text(item->name),
								 sa_arg_text(item->question),
								 sa_arg_text(item->sql),
								 sa_arg_text(item->description),
								 sa_arg_text(item->notes)};
	writer.find_nargs = 7;
	writer.add_args = (SaArg[]){sa_arg_text(item->name),
								sa_arg_text(item->question),
								sa_arg_text(item->sql),
								sa_arg_text(item->description),
								tables,
								sa_arg_text(item->notes),
								sa_arg_text(import->asker),
								sa_arg_text(status),
								sa_arg_text(item->note),
								sa_arg_bool(!result->error)};
	writer.add_nargs = 10;
	writer.update_args =
		(SaArg[]){sa_arg_null(INT8OID),			  sa_arg_text(item->name),
				  sa_arg_text(item->question),	  sa_arg_text(item->sql),
				  sa_arg_text(item->description), tables,
				  sa_arg_text(item->notes),		  sa_arg_text(status),
				  sa_arg_text(item->note),		  sa_arg_bool(!result->error)};
	writer.update_nargs = 10;
	outcome = write_item(import, SA_PATTERN, what, &writer, result->objects);
	sa_tx_commit();
	return outcome;
}

static Outcome
import_learning(Import *import, const SaTransfer *item)
{
	char *what = psprintf("learning \"%s\"", item->name);
	const char *status = status_of(import, SA_LEARNING, item);
	const char *key = item->key
						  ? item->key
						  : psprintf("title %s", sa_question_key(item->name));
	Writer writer = {SA_QUERY_IMPORT_LEARNING_FIND,
					 SA_QUERY_IMPORT_LEARNING_ADD,
					 SA_QUERY_IMPORT_LEARNING_UPDATE};
	SaLearningText text = {0};
	List *objects = NIL;
	List *tables;
	SaError *problem;
	Outcome outcome;

	text.title = item->name;
	text.description = item->description;
	text.category = item->category;
	text.sql = item->sql;
	problem = sa_learning_problem(&text);
	if (problem)
	{
		skip(import, what, problem->message);
		return SKIPPED;
	}
	tables = qualify(import, what, item->tables);
	if (item->sql)
		objects = sa_query_check(item->sql)->objects;
	sa_tx_begin(SA_TX_OWNER_SYNC);
	writer.find_args = (SaArg[]){sa_arg_text(key),
								 sa_arg_text(import->asker),
								 sa_arg_text(item->name),
								 sa_arg_text(item->description),
								 sa_arg_text(item->category),
								 sa_arg_text(item->sql)};
	writer.find_nargs = 6;
	writer.add_args = (SaArg[]){
		sa_arg_text(item->name),		sa_arg_text(item->description),
		sa_arg_text(item->category),	sa_arg_text(item->sql),
		sa_arg_text(item->failing_sql), sa_arg_text(item->sqlstate),
		sa_arg_texts(tables),			sa_arg_text(key),
		sa_arg_text(import->asker),		sa_arg_text(status),
		sa_arg_text(item->note)};
	writer.add_nargs = 11;
	writer.update_args = (SaArg[]){sa_arg_null(INT8OID),
								   sa_arg_text(item->name),
								   sa_arg_text(item->description),
								   sa_arg_text(item->category),
								   sa_arg_text(item->sql),
								   sa_arg_text(item->failing_sql),
								   sa_arg_text(item->sqlstate),
								   sa_arg_texts(tables),
								   sa_arg_text(status),
								   sa_arg_text(item->note)};
	writer.update_nargs = 10;
	outcome = write_item(import, SA_LEARNING, what, &writer, objects);
	sa_tx_commit();
	return outcome;
}

static Outcome
import_rule(Import *import, const SaTransfer *item)
{
	char *what = psprintf("%s \"%s\"", item->category, item->name);
	const char *status = status_of(import, SA_RULE, item);
	SaArg tables = sa_arg_texts(qualify(import, what, item->tables));
	Writer writer = {SA_QUERY_IMPORT_RULE_FIND, SA_QUERY_IMPORT_RULE_ADD,
					 SA_QUERY_IMPORT_RULE_UPDATE};
	Outcome outcome;

	sa_tx_begin(SA_TX_OWNER_SYNC);
	writer.find_args =
		(SaArg[]){sa_arg_text(item->category),	  sa_arg_text(item->name),
				  sa_arg_text(item->description), sa_arg_text(item->sql),
				  sa_arg_text(item->notes),		  tables};
	writer.find_nargs = 6;
	writer.add_args =
		(SaArg[]){sa_arg_text(item->category),	  sa_arg_text(item->name),
				  sa_arg_text(item->description), sa_arg_text(item->sql),
				  sa_arg_text(item->notes),		  tables,
				  sa_arg_text(import->asker),	  sa_arg_text(status),
				  sa_arg_text(item->note)};
	writer.add_nargs = 9;
	writer.update_args = (SaArg[]){sa_arg_null(INT8OID),
								   sa_arg_text(item->description),
								   sa_arg_text(item->sql),
								   sa_arg_text(item->notes),
								   tables,
								   sa_arg_text(status),
								   sa_arg_text(item->note)};
	writer.update_nargs = 7;
	outcome = write_item(import, SA_RULE, what, &writer, NIL);
	sa_tx_commit();
	return outcome;
}

/* For the caller's backend. */
static void
pass_on_comment(Import *import, const SaTransfer *item)
{
	StringInfo out = &import->comments;

	appendStringInfo(out, "%s{\"table\": ", out->len > 0 ? ", " : "");
	sa_text_json(out, item->name);
	appendStringInfoString(out, ", \"column\": ");
	sa_text_json(out, item->category);
	appendStringInfoString(out, ", \"text\": ");
	sa_text_json(out, item->description);
	appendStringInfoChar(out, '}');
}

static void
import_item(Import *import, const SaTransfer *item)
{
	static Outcome (*const importers[])(Import *, const SaTransfer *) = {
		[SA_TRANSFER_PATTERN] = import_pattern,
		[SA_TRANSFER_LEARNING] = import_learning,
		[SA_TRANSFER_RULE] = import_rule,
	};
	static const SaKnowledge kinds[] = {
		[SA_TRANSFER_PATTERN] = SA_PATTERN,
		[SA_TRANSFER_LEARNING] = SA_LEARNING,
		[SA_TRANSFER_RULE] = SA_RULE,
	};
	Outcome outcome;

	if (item->kind == SA_TRANSFER_COMMENT)
	{
		pass_on_comment(import, item);
		return;
	}
	outcome = importers[item->kind](import, item);
	if (outcome != SKIPPED)
		import->counts[kinds[item->kind]][outcome]++;
}

static char *
report(const Import *import)
{
	static const char *const names[SA_KNOWLEDGE_KINDS] = {"query_patterns",
														  "learnings", "rules"};
	StringInfoData out;
	ListCell *cell;

	initStringInfo(&out);
	appendStringInfo(&out, "{\"dry_run\": %s",
					 import->dry_run ? "true" : "false");
	for (int kind = 0; kind < SA_KNOWLEDGE_KINDS; kind++)
		appendStringInfo(
			&out,
			", \"%s\": {\"added\": %d, \"updated\": %d, \"unchanged\": %d}",
			names[kind], import->counts[kind][ADDED],
			import->counts[kind][UPDATED], import->counts[kind][UNCHANGED]);
	appendStringInfo(&out, ", \"comments\": [%s], \"skipped\": [",
					 import->comments.data);
	foreach (cell, import->skipped)
	{
		const SaSkipped *item = lfirst(cell);

		appendStringInfo(
			&out, "%s{\"what\": ", foreach_current_index(cell) > 0 ? ", " : "");
		sa_text_json(&out, item->what);
		appendStringInfoString(&out, ", \"why\": ");
		sa_text_json(&out, item->why);
		appendStringInfoChar(&out, '}');
	}
	appendStringInfoString(&out, "]}");
	return out.data;
}

char *
sa_knowledge_import(const SaJson *args, const char *asker)
{
	Import import = {0};
	List *items;
	ListCell *cell;

	import.asker = asker;
	import.dry_run = sa_json_get_bool(args, "dry_run", false);
	initStringInfo(&import.comments);
	sa_tx_begin(SA_TX_OWNER);
	for (int kind = 0; kind < SA_KNOWLEDGE_KINDS; kind++)
		import.is_reviewer[kind] = sa_knowledge_is_reviewer(kind, asker);
	sa_tx_commit();
	sa_transfer_read(sa_json_get(args, "data"), &items, &import.skipped);
	foreach (cell, items)
	{
		sa_wait_check();
		import_item(&import, lfirst(cell));
	}
	return report(&import);
}
