INSERT INTO sqlagent.steps
	(run, step, kind, name, input, output, thought, sql, sql_hash, outcome,
	 error, row_count, truncated, started_at, duration_ms, prompt_tokens,
	 completion_tokens)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, md5($8), $9, $10, $11, $12, $13, $14,
	$15, $16)
