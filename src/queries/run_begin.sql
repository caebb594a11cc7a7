INSERT INTO sqlagent.runs
	(asker, run_as, kind, thread, question, status, provider, started_at,
	 worker_pid)
VALUES ($1, $2, $3, $4, $5, 'running', $6, $7, $8)
RETURNING id
