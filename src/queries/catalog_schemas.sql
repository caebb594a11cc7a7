SELECT n.oid, n.nspname::pg_catalog.text
FROM pg_catalog.pg_namespace n
WHERE n.nspname OPERATOR(pg_catalog.!~) '^pg_'
	AND n.nspname OPERATOR(pg_catalog.<>) ALL ('{information_schema,sqlagent}')
	AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
	AND ($1 IS NULL OR n.nspname::pg_catalog.text OPERATOR(pg_catalog.=) ANY ($1))
