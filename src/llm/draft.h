/*
 * draft.h
 *	  A reply that is being read: from a whole body, or piece by piece from a
 *	  stream.
 */
#ifndef SA_DRAFT_H
#define SA_DRAFT_H

#include "lib/stringinfo.h"

#include "base/json.h"
#include "llm/message.h"

typedef struct SaDraftCall
{
	int64 index; /* by which a stream refers to it; -1 = by none */
	char *id;
	char *name;
	StringInfoData arguments;
} SaDraftCall;

typedef struct SaDraft
{
	bool streamed;			  /* events are read, not a whole body */
	bool has_message;		  /* something of the reply was there */
	bool ended;				  /* the stream said that this is all */
	StringInfoData content;	  /* '' = none so far */
	StringInfoData refusal;	  /* told instead of a content */
	StringInfoData thinking;  /* of the model, where that is sent back */
	const char *thinking_key; /* member of the opaque part for it, or NULL */
	char *signature;		  /* of the thinking */
	SaJson *opaque;			  /* an object, see SaReply; or NULL */
	bool opaque_needed;		  /* some of it must be sent back */
	List *calls;			  /* of SaDraftCall * */
	SaStop stop;
	SaUsage usage;
	char *model;
	char *problem; /* why there is no reply, or NULL */
	bool passing;  /* and whether it may be gone at the next try */
} SaDraft;

extern SaDraft *sa_draft_new(bool streamed);

/* Add text; NULL is nothing. */
extern void sa_draft_text(SaDraft *draft, const char *text);
/*
 * The call that a stream refers to by this index: the last one, unless that has
 * another id (some servers give all calls the same index).  A new one for -1.
 */
extern SaDraftCall *sa_draft_call(SaDraft *draft, int64 index, char *id);
/* Add to a call's arguments: a piece of text, or an object as a whole. */
extern void sa_draft_arguments(SaDraftCall *call, const SaJson *arguments);
/* Add to an array of the opaque part, which is dropped when none is needed. */
extern void sa_draft_opaque(SaDraft *draft, const char *key, SaJson *item,
							bool needed);
/* There is no reply; the first problem counts. */
extern void sa_draft_fail(SaDraft *draft, const char *problem, bool passing);
/* The reply, or NULL with draft->problem. */
extern SaReply *sa_draft_finish(SaDraft *draft);

/* Whether a call's id was made up, since the model gave none. */
extern bool sa_draft_is_made_id(const char *id);

#endif /* SA_DRAFT_H */
