UPDATE sqlagent.{{table}}
SET use_count = use_count + 1, last_used_at = now()
WHERE id = (SELECT id FROM sqlagent.{{table}} WHERE id = $1
	FOR NO KEY UPDATE SKIP LOCKED)
