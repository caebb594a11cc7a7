-- What the asker of the schema bench may do: read all there is.  The tables of
-- the template have their rights and statistics already.
SELECT format('GRANT USAGE ON SCHEMA %I TO sa_bench_asker', nspname)
FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
	AND NOT has_schema_privilege('sa_bench_asker', oid, 'USAGE') \gexec
SELECT format('GRANT SELECT ON %s TO sa_bench_asker', c.oid::regclass) ||
	CASE WHEN c.relkind IN ('r', 'p', 'm') THEN format('; ANALYZE %s', c.oid::regclass) ELSE '' END
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND NOT has_table_privilege('sa_bench_asker', c.oid, 'SELECT')
	AND n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'sqlagent') \gexec
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA sqlagent TO sa_bench_asker;
