/*
 * fuzz_reply.c
 *	  The decoders of all wire formats: any JSON gives a reply or a problem, and
 *	  what was read can be sent back as JSON in every format.
 *
 * The first byte chooses the format and whether the rest are events of a
 * stream, one a line.
 */
#include "postgres.h"

#include "base/guc.h"
#include "base/json.h"
#include "llm/draft.h"
#include "llm/stream.h"
#include "llm/tidy.h"
#include "llm/wire.h"
#include "shim.h"

extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const int providers[] = {SA_PROVIDER_OPENAI, SA_PROVIDER_ANTHROPIC,
								SA_PROVIDER_OLLAMA, SA_PROVIDER_GEMINI};

static const SaToolSpec tool = {"run_sql", "Runs it.",
								"{\"type\": \"object\", \"properties\": "
								"{\"sql\": {\"type\": \"string\"}}}"};

typedef struct Reading
{
	const SaWire *wire;
	SaDraft *draft;
} Reading;

static void
take(void *arg, char *data, size_t len)
{
	Reading *reading = arg;
	const char *problem;
	SaJson *json = sa_json_parse(data, len, &problem);

	if (json)
		reading->wire->read(reading->draft, json);
	else
		sa_draft_fail(reading->draft, problem, true);
}

static SaReply *
read_reply(const SaWire *wire, bool streamed, const char *body, size_t len)
{
	Reading reading = {wire, sa_draft_new(streamed)};
	SaReply *reply;

	if (streamed)
	{
		SaStream stream;

		sa_stream_init(&stream, true, take, &reading);
		sa_stream_feed(&stream, body, len);
		sa_stream_end(&stream);
	}
	else
	{
		/* a copy of its own: what is read behind its end is found */
		char *text = palloc(len + 1);

		memcpy(text, body, len);
		text[len] = '\0';
		take(&reading, text, len);
	}
	reply = sa_draft_finish(reading.draft);
	CHECK((reply == NULL) == (reading.draft->problem != NULL));
	return reply;
}

static void
check_reply(const SaReply *reply)
{
	ListCell *lc;

	CHECK(reply->usage.prompt_tokens >= 0);
	CHECK(reply->usage.completion_tokens >= 0);
	CHECK(reply->usage.cached_tokens >= 0);
	foreach (lc, reply->calls)
	{
		const SaToolCall *call = lfirst(lc);

		CHECK(call->id && call->id[0] && call->name && call->arguments);
	}
}

static void
send_back(SaRequest *request)
{
	for (int i = 0; i < (int) lengthof(providers); i++)
	{
		const SaWire *wire = sa_wire_find(providers[i]);
		const char *body =
			sa_json_print(wire->encode(request, "a-model", i & 1));
		const char *problem;

		CHECK(sa_json_parse(body, strlen(body), &problem) != NULL);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SaRequest request = {0};
	SaReply *reply;

	if (size < 2)
		return 0;
	request.tools = lappend(NIL, unconstify(SaToolSpec *, &tool));
	request.messages =
		lappend(NIL, sa_message_new(SA_ROLE_SYSTEM, "You answer."));
	request.messages =
		lappend(request.messages, sa_message_new(SA_ROLE_USER, "Well?"));
	reply = read_reply(sa_wire_find(providers[data[0] & 3]), data[0] & 4,
					   (const char *) data + 1, size - 1);
	if (reply)
	{
		ListCell *lc;

		sa_tidy_reply(reply, &request);
		check_reply(reply);
		request.messages =
			lappend(request.messages, sa_message_from_reply(reply));
		foreach (lc, reply->calls)
			request.messages = lappend(
				request.messages,
				sa_message_tool_result(lfirst(lc), "rows: 0", data[0] & 8));
		if (data[0] & 16)
			request.tools = NIL;
		send_back(&request);
	}
	shim_reset();
	return 0;
}
