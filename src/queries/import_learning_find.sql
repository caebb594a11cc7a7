SELECT id, title IS NOT DISTINCT FROM $3
	AND description IS NOT DISTINCT FROM $4
	AND category IS NOT DISTINCT FROM $5 AND sql IS NOT DISTINCT FROM $6
FROM sqlagent.learnings
WHERE key = $1
AND (status IN ('approved', 'stale', 'rejected') OR proposed_by = $2)
ORDER BY status, id
LIMIT 1
