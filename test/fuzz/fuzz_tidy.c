/*
 * fuzz_tidy.c
 *	  Thoughts and tool calls in a model's text.
 */
#include "postgres.h"

#include "base/json.h"
#include "llm/tidy.h"
#include "shim.h"

extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const SaToolSpec tool = {"run_sql", "Runs it.", "{}"};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SaRequest request = {0};
	SaReply reply = {0};
	ListCell *lc;

	if (size == 0)
		return 0;
	request.tools = lappend(NIL, unconstify(SaToolSpec *, &tool));
	reply.content = sa_json_from_utf8((const char *) data, (int) size);
	sa_tidy_reply(&reply, &request);
	if (reply.content)
		for (const unsigned char *c = (unsigned char *) reply.content; *c; c++)
			CHECK(*c >= ' ' || *c == '\n' || *c == '\t');
	foreach (lc, reply.calls)
		CHECK(strcmp(((const SaToolCall *) lfirst(lc))->name, tool.name) == 0);
	shim_reset();
	return 0;
}
