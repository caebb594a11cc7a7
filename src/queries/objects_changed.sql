SELECT CASE WHEN o.pattern IS NOT NULL THEN 'pattern'
		WHEN o.learning IS NOT NULL THEN 'learning' ELSE 'rule' END,
	coalesce(o.pattern, o.learning, o.rule),
	o.relation::oid, o.number, o.schema, o.relname, o.attname, o.type,
	o.relid IS DISTINCT FROM o.relation::oid AS restored,
	n.nspname, c.relname, a.attname, format_type(a.atttypid, NULL),
	a.atttypid IS DISTINCT FROM o.typid AND o.number > 0 AS retyped
FROM sqlagent.knowledge_objects o
LEFT JOIN pg_class c ON c.oid = o.relation
LEFT JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
	AND o.number > 0
	AND CASE WHEN o.relid = o.relation::oid THEN a.attnum = o.number
		ELSE a.attname = o.attname END
WHERE (o.relation = $1 OR o.pattern = $2 OR o.learning = $3 OR o.rule = $4)
AND (c.oid IS NULL OR o.relid <> o.relation::oid
	OR n.nspname <> o.schema OR c.relname <> o.relname
	OR o.number > 0 AND (a.attname IS DISTINCT FROM o.attname
		OR a.atttypid IS DISTINCT FROM o.typid))
ORDER BY 1, 2, o.number
