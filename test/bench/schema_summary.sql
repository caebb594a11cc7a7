-- One line of figures.
CREATE TEMP TABLE results (result jsonb);
\set command '\\copy results FROM ' :'results' ' WITH (FORMAT csv, QUOTE E''\\x01'', DELIMITER E''\\x02'')'
:command
SELECT format('%s: %s questions; recall %s %% of questions (in full %s %%), %s %% of statements; '
	'tokens %s on average, %s at most; first call %s ms on average, %s at most; warm %s ms median, %s p99',
	:'label', count(*),
	round(100.0 * count(*) FILTER (WHERE (result->>'found')::int > 0) / count(*), 1),
	round(100.0 * count(*) FILTER (WHERE (result->>'full')::int > 0) / count(*), 1),
	round(100.0 * sum((result->>'found')::int) / sum((result->>'golds')::int), 1),
	round(avg((result->>'tokens')::int)), max((result->>'tokens')::int),
	round(avg((result->>'ms')::numeric) FILTER (WHERE (result->>'first')::bool), 1),
	max((result->>'ms')::numeric) FILTER (WHERE (result->>'first')::bool),
	round(percentile_cont(0.5) WITHIN GROUP (ORDER BY (result->>'ms')::numeric)
		FILTER (WHERE NOT (result->>'first')::bool)::numeric, 2),
	round(percentile_cont(0.99) WITHIN GROUP (ORDER BY (result->>'ms')::numeric)
		FILTER (WHERE NOT (result->>'first')::bool)::numeric, 2))
FROM results;
