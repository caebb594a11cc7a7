/*
 * stem.h
 *	  Stems of words, by PostgreSQL's own text search dictionary.
 */
#ifndef SA_STEM_H
#define SA_STEM_H

/*
 * The stem of one lower-case word, by the dictionary pg_catalog.english_stem;
 * the word itself where the dictionary has none (stop words).  May be called
 * with or without a transaction: without one, a short one is opened for each
 * word that is new.
 */
extern char *sa_stem(const char *word);

/*
 * Round many calls of sa_stem, to open one transaction for all: gives whether
 * one was opened, which is what sa_stem_end wants to know.
 */
extern bool sa_stem_begin(void);
extern void sa_stem_end(bool opened);

#endif /* SA_STEM_H */
