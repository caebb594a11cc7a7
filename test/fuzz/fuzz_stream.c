/*
 * fuzz_stream.c
 *	  The stream splitter: its events do not depend on how the body was cut.
 */
#include "postgres.h"

#include "llm/stream.h"
#include "shim.h"

extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
collect(void *arg, char *data, size_t len)
{
	CHECK(data[len] == '\0');
	appendBinaryStringInfo((StringInfo) arg, data, (int) len);
	appendStringInfoChar((StringInfo) arg, '|');
}

static void
split(StringInfo events, bool lines, const char *body, size_t len, size_t piece)
{
	SaStream stream;

	initStringInfo(events);
	sa_stream_init(&stream, lines, collect, events);
	for (size_t at = 0; at < len; at += piece)
		sa_stream_feed(&stream, body + at, Min(piece, len - at));
	sa_stream_end(&stream);
	CHECK(!stream.too_long);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	StringInfoData whole;
	StringInfoData cut;

	if (size > 1)
	{
		const char *body = (const char *) data + 1;

		split(&whole, data[0] & 1, body, size - 1, size);
		split(&cut, data[0] & 1, body, size - 1, 1 + (data[0] >> 1) % 16);
		CHECK(whole.len == cut.len);
		CHECK(memcmp(whole.data, cut.data, whole.len) == 0);
	}
	shim_reset();
	return 0;
}
