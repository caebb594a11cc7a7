UPDATE sqlagent.learnings
SET use_count = use_count + 1, last_used_at = now()
WHERE id = (SELECT id FROM sqlagent.learnings
	WHERE key = $1
	AND (status IN ('approved', 'rejected')
		OR status = 'proposed' AND proposed_by = $2)
	ORDER BY status, id
	LIMIT 1)
RETURNING id
