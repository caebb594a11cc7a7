/*
 * object.h
 *	  The tables and columns that knowledge speaks of, and what becomes of it
 *	  when they change.
 *
 * Needs an open SA_TX_OWNER transaction or sa_inside_begin().
 */
#ifndef SA_STORE_OBJECT_H
#define SA_STORE_OBJECT_H

#include "nodes/pg_list.h"
#include "store/knowledge.h"

/* Replace what an item speaks of: List of SaObject *. */
extern void sa_objects_remember(SaKnowledge kind, int64 id,
								const List *objects);

/* List of SaObject *, in order. */
extern List *sa_objects_of(SaKnowledge kind, int64 id);

/*
 * Whether a statement that mentions these is still what was approved.  Of one
 * that was never guarded only the tables that its author named are known.
 */
extern bool sa_objects_stand(const List *remembered, bool checked,
							 const List *mentioned);

/* Whether they have a table in common. */
extern bool sa_objects_touch(const List *left, const List *right);

/*
 * Compare what is remembered with what there is: renames are followed, also in
 * the SQL, and what speaks of something that is gone or of another type
 * becomes stale.  Of one item, or of all that speak of a table.
 */
extern void sa_objects_follow_table(Oid relation);
/* True when it is not what it was, also when that is stale now. */
extern bool sa_objects_follow_item(SaKnowledge kind, int64 id);

/* The same for the tables of the command that an event trigger is called for. */
extern void sa_objects_follow_command(bool dropped);

/*
 * Somebody decided that an item is good as things are now: what is there is
 * remembered as it is, and what is gone is forgotten.
 */
extern void sa_objects_renew(SaKnowledge kind, int64 id);

/* A rule is about other tables: those of its row once it is written. */
extern void sa_objects_name(SaKnowledge kind, int64 id, const List *names);

/* Of rows that a statement has added: the tables that they name. */
extern void sa_objects_added(SaKnowledge kind);

#endif /* SA_STORE_OBJECT_H */
