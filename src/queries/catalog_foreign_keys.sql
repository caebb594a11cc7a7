SELECT k.conrelid, k.confrelid, k.conkey::pg_catalog.text[], k.confkey::pg_catalog.text[]
FROM pg_catalog.pg_constraint k
WHERE k.contype OPERATOR(pg_catalog.=) 'f'
	AND k.conparentid OPERATOR(pg_catalog.=) 0::pg_catalog.oid
ORDER BY k.conrelid, k.oid
