WITH RECURSIVE patterns (config) AS (
	(SELECT config FROM sqlagent.query_patterns ORDER BY config LIMIT 1)
	UNION ALL
	SELECT (SELECT p.config FROM sqlagent.query_patterns p
		WHERE p.config > patterns.config ORDER BY p.config LIMIT 1)
	FROM patterns WHERE config IS NOT NULL
), learnings (config) AS (
	(SELECT config FROM sqlagent.learnings ORDER BY config LIMIT 1)
	UNION ALL
	SELECT (SELECT l.config FROM sqlagent.learnings l
		WHERE l.config > learnings.config ORDER BY l.config LIMIT 1)
	FROM learnings WHERE config IS NOT NULL
)
SELECT config FROM patterns WHERE config IS NOT NULL
UNION SELECT config FROM learnings WHERE config IS NOT NULL
UNION SELECT config FROM sqlagent.rules
