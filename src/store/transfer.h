/*
 * transfer.h
 *	  Knowledge from outside: an export of ours, or files of the Laravel package,
 *	  as a list of items.  Touches no table.
 */
#ifndef SA_TRANSFER_H
#define SA_TRANSFER_H

#include "base/json.h"
#include "nodes/pg_list.h"

typedef enum SaTransferKind
{
	SA_TRANSFER_PATTERN,
	SA_TRANSFER_LEARNING,
	SA_TRANSFER_RULE,
	SA_TRANSFER_COMMENT
} SaTransferKind;

typedef struct SaTransfer
{
	SaTransferKind kind;
	const char *name; /* of a learning its title, of a comment its table */
	const char *question;
	const char *description; /* of a pattern its summary, of a comment its
							  * text */
	const char *sql;		 /* of a rule its calculation */
	const char *notes;		 /* of a pattern; of a rule its solution */
	const char *category;	 /* of a rule metric, rule or gotcha; of a comment
							  * the column, or NULL */
	const char *failing_sql;
	const char *sqlstate;
	const char *key;
	List *tables;		/* of char * */
	const char *status; /* as exported, or NULL */
	const char *note;
} SaTransfer;

typedef struct SaSkipped
{
	const char *what;
	const char *why;
} SaSkipped;

/*
 * Read a JSON value: an object of either format, text with SQL between query
 * markers, or an array or an object (of files by name) of these.  Items is a
 * List of SaTransfer *, skipped of SaSkipped *.
 */
extern void sa_transfer_read(const SaJson *data, List **items, List **skipped);

extern List *sa_transfer_skip(List *skipped, const char *what, const char *why);

#endif /* SA_TRANSFER_H */
