/*
 * introspect.h
 *	  What the asker may see of the database, as JSON and as prompt text.
 *
 * Each function opens and closes its own short transaction, read only and with
 * the asker's rights, and returns text in CurrentMemoryContext.  "local" is said
 * of a reader inside the server, to whom sqlagent.share does not apply since
 * nothing leaves it.
 */
#ifndef SA_INTROSPECT_H
#define SA_INTROSPECT_H

#include "base/error.h"
#include "nodes/pg_list.h"

/*
 * The tables that fit the search (all of them when it is blank), best first:
 * {"tables": [{"name", "kind", "comment", "rows"}], "count", "more"}
 */
extern char *sa_introspect_list(const char *search);

/*
 * One table; name as SQL would write it ("Mixed Case", schema.table).
 * NULL and *error when there is none that the asker may read.
 */
extern char *sa_introspect_table(const char *name, bool with_sample, bool local,
								 SaError **error);

/* A table that the question may be about for a reason beyond its words. */
typedef struct SaLikely
{
	Oid table;
	double weight; /* 0 to 1; 1 counts as much as the words of the best table */
} SaLikely;

/*
 * The schema text of a prompt: the tables that fit the question in full, the
 * next ones by name, within max_tokens.  likely: SaLikely *.  *chosen gets the
 * OIDs of those in full.
 */
extern char *sa_describe(const char *question, const List *likely,
						 int max_tokens, List **chosen);

/*
 * Values of a column nearest to the text:
 * {"table", "column", "values": [{"value", "match", "frequency"}], "complete"}
 */
extern char *sa_values_find(const char *table, const char *column,
							const char *text, bool local, SaError **error);

#endif /* SA_INTROSPECT_H */
