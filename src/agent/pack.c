/*
 * pack.c
 *	  Keeps a request within sqlagent.context_tokens.
 *
 * Called by the loop around each model call.  Tool results are what grows, so
 * the oldest give way first, each as a whole: half a row would be a wrong row.
 * The question, what the model said, and the newest result always stay.
 *
 * A result that was left out stays out, and more is left out at once than is
 * needed: each change of the conversation's head costs the provider's cache.
 */
#include "postgres.h"

#include "agent/pack.h"
#include "base/guc.h"
#include "base/text.h"
#include "llm/client.h"

/* Where shortening stops, as a share of the limit. */
#define ROOMY 0.75

/* A shorter result is not worth a call to get it again. */
#define MIN_BYTES 400

/* How far a count of tokens may be from the estimate and be believed. */
#define MIN_FACTOR 0.5
#define MAX_FACTOR 4.0

#define LEFT_OUT                                                               \
	"(left out to save room; call the tool again if this is needed)"

int
sa_pack_estimate(const SaRunState *run)
{
	double factor = run->tokens_factor > 0 ? run->tokens_factor : 1;

	return (int) Min(sa_text_tokens(sa_request_bytes(run->request)) * factor,
					 PG_INT32_MAX);
}

/* What a result said about itself before its rows, and that they are gone. */
static char *
shortened(const char *content)
{
	const char *data = strstr(content, "\n<data>\n");

	if (data == NULL)
		return pstrdup(LEFT_OUT);
	return psprintf("%.*s\n%s", (int) (data - content), content, LEFT_OUT);
}

static SaMessage *
newest_result(const List *messages)
{
	for (int i = list_length(messages) - 1; i >= 0; i--)
	{
		SaMessage *message = list_nth(messages, i);

		if (message->role == SA_ROLE_TOOL)
			return message;
	}
	return NULL;
}

void
sa_pack_request(SaRunState *run)
{
	const SaMessage *newest = newest_result(run->request->messages);
	bool was_packed = run->packed;
	ListCell *lc;

	if (sa_client_is_local() || sa_pack_estimate(run) <= sa_guc_context_tokens)
		return;
	foreach (lc, run->request->messages)
	{
		SaMessage *message = lfirst(lc);

		if (message->role != SA_ROLE_TOOL || message == newest ||
			message->content == NULL || strlen(message->content) < MIN_BYTES)
			continue;
		message->content = shortened(message->content);
		run->packed = true;
		if (sa_pack_estimate(run) <= sa_guc_context_tokens * ROOMY)
			break;
	}
	if (run->packed && !was_packed)
		sa_run_warn(run, "older results were left out of what the model is "
						 "told (sqlagent.context_tokens)");
}

void
sa_pack_learn(SaRunState *run, const SaReply *reply)
{
	int tokens = sa_text_tokens(sa_request_bytes(run->request));
	double factor;

	if (reply->usage.prompt_tokens <= 0 || tokens <= 0)
		return;
	factor = (double) reply->usage.prompt_tokens / tokens;
	run->tokens_factor = Max(MIN_FACTOR, Min(factor, MAX_FACTOR));
}
