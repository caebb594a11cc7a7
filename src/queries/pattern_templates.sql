SELECT id, name, question, sql, checked_at IS NOT NULL
FROM sqlagent.query_patterns
WHERE question_prefix = ANY ($1) AND status = 'approved'
ORDER BY length(question_prefix) DESC,
	length(replace(question_key, ':text', '')) DESC, id
LIMIT 200
