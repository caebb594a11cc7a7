/*
 * label_store.h
 *	  The labels that are stored for tables, kept in memory.
 *
 * For label.c and lineage.c; what others want to know is in label.h, which
 * looks through views as well.
 */
#ifndef SA_LABEL_STORE_H
#define SA_LABEL_STORE_H

#include "access/attnum.h"

#include "db/label.h"

#define SA_LABEL_PROVIDER "sqlagent"

/* The label that the text stands for; SA_LABEL_NONE for any other text. */
extern SaLabel sa_label_store_value(const char *text);

/* Whether there is any label at all. */
extern bool sa_label_store_any(void);
extern bool sa_label_store_any_hidden(void);

/*
 * Of a table or of a column by itself: with the labels of its children and
 * parents, but not of what a view reads.  Column 0 is the whole row.
 */
extern bool sa_label_store_table_hidden(Oid relation);
extern SaLabel sa_label_store_column(Oid relation, AttrNumber number);

#endif /* SA_LABEL_STORE_H */
