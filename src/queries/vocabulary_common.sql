SELECT unnest(s.most_common_elems::text::text[])
FROM pg_stats s
WHERE s.schemaname = 'sqlagent' AND s.tablename = $1 AND s.attname = 'search'
