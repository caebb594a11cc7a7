SELECT t.oid,
	(SELECT pg_catalog.array_agg(e.enumlabel::pg_catalog.text ORDER BY e.enumsortorder)
		FROM pg_catalog.pg_enum e WHERE e.enumtypid OPERATOR(pg_catalog.=) t.oid),
	CASE WHEN t.typtype OPERATOR(pg_catalog.=) 'd'
		THEN pg_catalog.format_type(t.typbasetype, t.typtypmod) END,
	(SELECT pg_catalog.array_agg(pg_catalog.pg_get_constraintdef(k.oid, true) ORDER BY k.oid)
		FROM pg_catalog.pg_constraint k
		WHERE k.contypid OPERATOR(pg_catalog.=) t.oid
			AND k.contype OPERATOR(pg_catalog.=) 'c'),
	t.typnotnull
FROM pg_catalog.pg_type t
WHERE t.typtype OPERATOR(pg_catalog.=) ANY ('{e,d}')
	AND t.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
