-- Tools that the administrator adds to those of the model.
CREATE TABLE sqlagent.tools (
	name text PRIMARY KEY,
	function regprocedure NOT NULL,
	description text NOT NULL,
	parameters jsonb NOT NULL,
	read_only boolean NOT NULL DEFAULT true,
	registered_by name NOT NULL DEFAULT SESSION_USER,
	registered_at timestamp with time zone NOT NULL DEFAULT pg_catalog.now()
);
COMMENT ON TABLE sqlagent.tools IS
	'Functions that the model may call as tools, with the rights of the role that asks';
COMMENT ON COLUMN sqlagent.tools.parameters IS
	'JSON Schema of the arguments: an object';
COMMENT ON COLUMN sqlagent.tools.read_only IS
	'Whether it runs read only and is rolled back; otherwise what it does is committed';
ALTER TABLE sqlagent.tools ENABLE ROW LEVEL SECURITY;
CREATE POLICY usable ON sqlagent.tools FOR SELECT
	USING (pg_catalog.has_function_privilege(function::oid, 'EXECUTE'));
GRANT SELECT ON sqlagent.tools TO PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('sqlagent.tools', '');

CREATE FUNCTION sqlagent.check_tool(name text, function regprocedure,
	description text, parameters jsonb)
RETURNS boolean
AS 'MODULE_PATHNAME', 'sqlagent_check_tool'
LANGUAGE C STABLE PARALLEL UNSAFE;
COMMENT ON FUNCTION sqlagent.check_tool(text, regprocedure, text, jsonb) IS
	'Whether these can be registered as a tool; raises what is wrong otherwise';
REVOKE EXECUTE ON FUNCTION sqlagent.check_tool(text, regprocedure, text, jsonb)
	FROM PUBLIC;

-- Definer, so that the right to execute it can be granted.
CREATE FUNCTION sqlagent.register_tool(name text, function regprocedure,
	description text, parameters jsonb, read_only boolean DEFAULT true)
RETURNS void
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	INSERT INTO sqlagent.tools (name, function, description, parameters, read_only)
	SELECT $1, $2, $3, $4, $5 WHERE sqlagent.check_tool($1, $2, $3, $4);
END;
COMMENT ON FUNCTION sqlagent.register_tool(text, regprocedure, text, jsonb, boolean) IS
	'Give the model a tool: a function (jsonb), or one whose named arguments are the properties of parameters; it runs with the rights and limits of who asks';
REVOKE EXECUTE ON FUNCTION sqlagent.register_tool(text, regprocedure, text, jsonb, boolean)
	FROM PUBLIC;

CREATE FUNCTION sqlagent.drop_tool(name text)
RETURNS boolean
LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	WITH gone AS (DELETE FROM sqlagent.tools t WHERE t.name = $1 RETURNING 1)
	SELECT count(*) > 0 FROM gone;
END;
COMMENT ON FUNCTION sqlagent.drop_tool(text) IS
	'Take a registered tool away; whether there was one';
REVOKE EXECUTE ON FUNCTION sqlagent.drop_tool(text) FROM PUBLIC;

CREATE FUNCTION sqlagent.call_tool(name text, args jsonb DEFAULT '{}')
RETURNS jsonb
AS 'MODULE_PATHNAME', 'sqlagent_call_tool'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sqlagent.call_tool(text, jsonb) IS
	'Call a tool, built in or registered, as the model calls it';
