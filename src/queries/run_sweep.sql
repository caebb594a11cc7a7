UPDATE sqlagent.runs r
SET status = 'failed', finished_at = now(),
	report = jsonb_build_object('run', r.id, 'question', r.question,
		'status', 'failed', 'errors', jsonb_build_array(jsonb_build_object(
			'type', 'other',
			'message', 'the worker that served the run ended before it')))
WHERE r.status = 'running'
	AND NOT EXISTS (SELECT FROM pg_stat_get_activity(NULL) a
		WHERE a.pid = r.worker_pid
			AND (a.backend_start IS NULL OR a.backend_start = r.worker_started_at))
