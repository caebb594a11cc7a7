UPDATE sqlagent.runs
SET status = $2, answer = $3, sql = $4, row_count = $5, model = $6,
	iterations = $7, requests = $8, prompt_tokens = $9,
	completion_tokens = $10, cached_tokens = $11, finished_at = $12,
	report = $13, prompt_hash = coalesce($14, prompt_hash)
WHERE id = $1
