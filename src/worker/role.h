/*
 * role.h
 *	  As whom a run works: the asker, or the stand-in of a superuser.
 */
#ifndef SA_ROLE_H
#define SA_ROLE_H

/*
 * The role that a worker for the current user connects as.  Refuses, with a
 * hint, where the current user is not the person who asks or is too powerful
 * to be protected.
 */
extern Oid sa_role_for_run(void);

#endif /* SA_ROLE_H */
