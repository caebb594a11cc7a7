INSERT INTO sqlagent.learnings
	(title, description, category, sql, failing_sql, sqlstate, tables, key,
	 proposed_by, status, note, checked_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
	CASE WHEN $4 IS NOT NULL THEN now() END)
ON CONFLICT DO NOTHING
RETURNING id
