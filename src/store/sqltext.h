/*
 * sqltext.h
 *	  SQL as a row of tokens: enough to fill placeholders, to follow a rename,
 *	  and to say whether two statements are the same.  Not a parser: whatever is
 *	  made here is guarded before it runs.
 */
#ifndef SA_SQLTEXT_H
#define SA_SQLTEXT_H

#include "nodes/pg_list.h"

/* Put literals of their types in the place of the placeholders (SaPlaceholder);
 * NULL is written for one without a value. */
extern char *sa_sqltext_fill(const char *sql, const List *placeholders);

/*
 * What stands where a table is named, behind FROM, JOIN or a comma: char *,
 * schema included.  May name what is no table.
 */
extern List *sa_sqltext_tables(const char *sql);

/* The first of the placeholders that the statement does not use, or NULL. */
extern const char *sa_sqltext_unused(const char *sql, const List *placeholders);

/*
 * The same statement but for blanks, comments, case of words and a semicolon at
 * the end; where the pattern has one of the placeholders, the statement may have
 * any literal.
 */
extern bool sa_sqltext_same(const char *pattern, const char *sql,
							const List *placeholders);

/*
 * How alike two statements are: the share of their tokens that they have in
 * common, 0 to 1.
 */
extern double sa_sqltext_likeness(const char *left, const char *right);

/*
 * Replace a name wherever it stands as a word, but not as the alias that AS
 * gives, nor qualified by another table than the one named (its aliases count
 * as it).  The table's own name is replaced when table is the old name.
 */
extern char *sa_sqltext_rename(const char *sql, const char *table,
							   const char *old_name, const char *new_name);

#endif /* SA_SQLTEXT_H */
