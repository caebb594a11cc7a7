/*
 * builtin_lexicon.h
 *	  Words of the builtin provider: tokens of a question, phrases of the
 *	  language's data file, names of tables and columns taken apart.
 */
#ifndef SA_BUILTIN_LEXICON_H
#define SA_BUILTIN_LEXICON_H

#include "lib/stringinfo.h"
#include "nodes/pg_list.h"

/* More tokens than this are no plain question. */
#define SA_BI_MAX_TOKENS 120
/* Words of a name, or of a phrase that is compared with one. */
#define SA_BI_MAX_NAME 8

typedef enum SaBiTokenKind
{
	SA_BI_WORD,
	SA_BI_NUMBER,
	SA_BI_DATE,	  /* yyyy-mm-dd as written */
	SA_BI_STRING, /* was in quotes */
	SA_BI_PUNCT
} SaBiTokenKind;

typedef struct SaBiToken
{
	const char *text;  /* as written, without quotes and thousands marks */
	const char *lower; /* in lower case */
	const char *stem;  /* of words */
	SaBiTokenKind kind;
	bool capital; /* begins with a capital, and the sentence does not begin here
				   */
	bool ordinal; /* 1st, 2nd */
} SaBiToken;

/* What a phrase does in a question; the order is that of tag_names[]. */
typedef enum SaBiTag
{
	SA_BI_NONE,
	SA_BI_SKIP,
	SA_BI_LIST,
	SA_BI_WH,
	SA_BI_WHEN,
	SA_BI_WHERE,
	SA_BI_HOWMANY,
	SA_BI_HOWMUCH,
	SA_BI_DISTINCT,
	SA_BI_AGG,
	SA_BI_RATIO,
	SA_BI_OP,
	SA_BI_BETWEEN,
	SA_BI_AFTER,
	SA_BI_BEFORE,
	SA_BI_LIKE,
	SA_BI_MOST,
	SA_BI_COMMON,
	SA_BI_SUP,
	SA_BI_ADJ,
	SA_BI_ASK,
	SA_BI_EACH,
	SA_BI_BY,
	SA_BI_ORDER,
	SA_BI_DIR,
	SA_BI_TOP,
	SA_BI_NEG,
	SA_BI_AND,
	SA_BI_OR,
	SA_BI_BOTH,
	SA_BI_EITHER,
	SA_BI_REL,
	SA_BI_WHOSE,
	SA_BI_WITH,
	SA_BI_PREP,
	SA_BI_BE,
	SA_BI_DO,
	SA_BI_POSS,
	SA_BI_VERB,
	SA_BI_UNIT,
	SA_BI_PAST,
	SA_BI_THIS,
	SA_BI_AGO,
	SA_BI_TODAY,
	SA_BI_YESTERDAY,
	SA_BI_MONTH,
	SA_BI_NUM,
	SA_BI_UNITNAME,
	/* those below are no tags of a question's words */
	SA_BI_STATE,
	SA_BI_LABEL,
	SA_BI_LABEL2,
	SA_BI_STAMP,
	SA_BI_SAME,
	SA_BI_SYN,
	SA_BI_PLURAL,
	SA_BI_VALUE,
	SA_BI_FOLLOW,
	SA_BI_NTAGS
} SaBiTag;

/* Degrees of an adjective. */
typedef enum SaBiDegree
{
	SA_BI_PLAIN,
	SA_BI_COMPARATIVE,
	SA_BI_SUPERLATIVE
} SaBiDegree;

typedef struct SaBiPhrase
{
	SaBiTag tag;
	SaBiDegree degree; /* of adjectives */
	const char *arg;   /* argument of the tag; columns of an adjective */
	const char *right; /* behind "=", or NULL */
	int nwords;
	const char *words[SA_BI_MAX_NAME];
} SaBiPhrase;

/* The synonyms that a word or phrase has. */
typedef struct SaBiMember SaBiMember;

/* A name or a phrase, taken apart. */
typedef struct SaBiName
{
	int n;
	const char *raw[SA_BI_MAX_NAME];
	const char *stem[SA_BI_MAX_NAME];
	const char *joined;						  /* raw words without gaps */
	const char *joined_stem;				  /* its stem */
	const SaBiMember *member[SA_BI_MAX_NAME]; /* of each word, or NULL */
	const SaBiMember *joined_member;
} SaBiName;

/* NULL when the text is too long or is not text. */
extern List *sa_builtin_lexicon_tokens(const char *text);

/*
 * The longest phrase that begins at tokens[at]; NULL when there is none.  Of
 * equally long ones the first in the file.
 */
extern const SaBiPhrase *sa_builtin_lexicon_find(SaBiToken *const *tokens,
												 int count, int at);
/* All phrases of a tag, in the file's order. */
extern List *sa_builtin_lexicon_all(SaBiTag tag);
/*
 * How many words from tokens[at] on are a phrase of the tag with this argument,
 * the longest one; 0 = none.
 */
extern int sa_builtin_lexicon_span(SaBiTag tag, const char *arg,
								   SaBiToken *const *tokens, int count, int at);

/* Whether a word tells a state, so that it is a condition by itself. */
extern bool sa_builtin_lexicon_is_state(const char *lower);

/* Other ways to write a value: of char *. */
extern List *sa_builtin_lexicon_values(const char *lower);

/* Take a name of the schema apart: snake_case, camelCase, digits. */
extern SaBiName *sa_builtin_name_split(const char *name);
/* The name that tokens [from, to) would make. */
extern SaBiName *sa_builtin_name_tokens(SaBiToken *const *tokens, int from,
										int to);
/* A part of a name. */
extern SaBiName *sa_builtin_name_slice(const SaBiName *name, int from, int to);

/*
 * How well words fit a name, 0 to 100: 100 the same, from 95 the same by
 * another spelling, from 80 by a synonym, from 60 the end of the name, from 50
 * another part of it.
 */
extern int sa_builtin_name_compare(const SaBiName *said, const SaBiName *name);
extern bool sa_builtin_name_is(const SaBiName *name, const char *words);

#endif /* SA_BUILTIN_LEXICON_H */
