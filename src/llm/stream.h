/*
 * stream.h
 *	  Splits a streamed body into its events.
 */
#ifndef SA_STREAM_H
#define SA_STREAM_H

#include "lib/stringinfo.h"

/* An event's data: NUL-terminated, may hold more NULs, may be changed. */
typedef void (*SaStreamEvent)(void *arg, char *data, size_t len);

typedef struct SaStream
{
	SaStreamEvent event;
	void *arg;
	bool lines;			 /* each line is an event; else server-sent events */
	StringInfoData line; /* the line that has begun */
	StringInfoData data; /* of the event that has begun */
	bool has_data;
	bool after_cr; /* a line feed now belongs to the line before */
	bool too_long; /* an event was too long; nothing more is read */
} SaStream;

extern void sa_stream_init(SaStream *stream, bool lines, SaStreamEvent event,
						   void *arg);
extern void sa_stream_feed(SaStream *stream, const char *bytes, size_t len);
/* The body has ended: what has begun is the last event. */
extern void sa_stream_end(SaStream *stream);

#endif /* SA_STREAM_H */
