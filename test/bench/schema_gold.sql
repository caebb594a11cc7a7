-- The tables that each correct statement reads: those that planning it locks.
CREATE TEMP TABLE lines (line jsonb);
CREATE TEMP TABLE gold (id text, question text, tables text[]);
\set command '\\copy lines FROM ' :'questions' ' WITH (FORMAT csv, QUOTE E''\\x01'', DELIMITER E''\\x02'')'
:command
DO $$
DECLARE
	statement record;
	found text[];
BEGIN
	FOR statement IN
		SELECT line->>'id' AS id, line->>'question' AS question, g.sql
		FROM lines, jsonb_array_elements_text(line->'gold_sql') AS g(sql)
	LOOP
		BEGIN
			EXECUTE 'EXPLAIN ' || statement.sql;
			SELECT array_agg(DISTINCT c.oid::regclass::text) INTO found
			FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
			JOIN pg_namespace n ON n.oid = c.relnamespace
			WHERE l.pid = pg_backend_pid() AND c.relkind IN ('r', 'v', 'm', 'p', 'f')
				AND n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'sqlagent');
			RAISE division_by_zero; -- gives the locks back
		EXCEPTION
			WHEN division_by_zero THEN
				INSERT INTO gold VALUES (statement.id, statement.question, found);
			WHEN OTHERS THEN
				RAISE WARNING '%: %', statement.id, SQLERRM;
		END;
	END LOOP;
END $$;
SELECT jsonb_build_object('id', id, 'question', question,
	'gold', (SELECT jsonb_agg(DISTINCT to_jsonb(g.tables)) FROM gold g WHERE g.id = q.id))
FROM (SELECT DISTINCT id, question FROM gold WHERE tables IS NOT NULL) q
ORDER BY id;
