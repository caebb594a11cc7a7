DELETE FROM sqlagent.knowledge_objects o
WHERE (o.pattern = $1 OR o.learning = $2 OR o.rule = $3)
AND NOT EXISTS (
	SELECT FROM pg_class c
	LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
		AND CASE WHEN o.relid = o.relation::oid THEN a.attnum = o.number
			ELSE a.attname = o.attname END
	WHERE c.oid = o.relation AND (o.number = 0 OR a.attnum IS NOT NULL))
