/*
 * guc.c
 *	  The settings: what each is for, who may set it, and its limits.
 *
 * A setting is one row in the table of its type.  S (PGC_SUSET) is whatever
 * protects the server, the key or the bill; the rest is U (PGC_USERSET).
 * The key of a provider is not among them: settings leak through
 * pg_read_all_settings, the log, pg_stat_statements and pg_db_role_setting.
 */
#include "postgres.h"

#include <limits.h>

#include "utils/guc.h"

#include "base/guc.h"

int sa_guc_provider;
char *sa_guc_endpoint;
char *sa_guc_model;
char *sa_guc_api_key_file;
char *sa_guc_headers_file;
char *sa_guc_provider_options;
char *sa_guc_ca_file;
int sa_guc_context_tokens;
int sa_guc_connect_timeout;
int sa_guc_request_timeout;
int sa_guc_retries;
double sa_guc_temperature;
char *sa_guc_reasoning_effort;
int sa_guc_max_output_tokens;
int sa_guc_run_timeout;
int sa_guc_max_iterations;
int sa_guc_token_budget;
int sa_guc_query_timeout;
int sa_guc_max_sql_bytes;
int sa_guc_max_rows;
int sa_guc_max_result_bytes;
int sa_guc_max_cell_bytes;
double sa_guc_max_cost;
int sa_guc_query_memory;
char *sa_guc_superuser_role;
char *sa_guc_allowed_functions;
char *sa_guc_allowed_extensions;
bool sa_guc_allow_foreign;
int sa_guc_schema_tokens;
int sa_guc_thread_tokens;
int sa_guc_model_rows;
int sa_guc_result_tokens;
int sa_guc_output_format;
int sa_guc_sample_rows;
int sa_guc_share;
char *sa_guc_schemas;
char *sa_guc_instructions;
bool sa_guc_learning;
bool sa_guc_auto_learn;
int sa_guc_reuse;
char *sa_guc_text_search_config;
int sa_guc_approval;
int sa_guc_approval_timeout;
bool sa_guc_review;
char *sa_guc_review_model;
int sa_guc_trace;
int sa_guc_ground;
int sa_guc_worker_idle_timeout;

static const struct config_enum_entry provider_options[] = {
	{"builtin", SA_PROVIDER_BUILTIN, false},
	{"openai", SA_PROVIDER_OPENAI, false},
	{"anthropic", SA_PROVIDER_ANTHROPIC, false},
	{"ollama", SA_PROVIDER_OLLAMA, false},
	{"gemini", SA_PROVIDER_GEMINI, false},
	{NULL, 0, false}};

static const struct config_enum_entry format_options[] = {
	{"csv", SA_FORMAT_CSV, false},
	{"json", SA_FORMAT_JSON, false},
	{NULL, 0, false}};

static const struct config_enum_entry share_options[] = {
	{"schema", SA_SHARE_SCHEMA, false},
	{"statistics", SA_SHARE_STATISTICS, false},
	{"rows", SA_SHARE_ROWS, false},
	{NULL, 0, false}};

static const struct config_enum_entry trace_options[] = {
	{"off", SA_TRACE_OFF, false},
	{"sql", SA_TRACE_SQL, false},
	{"steps", SA_TRACE_STEPS, false},
	{NULL, 0, false}};

static const struct config_enum_entry reuse_options[] = {
	{"off", SA_REUSE_OFF, false},
	{"exact", SA_REUSE_EXACT, false},
	{NULL, 0, false}};

static const struct config_enum_entry approval_options[] = {
	{"never", SA_APPROVAL_NEVER, false},
	{"expensive", SA_APPROVAL_EXPENSIVE, false},
	{"always", SA_APPROVAL_ALWAYS, false},
	{NULL, 0, false}};

static const struct config_enum_entry ground_options[] = {
	{"off", SA_GROUND_OFF, false},
	{"warn", SA_GROUND_WARN, false},
	{"repair", SA_GROUND_REPAIR, false},
	{NULL, 0, false}};

/* Extensions whose functions are safe by default: list X of the policy. */
#define DEFAULT_EXTENSIONS                                                     \
	"pg_trgm, hstore, citext, unaccent, fuzzystrmatch, btree_gin, "            \
	"btree_gist, cube, earthdistance, ltree, intarray, isn, seg"

static const struct
{
	const char *name;
	int *variable;
	int boot;
	const struct config_enum_entry *options;
	GucContext context;
	const char *summary;
	const char *detail;
} enum_settings[] = {
	{"sqlagent.provider", &sa_guc_provider, SA_PROVIDER_BUILTIN,
	 provider_options, PGC_SUSET, "Who writes the SQL.",
	 "\"builtin\" needs no model; \"openai\" speaks to every server with an "
	 "OpenAI-compatible interface."},
	{"sqlagent.output_format", &sa_guc_output_format, SA_FORMAT_CSV,
	 format_options, PGC_USERSET,
	 "Format in which the model is given the rows of a result.", NULL},
	{"sqlagent.share", &sa_guc_share, SA_SHARE_ROWS, share_options, PGC_SUSET,
	 "What may leave the database for the model.",
	 "\"schema\": names, types and comments; \"statistics\": also common "
	 "values; \"rows\": also samples and results."},
	{"sqlagent.trace", &sa_guc_trace, SA_TRACE_SQL, trace_options, PGC_USERSET,
	 "What is told by NOTICE while a run goes on.", NULL},
	{"sqlagent.reuse", &sa_guc_reuse, SA_REUSE_EXACT, reuse_options,
	 PGC_USERSET, "Which questions are answered without a model.",
	 "\"exact\": those that equal the question of an approved pattern but for "
	 "case, blanks, punctuation and its placeholders."},
	{"sqlagent.approval", &sa_guc_approval, SA_APPROVAL_NEVER, approval_options,
	 PGC_SUSET, "Which statements wait for a person.",
	 "\"expensive\": those above max_cost, in place of refusing them; "
	 "sqlagent.approve() lets one run."},
	{"sqlagent.ground", &sa_guc_ground, SA_GROUND_WARN, ground_options,
	 PGC_USERSET,
	 "What is done about numbers and names of an answer that the rows do not "
	 "support.",
	 "\"warn\" appends them to the answer; \"repair\" asks the model once to "
	 "correct it."},
};

static const struct
{
	const char *name;
	int *variable;
	int boot;
	int min;
	int max;
	GucContext context;
	int flags;
	const char *summary;
	const char *detail;
} int_settings[] = {
	{"sqlagent.context_tokens", &sa_guc_context_tokens, 16384, 1024, INT_MAX,
	 PGC_SUSET, 0, "Tokens that a request to the model may hold.",
	 "The prompt is packed to fit."},
	{"sqlagent.connect_timeout", &sa_guc_connect_timeout, 5000, 1, INT_MAX,
	 PGC_SUSET, GUC_UNIT_MS, "Time limit for connecting to the model's server.",
	 NULL},
	{"sqlagent.request_timeout", &sa_guc_request_timeout, 120000, 1, INT_MAX,
	 PGC_SUSET, GUC_UNIT_MS, "Time limit of one model call.", NULL},
	{"sqlagent.run_timeout", &sa_guc_run_timeout, 300000, 1, INT_MAX, PGC_SUSET,
	 GUC_UNIT_MS, "Time limit of a run.", NULL},
	{"sqlagent.retries", &sa_guc_retries, 3, 0, 10, PGC_SUSET, 0,
	 "How often a model call is repeated after a passing failure.",
	 "Passing failures are HTTP status 408, 409, 429 and 5xx, and broken "
	 "connections."},
	{"sqlagent.max_output_tokens", &sa_guc_max_output_tokens, 4096, 1, INT_MAX,
	 PGC_USERSET, 0, "Tokens that one reply of the model may have.", NULL},
	{"sqlagent.max_iterations", &sa_guc_max_iterations, 10, 1, 100, PGC_USERSET,
	 0, "Model replies in one run.",
	 "At the limit one last call without tools asks for the answer."},
	{"sqlagent.token_budget", &sa_guc_token_budget, 0, 0, INT_MAX, PGC_SUSET, 0,
	 "Tokens that a run may spend.", "Zero is no limit."},
	{"sqlagent.query_timeout", &sa_guc_query_timeout, 30000, 1, INT_MAX,
	 PGC_SUSET, GUC_UNIT_MS, "Time limit of one generated statement.", NULL},
	{"sqlagent.max_sql_bytes", &sa_guc_max_sql_bytes, 16 * 1024, 256, 64 * 1024,
	 PGC_SUSET, GUC_UNIT_BYTE, "Length of one generated statement.", NULL},
	{"sqlagent.max_rows", &sa_guc_max_rows, 1000, 1, 1000000, PGC_USERSET, 0,
	 "Rows of a result that are kept for the caller.", NULL},
	{"sqlagent.max_result_bytes", &sa_guc_max_result_bytes, 16 * 1024, 1,
	 256 * 1024, PGC_SUSET, GUC_UNIT_KB, "Memory that a result may take.",
	 NULL},
	{"sqlagent.max_cell_bytes", &sa_guc_max_cell_bytes, 64, 1, 64 * 1024,
	 PGC_SUSET, GUC_UNIT_KB, "Length of one value of a result.",
	 "A longer value is left out and its size said."},
	{"sqlagent.query_memory", &sa_guc_query_memory, 256 * 1024, 64 * 1024,
	 INT_MAX, PGC_SUSET, GUC_UNIT_KB,
	 "Memory that a generated statement may take in the worker.", NULL},
	{"sqlagent.schema_tokens", &sa_guc_schema_tokens, 2000, 100, INT_MAX,
	 PGC_USERSET, 0, "Share of context_tokens for the text of the schema.",
	 NULL},
	{"sqlagent.thread_tokens", &sa_guc_thread_tokens, 2000, 0, INT_MAX,
	 PGC_USERSET, 0,
	 "Share of context_tokens for the earlier questions of a thread.",
	 "Zero sends none of them."},
	{"sqlagent.model_rows", &sa_guc_model_rows, 50, 0, 10000, PGC_USERSET, 0,
	 "Rows of a result that are shown to the model.", NULL},
	{"sqlagent.result_tokens", &sa_guc_result_tokens, 4096, 64, INT_MAX,
	 PGC_USERSET, 0, "Tokens of one tool result.",
	 "A longer one is cut between rows, and says so."},
	{"sqlagent.sample_rows", &sa_guc_sample_rows, 3, 0, 100, PGC_USERSET, 0,
	 "Rows of a table's sample.", NULL},
	{"sqlagent.approval_timeout", &sa_guc_approval_timeout, 24 * 3600 * 1000,
	 1000, INT_MAX, PGC_SUSET, GUC_UNIT_MS,
	 "How long a statement waits for a person.", NULL},
	{"sqlagent.worker_idle_timeout", &sa_guc_worker_idle_timeout, 60000, 0,
	 INT_MAX, PGC_SUSET, GUC_UNIT_MS,
	 "How long the worker of a session stays without a question.",
	 "Zero ends it after each run."},
};

static const struct
{
	const char *name;
	double *variable;
	double boot;
	double min;
	double max;
	GucContext context;
	const char *summary;
	const char *detail;
} real_settings[] = {
	{"sqlagent.temperature", &sa_guc_temperature, 0, -1, 2, PGC_USERSET,
	 "Sampling temperature of the model.",
	 "-1 sends none, for models that refuse the parameter."},
	{"sqlagent.max_cost", &sa_guc_max_cost, 0, 0, 1e15, PGC_SUSET,
	 "Planner's cost above which a statement is refused.", "Zero is no limit."},
};

static const struct
{
	const char *name;
	char **variable;
	const char *boot;
	GucContext context;
	int flags;
	const char *summary;
	const char *detail;
} string_settings[] = {
	{"sqlagent.endpoint", &sa_guc_endpoint, "", PGC_SUSET, 0,
	 "Base URL of the model's server.", "Empty is the provider's own."},
	{"sqlagent.model", &sa_guc_model, "", PGC_SUSET, 0, "Name of the model.",
	 NULL},
	{"sqlagent.api_key_file", &sa_guc_api_key_file, "", PGC_SUSET,
	 GUC_SUPERUSER_ONLY, "File of the server that holds the key.",
	 "Without it the server's environment variable SQLAGENT_API_KEY is the "
	 "key."},
	{"sqlagent.headers_file", &sa_guc_headers_file, "", PGC_SUSET,
	 GUC_SUPERUSER_ONLY,
	 "File of the server with more HTTP headers, one a line.", NULL},
	{"sqlagent.provider_options", &sa_guc_provider_options, "", PGC_SUSET, 0,
	 "JSON object that is merged into each request.", NULL},
	{"sqlagent.ca_file", &sa_guc_ca_file, "", PGC_SUSET, 0,
	 "File of the certification authorities that are trusted.",
	 "Empty is the system's. Certificates are always verified."},
	{"sqlagent.reasoning_effort", &sa_guc_reasoning_effort, "", PGC_USERSET, 0,
	 "How much the model shall think, in the provider's words.",
	 "Empty sends none."},
	{"sqlagent.superuser_role", &sa_guc_superuser_role, "", PGC_SUSET, 0,
	 "Role with whose rights the runs of a superuser work.", NULL},
	{"sqlagent.allowed_functions", &sa_guc_allowed_functions, "", PGC_SUSET,
	 GUC_LIST_INPUT,
	 "Functions of users that generated SQL may call, as "
	 "schema.name(argument types).",
	 NULL},
	{"sqlagent.allowed_extensions", &sa_guc_allowed_extensions,
	 DEFAULT_EXTENSIONS, PGC_SUSET, GUC_LIST_INPUT,
	 "Extensions whose functions generated SQL may call.", NULL},
	{"sqlagent.schemas", &sa_guc_schemas, "", PGC_USERSET, GUC_LIST_INPUT,
	 "Schemas that are looked at.", "Empty is all that the asker may use."},
	{"sqlagent.review_model", &sa_guc_review_model, "", PGC_SUSET, 0,
	 "Name of the model that reviews statements.",
	 "Empty is none: only what the statement itself tells is looked at."},
	{"sqlagent.instructions", &sa_guc_instructions, "", PGC_USERSET, 0,
	 "Text that is added to the system prompt.", NULL},
	{"sqlagent.text_search_config", &sa_guc_text_search_config, "", PGC_USERSET,
	 0, "Text search configuration of new knowledge.",
	 "Empty is default_text_search_config. One that is not in pg_catalog is "
	 "named with its schema."},
};

static const struct
{
	const char *name;
	bool *variable;
	bool boot;
	GucContext context;
	const char *summary;
	const char *detail;
} bool_settings[] = {
	{"sqlagent.allow_foreign", &sa_guc_allow_foreign, false, PGC_SUSET,
	 "Whether generated SQL may read foreign tables.", NULL},
	{"sqlagent.review", &sa_guc_review, false, PGC_USERSET,
	 "Whether the classic mistakes are looked for before a statement runs.",
	 "What is found goes to the model first."},
	{"sqlagent.learning", &sa_guc_learning, true, PGC_SUSET,
	 "Whether knowledge is used and proposed.",
	 "Off takes the tools of knowledge, examples and rules away from the "
	 "model."},
	{"sqlagent.auto_learn", &sa_guc_auto_learn, true, PGC_SUSET,
	 "Whether a statement that repaired a failed one is proposed as a "
	 "learning.",
	 NULL},
};

void
sa_guc_init(void)
{
	for (int i = 0; i < (int) lengthof(enum_settings); i++)
		DefineCustomEnumVariable(
			enum_settings[i].name, enum_settings[i].summary,
			enum_settings[i].detail, enum_settings[i].variable,
			enum_settings[i].boot, enum_settings[i].options,
			enum_settings[i].context, 0, NULL, NULL, NULL);
	for (int i = 0; i < (int) lengthof(int_settings); i++)
		DefineCustomIntVariable(
			int_settings[i].name, int_settings[i].summary,
			int_settings[i].detail, int_settings[i].variable,
			int_settings[i].boot, int_settings[i].min, int_settings[i].max,
			int_settings[i].context, int_settings[i].flags, NULL, NULL, NULL);
	for (int i = 0; i < (int) lengthof(real_settings); i++)
		DefineCustomRealVariable(
			real_settings[i].name, real_settings[i].summary,
			real_settings[i].detail, real_settings[i].variable,
			real_settings[i].boot, real_settings[i].min, real_settings[i].max,
			real_settings[i].context, 0, NULL, NULL, NULL);
	for (int i = 0; i < (int) lengthof(string_settings); i++)
		DefineCustomStringVariable(
			string_settings[i].name, string_settings[i].summary,
			string_settings[i].detail, string_settings[i].variable,
			string_settings[i].boot, string_settings[i].context,
			string_settings[i].flags, NULL, NULL, NULL);
	for (int i = 0; i < (int) lengthof(bool_settings); i++)
		DefineCustomBoolVariable(
			bool_settings[i].name, bool_settings[i].summary,
			bool_settings[i].detail, bool_settings[i].variable,
			bool_settings[i].boot, bool_settings[i].context, 0, NULL, NULL,
			NULL);
	MarkGUCPrefixReserved("sqlagent");
}
