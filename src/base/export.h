/*
 * export.h
 *	  SA_FUNCTION(name): an SQL-callable function, the only kind of symbol that
 *	  the library exports besides _PG_init and the worker's entry point.
 */
#ifndef SA_EXPORT_H
#define SA_EXPORT_H

#include "fmgr.h"

#define SA_FUNCTION(name)                                                      \
	extern PGDLLEXPORT Datum name(PG_FUNCTION_ARGS);                           \
	PG_FUNCTION_INFO_V1(name)

#endif /* SA_EXPORT_H */
