SELECT a.id, a.asker, a.sql, a.decision, a.edited_sql, a.reason, a.state::text,
	a.expires_at < clock_timestamp(), r.question, r.thread,
	(extract(epoch FROM r.started_at - timestamptz '2000-01-01 00:00:00+00')
		* 1000000)::bigint
FROM sqlagent.approvals a
JOIN sqlagent.runs r ON r.id = a.run
WHERE a.run = $1 AND a.state IS NOT NULL AND r.status = 'waiting'
	AND (a.asker = $2
		OR has_table_privilege($2::name, 'sqlagent.approvals', 'UPDATE'))
ORDER BY a.id DESC
LIMIT 1
