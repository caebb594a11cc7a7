/*
 * client.c
 *	  One model call: picks the provider of the settings, tries, waits, tries
 *	  again.
 *
 * Called by the loop with no transaction open.  Each call works in a context of
 * its own; the reply is copied out of it, and with the context go the request,
 * the key and libcurl's buffers.
 */
#include "postgres.h"

#include "common/pg_prng.h"
#include "miscadmin.h"
#include "storage/latch.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "base/guc.h"
#include "base/text.h"
#include "base/wait.h"
#include "llm/builtin.h"
#include "llm/client.h"
#include "llm/exchange.h"
#include "llm/http.h"
#include "llm/tidy.h"

/* The first wait before another try, and the longest without being asked. */
#define FIRST_WAIT_MS 250
#define MAX_WAIT_MS 20000

static const SaWire *
current_wire(void)
{
	const SaWire *wire = sa_wire_find(sa_guc_provider);

	if (wire == NULL)
		elog(ERROR, "provider %d has no wire format", sa_guc_provider);
	return wire;
}

static const char *
current_model(void)
{
	if (sa_text_blank(sa_guc_model))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("no model is set for provider \"%s\"",
							   sa_client_provider()),
						errhint("Set sqlagent.model.")));
	return sa_guc_model;
}

/*
 * How long to wait before the next try: twice as long each time, and somewhere
 * between half and all of it, so that many sessions do not come back at once.
 * Longer when the provider asks for it.
 */
static int64
wait_before(int tries, int retry_after)
{
	double ms =
		Min((double) FIRST_WAIT_MS * (1 << Min(tries, 16)), MAX_WAIT_MS);

	ms *= 0.5 + pg_prng_double(&pg_global_prng_state) / 2;
	return Max((int64) ms, (int64) retry_after * 1000);
}

static void
wait_until(TimestampTz until)
{
	for (;;)
	{
		long ms = TimestampDifferenceMilliseconds(GetCurrentTimestamp(), until);

		sa_wait_check();
		if (ms <= 0)
			return;
		(void) WaitLatch(MyLatch,
						 WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, ms,
						 sa_wait_event_http());
		ResetLatch(MyLatch);
	}
}

/*
 * Whether there is another try, and if so the wait before it.  None that could
 * only begin after the end of the run: the failure at hand says more than a
 * timeout would.
 */
static bool
try_again(const SaRequest *request, const SaOutcome *outcome, int tries)
{
	TimestampTz until;

	if (!outcome->passing || tries > sa_guc_retries)
		return false;
	until = TimestampTzPlusMilliseconds(
		GetCurrentTimestamp(), wait_before(tries - 1, outcome->retry_after));
	if (until >= request->deadline)
		return false;
	wait_until(until);
	return true;
}

static SaReply *
call_model(const SaRequest *request)
{
	SaRequest mine = *request;
	const SaWire *wire = current_wire();
	const char *model = current_model();
	bool stream = sa_guc_trace == SA_TRACE_STEPS;
	SaOutcome *outcome;
	int tries = 0;

	do
	{
		outcome = sa_exchange_try(wire, &mine, model, stream);
		tries++;
		if (outcome->went_out)
			mine.idle = NULL;
	} while (outcome->failure && try_again(request, outcome, tries));
	if (outcome->failure)
		sa_error_raise(outcome->failure, ERROR);
	sa_tidy_reply(outcome->reply, request);
	if (outcome->reply->model == NULL)
		outcome->reply->model = pstrdup(model);
	outcome->reply->usage.requests = tries;
	return outcome->reply;
}

SaReply *
sa_client_complete(const SaRequest *request)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext context;
	SaReply *reply;

	if (sa_guc_provider == SA_PROVIDER_BUILTIN)
		return sa_builtin_complete(request);
	context = AllocSetContextCreate(caller, "sqlagent model call",
									ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(context);
	reply = call_model(request);
	MemoryContextSwitchTo(caller);
	reply = sa_reply_copy(reply);
	MemoryContextDelete(context);
	return reply;
}

bool
sa_client_is_local(void)
{
	return sa_guc_provider == SA_PROVIDER_BUILTIN;
}

const char *
sa_client_provider(void)
{
	return sa_client_is_local() ? "builtin" : current_wire()->name;
}

const char *
sa_client_model(void)
{
	return sa_client_is_local() ? "builtin" : sa_guc_model;
}

char *
sa_client_show(const SaRequest *request)
{
	const SaWire *wire =
		sa_client_is_local() ? &sa_wire_openai : current_wire();
	const char *model = sa_client_is_local() ? "builtin" : current_model();
	char *body = sa_exchange_body(wire, request, model, false);
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfoString(&out, "{\"url\": ");
	sa_text_json(&out, sa_client_is_local()
						   ? NULL
						   : sa_exchange_url(wire, model, false));
	appendStringInfo(&out, ", \"body\": %s}",
					 sa_json_from_utf8(body, (int) strlen(body)));
	return out.data;
}

void
sa_client_close(void)
{
	sa_http_close();
}
