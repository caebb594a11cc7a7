SELECT question, sql, answer,
	status = 'answered' AND kind NOT IN ('explain_sql', 'fix_sql'),
	kind = 'to_sql'
FROM sqlagent.runs
WHERE id = $1 AND asker = $2
