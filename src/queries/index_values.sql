SELECT s.schemaname::pg_catalog.text, s.tablename::pg_catalog.text, s.attname::pg_catalog.text,
	s.most_common_vals::pg_catalog.text::pg_catalog.text[],
	CASE WHEN s.n_distinct OPERATOR(pg_catalog.<) 0::pg_catalog.float4
		THEN s.histogram_bounds::pg_catalog.text::pg_catalog.text[] END
FROM pg_catalog.pg_stats s
WHERE s.schemaname OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.name[])
	AND ($2 IS NULL OR s.tablename OPERATOR(pg_catalog.=) ANY ($2::pg_catalog.name[]))
	AND ((s.n_distinct OPERATOR(pg_catalog.>) 0::pg_catalog.float4
			AND s.n_distinct OPERATOR(pg_catalog.<=) 100::pg_catalog.float4)
		OR s.tablename OPERATOR(pg_catalog.=) ANY ($3::pg_catalog.name[]))
