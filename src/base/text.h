/*
 * text.h
 *	  Small helpers on text in the server encoding.
 */
#ifndef SA_TEXT_H
#define SA_TEXT_H

#include "lib/stringinfo.h"

/* Append a JSON string, or null for NULL. */
extern void sa_text_json(StringInfo out, const char *text);

/* Length in bytes of the longest prefix of at most max_bytes whole characters. */
extern int sa_text_clip_len(const char *text, int len, int max_bytes);

/* A copy of at most max_bytes, whole characters; "…" is appended when cut. */
extern char *sa_text_clip(const char *text, int max_bytes);

/*
 * How many tokens a text of so many bytes takes, roughly: four bytes a token,
 * the ratio that holds for English and SQL within some 20 %.
 */
extern int sa_text_tokens(int64 bytes);

/*
 * 32 hexadecimal digits that tell texts apart; no protection against somebody
 * who looks for two that are not.  Unlike the server's own MD5 it needs no
 * transaction.
 */
extern char *sa_text_hash(const char *text);

/* Without blanks at both ends; a copy. */
extern char *sa_text_trim(const char *text);

/* True for NULL, '' and text of blanks only. */
extern bool sa_text_blank(const char *text);

/*
 * Replace each {{name}} of a template by its value.  Names and values are
 * given in pairs, ended by NULL.  A placeholder without a value is a bug in
 * the template: elog(ERROR).
 */
extern char *sa_text_fill(const char *template, ...);

#endif /* SA_TEXT_H */
