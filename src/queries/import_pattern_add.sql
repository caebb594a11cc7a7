INSERT INTO sqlagent.query_patterns
	(name, question, sql, summary, tables_used, data_quality_notes,
	 proposed_by, status, note, checked_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, CASE WHEN $10 THEN now() END)
ON CONFLICT DO NOTHING
RETURNING id
