SELECT s.schemaname::pg_catalog.text, s.tablename::pg_catalog.text, s.attname::pg_catalog.text,
	s.null_frac::pg_catalog.float8, s.n_distinct::pg_catalog.float8,
	s.most_common_vals::pg_catalog.text::pg_catalog.text[],
	s.most_common_freqs::pg_catalog.text[],
	s.histogram_bounds::pg_catalog.text::pg_catalog.text[]
FROM pg_catalog.pg_stats s
WHERE s.schemaname OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.name[])
	AND s.tablename OPERATOR(pg_catalog.=) ANY ($2::pg_catalog.name[])
ORDER BY s.inherited DESC
