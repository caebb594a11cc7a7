UPDATE sqlagent.{{table}}
SET status = 'proposed', note = $2
WHERE id = $1 AND status = 'approved'
