INSERT INTO sqlagent.approvals
	(run, asker, question, sql, cost, rows, requested_at, expires_at, state)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
