SELECT id, name, status
FROM sqlagent.query_patterns
WHERE question_key = $1
AND (status = 'approved' OR status = 'proposed' AND proposed_by = $2)
ORDER BY status
LIMIT 1
