/*
 * spi.h
 *	  Short transactions and typed rows over SPI: the only place that starts a
 *	  transaction.
 *
 * A transaction is opened, used and closed without anything being awaited in
 * between.  An error inside leaves it open; whoever catches the error calls
 * sa_tx_abort().  CurrentMemoryContext is the caller's all the time, so what
 * is made from rows outlives the transaction.
 */
#ifndef SA_SPI_H
#define SA_SPI_H

#include "catalog/pg_type_d.h"
#include "commands/trigger.h"
#include "nodes/pg_list.h"

typedef enum SaTxKind
{
	SA_TX_ASKER,	  /* read only, the asker's rights and search_path */
	SA_TX_OWNER,	  /* our tables: rights of the extension's owner, pinned
					 * search_path, asynchronous commit */
	SA_TX_OWNER_SYNC, /* likewise, the session's synchronous_commit */
	SA_TX_SANDBOX	  /* for db/sandbox: read only, the asker's rights in a
					  * restricted security context, without SPI; ended only
					  * by sa_tx_abort() */
} SaTxKind;

extern void sa_tx_begin(SaTxKind kind);
extern void sa_tx_commit(void);
/* Ends whatever is open, without error; harmless when nothing is. */
extern void sa_tx_abort(void);
extern bool sa_tx_is_open(void);

/* In an open SA_TX_SANDBOX: let it write; commit it. */
extern void sa_tx_allow_writes(void);
extern void sa_tx_commit_sandbox(void);
/* The first value of a statement of ours as text; NULL without one. */
extern char *sa_select_text(const char *sql, bool read_only);

/*
 * Inside a transaction of the caller's backend: our tables with the rights of
 * the extension's owner and a pinned search_path.  What an error leaves behind
 * the end of the (sub)transaction undoes.  trigger, unless NULL, is the trigger
 * whose transition tables the statements name.
 */
typedef struct SaInside
{
	Oid userid;
	int sec_context;
	int guc_nest_level;
} SaInside;

extern void sa_inside_begin(SaInside *inside, TriggerData *trigger);
extern void sa_inside_end(const SaInside *inside);
/*
 * Call something there so that what it raises is a warning, and undone, instead
 * of the end of the caller's transaction.
 */
extern void sa_inside_try(void (*call)(void *arg), void *arg,
						  const char *warning);
/*
 * Run a statement that was built by us, with the caller's own rights: as if
 * the caller had written it.
 */
extern void sa_inside_run(const char *sql);

/*
 * In the asker's backend, in a procedure that was called outside a transaction
 * block: commit what there is and go on without a snapshot.  What was allocated
 * in the transaction is gone.
 */
extern void sa_tx_let_go_of_snapshot(void);

/* A typed argument; made by the functions below. */
typedef struct SaArg
{
	Oid type;
	Datum value;
	bool isnull;
} SaArg;

extern SaArg sa_arg_text(const char *value); /* NULL = SQL NULL */
extern SaArg sa_arg_jsonb(const char *json); /* parsed; NULL = SQL NULL */
extern SaArg sa_arg_int8(int64 value);
extern SaArg sa_arg_int4(int32 value);
extern SaArg sa_arg_float8(double value);
extern SaArg sa_arg_bool(bool value);
extern SaArg sa_arg_oid(Oid value);
extern SaArg sa_arg_timestamptz(int64 value);
extern SaArg sa_arg_oid_array(const Oid *values, int count);
extern SaArg sa_arg_text_array(char **values, int count);
extern SaArg sa_arg_null(Oid type);
extern SaArg sa_arg_texts(const List *strings); /* text[] of char * */
extern SaArg sa_arg_oids(const List *oids);		/* oid[] of an OID list */

/*
 * Run one of our own statements (never a model's) with arguments and give the
 * number of rows.  The plan is kept, keyed by the address of the text: pass
 * string constants only.
 */
extern int sa_query(const char *sql, const SaArg *args, int nargs);
#define SA_QUERY(sql, ...)                                                     \
	sa_query(sql, (SaArg[]){__VA_ARGS__}, lengthof(((SaArg[]){__VA_ARGS__})))
#define SA_QUERY0(sql) sa_query(sql, NULL, 0)

/* Values of the last sa_query; rows from 0, columns from 1. */
extern char *sa_row_text(int row, int column); /* a copy; NULL = SQL NULL */
extern int64 sa_row_int8(int row, int column); /* 0 for NULL */
extern int32 sa_row_int4(int row, int column);
extern Oid sa_row_oid(int row, int column);
extern bool sa_row_bool(int row, int column);
extern double sa_row_float8(int row, int column);
extern bool sa_row_isnull(int row, int column);
/* The elements of a text[], copied; *count = 0 and NULL for NULL. */
extern char **sa_row_text_array(int row, int column, int *count);

#endif /* SA_SPI_H */
