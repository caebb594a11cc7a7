/*
 * builtin.c
 *	  The provider that needs no model: what to ask the tools next.
 *
 * Called by llm/client in place of an HTTP request.  It keeps nothing between
 * two calls: what it knows of the database are the tools' answers among the
 * messages, read anew each time.  The rounds are: which tables there are, what
 * they look like, which values the unknown words are, the statement, the
 * answer.
 */
#include "postgres.h"

#include "base/stem.h"
#include "base/text.h"
#include "llm/builtin.h"
#include "llm/builtin_dialogue.h"
#include "llm/builtin_query.h"

/* With so many tables all of them are looked at. */
#define FEW_TABLES 40
/* Otherwise the best fitting ones, and those that tie them together. */
#define MANY_TABLES 8
#define MAX_NEIGHBOURS 12
#define MAX_SEARCH 400

/* With more values looked for than this, no further ones are. */
#define MANY_LOOKUPS 60

/* So many words that found no place are named. */
#define MAX_WORDS 8

#define TOOL_SCHEMA "introspect_schema"
#define TOOL_VALUES "find_values"
#define TOOL_RUN "run_sql"

/*
 * The questions, of which the last is to be answered, and the calls made since
 * with their answers.
 */
static SaBiTurn
read_turn(const SaRequest *request)
{
	SaBiTurn turn = {0};
	ListCell *cell;

	foreach (cell, request->messages)
	{
		SaMessage *message = lfirst(cell);

		if (message->role == SA_ROLE_USER)
		{
			turn.question = message->content;
			if (!sa_text_blank(turn.question))
				turn.questions = lappend(turn.questions, message->content);
			turn.calls = turn.results = NIL;
		}
		else if (message->role == SA_ROLE_ASSISTANT)
		{
			ListCell *call;

			foreach (call, message->calls)
			{
				turn.calls = lappend(turn.calls, lfirst(call));
				turn.results = lappend(turn.results, NULL);
			}
		}
		else if (message->role == SA_ROLE_TOOL && message->call_id)
		{
			for (int i = 0; i < list_length(turn.calls); i++)
				if (strcmp(((SaToolCall *) list_nth(turn.calls, i))->id,
						   message->call_id) == 0)
					lfirst(list_nth_cell(turn.results, i)) = message;
		}
	}
	return turn;
}

static bool
offers(const SaRequest *request, const char *name)
{
	ListCell *cell;

	foreach (cell, request->tools)
		if (strcmp(((SaToolSpec *) lfirst(cell))->name, name) == 0)
			return true;
	return false;
}

static SaReply *
new_reply(SaStop stop, char *content)
{
	SaReply *reply = palloc0(sizeof(SaReply));

	reply->stop = stop;
	reply->content = content;
	reply->model = pstrdup("builtin");
	reply->usage.requests = 1;
	return reply;
}

static void
add_call(SaReply *reply, const SaBiTurn *turn, const char *tool,
		 const SaJson *arguments)
{
	SaToolCall *call = palloc0(sizeof(SaToolCall));

	call->id = psprintf("call_%d", list_length(turn->calls) +
									   list_length(reply->calls) + 1);
	call->name = pstrdup(tool);
	call->arguments = sa_json_from_utf8(sa_json_print(arguments),
										strlen(sa_json_print(arguments)));
	reply->calls = lappend(reply->calls, call);
}

static SaReply *
refuse(const SaBiProblem *problem)
{
	StringInfoData text;
	ListCell *cell;

	initStringInfo(&text);
	if (problem->words)
	{
		appendStringInfoString(
			&text, "The built-in provider does not understand the question: "
				   "it could not place ");
		foreach (cell, problem->words)
		{
			if (foreach_current_index(cell) == MAX_WORDS)
			{
				appendStringInfoString(&text, " and more");
				break;
			}
			appendStringInfo(&text, "%s\"%s\"",
							 foreach_current_index(cell) ? ", " : "",
							 sa_text_clip(lfirst(cell), 60));
		}
		appendStringInfoString(&text, ".");
	}
	else if (problem->question)
		appendStringInfo(&text, "The question can be read in two ways: %s",
						 problem->question);
	else
		appendStringInfo(&text,
						 "The built-in provider does not understand the "
						 "question: %s.",
						 problem->reason ? problem->reason
										 : "it is no plain question");
	appendStringInfoString(&text, " Say it in other words, or set "
								  "sqlagent.provider to a language model.");
	return new_reply(SA_STOP_REFUSED, text.data);
}

static SaReply *
refuse_reason(const char *reason)
{
	SaBiProblem problem = {NIL, reason, NULL};

	return refuse(&problem);
}

static SaJson *
parse_json(const char *text)
{
	const char *problem;
	char *utf8;

	if (text == NULL)
		return NULL;
	utf8 = sa_json_to_utf8(text);
	return sa_json_parse(utf8, strlen(utf8), &problem);
}

static SaJson *
arguments_of(const SaBiTurn *turn, int i)
{
	return parse_json(((SaToolCall *) list_nth(turn->calls, i))->arguments);
}

static bool
is_call(const SaBiTurn *turn, int i, const char *tool)
{
	return strcmp(((SaToolCall *) list_nth(turn->calls, i))->name, tool) == 0;
}

static SaJson *
result_of(const SaBiTurn *turn, int i)
{
	SaMessage *message = list_nth(turn->results, i);

	return message ? parse_json(message->content) : NULL;
}

static SaReply *
ask_tables(const SaBiTurn *turn)
{
	SaReply *reply = new_reply(SA_STOP_TOOLS, NULL);

	add_call(reply, turn, TOOL_SCHEMA, sa_json_new_object());
	return reply;
}

/* Tables that fit the question, or those before where it may go on with them */
static SaReply *
ask_search(const SaBiTurn *turn)
{
	SaReply *reply = new_reply(SA_STOP_TOOLS, NULL);
	SaJson *search = sa_json_new_object();
	StringInfoData text;

	initStringInfo(&text);
	for (int i = list_length(turn->questions) - 1; i >= 0; i--)
		appendStringInfo(&text, "%s ", (char *) list_nth(turn->questions, i));
	sa_json_add_string(
		search, "search",
		pnstrdup(text.data, sa_text_clip_len(text.data, text.len, MAX_SEARCH)));
	add_call(reply, turn, TOOL_SCHEMA, search);
	return reply;
}

static void
ask_table(SaReply *reply, const SaBiTurn *turn, const char *name)
{
	SaJson *arguments = sa_json_new_object();

	sa_json_add_string(arguments, "table_name", name);
	add_call(reply, turn, TOOL_SCHEMA, arguments);
}

/* The tables to look at: all when there are few, else the best. */
static SaReply *
ask_details(const SaBiTurn *turn, const SaJson *all, const SaJson *best)
{
	SaReply *reply = new_reply(SA_STOP_TOOLS, NULL);
	bool few = sa_json_get_int(all, "count", 0) <= FEW_TABLES;
	SaJson *tables = sa_json_get(few ? all : best, "tables");
	int limit = few ? FEW_TABLES : MANY_TABLES;

	for (int i = 0; i < Min(sa_json_length(tables), limit); i++)
	{
		char *name = sa_json_get_string(sa_json_at(tables, i), "name");

		if (name)
			ask_table(reply, turn, name);
	}
	if (reply->calls == NIL)
		return refuse_reason(few ? "there are no tables that you may read"
								 : "no table fits it");
	return reply;
}

/* Tables that two of those we know refer to or are referred to by. */
static SaReply *
ask_neighbours(const SaBiTurn *turn, const SaBiSchema *schema)
{
	SaReply *reply = new_reply(SA_STOP_TOOLS, NULL);
	List *names = NIL;
	ListCell *cell;

	foreach (cell, schema->tables)
	{
		const SaJson *links = ((SaBiTable *) lfirst(cell))->relationships;

		for (int i = 0; i < sa_json_length(links); i++)
		{
			char *name = sa_json_get_string(sa_json_at(links, i), "table");
			ListCell *other;
			bool known = name == NULL || sa_builtin_schema_table(schema, name);

			foreach (other, names)
				known = known || strcmp(lfirst(other), name) == 0;
			if (!known && list_length(names) < MAX_NEIGHBOURS)
				names = lappend(names, name);
		}
	}
	foreach (cell, names)
		ask_table(reply, turn, lfirst(cell));
	return reply->calls ? reply : NULL;
}

static SaReply *
ask_values(const SaBiTurn *turn, List *lookups)
{
	SaReply *reply = new_reply(SA_STOP_TOOLS, NULL);
	ListCell *cell;

	foreach (cell, lookups)
	{
		SaBiLookup *lookup = lfirst(cell);
		SaJson *arguments = sa_json_new_object();

		sa_json_add_string(arguments, "table", lookup->table);
		sa_json_add_string(arguments, "column", lookup->column);
		sa_json_add_string(arguments, "text", lookup->text);
		add_call(reply, turn, TOOL_VALUES, arguments);
	}
	return reply;
}

static List *
read_lookups(const SaBiTurn *turn)
{
	List *lookups = NIL;

	for (int i = 0; i < list_length(turn->calls); i++)
	{
		SaBiLookup *lookup;
		SaJson *arguments;

		if (!is_call(turn, i, TOOL_VALUES))
			continue;
		arguments = arguments_of(turn, i);
		lookup = palloc0(sizeof(SaBiLookup));
		lookup->table = sa_json_get_string(arguments, "table");
		lookup->column = sa_json_get_string(arguments, "column");
		lookup->text = sa_json_get_string(arguments, "text");
		lookup->answer = result_of(turn, i);
		if (lookup->table && lookup->column && lookup->text)
			lookups = lappend(lookups, lookup);
	}
	return lookups;
}

/* The questions that can be read, the oldest first; NIL when the last cannot. */
static List *
read_sayings(const SaBiTurn *turn, const SaBiSchema *schema, List *lookups)
{
	List *sayings = NIL;
	ListCell *cell;

	foreach (cell, turn->questions)
	{
		SaBiSaying *saying = palloc0(sizeof(SaBiSaying));

		saying->tokens = sa_builtin_lexicon_tokens(lfirst(cell));
		if (saying->tokens)
		{
			saying->items =
				sa_builtin_match_items(schema, saying->tokens, lookups);
			sayings = lappend(sayings, saying);
		}
		else if (lnext(turn->questions, cell) == NULL)
			return NIL;
	}
	return sayings;
}

/*
 * Values to look for: of the question by itself, and only where it cannot stand
 * so of those that it may go on with.
 */
static List *
wanted_values(const SaBiSchema *schema, List *sayings, List *lookups)
{
	SaBiSaying *last = llast(sayings);
	bool alone = list_length(sayings) == 1;
	List *items = NIL;
	ListCell *cell;

	if (lookups == NIL && (alone || !sa_builtin_follow_refers(last)))
	{
		List *wanted = sa_builtin_match_lookups(schema, last->items, NIL);

		if (wanted)
			return wanted;
	}
	if (alone || list_length(lookups) > MANY_LOOKUPS ||
		sa_builtin_follow_stands(schema, last))
		return NIL;
	foreach (cell, sayings)
		items = list_concat(items, ((SaBiSaying *) lfirst(cell))->items);
	return sa_builtin_match_lookups(schema, items, lookups);
}

/* Ask for values, or write the statement. */
static SaReply *
understand(const SaRequest *request, const SaBiTurn *turn, SaBiSchema *schema,
		   bool partial)
{
	List *lookups = read_lookups(turn);
	SaBiProblem problem = {0};
	SaBiQuery *query;
	List *sayings;
	char *sql;
	SaReply *reply;
	SaJson *arguments;

	sa_builtin_schema_finish(schema);
	sayings = read_sayings(turn, schema, lookups);
	if (sayings == NIL)
		return refuse_reason("it is too long or says nothing");
	if (offers(request, TOOL_VALUES))
	{
		List *wanted = wanted_values(schema, sayings, lookups);

		if (wanted)
			return ask_values(turn, wanted);
	}
	query = sa_builtin_follow_parse(schema, sayings, &problem);
	sql = query ? sa_builtin_compose(schema, query, &problem) : NULL;
	if (sql == NULL)
	{
		/* perhaps a table is missing that ties the others together */
		reply = partial && problem.words == NIL ? ask_neighbours(turn, schema)
												: NULL;
		return reply ? reply : refuse(&problem);
	}
	if (!offers(request, TOOL_RUN))
		return new_reply(SA_STOP_END, sql);
	reply = new_reply(SA_STOP_TOOLS, NULL);
	arguments = sa_json_new_object();
	sa_json_add_string(arguments, "sql", sql);
	add_call(reply, turn, TOOL_RUN, arguments);
	return reply;
}

/* What the schema tool told so far, and what to do next. */
static SaReply *
go_on(const SaRequest *request, const SaBiTurn *turn)
{
	SaBiSchema *schema = sa_builtin_schema_new();
	SaJson *all = NULL;
	SaJson *best = NULL;
	int known = 0;
	bool many;

	for (int i = 0; i < list_length(turn->calls); i++)
	{
		SaJson *result;

		if (!is_call(turn, i, TOOL_SCHEMA))
			continue;
		result = result_of(turn, i);
		if (sa_json_get(result, "tables"))
		{
			if (sa_json_get(arguments_of(turn, i), "search"))
				best = result;
			else
				all = result;
		}
		else if (sa_json_get(result, "columns"))
		{
			sa_builtin_schema_add(schema, result);
			known++;
		}
	}
	if (all == NULL)
		return turn->calls ? refuse_reason("the tables could not be listed")
						   : ask_tables(turn);
	many = sa_json_get_int(all, "count", 0) > FEW_TABLES;
	if (many && best == NULL)
		return ask_search(turn);
	if (known == 0)
		return ask_details(turn, all, best);
	return understand(request, turn, schema, many && known <= MANY_TABLES);
}

/* The answer from what run_sql gave. */
static SaReply *
answer(const SaBiTurn *turn, int at)
{
	SaMessage *message = list_nth(turn->results, at);
	SaJson *result = message ? parse_json(message->content) : NULL;
	SaJson *error = sa_json_get(result, "error");
	char *sql = sa_json_get_string(arguments_of(turn, at), "sql");

	if (message == NULL || message->content == NULL)
		return refuse_reason("its statement gave no result");
	if (message->is_error || error)
	{
		char *text = sa_json_get_string(error, "message");

		return refuse_reason(
			psprintf("its statement failed (%s)", text ? text : "no reason"));
	}
	return new_reply(SA_STOP_END,
					 sa_builtin_word_result(sql ? sql : "", message->content));
}

SaReply *
sa_builtin_complete(const SaRequest *request)
{
	SaBiTurn turn = read_turn(request);
	SaReply *reply;
	bool opened;

	if (turn.question == NULL || sa_text_blank(turn.question))
		return refuse_reason("it is empty");
	for (int i = list_length(turn.calls) - 1; i >= 0; i--)
		if (is_call(&turn, i, TOOL_RUN))
			return answer(&turn, i);
	opened = sa_stem_begin();
	reply = go_on(request, &turn);
	sa_stem_end(opened);
	return reply;
}
