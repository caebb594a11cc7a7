SELECT id FROM sqlagent.query_patterns WHERE status = 'approved' ORDER BY id
