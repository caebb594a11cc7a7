UPDATE sqlagent.learnings
SET title = $2, description = $3, category = $4, sql = $5, failing_sql = $6,
	sqlstate = $7, tables = $8, status = $9, note = $10
WHERE id = $1
