SELECT pg_has_role($3::name, c.relowner, 'USAGE'), a.attname IS NOT NULL,
	CASE WHEN $2 IS NULL THEN obj_description(c.oid, 'pg_class')
		ELSE col_description(c.oid, a.attnum) END,
	CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
		WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END
FROM pg_class c
LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = $2
	AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.oid = $1
