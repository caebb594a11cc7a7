SELECT r.question, r.status, r.sql,
	(SELECT string_agg(c.value ->> 'name', ', ' ORDER BY c.ordinality)
		FROM jsonb_array_elements(r.report -> 'columns')
			WITH ORDINALITY AS c),
	r.provider = 'builtin',
	(SELECT s.output FROM sqlagent.steps s
		WHERE s.run = r.id AND s.kind = 'answer'
		ORDER BY s.step DESC LIMIT 1),
	(SELECT s.output FROM sqlagent.steps s
		WHERE s.run = r.id AND s.name = 'run_sql' AND s.outcome = 'ok'
		ORDER BY s.step DESC LIMIT 1)
FROM sqlagent.runs r
WHERE r.thread = $1 AND r.asker = $2
	AND r.status IN ('answered', 'refused')
ORDER BY r.id DESC
LIMIT $3
