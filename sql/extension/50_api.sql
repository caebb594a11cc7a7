-- The verbs.
CREATE FUNCTION sqlagent.ask(question text, thread bigint DEFAULT NULL)
RETURNS text
AS 'MODULE_PATHNAME', 'sqlagent_ask'
LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION sqlagent.ask(text, bigint) IS
	'Answer a question about the data in words; the SQL that ran comes as a NOTICE';

CREATE FUNCTION sqlagent.ask_json(question text, thread bigint DEFAULT NULL, schema jsonb DEFAULT NULL)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'sqlagent_ask_json'
LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION sqlagent.ask_json(text, bigint, jsonb) IS
	'Answer a question with the whole report: status, answer, SQL, rows, errors, usage; with a JSON Schema also a result that conforms to it';

CREATE FUNCTION sqlagent.to_sql(question text, thread bigint DEFAULT NULL)
RETURNS text
AS 'MODULE_PATHNAME', 'sqlagent_to_sql'
LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION sqlagent.to_sql(text, bigint) IS
	'The SQL that would answer a question: guarded and planned, not run';

CREATE FUNCTION sqlagent.ask_rows(question text, thread bigint DEFAULT NULL)
RETURNS SETOF jsonb
AS 'MODULE_PATHNAME', 'sqlagent_ask_rows'
LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION sqlagent.ask_rows(text, bigint) IS
	'The rows of the statement that answers a question, an object each';

CREATE FUNCTION sqlagent.explain_sql(sql text)
RETURNS text
AS 'MODULE_PATHNAME', 'sqlagent_explain_sql'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sqlagent.explain_sql(text) IS
	'What a statement does, in words; it is guarded and planned, not run';

CREATE FUNCTION sqlagent.fix_sql(sql text, error text DEFAULT NULL)
RETURNS text
AS 'MODULE_PATHNAME', 'sqlagent_fix_sql'
LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION sqlagent.fix_sql(text, text) IS
	'A corrected statement, guarded and planned, not run; the server itself finds the error, say in the second argument what else is wrong';

CREATE PROCEDURE sqlagent.ask_proc(question text, INOUT answer text DEFAULT NULL, thread bigint DEFAULT NULL)
AS 'MODULE_PATHNAME', 'sqlagent_ask_proc'
LANGUAGE C;
COMMENT ON PROCEDURE sqlagent.ask_proc(text, text, bigint) IS
	'As ask(), for long runs: outside a transaction block no snapshot is held while the answer is awaited';

CREATE FUNCTION sqlagent.config(OUT name text, OUT value text, OUT source text)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'sqlagent_config'
LANGUAGE C STABLE PARALLEL SAFE;
COMMENT ON FUNCTION sqlagent.config() IS
	'Versions and all settings as they are in effect, without secrets, for a bug report';

CREATE FUNCTION sqlagent.show_prompt(question text, thread bigint DEFAULT NULL)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'sqlagent_show_prompt'
LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION sqlagent.show_prompt(text, bigint) IS
	'The request that a question would send to the model, with an estimate of its tokens; sends nothing';

-- The tools that a model gets, for people.
CREATE FUNCTION sqlagent.tool_run_sql(args jsonb)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'sqlagent_tool_run_sql'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sqlagent.tool_run_sql(jsonb) IS
	'Run {"sql": ...} as a model''s statement is run: guarded, read only, limited, rolled back';

CREATE FUNCTION sqlagent.tool_introspect_schema(args jsonb)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'sqlagent_tool_introspect_schema'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sqlagent.tool_introspect_schema(jsonb) IS
	'List the tables ({} or {"search": ...}) or describe one ({"table_name": ..., "include_sample_data": ...})';

CREATE FUNCTION sqlagent.tool_find_values(args jsonb)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'sqlagent_tool_find_values'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sqlagent.tool_find_values(jsonb) IS
	'Values of a column nearest to a text: {"table": ..., "column": ..., "text": ...}';

CREATE FUNCTION sqlagent.tool_check_sql(args jsonb)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'sqlagent_tool_check_sql'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sqlagent.tool_check_sql(jsonb) IS
	'Whether {"sql": ...} may run, with the planner''s cost and rows; does not run it';
