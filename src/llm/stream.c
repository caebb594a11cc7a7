/*
 * stream.c
 *	  Splits a streamed body into its events: server-sent events, or JSON values
 *	  one a line.
 *
 * Called by exchange.c with the pieces of a body in whatever sizes they come.
 * Looks at no content, so nothing here can fail but for a length.
 */
#include "postgres.h"

#include "llm/stream.h"

/* An event, or a line, is not longer; a delta has some hundred bytes. */
#define MAX_EVENT (16 * 1024 * 1024)

void
sa_stream_init(SaStream *stream, bool lines, SaStreamEvent event, void *arg)
{
	memset(stream, 0, sizeof(*stream));
	stream->lines = lines;
	stream->event = event;
	stream->arg = arg;
	initStringInfo(&stream->line);
	initStringInfo(&stream->data);
}

static void
end_event(SaStream *stream)
{
	if (!stream->has_data)
		return;
	stream->event(stream->arg, stream->data.data, stream->data.len);
	resetStringInfo(&stream->data);
	stream->has_data = false;
}

static void
append(SaStream *stream, StringInfo to, const char *bytes, size_t len)
{
	if (len > (size_t) (MAX_EVENT - to->len))
	{
		stream->too_long = true;
		return;
	}
	appendBinaryStringInfo(to, bytes, (int) len);
}

/* A line "data: text"; several of them are one text with line feeds between. */
static void
take_field(SaStream *stream, const char *line, int len)
{
	static const char field[] = "data:";
	int name_len = sizeof(field) - 1;

	/* Names, ids and comments say nothing that the data does not. */
	if (len < name_len || memcmp(line, field, name_len) != 0)
		return;
	line += name_len;
	len -= name_len;
	if (len > 0 && line[0] == ' ')
	{
		line++;
		len--;
	}
	if (stream->has_data)
		append(stream, &stream->data, "\n", 1);
	append(stream, &stream->data, line, len);
	stream->has_data = true;
}

static bool
is_blank_line(const char *line, int len)
{
	for (int i = 0; i < len; i++)
		if (line[i] != ' ' && line[i] != '\t')
			return false;
	return true;
}

static void
end_line(SaStream *stream)
{
	char *line = stream->line.data;
	int len = stream->line.len;

	if (stream->lines)
	{
		if (!is_blank_line(line, len))
			stream->event(stream->arg, line, len);
	}
	else if (len == 0)
		end_event(stream);
	else
		take_field(stream, line, len);
	resetStringInfo(&stream->line);
}

void
sa_stream_feed(SaStream *stream, const char *bytes, size_t len)
{
	const char *end = bytes + len;

	while (bytes < end && !stream->too_long)
	{
		const char *stop = bytes;

		if (stream->after_cr && *bytes == '\n')
		{
			stream->after_cr = false;
			bytes++;
			continue;
		}
		stream->after_cr = false;
		while (stop < end && *stop != '\n' && *stop != '\r')
			stop++;
		append(stream, &stream->line, bytes, stop - bytes);
		if (stop == end)
			return;
		stream->after_cr = *stop == '\r';
		end_line(stream);
		bytes = stop + 1;
	}
}

void
sa_stream_end(SaStream *stream)
{
	if (stream->too_long)
		return;
	if (stream->line.len > 0)
		end_line(stream);
	if (!stream->lines)
		end_event(stream);
}
