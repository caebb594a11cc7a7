UPDATE sqlagent.query_patterns p
SET status = 'stale',
	note = format('column %I of table %I.%I was dropped', d.column_name,
		d.schema_name, d.table_name)
FROM (
	SELECT objid, address_names[1] AS schema_name,
		address_names[2] AS table_name, address_names[3] AS column_name
	FROM pg_event_trigger_dropped_objects()
	WHERE classid = 'pg_class'::regclass AND objsubid > 0
	AND array_length(address_names, 1) = 3) d,
	sqlagent.knowledge_objects o
WHERE o.relation = d.objid AND o.pattern = p.id
AND p.checked_at IS NULL AND p.status IN ('proposed', 'approved')
AND p.sql ~* concat('\m', regexp_replace(d.column_name, '(\W)', '\\\1', 'g'), '\M')
