/*
 * key.h
 *	  The key of the provider, and headers that may be as secret.
 */
#ifndef SA_KEY_H
#define SA_KEY_H

#include "nodes/pg_list.h"

/*
 * The key, from sqlagent.api_key_file or the server's SQLAGENT_API_KEY; NULL
 * when there is none.  Overwritten when CurrentMemoryContext goes.
 */
extern char *sa_key_load(void);

/* The lines of sqlagent.headers_file, of char *; overwritten likewise. */
extern List *sa_key_headers(void);

/* prefix and key joined; overwritten likewise. */
extern char *sa_key_header(const char *prefix, const char *key);

/*
 * Overwrite each appearance of the secret in a text by asterisks, so that its
 * length stays.  A secret too short to be one is left: it would turn up in
 * ordinary words.
 */
extern void sa_key_redact(char *text, size_t len, const char *secret);

#endif /* SA_KEY_H */
