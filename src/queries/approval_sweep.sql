WITH expired AS (
	UPDATE sqlagent.approvals
	SET decision = 'expired', decided_at = clock_timestamp(), state = NULL
	WHERE decision IS NULL AND expires_at < clock_timestamp()
	RETURNING run)
UPDATE sqlagent.runs r
SET status = 'cancelled', finished_at = clock_timestamp()
FROM expired e
WHERE r.id = e.run AND r.status = 'waiting'
