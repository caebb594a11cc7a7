-- Texts of the prompts that the administrator has changed.
CREATE TABLE sqlagent.prompt_overrides (
	name text PRIMARY KEY,
	body text NOT NULL,
	note text,
	changed_by name NOT NULL,
	changed_at timestamp with time zone NOT NULL
);
COMMENT ON TABLE sqlagent.prompt_overrides IS
	'Texts of the prompts that the administrator has changed; see prompts()';
SELECT pg_catalog.pg_extension_config_dump('sqlagent.prompt_overrides', '');

CREATE FUNCTION sqlagent.default_prompts(OUT name text, OUT body text)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'sqlagent_default_prompts'
LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION sqlagent.default_prompts() IS
	'Texts of the prompts as they come with the extension';
REVOKE EXECUTE ON FUNCTION sqlagent.default_prompts() FROM PUBLIC;

CREATE FUNCTION sqlagent.prompts(OUT name text, OUT body text,
	OUT overridden boolean, OUT note text, OUT hash text)
RETURNS SETOF record
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT d.name, coalesce(o.body, d.body), o.name IS NOT NULL, o.note,
		md5(coalesce(o.body, d.body))
	FROM sqlagent.default_prompts() d
	LEFT JOIN sqlagent.prompt_overrides o ON o.name = d.name
	ORDER BY d.name;
END;
COMMENT ON FUNCTION sqlagent.prompts() IS
	'Texts that the model is given, as they are in effect';

CREATE FUNCTION sqlagent.check_prompt(name text, body text)
RETURNS boolean
AS 'MODULE_PATHNAME', 'sqlagent_check_prompt'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sqlagent.check_prompt(text, text) IS
	'Whether a text can take the place of a prompt: it must have the same placeholders';
REVOKE EXECUTE ON FUNCTION sqlagent.check_prompt(text, text) FROM PUBLIC;

-- Definer, so that the right to execute it can be granted.
CREATE FUNCTION sqlagent.set_prompt(name text, body text, note text DEFAULT NULL)
RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	INSERT INTO sqlagent.prompt_overrides AS o (name, body, note, changed_by, changed_at)
	SELECT $1, $2, $3, SESSION_USER, now() WHERE sqlagent.check_prompt($1, $2)
	ON CONFLICT (name) DO UPDATE SET body = EXCLUDED.body, note = EXCLUDED.note,
		changed_by = EXCLUDED.changed_by, changed_at = EXCLUDED.changed_at;
END;
COMMENT ON FUNCTION sqlagent.set_prompt(text, text, text) IS
	'Put another text in the place of a prompt; its placeholders must be those of the original';
REVOKE EXECUTE ON FUNCTION sqlagent.set_prompt(text, text, text) FROM PUBLIC;

CREATE FUNCTION sqlagent.reset_prompt(name text)
RETURNS boolean
LANGUAGE sql VOLATILE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	WITH gone AS (DELETE FROM sqlagent.prompt_overrides o WHERE o.name = $1 RETURNING 1)
	SELECT count(*) > 0 FROM gone;
END;
COMMENT ON FUNCTION sqlagent.reset_prompt(text) IS
	'Back to the original text of a prompt; whether it had been changed';
REVOKE EXECUTE ON FUNCTION sqlagent.reset_prompt(text) FROM PUBLIC;
