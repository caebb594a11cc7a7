-- What holds for all settings.  Each query lists offenders.
LOAD 'sqlagent';
SELECT count(*) > 30 AS has_settings FROM pg_settings WHERE name LIKE 'sqlagent.%';

-- Each is described by a sentence.
SELECT name, short_desc FROM pg_settings
	WHERE name LIKE 'sqlagent.%' AND short_desc !~ '^[A-Z].*\.$' ORDER BY 1;

-- Users may change what concerns their own answers only: not where questions and
-- keys go, nor what protects the server and the bill.
SELECT wanted FROM unnest(ARRAY['provider', 'endpoint', 'model', 'api_key_file',
		'headers_file', 'provider_options', 'ca_file', 'superuser_role', 'share',
		'allowed_functions', 'allowed_extensions', 'allow_foreign', 'context_tokens',
		'connect_timeout', 'request_timeout', 'run_timeout', 'retries', 'token_budget',
		'query_timeout', 'query_memory', 'max_sql_bytes', 'max_result_bytes',
		'max_cell_bytes', 'max_cost', 'worker_idle_timeout']) wanted
	WHERE NOT EXISTS (SELECT FROM pg_settings
		WHERE name = 'sqlagent.' || wanted AND context = 'superuser');
SELECT DISTINCT context FROM pg_settings
	WHERE name LIKE 'sqlagent.%' AND context NOT IN ('user', 'superuser');

-- Defaults that protect: no model without being told, no keys in settings.
SHOW sqlagent.provider;
SELECT name FROM pg_settings
	WHERE name LIKE 'sqlagent.%' AND name ~ '(key|token|secret|password)'
	AND name !~ '_(file|tokens|budget)$';

-- Units and limits are checked; messages differ between versions.
\set VERBOSITY sqlstate
SET sqlagent.query_timeout = '2min';
SHOW sqlagent.query_timeout;
SET sqlagent.max_sql_bytes = '1GB';
SET sqlagent.share = 'everything';
SET sqlagent.no_such_setting = 1;

-- A plain user may not set what protects the server, nor see where keys are.
CREATE ROLE regress_settings_user;
SET ROLE regress_settings_user;
SET sqlagent.endpoint = 'http://127.0.0.1';
SET sqlagent.superuser_role = 'regress_settings_user';
SHOW sqlagent.api_key_file;
SHOW sqlagent.headers_file;
SET sqlagent.max_rows = 7;
SHOW sqlagent.max_rows;
RESET ROLE;
GRANT SET ON PARAMETER sqlagent.endpoint TO regress_settings_user;
SET ROLE regress_settings_user;
SET sqlagent.endpoint = 'http://127.0.0.1';
RESET ROLE;
REVOKE SET ON PARAMETER sqlagent.endpoint FROM regress_settings_user;
DROP ROLE regress_settings_user;
