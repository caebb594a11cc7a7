UPDATE sqlagent.{{table}}
SET status = 'stale', note = $2
WHERE id = $1 AND status IN ('proposed', 'approved')
