/*
 * override.c
 *	  Texts of the prompts that the administrator has changed.
 *
 * Called by the agent at the start of a run.
 */
#include "postgres.h"

#include "base/spi.h"
#include "store/override.h"

List *
sa_overrides_load(void)
{
	List *overrides = NIL;
	int count;

	sa_tx_begin(SA_TX_OWNER);
	count = SA_QUERY0("SELECT name, body FROM sqlagent.prompt_overrides");
	for (int i = 0; i < count; i++)
	{
		SaOverride *override = palloc(sizeof(SaOverride));

		override->name = sa_row_text(i, 1);
		override->body = sa_row_text(i, 2);
		overrides = lappend(overrides, override);
	}
	sa_tx_commit();
	return overrides;
}
