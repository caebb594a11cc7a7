SELECT kind, name, input, output, thought, sql, outcome, row_count,
	row_count IS NULL, truncated, duration_ms, prompt_tokens,
	completion_tokens
FROM sqlagent.steps
WHERE run = $1
ORDER BY step
