SELECT i.indrelid, i.indisprimary, i.indkey::pg_catalog.int2[]::pg_catalog.text[], i.indnkeyatts
FROM pg_catalog.pg_index i
WHERE i.indrelid OPERATOR(pg_catalog.=) ANY ($1)
	AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
ORDER BY i.indrelid, i.indisprimary DESC, i.indexrelid
