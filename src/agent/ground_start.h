/*
 * ground_start.h
 *	  Names at the beginning of a sentence, where every word has a capital.
 */
#ifndef SA_GROUND_START_H
#define SA_GROUND_START_H

/*
 * Whether the word of this length that begins a sentence is used as a name, as
 * what follows it tells.
 */
extern bool sa_start_is_name(const char *word, int len);

#endif /* SA_GROUND_START_H */
