SELECT h.id, h.score, {{fields}}
FROM (
	SELECT k.*, ts_rank('{0.1,0.2,0.4,1.0}', k.search, $1::tsquery)::float8 AS score
	FROM (
		SELECT * FROM sqlagent.{{table}}
		WHERE status = 'approved' OR status = 'proposed' AND proposed_by = $3
		ORDER BY id DESC
		LIMIT 2000) k
	WHERE k.search @@ $2::tsquery
	ORDER BY score DESC, k.use_count DESC, k.id
	LIMIT 60
) h
WHERE $4 = 0 OR NOT EXISTS (
	SELECT FROM sqlagent.knowledge_objects o
	WHERE o.{{kind}} = h.id AND o.number = 0
	AND has_any_column_privilege($4, o.relation::oid, 'SELECT') IS NOT TRUE)
ORDER BY h.score DESC, h.use_count DESC, h.id
LIMIT $5
