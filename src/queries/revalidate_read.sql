SELECT name, question, sql, checked_at IS NOT NULL
FROM sqlagent.query_patterns
WHERE id = $1 AND status = 'approved'
