INSERT INTO sqlagent.learnings
	(title, description, category, sql, failing_sql, sqlstate, tables,
	 proposed_by, run, key, checked_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now())
ON CONFLICT (key, proposed_by) WHERE status = 'proposed'
DO UPDATE SET use_count = learnings.use_count + 1, last_used_at = now()
RETURNING id, xmax = 0
