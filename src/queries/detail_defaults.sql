SELECT d.adrelid, d.adnum, pg_catalog.pg_get_expr(d.adbin, d.adrelid, true)
FROM pg_catalog.pg_attrdef d
WHERE d.adrelid OPERATOR(pg_catalog.=) ANY ($1)
