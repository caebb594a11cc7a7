SELECT EXISTS (SELECT FROM sqlagent.query_patterns WHERE status = 'approved'),
	EXISTS (SELECT FROM sqlagent.learnings WHERE status = 'approved'),
	EXISTS (SELECT FROM sqlagent.rules WHERE status = 'approved')
