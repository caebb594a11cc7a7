UPDATE sqlagent.knowledge_objects o
SET schema = n.nspname, relname = c.relname, relid = c.oid,
	number = coalesce(a.attnum, 0), attname = a.attname, typid = a.atttypid,
	type = format_type(a.atttypid, NULL)
FROM sqlagent.knowledge_objects o2
JOIN pg_class c ON c.oid = o2.relation
JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
	AND o2.number > 0
	AND CASE WHEN o2.relid = o2.relation::oid THEN a.attnum = o2.number
		ELSE a.attname = o2.attname END
WHERE o.ctid = o2.ctid
AND (o2.pattern = $1 OR o2.learning = $2 OR o2.rule = $3)
AND (o2.number = 0 OR a.attnum IS NOT NULL)
