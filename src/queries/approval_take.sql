WITH taken AS (
	UPDATE sqlagent.approvals SET state = NULL
	WHERE id = $1 AND state IS NOT NULL
	RETURNING run)
UPDATE sqlagent.runs r
SET status = $2, worker_pid = $3, worker_started_at = $4,
	finished_at = CASE WHEN $2 = 'running' THEN NULL ELSE clock_timestamp() END
FROM taken t
WHERE r.id = t.run AND r.status = 'waiting'
