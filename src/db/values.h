/*
 * values.h
 *	  Which values of a column are nearest to a text; used by the tool
 *	  find_values (db/introspect.h) and by literal.
 */
#ifndef SA_VALUES_H
#define SA_VALUES_H

#include "access/attnum.h"

#include "base/error.h"
#include "db/match.h"

#define SA_VALUES_MAX 10

typedef struct SaFoundValue
{
	char *value;
	SaMatchKind kind;
	double distance;
	double frequency; /* -1 = not known */
	bool known;		  /* from a label or statistics, not from rows */
} SaFoundValue;

typedef struct SaValueSearch
{
	const char *table; /* as SQL writes it */
	const char *column;
	const SaPattern *pattern;
	int count;
	SaFoundValue found[SA_VALUES_MAX]; /* nearest first */
	bool complete; /* every value of the column was looked at */
	bool masked;
	bool local;	   /* the reader is inside the server */
	bool thorough; /* read the column unless the very text is known to occur */
} SaValueSearch;

/*
 * Search a column that is known by number.  False when the asker may not read
 * it, or when it is masked and the reader is not inside the server.  No
 * transaction may be open; takes about "ms" at most.
 */
extern bool sa_values_search(SaValueSearch *search, Oid relation,
							 AttrNumber number, const char *text, int ms);

#endif /* SA_VALUES_H */
