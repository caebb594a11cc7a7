/*
 * tools.c
 *	  Tools that the administrator has registered.
 *
 * Called by the agent.  A function that is gone has no privileges, so that a
 * tool vanishes with it.
 */
#include "postgres.h"

#include "base/spi.h"
#include "store/tools.h"

#include "queries/queries.gen.h"

List *
sa_tools_load(const char *name)
{
	List *tools = NIL;
	int count;

	sa_tx_begin(SA_TX_OWNER);
	count = SA_QUERY(SA_QUERY_TOOLS_LOAD, sa_arg_text(name));
	for (int i = 0; i < count; i++)
	{
		SaCustomTool *tool = palloc0(sizeof(SaCustomTool));

		tool->name = sa_row_text(i, 1);
		tool->function = sa_row_oid(i, 2);
		tool->description = sa_row_text(i, 3);
		tool->parameters = sa_row_text(i, 4);
		tool->read_only = sa_row_bool(i, 5);
		tool->takes_json = sa_row_bool(i, 6);
		tools = lappend(tools, tool);
	}
	sa_tx_commit();
	return tools;
}
