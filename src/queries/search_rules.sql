SELECT r.id, 1.0::float8, r.kind, r.name, r.description, r.calculation,
	r.solution, to_json(r.tables)::text, r.status, r.use_count
FROM sqlagent.rules r
WHERE r.status = 'approved'
AND (r.tables = '{}' OR EXISTS (
	SELECT FROM sqlagent.knowledge_objects o
	WHERE o.rule = r.id AND o.relation::oid = ANY ($1)))
ORDER BY r.tables = '{}', r.id
LIMIT $2
