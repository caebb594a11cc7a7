SELECT id, name IS NOT DISTINCT FROM $3 AND question IS NOT DISTINCT FROM $4
	AND sql IS NOT DISTINCT FROM $5 AND summary IS NOT DISTINCT FROM $6
	AND data_quality_notes IS NOT DISTINCT FROM $7
FROM sqlagent.query_patterns
WHERE question_key = $1
AND (status IN ('approved', 'stale', 'rejected') OR proposed_by = $2)
ORDER BY status, id
LIMIT 1
