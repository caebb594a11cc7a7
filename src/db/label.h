/*
 * label.h
 *	  SECURITY LABEL FOR sqlagent: what the model must not see.
 *
 * A table is hidden; a column is hidden or masked.  Hidden is neither shown to
 * the model nor readable by its SQL; of a masked column the values never reach
 * the model.  A label holds for the children and parents of a table as well,
 * and for what views derive from it (db/lineage.h).
 */
#ifndef SA_LABEL_H
#define SA_LABEL_H

#include "access/attnum.h"

typedef enum SaLabel
{
	SA_LABEL_NONE,
	SA_LABEL_MASKED,
	SA_LABEL_HIDDEN
} SaLabel;

/* Register the provider; from _PG_init. */
extern void sa_label_init(void);

/* Whether anything is hidden in this database. */
extern bool sa_label_any_hidden(void);

extern bool sa_label_table_hidden(Oid relation);

/*
 * The label of a column; for 0, the whole row, the strictest of its columns'.
 * SA_LABEL_NONE for system columns.
 */
extern SaLabel sa_label_column(Oid relation, AttrNumber number);

#endif /* SA_LABEL_H */
