/*
 * version.h
 *	  Whether the library and the SQL objects of this database fit together.
 */
#ifndef SA_VERSION_H
#define SA_VERSION_H

/* The installed version of the extension's SQL objects, or NULL. */
extern char *sa_version_installed(void);

/*
 * Raises when the SQL objects are of another version than the library; looks
 * only until it once found them equal.  Needs a transaction.
 */
extern void sa_version_check(void);

#endif /* SA_VERSION_H */
