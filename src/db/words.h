/*
 * words.h
 *	  Text into words that can be compared: split at blanks, punctuation, case
 *	  and digits, in lower case, and stemmed by the server's own dictionary.
 *
 * Used by rank and values.  Must be called inside a transaction.
 */
#ifndef SA_WORDS_H
#define SA_WORDS_H

/* A longer word is no word. */
#define SA_WORD_MAX 64

/*
 * The next word of *text in lower case, or false at the end.  *text moves on.
 */
extern bool sa_words_next(const char **text, char word[SA_WORD_MAX + 1]);

/*
 * What the word is compared by: its stem in English, as most names are, then in
 * the language of text search; or itself.  NULL for a stop word ("the", "of").
 * Valid until sa_words_limit() or sa_words_speak().
 */
extern const char *sa_words_stem(const char *word);

/* Forget the stems when they are too many; called before anybody keeps one. */
extern void sa_words_limit(void);

/* The dictionary of the language of text search, if that is not English. */
extern Oid sa_words_language(void);

/* Stems are of this language from now on. */
extern void sa_words_speak(Oid language);

/* In lower case, by the rules of the database's locale. */
extern char *sa_words_lower(const char *text, int len);

/* Insertions, deletions, swaps and changes between two texts; max + 1 = more. */
extern int sa_words_distance(const char *left, const char *right, int max);

#endif /* SA_WORDS_H */
