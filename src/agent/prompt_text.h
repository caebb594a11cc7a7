/*
 * prompt_text.h
 *	  The texts of the prompts by name: those of src/prompts, or what the
 *	  administrator has put in their place.
 */
#ifndef SA_PROMPT_TEXT_H
#define SA_PROMPT_TEXT_H

typedef enum SaPromptId
{
	SA_TEXT_CONTEXT,
	SA_TEXT_EXPLAIN,
	SA_TEXT_FINAL,
	SA_TEXT_FIX,
	SA_TEXT_GROUND,
	SA_TEXT_KNOWLEDGE,
	SA_TEXT_NOTES,
	SA_TEXT_REPAIR,
	SA_TEXT_REVIEW,
	SA_TEXT_STRUCTURED,
	SA_TEXT_STRUCTURED_REPAIR,
	SA_TEXT_SYSTEM,
	SA_TEXT_SYSTEM_EXPLAIN,
	SA_TEXT_SYSTEM_SQL,
	SA_TEXT_THREAD,
	SA_TEXT_COUNT
} SaPromptId;

/* At the start of a run: read what the administrator has changed. */
extern void sa_prompt_text_load(void);

extern const char *sa_prompt_text(SaPromptId id);

/* Names and original texts, for lists. */
extern const char *sa_prompt_name(SaPromptId id);
extern const char *sa_prompt_default(SaPromptId id);

/* Raises unless the text has just the placeholders of the prompt. */
extern void sa_prompt_check(const char *name, const char *body);

#endif /* SA_PROMPT_TEXT_H */
