SELECT c.oid, c.relname::pg_catalog.text, c.relnamespace, c.relkind::pg_catalog.text,
	c.reltuples::pg_catalog.float8, c.relispartition,
	pg_catalog.has_table_privilege(c.oid, 'SELECT')
FROM pg_catalog.pg_class c
WHERE c.relkind OPERATOR(pg_catalog.=) ANY ('{r,v,m,p,f}')
	AND c.relnamespace OPERATOR(pg_catalog.=) ANY ($1)
	AND ($2 IS NULL OR c.oid OPERATOR(pg_catalog.=) ANY ($2))
	AND ($3 OR NOT c.relispartition)
	AND (pg_catalog.has_table_privilege(c.oid, 'SELECT')
		OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT'))
