/*
 * guc.h
 *	  The settings: every sqlagent.* parameter, as a C variable.
 *
 * "Who" is U (any user) or S (superuser, or whoever was granted SET on the
 * parameter).  What protects the server, the key or the bill is S.
 */
#ifndef SA_GUC_H
#define SA_GUC_H

typedef enum SaProviderId
{
	SA_PROVIDER_BUILTIN,
	SA_PROVIDER_OPENAI,
	SA_PROVIDER_ANTHROPIC,
	SA_PROVIDER_OLLAMA,
	SA_PROVIDER_GEMINI
} SaProviderId;

typedef enum SaShare
{
	SA_SHARE_SCHEMA,	 /* names, types, comments */
	SA_SHARE_STATISTICS, /* also common values */
	SA_SHARE_ROWS		 /* also samples and results */
} SaShare;

typedef enum SaTrace
{
	SA_TRACE_OFF,
	SA_TRACE_SQL,
	SA_TRACE_STEPS
} SaTrace;

typedef enum SaApprovalWhen
{
	SA_APPROVAL_NEVER,
	SA_APPROVAL_EXPENSIVE,
	SA_APPROVAL_ALWAYS
} SaApprovalWhen;

typedef enum SaGround
{
	SA_GROUND_OFF,
	SA_GROUND_WARN,
	SA_GROUND_REPAIR
} SaGround;

typedef enum SaFormat
{
	SA_FORMAT_CSV,
	SA_FORMAT_JSON
} SaFormat;

typedef enum SaReuse
{
	SA_REUSE_OFF,
	SA_REUSE_EXACT
} SaReuse;

/* The model; S, since they decide where questions and the key are sent. */
extern int sa_guc_provider;
extern char *sa_guc_endpoint;
extern char *sa_guc_model;
extern char *sa_guc_api_key_file;
extern char *sa_guc_headers_file;
extern char *sa_guc_provider_options;
extern char *sa_guc_ca_file;
extern int sa_guc_context_tokens;
extern int sa_guc_connect_timeout; /* ms */
extern int sa_guc_request_timeout; /* ms */
extern int sa_guc_retries;

/* Sampling; U. */
extern double sa_guc_temperature;
extern char *sa_guc_reasoning_effort;
extern int sa_guc_max_output_tokens;

/* Limits of a run. */
extern int sa_guc_run_timeout; /* ms; S */
extern int sa_guc_max_iterations;
extern int sa_guc_token_budget; /* S; 0 = off */

/* Limits of a generated statement; S but where said. */
extern int sa_guc_query_timeout;	/* ms */
extern int sa_guc_max_sql_bytes;	/* bytes */
extern int sa_guc_max_rows;			/* U */
extern int sa_guc_max_result_bytes; /* kB */
extern int sa_guc_max_cell_bytes;	/* kB */
extern double sa_guc_max_cost;		/* 0 = off */
extern int sa_guc_query_memory;		/* kB */

/* Statements that a person has to approve; S. */
extern int sa_guc_approval;			/* SaApprovalWhen */
extern int sa_guc_approval_timeout; /* ms */

/* What a generated statement may use; S. */
extern char *sa_guc_superuser_role;
extern char *sa_guc_allowed_functions;
extern char *sa_guc_allowed_extensions;
extern bool sa_guc_allow_foreign;

/* What the model sees. */
extern int sa_guc_schema_tokens;  /* U */
extern int sa_guc_thread_tokens;  /* U */
extern int sa_guc_model_rows;	  /* U */
extern int sa_guc_result_tokens;  /* U */
extern int sa_guc_output_format;  /* SaFormat; U */
extern int sa_guc_sample_rows;	  /* U */
extern int sa_guc_share;		  /* SaShare; S */
extern char *sa_guc_schemas;	  /* U */
extern char *sa_guc_instructions; /* U */

/* A second opinion on each statement. */
extern bool sa_guc_review;		  /* U */
extern char *sa_guc_review_model; /* S */

/* Knowledge. */
extern bool sa_guc_learning;			/* S */
extern bool sa_guc_auto_learn;			/* S */
extern int sa_guc_reuse;				/* SaReuse; U */
extern char *sa_guc_text_search_config; /* U; '' = the session's */

/* What the person sees; U. */
extern int sa_guc_trace;  /* SaTrace */
extern int sa_guc_ground; /* SaGround */

/* Processes; S. */
extern int sa_guc_worker_idle_timeout; /* ms */

extern void sa_guc_init(void);

#endif /* SA_GUC_H */
