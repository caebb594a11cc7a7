/*
 * builtin_parse.h
 *	  What the files of the parser share; private to them.
 *
 * builtin_parse.c goes through the items, builtin_phrase.c reads phrases,
 * builtin_noun.c names of the schema, builtin_cond.c and builtin_op.c
 * conditions, builtin_super.c superlatives, builtin_order.c order and groups,
 * builtin_time.c dates; builtin_pick.c decides what a word means where it may
 * mean several things, builtin_measure.c which column is meant without being
 * named, and builtin_finish.c what was left unsaid.  builtin_follow.c lets a
 * question go on with the one before, and builtin_merge.c puts what it says in
 * place of what was said before.
 */
#ifndef SA_BUILTIN_PARSE_H
#define SA_BUILTIN_PARSE_H

#include "llm/builtin_query.h"

typedef struct SaBiParser
{
	const SaBiSchema *schema;
	SaBiItem **items;
	int n;
	int at;

	SaBiQuery *query;
	SaBiScope *main;  /* conditions on the main table */
	SaBiScope *scope; /* the one that is spoken of */
	List *mentioned;  /* tables that the question names */
	List *grouped;	  /* tables that are only grouped by */

	bool selecting;	  /* names are wanted, not conditions */
	List *aggs;		  /* int: aggregates whose object is awaited */
	bool distinct;	  /* likewise */
	bool negated;	  /* a "not" whose object is awaited */
	bool or_next;	  /* an "or" likewise */
	bool both;		  /* "both" was said */
	bool after_prep;  /* the last word was a preposition */
	bool counting;	  /* rows of the main table are counted */
	bool want_date;	  /* "when" was asked */
	bool sorted;	  /* an order was asked for */
	bool per;		  /* "per" or "by": bare rows are counted */
	bool ranked;	  /* "top 5 … by …": the measure may be a sum */
	bool want_amount; /* "how much" was asked */
	bool want_place;  /* "where" was asked */
	bool ranking;	  /* "top" was said: the limit awaits its measure */
	SaBiTag previous; /* what the last item was, words that say nothing aside */
	int previous_at;
	int limit; /* a number that awaits a superlative */
	SaBiColumn *last_column;
	int last_column_at;
	SaBiItem *verb;		/* the last verb that is also part of a column's name */
	SaBiItem *any_verb; /* the last verb */
	const char *unit;	/* "monthly": what a time is grouped by */

	SaBiProblem *problem;
} SaBiParser;

/*
 * A question is begun, its items are added and read, and what it leaves unsaid
 * is finished.  A further question about the same is added and read before the
 * end (builtin_follow.c).
 */
extern SaBiParser *sa_builtin_parse_begin(const SaBiSchema *schema,
										  SaBiProblem *problem);
extern void sa_builtin_parse_add(SaBiParser *p, List *items);
extern void sa_builtin_parse_read(SaBiParser *p);
/* NULL with the problem set when the question is not understood. */
extern SaBiQuery *sa_builtin_parse_end(SaBiParser *p);

/* Items, NULL beyond the end. */
extern SaBiItem *sa_builtin_parse_item(SaBiParser *p, int at);
extern SaBiTag sa_builtin_parse_tag(SaBiParser *p, int at);
/* The next item from here that says something; marks those before as used. */
extern int sa_builtin_parse_skip(SaBiParser *p, int at);
extern void sa_builtin_parse_fail(SaBiParser *p, const char *reason);
extern SaBiTerm *sa_builtin_parse_term(SaBiAgg agg, SaBiTable *table,
									   SaBiColumn *column);
extern SaBiScope *sa_builtin_parse_scope(SaBiParser *p, SaBiScopeKind kind,
										 SaBiTable *table);
extern void sa_builtin_parse_order(SaBiParser *p, SaBiTerm *term,
								   bool descending);
/* A number as digits or as a word: its text and the place behind, or 0. */
extern int sa_builtin_parse_number(SaBiParser *p, int at, const char **text);
/* The table whose row is spoken of. */
extern SaBiTable *sa_builtin_parse_focus(SaBiParser *p);

/* builtin_pick.c */
/* Ask back: two columns that the words at this place may mean. */
extern void sa_builtin_pick_ask(SaBiParser *p, int at, const SaBiColumn *a,
								const SaBiColumn *b);
extern bool sa_builtin_pick_is_table(SaBiParser *p, int at);
extern bool sa_builtin_pick_is_column(SaBiParser *p, int at);
extern SaBiTable *sa_builtin_pick_table(SaBiParser *p, int at);
/* The column meant; hint is a table that it rather belongs to, or NULL. */
extern SaBiColumn *sa_builtin_pick_column(SaBiParser *p, int at,
										  SaBiTable *hint);
/* All columns meant: "name" may be a first and a last name. */
extern List *sa_builtin_pick_columns(SaBiParser *p, int at, SaBiTable *hint);
extern const SaBiCand *sa_builtin_pick_value(SaBiParser *p, int at,
											 SaBiTable *hint);
extern const char *sa_builtin_pick_value_of(SaBiParser *p, int at,
											const SaBiColumn *column);
/* The column of a table that an adjective speaks of. */
extern SaBiColumn *sa_builtin_pick_measure(SaBiTable *table,
										   const char *dimensions,
										   bool *positive);
/* The number that a table's rows are worth: its amount or total. */
extern SaBiColumn *sa_builtin_pick_amount(SaBiTable *table);
/* The only text column with the word in its name, or NULL. */
extern SaBiColumn *sa_builtin_pick_word(const SaBiTable *table,
										const char *word);
/* Whether a column holds amounts, that make sense as a sum. */
extern bool sa_builtin_pick_is_amount(const SaBiColumn *column);
/* Whether a word is one of a name's, by itself or by a synonym. */
extern bool sa_builtin_pick_has_word(const SaBiName *name, const char *word);
/* The one date of a table's rows, or NULL. */
extern SaBiColumn *sa_builtin_pick_date_of(const SaBiTable *table);
extern void sa_builtin_pick_mention_values(SaBiParser *p);
/* Whether it holds numbers of things. */
extern bool sa_builtin_pick_is_quantity(const SaBiColumn *column);
extern SaBiColumn *sa_builtin_pick_date(SaBiParser *p, bool year_will_do);

/* builtin_noun.c */
extern SaBiAgg sa_builtin_noun_agg(const char *name);
/* Select a table's rows or a column, by the aggregates said before. */
extern void sa_builtin_noun_select(SaBiParser *p, SaBiTable *table,
								   SaBiColumn *column);
extern int sa_builtin_noun_table(SaBiParser *p, int at);
extern int sa_builtin_noun_column(SaBiParser *p, int at);

/*
 * builtin_cond.c: each that reads gives the place behind what it read, or 0.
 */
extern SaBiOp sa_builtin_cond_op(const SaBiItem *item);
extern bool sa_builtin_cond_is_order(SaBiOp op);
/* What follows a column and makes a condition of it. */
extern int sa_builtin_cond_read(SaBiParser *p, SaBiColumn *column, int at);
/* What a column is compared with; named: the column was said. */
extern int sa_builtin_cond_compared(SaBiParser *p, SaBiColumn *column, int at,
									SaBiOp op, bool named);
/* An aggregate that is compared with; column may be NULL. */
extern int sa_builtin_cond_than(SaBiParser *p, SaBiColumn *column, int at,
								SaBiOp op);
/* The text of "contains" and its like. */
extern int sa_builtin_cond_text(SaBiParser *p, SaBiColumn *column, int at,
								SaBiOp op);
extern int sa_builtin_cond_value(SaBiParser *p, int at);
/* "… or more" and a unit behind a number: the place behind, or the same. */
extern int sa_builtin_cond_trailing(SaBiParser *p, int at, SaBiOp *op);
extern int sa_builtin_cond_unit(SaBiParser *p, int at);
extern SaBiCond *sa_builtin_cond_add(SaBiParser *p, SaBiColumn *column,
									 SaBiOp op, List *values);

/* builtin_op.c */
extern int sa_builtin_op_read(SaBiParser *p, int at);
/* An operator and a number, of rows of the table. */
extern int sa_builtin_op_count(SaBiParser *p, SaBiTable *table, int at);
extern int sa_builtin_op_number(SaBiParser *p, int at);
extern int sa_builtin_op_between(SaBiParser *p, int at);
extern int sa_builtin_op_like(SaBiParser *p, int at);

/* builtin_phrase.c */
extern int sa_builtin_phrase_read(SaBiParser *p, int at);
extern int sa_builtin_phrase_value(SaBiParser *p, int at);
extern int sa_builtin_phrase_number(SaBiParser *p, int at);
extern int sa_builtin_phrase_time(SaBiParser *p, int at);
/* Whether a sentence begins here. */
extern bool sa_builtin_phrase_begins(SaBiParser *p, int at);

/* builtin_time.c */
extern int sa_builtin_time_read(SaBiParser *p, SaBiColumn *column, int at,
								SaBiOp op);
extern bool sa_builtin_time_begins(SaBiParser *p, int at);

/* builtin_finish.c: what the question leaves to be understood. */
extern void sa_builtin_finish(SaBiParser *p);

/* builtin_merge.c: what a follow-up changes of the question before. */
typedef struct SaBiBefore SaBiBefore;
extern SaBiBefore *sa_builtin_merge_begin(SaBiParser *p);
/* of_rows: it speaks of the rows that were found. */
extern void sa_builtin_merge_end(SaBiParser *p, SaBiBefore *before,
								 bool of_rows);
extern bool sa_builtin_merge_is_condition(const SaBiParser *p,
										  const SaBiColumn *column);
/* "the top 3", "the lowest"; first: of an order as it is.  number may be 0. */
extern void sa_builtin_merge_rank(SaBiParser *p, bool first, bool most,
								  int number);
extern void sa_builtin_merge_aggregate(SaBiParser *p, SaBiAgg agg);
extern void sa_builtin_merge_table(SaBiParser *p, SaBiTable *table);
/* "sort by that", without a key. */
extern void sa_builtin_merge_sort(SaBiParser *p);

/* builtin_verb.c */
extern int sa_builtin_verb_read(SaBiParser *p, int at);

/* builtin_ratio.c */
extern int sa_builtin_ratio_read(SaBiParser *p, int at);

/* builtin_super.c */
extern int sa_builtin_super_read(SaBiParser *p, int at);

/* builtin_order.c */
extern int sa_builtin_order_read(SaBiParser *p, int at);
extern int sa_builtin_order_group(SaBiParser *p, int at);

#endif /* SA_BUILTIN_PARSE_H */
