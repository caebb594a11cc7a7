INSERT INTO sqlagent.learnings
	(title, description, category, sql, failing_sql, sqlstate, tables, key,
	 proposed_by, status, note)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT DO NOTHING
RETURNING id
