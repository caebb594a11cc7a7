/*
 * builtin_dialogue.h
 *	  What the builtin provider knows from the messages of a request, and the
 *	  answer's words.
 */
#ifndef SA_BUILTIN_DIALOGUE_H
#define SA_BUILTIN_DIALOGUE_H

#include "llm/message.h"

typedef struct SaBiTurn
{
	const char *question;
	List *questions; /* of char *: those of the thread, it is the last */
	List *calls;	 /* of SaToolCall *, made since the question */
	List *results;	 /* of SaMessage *, one for each call, NULL = none yet */
} SaBiTurn;

/* Words of the result of a statement that we ran. */
extern char *sa_builtin_word_result(const char *sql, const char *result);

#endif /* SA_BUILTIN_DIALOGUE_H */
