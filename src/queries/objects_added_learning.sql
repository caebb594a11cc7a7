INSERT INTO sqlagent.knowledge_objects
	(learning, relation, number, relid, schema, relname)
SELECT i.id, c.oid, 0, c.oid, n.nspname, c.relname
FROM added i, unnest(i.tables) AS t (name)
JOIN pg_class c ON c.oid = to_regclass(t.name)
JOIN pg_namespace n ON n.oid = c.relnamespace
