/*
 * http.h
 *	  One HTTP POST by libcurl on PostgreSQL's own event loop.
 */
#ifndef SA_HTTP_H
#define SA_HTTP_H

#include "base/error.h"
#include "llm/message.h"

/*
 * Called with each piece of the body of a response of status 2xx, which then
 * is not kept.  False when no more is wanted.  May raise.
 */
typedef bool (*SaChunkHook)(void *arg, const char *content_type,
							const char *data, size_t len);

typedef struct SaHttpRequest
{
	const char *url;
	List *headers;	  /* of char *, "Name: value" */
	const char *body; /* JSON, UTF-8 */
	size_t body_len;
	int64 deadline;	 /* TimestampTz */
	SaIdleHook idle; /* or NULL; called once, when the request has gone out and
					  * its response has been awaited for some milliseconds;
					  * not at all when that comes sooner */
	void *idle_arg;
	SaChunkHook chunk; /* or NULL: the body is kept as a whole */
	void *chunk_arg;
} SaHttpRequest;

/* What became of it: a response with any HTTP status, or a failure. */
typedef struct SaHttpResponse
{
	const SaError *failure; /* 08xxx, 57014 at a time limit, 54000 when larger
							 * than we take; NULL = there is a response */
	bool passing;			/* the failure may be gone at the next try */
	int status;
	char *content_type; /* or NULL */
	int retry_after;	/* seconds; -1 = none */
	bool went_out;		/* the whole request was sent */
	char *body;			/* NUL-terminated, may hold more NULs */
	size_t body_len;
} SaHttpResponse;

/*
 * Raises only what is no failure of the call: an interrupt, a URL that may not
 * be used.
 */
extern SaHttpResponse *sa_http_post(const SaHttpRequest *request);

/* Refuse a URL that is not plain http or https to a named host. */
extern void sa_http_check_url(const char *url);

extern void sa_http_close(void);

#endif /* SA_HTTP_H */
