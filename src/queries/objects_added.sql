INSERT INTO sqlagent.knowledge_objects
	({{kind}}, relation, number, relid, typid, schema, relname, attname, type)
SELECT i.id, c.oid, a.attnum, c.oid, a.atttypid, n.nspname, c.relname,
	a.attname, a.type
FROM added i, unnest(i.{{tables}}) AS t (name)
JOIN pg_class c ON c.oid = to_regclass(t.name)
JOIN pg_namespace n ON n.oid = c.relnamespace,
LATERAL (
	SELECT 0::smallint, NULL::oid, NULL::name, NULL::text
	UNION ALL
	SELECT attnum, atttypid, attname, format_type(atttypid, NULL)
	FROM pg_attribute
	WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
	AND position(lower(attname) IN lower(i.{{sql}})) > 0
	AND i.{{sql}} ~* concat('\m', regexp_replace(attname, '(\W)', '\\\1', 'g'), '\M')
) a (attnum, atttypid, attname, type)
WHERE i.checked_at IS NULL
