SELECT e.lexeme, e.frequency::float8
FROM pg_stats s,
	unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs)
		AS e (lexeme, frequency)
WHERE s.schemaname = 'sqlagent' AND s.tablename = $1 AND s.attname = 'search'
AND e.lexeme IS NOT NULL
