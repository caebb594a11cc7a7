/*
 * show.h
 *	  What of the catalog is worth showing, and what may be: shared by the JSON
 *	  of introspect, the text of describe and find_values.
 */
#ifndef SA_SHOW_H
#define SA_SHOW_H

#include "base/error.h"
#include "db/catalog.h"

/*
 * The values of a column that are worth telling: labels of an enum, or common
 * values of a column with few of them, which are told only when statistics may
 * be.  *complete: there are no others.
 */
extern char **sa_show_values(const SaTable *table,
							 const SaCatalogColumn *column, bool statistics,
							 int *count, bool *complete);

/* "not analyzed" or "old" when statistics are not to be relied on, or NULL. */
extern const char *sa_show_statistics_state(const SaTable *table);

/* "relation … does not exist", with the nearest names as hint. */
extern SaError *sa_show_no_table(SaCatalog *catalog, const char *name);
/* "column … does not exist", likewise. */
extern SaError *sa_show_no_column(const SaTable *table, const char *name);

#endif /* SA_SHOW_H */
