/*
 * import.c
 *	  import_knowledge(): the worker takes in what is knowledge, this backend the
 *	  descriptions of tables, since COMMENT takes the rights of the caller.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "api/request.h"
#include "base/export.h"
#include "base/json.h"
#include "base/spi.h"
#include "base/text.h"
#include "store/knowledge.h"

#include "queries/queries.gen.h"

SA_FUNCTION(sqlagent_import_knowledge);

typedef struct Comments
{
	bool dry_run;
	bool force;
	int added;
	int unchanged;
	SaJson *skipped; /* of the report */
} Comments;

static void
skip(Comments *comments, const char *what, const char *why)
{
	SaJson *item = sa_json_child_object();

	sa_json_add_string(item, "what", what);
	sa_json_add_string(item, "why", why);
	sa_json_append(comments->skipped, item);
}

/* What there is to know of the table or column that is commented on. */
typedef struct Target
{
	Oid relation;
	bool owned;
	bool has_column;
	char *comment;
	char *keyword;
} Target;

static bool
find_target(Target *target, const char *table, const char *column)
{
	SaInside inside;

	target->relation = sa_knowledge_find_table(table);
	if (!OidIsValid(target->relation))
		return false;
	sa_inside_begin(&inside, NULL);
	(void) SA_QUERY(SA_QUERY_COMMENT_TARGET, sa_arg_oid(target->relation),
					sa_arg_text(column),
					sa_arg_text(GetUserNameFromId(inside.userid, false)));
	target->owned = sa_row_bool(0, 1);
	target->has_column = sa_row_bool(0, 2);
	target->comment = sa_row_text(0, 3);
	target->keyword = sa_row_text(0, 4);
	sa_inside_end(&inside);
	return true;
}

static void
write_comment(const Target *target, const char *column, const char *text)
{
	char *table = sa_knowledge_table_name(target->relation);

	if (column)
		sa_inside_run(psprintf("COMMENT ON COLUMN %s.%s IS %s", table,
							   quote_identifier(column),
							   quote_literal_cstr(text)));
	else
		sa_inside_run(psprintf("COMMENT ON %s %s IS %s", target->keyword, table,
							   quote_literal_cstr(text)));
}

static void
take_comment(Comments *comments, const SaJson *item)
{
	char *table = sa_json_get_string(item, "table");
	char *column = sa_json_get_string(item, "column");
	char *text = sa_json_get_string(item, "text");
	char *what = column ? psprintf("comment on column \"%s\" of table \"%s\"",
								   column, table)
						: psprintf("comment on table \"%s\"", table);
	Target target = {0};

	if (!find_target(&target, table, column))
		skip(comments, what, "there is no such table");
	else if (column && !target.has_column)
		skip(comments, what, "there is no such column");
	else if (target.comment && strcmp(target.comment, text) == 0)
		comments->unchanged++;
	else if (target.comment && !comments->force)
		skip(comments, what, "there is another comment, which force replaces");
	else if (!target.owned)
		skip(comments, what, "the table is not yours");
	else
	{
		if (!comments->dry_run)
			write_comment(&target, column, text);
		comments->added++;
	}
}

static char *
request_import(Jsonb *data, bool dry_run)
{
	SaAskRequest request = {0};
	StringInfoData args;

	initStringInfo(&args);
	appendStringInfo(
		&args, "{\"dry_run\": %s, \"data\": ", dry_run ? "true" : "false");
	(void) JsonbToCString(&args, &data->root, VARSIZE(data));
	appendStringInfoChar(&args, '}');
	request.kind = SA_REQUEST_COMMAND;
	request.question = "import_knowledge";
	request.args = args.data;
	return sa_launch_request(&request);
}

Datum
sqlagent_import_knowledge(PG_FUNCTION_ARGS)
{
	Comments comments = {0};
	SaJson *report;
	SaJson *list;
	SaJson *counts;
	const char *problem;
	char *text;

	if (PG_ARGISNULL(0))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("data must not be null")));
	comments.dry_run = !PG_ARGISNULL(1) && PG_GETARG_BOOL(1);
	comments.force = !PG_ARGISNULL(2) && PG_GETARG_BOOL(2);
	text =
		sa_json_to_utf8(request_import(PG_GETARG_JSONB_P(0), comments.dry_run));
	report = sa_json_parse(text, strlen(text), &problem);
	if (report == NULL)
		elog(ERROR, "invalid report of the import: %s", problem);
	comments.skipped = sa_json_get(report, "skipped");
	list = sa_json_ref(sa_json_get(report, "comments"));
	for (int i = 0; i < sa_json_length(list); i++)
		take_comment(&comments, sa_json_at(list, i));
	counts = sa_json_child_object();
	sa_json_add_int(counts, "added", comments.added);
	sa_json_add_int(counts, "unchanged", comments.unchanged);
	sa_json_add(report, "comments", counts);
	return sa_request_jsonb(sa_json_from_utf8(sa_json_print(report),
											  strlen(sa_json_print(report))));
}
