/*
 * config.c
 *	  config(): every setting as it is in effect, for a bug report.
 *
 * Nothing secret: names of files are not shown, nor what may be a password in
 * an address.
 */
#include "postgres.h"

#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/guc_tables.h"

#include "base/compat.h"
#include "base/export.h"
#include "base/text.h"
#include "base/version.h"
#include "llm/client.h"

SA_FUNCTION(sqlagent_config);

#define PREFIX "sqlagent."

static void
put_row(ReturnSetInfo *set, const char *name, const char *value,
		const char *source)
{
	Datum values[3] = {CStringGetTextDatum(name), (Datum) 0, (Datum) 0};
	bool nulls[3] = {false, value == NULL, source == NULL};

	if (value)
		values[1] = CStringGetTextDatum(value);
	if (source)
		values[2] = CStringGetTextDatum(source);
	tuplestore_putvalues(set->setResult, set->setDesc, values, nulls);
}

/* An address without user, password and query. */
static char *
plain_address(const char *url)
{
	const char *host = strstr(url, "://");
	const char *end = url + strcspn(url, "?#");
	const char *at = NULL;

	host = host ? host + 3 : url;
	for (const char *c = host; c < end && *c != '/'; c++)
		if (*c == '@')
			at = c;
	if (at)
		return psprintf("%.*s***%.*s", (int) (host - url), url,
						(int) (end - at), at);
	return pnstrdup(url, end - url);
}

static const char *
shown_value(const struct config_generic *setting)
{
	const char *value = GetConfigOption(setting->name, true, false);

	if (sa_text_blank(value))
		return value;
	if (setting->flags & GUC_SUPERUSER_ONLY)
		return "(set)";
	if (strcmp(setting->name, PREFIX "endpoint") == 0)
		return plain_address(value);
	/* Merged into requests: some servers want a key there. */
	if (strcmp(setting->name, PREFIX "provider_options") == 0)
		return "(set)";
	return value;
}

Datum
sqlagent_config(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *set = (ReturnSetInfo *) fcinfo->resultinfo;
	struct config_generic **settings;
	int count;

	InitMaterializedSRF(fcinfo, 0);
	put_row(set, "version of the library", SQLAGENT_VERSION, NULL);
	put_row(set, "version of the objects", sa_version_installed(), NULL);
	put_row(set, "version of the server", PG_VERSION, NULL);
	put_row(set, "encoding of the database",
			GetConfigOption("server_encoding", true, false), NULL);
	settings = sa_guc_variables(&count);
	for (int i = 0; i < count; i++)
		if (strncmp(settings[i]->name, PREFIX, strlen(PREFIX)) == 0)
			put_row(set, settings[i]->name, shown_value(settings[i]),
					GucSource_Names[settings[i]->source]);
	return (Datum) 0;
}
