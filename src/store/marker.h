/*
 * marker.h
 *	  SQL files in which comments mark the queries.
 */
#ifndef SA_MARKER_H
#define SA_MARKER_H

#include "nodes/pg_list.h"

typedef struct SaMarkerBlock
{
	char *name;
	char *words;	   /* the name with blanks for underscores */
	char *description; /* or NULL */
	char *sql;
} SaMarkerBlock;

/*
 * The blocks of a text like
 *
 *	-- <query name>active_users</query name>
 *	-- <query description>
 *	-- Users of the last 30 days
 *	-- </query description>
 *	-- <query>
 *	SELECT …
 *	-- </query>
 *
 * List of SaMarkerBlock *; a block without a name or a query is left out.
 */
extern List *sa_marker_blocks(const char *text);

#endif /* SA_MARKER_H */
