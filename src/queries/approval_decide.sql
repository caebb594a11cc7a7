UPDATE sqlagent.approvals
SET decision = $2, decided_by = $3, decided_at = clock_timestamp(),
	edited_sql = $4, reason = $5
WHERE id = $1 AND decision IS NULL
