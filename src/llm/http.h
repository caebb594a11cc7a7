/*
 * http.h
 *	  One HTTP POST by libcurl on PostgreSQL's own event loop.
 */
#ifndef SA_HTTP_H
#define SA_HTTP_H

#include "llm/message.h"

typedef struct SaHttpRequest
{
	const char *url;
	List *headers;	  /* of char *, "Name: value" */
	const char *body; /* JSON, UTF-8 */
	size_t body_len;
	int64 deadline;	 /* TimestampTz */
	SaIdleHook idle; /* called once the request has gone out */
	void *idle_arg;
} SaHttpRequest;

typedef struct SaHttpResponse
{
	int status;
	char *content_type; /* or NULL */
	int retry_after;	/* seconds; -1 = none */
	char *body;			/* NUL-terminated, may hold more NULs */
	size_t body_len;
} SaHttpResponse;

/*
 * Raises 08xxx for a failed or broken connection, 57014 at the deadline or at
 * request_timeout; any HTTP status is a response.
 */
extern SaHttpResponse *sa_http_post(const SaHttpRequest *request);
extern void sa_http_close(void);

#endif /* SA_HTTP_H */
