INSERT INTO sqlagent.query_patterns
	(name, question, sql, summary, tables_used, data_quality_notes,
	 proposed_by, run, checked_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())
ON CONFLICT (question_key, proposed_by) WHERE status = 'proposed' DO NOTHING
RETURNING id
