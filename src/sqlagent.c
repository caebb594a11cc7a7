/*
 * sqlagent.c
 *	  Module magic, and the start of each module in one line.
 */
#include "postgres.h"

#include "fmgr.h"

#include "base/compat.h"
#include "base/guc.h"
#include "db/label.h"

SA_MODULE_MAGIC;

extern PGDLLEXPORT void _PG_init(void);

void
_PG_init(void)
{
	sa_guc_init();
	sa_label_init();
}
