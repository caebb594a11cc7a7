/*
 * settings.c
 *	  The settings of the asker's session, as they go along with each request.
 *
 * An explicit list, not SerializeGUCState(): that carries
 * session_authorization across, which lets a worker become a superuser again,
 * and it fails on a standby.  Values are sent as they are now, whatever they
 * come from, so that a RESET in the session arrives too.
 */
#include "postgres.h"

#include "libpq/pqformat.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "base/spi.h"
#include "worker/settings.h"

/* Settings of the server that change what a query means or how it is shown. */
static const char *const server_settings[] = {
	"search_path",		 "TimeZone",	 "DateStyle",
	"IntervalStyle",	 "bytea_output", "extra_float_digits",
	"lc_monetary",		 "lc_numeric",	 "lc_time",
	"xmloption",		 "xmlbinary",	 "default_text_search_config",
	"synchronous_commit"};

/* What the settings were when the last request came. */
static char *applied = NULL;
static int applied_len = 0;

static bool
is_wanted(const struct config_generic *setting)
{
	if (strncmp(setting->name, "sqlagent.", 9) == 0)
		return true;
	/*
	 * What row policies read: custom settings that any user may set.  Also one
	 * that is back at its default: the worker still has what an earlier request
	 * brought, say the tenant of a transaction that has ended.
	 */
	if (strchr(setting->name, '.') != NULL)
		return setting->context == PGC_USERSET;
	for (int i = 0; i < (int) lengthof(server_settings); i++)
		if (strcmp(setting->name, server_settings[i]) == 0)
			return true;
	return false;
}

static void
write_setting(StringInfo out, const char *name, const char *value)
{
	/* a custom setting that was reset is NULL, and shown as an empty one */
	if (value == NULL)
		value = "";
	appendBinaryStringInfo(out, name, strlen(name) + 1);
	appendBinaryStringInfo(out, value, strlen(value) + 1);
}

void
sa_settings_write(StringInfo out)
{
	int count;
	struct config_generic **settings = sa_guc_variables(&count);

	for (int i = 0; i < count; i++)
		if (is_wanted(settings[i]))
			write_setting(out, settings[i]->name,
						  GetConfigOption(settings[i]->name, true, false));
}

/*
 * The backend has checked who may set what, so ours are set with the right to;
 * the others only as far as the worker's role may, silently.
 */
static void
apply_setting(const char *name, const char *value)
{
	GucContext context =
		strncmp(name, "sqlagent.", 9) == 0 ? PGC_SUSET : PGC_USERSET;

	(void) set_config_option(name, value, context, PGC_S_SESSION,
							 GUC_ACTION_SET, true, DEBUG1, false);
}

void
sa_settings_apply(StringInfo in)
{
	int len = in->len - in->cursor;
	const char *start = in->data + in->cursor;

	if (applied && len == applied_len && memcmp(applied, start, len) == 0)
		return;
	/* Whether a setting may be set, and to what, is looked up in catalogs. */
	sa_tx_begin(SA_TX_ASKER);
	while (in->cursor < in->len)
	{
		const char *name = pq_getmsgrawstring(in);

		apply_setting(name, pq_getmsgrawstring(in));
	}
	sa_tx_commit();
	if (applied)
		pfree(applied);
	applied = MemoryContextAlloc(TopMemoryContext, len + 1);
	applied_len = len;
	memcpy(applied, start, len);
}
