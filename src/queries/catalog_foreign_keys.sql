SELECT k.conrelid, k.confrelid, k.conkey::pg_catalog.text[], k.confkey::pg_catalog.text[]
FROM pg_catalog.pg_constraint k
WHERE k.contype OPERATOR(pg_catalog.=) 'f'
	AND k.conparentid OPERATOR(pg_catalog.=) 0::pg_catalog.oid
	AND ($1 IS NULL OR k.conrelid OPERATOR(pg_catalog.=) ANY ($1))
ORDER BY k.conrelid, k.oid
