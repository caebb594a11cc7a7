SELECT k.conrelid, pg_catalog.pg_get_constraintdef(k.oid, true), k.conkey::pg_catalog.text[]
FROM pg_catalog.pg_constraint k
WHERE k.conrelid OPERATOR(pg_catalog.=) ANY ($1)
	AND k.contype OPERATOR(pg_catalog.=) 'c'
ORDER BY k.conrelid, k.conname
