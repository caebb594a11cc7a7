-- What the asker of the schema bench may do: read all there is.
SELECT format('GRANT USAGE ON SCHEMA %1$I TO sa_bench_asker; GRANT SELECT ON ALL TABLES IN SCHEMA %1$I TO sa_bench_asker', nspname)
FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'sqlagent') \gexec
GRANT USAGE ON SCHEMA sqlagent TO sa_bench_asker;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA sqlagent TO sa_bench_asker;
ANALYZE;
