-- Ask for the prompt of each question; say which tables it lacks.
CREATE TEMP TABLE lines (line jsonb);
CREATE TEMP TABLE results (result jsonb);
\set command '\\copy lines FROM ' :'gold' ' WITH (FORMAT csv, QUOTE E''\\x01'', DELIMITER E''\\x02'')'
:command
-- How the text shows the table: 2 in full, 1 by name, 0 not at all.
CREATE FUNCTION pg_temp.shown(body text, tab text) RETURNS int LANGUAGE sql AS $$
	SELECT CASE
		WHEN body ~ ('(?n)^[A-Z ]+ ' || escaped || ' \(') THEN 2
		WHEN body ~ ('(?n)^' || escaped || ' \(')
			OR body ~ ('(?n)^-- also: (.*, )?' || escaped || '(,|$)') THEN 1
		ELSE 0 END
	FROM regexp_replace(tab, '([^[:alnum:]_])', '\\\1', 'g') AS escaped
$$;
DO $$
DECLARE
	asked record;
	start timestamptz;
	body text;
	ms float8;
	nth int := 0;
BEGIN
	FOR asked IN SELECT line->>'id' AS id, line->>'question' AS question, line->'gold' AS gold FROM lines LOOP
		start := clock_timestamp();
		body := sqlagent.show_prompt(asked.question) #>> '{request,body,messages,0,content}';
		ms := extract(epoch FROM clock_timestamp() - start) * 1000;
		body := coalesce(substring(body FROM '<data>\n(.*?)</data>'), '');
		nth := nth + 1;
		INSERT INTO results
		SELECT jsonb_build_object('id', asked.id, 'question', asked.question, 'ms', round(ms::numeric, 2),
			'first', nth = 1, 'tokens', (octet_length(body) + 3) / 4,
			'golds', count(*), 'found', count(*) FILTER (WHERE least_shown > 0),
			'full', count(*) FILTER (WHERE least_shown > 1),
			'missing', min(missing) FILTER (WHERE least_shown = 0))
		FROM (SELECT min(pg_temp.shown(body, t)) AS least_shown,
				string_agg(t, ',') FILTER (WHERE pg_temp.shown(body, t) = 0) AS missing
			FROM jsonb_array_elements(asked.gold) WITH ORDINALITY AS g(tables, n), jsonb_array_elements_text(tables) t
			GROUP BY n) s;
	END LOOP;
END $$;
SELECT result FROM results;
