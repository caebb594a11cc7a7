SELECT u.value ->> 'kind', (u.value ->> 'id')::bigint,
	u.value ->> 'how' = 'reused'
FROM sqlagent.runs r,
	jsonb_array_elements(r.report -> 'knowledge_used') AS u
WHERE r.id = $1 AND r.asker = $2 AND (u.value ->> 'touched')::boolean
ORDER BY 3 DESC
