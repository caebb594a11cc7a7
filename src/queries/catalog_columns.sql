SELECT a.attrelid, a.attnum, a.attname::pg_catalog.text,
	pg_catalog.format_type(a.atttypid, a.atttypmod), a.atttypid, a.attnotnull,
	a.attidentity OPERATOR(pg_catalog.<>) '', a.attgenerated OPERATOR(pg_catalog.<>) ''
FROM pg_catalog.pg_attribute a
WHERE a.attrelid OPERATOR(pg_catalog.=) ANY ($1)
	AND a.attnum OPERATOR(pg_catalog.>) 0 AND NOT a.attisdropped
