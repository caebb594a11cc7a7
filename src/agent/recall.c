/*
 * recall.c
 *	  What is known about a question, for the model: rules of the tables that
 *	  were chosen for it, learnings and examples that fit.
 *
 * Called by the loop.  Only what is approved is told, and only what speaks of
 * tables that the asker may read.  All of it is delivered as data: a rule that
 * somebody wrote can say what a number means, not what the model shall do.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "agent/knowledge.h"
#include "agent/prompt.h"
#include "agent/verb.h"
#include "base/guc.h"
#include "base/object.h"
#include "base/spi.h"
#include "base/text.h"
#include "db/introspect.h"
#include "store/object.h"

/* Shares of context_tokens, as divisors: of rules, and of what serves as an
 * example. */
#define RULES_SHARE 4
#define EXAMPLES_SHARE 8
#define MAX_RULES 200
/* Of each of the other kinds. */
#define MAX_HITS 4
/* Below this a hit has little to do with the question. */
#define MIN_SCORE 0.04

static bool
has_text(const SaHit *hit, const char *field)
{
	return !sa_text_blank(sa_search_field(hit, field));
}

static void
add_field(StringInfo out, const char *label, const SaHit *hit,
		  const char *field)
{
	if (has_text(hit, field))
		appendStringInfo(out, "%s%s\n", label, sa_search_field(hit, field));
}

static void
add_rule(StringInfo out, const SaHit *hit)
{
	appendStringInfo(out, "%s: %s\n", sa_search_field(hit, "kind"),
					 sa_search_field(hit, "name"));
	add_field(out, "  ", hit, "description");
	add_field(out, "  computed as: ", hit, "calculation");
	add_field(out, "  what to do: ", hit, "solution");
	if (strcmp(sa_search_field(hit, "tables"), "[]") != 0)
		add_field(out, "  tables: ", hit, "tables");
}

static void
add_learning(StringInfo out, const SaHit *hit)
{
	appendStringInfo(out, "learned: %s\n", sa_search_field(hit, "title"));
	add_field(out, "  ", hit, "description");
	add_field(out, "  fails: ", hit, "failing_sql");
	add_field(out, "  works: ", hit, "sql");
}

static void
add_pattern(StringInfo out, const SaHit *hit)
{
	appendStringInfo(out, "question: %s\n", sa_search_field(hit, "question"));
	add_field(out, "  SQL: ", hit, "sql");
	add_field(out, "  meaning: ", hit, "summary");
	add_field(out, "  note: ", hit, "data_quality_notes");
}

static void (*const adders[SA_KNOWLEDGE_KINDS])(StringInfo, const SaHit *) = {
	[SA_PATTERN] = add_pattern,
	[SA_LEARNING] = add_learning,
	[SA_RULE] = add_rule,
};

/*
 * Write down what fits into so many tokens of text; the rest is dropped from
 * hits.  How many were dropped.
 */
static int
add_kind(StringInfo out, SaKnowledge kind, List **hits, int max_tokens)
{
	int count = list_length(*hits);
	List *told = NIL;
	ListCell *cell;

	foreach (cell, *hits)
	{
		int before = out->len;

		adders[kind](out, lfirst(cell));
		if (sa_text_tokens(out->len) <= max_tokens)
		{
			told = lappend(told, lfirst(cell));
			continue;
		}
		out->len = before;
		out->data[before] = '\0';
	}
	*hits = told;
	return count - list_length(told);
}

/* Drop what the asker has no use for any more, or too little to do with it. */
static List *
still_good(List *hits)
{
	List *good = NIL;
	ListCell *cell;

	foreach (cell, hits)
	{
		SaHit *hit = lfirst(cell);

		/* What has just changed is told the next time, as it is then. */
		if (hit->score >= MIN_SCORE &&
			!sa_objects_follow_item(hit->kind, hit->id))
			good = lappend(good, hit);
	}
	return good;
}

static void
add_likely(SaRecall *recall, Oid table, double weight)
{
	SaLikely *likely;
	ListCell *cell;

	foreach (cell, recall->likely)
	{
		likely = lfirst(cell);
		if (likely->table == table)
		{
			likely->weight = Max(likely->weight, weight);
			return;
		}
	}
	likely = palloc(sizeof(SaLikely));
	*likely = (SaLikely){table, weight};
	recall->likely = lappend(recall->likely, likely);
}

/* Tables of what was approved for such questions fit this one as well. */
static void
find_likely(SaRecall *recall)
{
	for (int kind = 0; kind < SA_KNOWLEDGE_KINDS; kind++)
	{
		ListCell *cell;

		foreach (cell, recall->hits[kind])
		{
			const SaHit *hit = lfirst(cell);
			ListCell *object;

			foreach (object, sa_objects_of(kind, hit->id))
				add_likely(recall, ((SaObject *) lfirst(object))->relation,
						   hit->score);
		}
	}
}

void
sa_knowledge_find(const SaRunState *run, const SaTask *task, SaRecall *recall)
{
	SaSearch search = {0};

	memset(recall, 0, sizeof(SaRecall));
	if (!sa_guc_learning || (run && run->knowledge_none) ||
		sa_verb_info(task->verb)->offer == 0)
		return;
	sa_tx_begin(SA_TX_OWNER);
	recall->kinds = sa_search_approved();
	search.words = task->question;
	search.asker = NULL; /* also own proposals wait for a reviewer */
	search.role = GetSessionUserId();
	search.limit = MAX_HITS;
	search.kinds = recall->kinds;
	if (search.kinds)
		sa_search(&search, recall->hits);
	for (int kind = 0; kind < SA_KNOWLEDGE_KINDS; kind++)
		recall->hits[kind] = still_good(recall->hits[kind]);
	find_likely(recall);
	sa_tx_commit();
}

SaMessage *
sa_knowledge_recall(SaRunState *run, SaRecall *recall, const List *tables)
{
	List **hits = recall->hits;
	StringInfoData out;
	int max_tokens;
	int left_out;

	if (recall->kinds == 0)
		return NULL;
	if (recall->kinds & (1 << SA_RULE))
	{
		sa_tx_begin(SA_TX_OWNER);
		hits[SA_RULE] = still_good(sa_search_rules(tables, MAX_RULES));
		sa_tx_commit();
	}
	initStringInfo(&out);
	/* Rules hold whatever the question is like: examples cannot crowd them out. */
	left_out = add_kind(&out, SA_RULE, &hits[SA_RULE],
						sa_guc_context_tokens / RULES_SHARE);
	max_tokens =
		sa_text_tokens(out.len) + sa_guc_context_tokens / EXAMPLES_SHARE;
	(void) add_kind(&out, SA_PATTERN, &hits[SA_PATTERN], max_tokens);
	(void) add_kind(&out, SA_LEARNING, &hits[SA_LEARNING], max_tokens);
	if (run)
		sa_knowledge_given(run, hits, "prompt");
	if (run && left_out > 0)
		sa_run_warn(run,
					psprintf("%d rules about these tables were left out: "
							 "they do not fit into sqlagent.context_tokens",
							 left_out));
	return out.len > 0
			   ? sa_message_new(SA_ROLE_SYSTEM, sa_prompt_knowledge(out.data))
			   : NULL;
}

static bool
is_given(const SaRunState *run, const SaHit *hit)
{
	ListCell *cell;

	foreach (cell, run->knowledge)
	{
		const SaUsed *used = lfirst(cell);

		if (used->kind == hit->kind && used->id == hit->id)
			return true;
	}
	return false;
}

void
sa_knowledge_given(SaRunState *run, List *const hits[SA_KNOWLEDGE_KINDS],
				   const char *how)
{
	for (int kind = 0; kind < SA_KNOWLEDGE_KINDS; kind++)
	{
		ListCell *cell;

		foreach (cell, hits[kind])
		{
			const SaHit *hit = lfirst(cell);
			SaUsed *used;

			if (is_given(run, hit))
				continue;
			used = palloc0(sizeof(SaUsed));
			used->kind = hit->kind;
			used->id = hit->id;
			used->name = pstrdup(
				sa_search_field(hit, kind == SA_LEARNING ? "title" : "name"));
			used->how = how;
			run->knowledge = lappend(run->knowledge, used);
		}
	}
}

static void
settle(SaRunState *run)
{
	ListCell *cell;

	sa_tx_begin(SA_TX_OWNER);
	foreach (cell, run->knowledge)
	{
		SaUsed *used = lfirst(cell);

		used->touched = strcmp(used->how, "reused") == 0 ||
						sa_objects_touch(sa_objects_of(used->kind, used->id),
										 run->result->objects);
		if (used->touched)
			sa_knowledge_use(used->kind, used->id);
	}
	sa_tx_commit();
}

/* Counting must not cost the run its answer, nor a cancel its record. */
void
sa_knowledge_settle(SaRunState *run)
{
	MemoryContext context = CurrentMemoryContext;

	if (run->knowledge == NIL || run->result == NULL)
		return;
	PG_TRY();
	{
		settle(run);
	}
	PG_CATCH();
	{
		SaError *error;

		MemoryContextSwitchTo(context);
		error = sa_error_capture(context, NULL);
		sa_tx_abort();
		if (!sa_error_is_cancel(error))
			sa_run_warn(run, psprintf("what was used of knowledge could not be "
									  "counted: %s",
									  error->message));
	}
	PG_END_TRY();
}

void
sa_knowledge_used_json(StringInfo out, const SaRunState *run)
{
	ListCell *cell;

	appendStringInfoChar(out, '[');
	foreach (cell, run->knowledge)
	{
		const SaUsed *used = lfirst(cell);

		appendStringInfo(out, "%s{\"kind\": \"%s\", \"id\": " INT64_FORMAT,
						 foreach_current_index(cell) > 0 ? ", " : "",
						 sa_knowledge_name(used->kind), used->id);
		appendStringInfoString(out, ", \"name\": ");
		sa_text_json(out, used->name);
		appendStringInfo(out, ", \"how\": \"%s\", \"touched\": %s}", used->how,
						 used->touched ? "true" : "false");
	}
	appendStringInfoChar(out, ']');
}
