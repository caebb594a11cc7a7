INSERT INTO sqlagent.runs
	(asker, run_as, kind, thread, question, status, provider, started_at,
	 worker_pid, worker_started_at)
VALUES ($1, SESSION_USER, $2, $3, $4, 'running', $5, $6, $7, $8)
RETURNING id
