/*
 * tools.h
 *	  Tools that the administrator has registered.
 */
#ifndef SA_TOOLS_H
#define SA_TOOLS_H

#include "nodes/pg_list.h"

typedef struct SaCustomTool
{
	char *name;
	Oid function;
	char *description;
	char *parameters; /* JSON text */
	bool read_only;
	bool takes_json; /* its one argument is of type jsonb */
} SaCustomTool;

/* The tool of a name, or for NULL all of them, that the asker may execute. */
extern List *sa_tools_load(const char *name);

#endif /* SA_TOOLS_H */
