INSERT INTO sqlagent.knowledge_objects
	(pattern, learning, rule, relation, number, relid, typid, schema, relname,
	 attname, type)
SELECT $1, $2, $3, c.oid, $5, c.oid, a.atttypid, n.nspname, c.relname,
	a.attname, format_type(a.atttypid, NULL)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = $5 AND a.attnum > 0
WHERE c.oid = $4 AND ($5 = 0 OR a.attnum IS NOT NULL)
