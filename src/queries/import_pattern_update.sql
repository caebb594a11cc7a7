UPDATE sqlagent.query_patterns
SET name = $2, question = $3, sql = $4, summary = $5, tables_used = $6,
	data_quality_notes = $7, status = $8, note = $9,
	checked_at = CASE WHEN $10 THEN now() END
WHERE id = $1
