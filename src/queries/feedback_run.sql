SELECT question, sql, answer, status, kind
FROM sqlagent.runs
WHERE id = $1 AND asker = $2
