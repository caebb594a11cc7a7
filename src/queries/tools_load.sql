SELECT t.name, t.function::oid, t.description, t.parameters::text, t.read_only,
	p.proargtypes::text = 'jsonb'::regtype::oid::text
FROM sqlagent.tools t
JOIN pg_proc p ON p.oid = t.function::oid
WHERE ($1 IS NULL OR t.name = $1)
	AND has_function_privilege(SESSION_USER, p.oid, 'EXECUTE')
	AND has_schema_privilege(SESSION_USER, p.pronamespace, 'USAGE')
ORDER BY t.name
