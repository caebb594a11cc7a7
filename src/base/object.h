/*
 * object.h
 *	  A table or a column of it that a statement mentions, by what stays the
 *	  same when it is renamed.
 */
#ifndef SA_OBJECT_H
#define SA_OBJECT_H

typedef struct SaObject
{
	Oid relation;
	int16 column; /* 0 = the relation itself */
} SaObject;

#endif /* SA_OBJECT_H */
