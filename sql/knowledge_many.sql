-- Searching among many: common words are told from rare ones by the statistics
-- of ANALYZE, and rows are not ranked by the thousand.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS sqlagent;
SET sqlagent.text_search_config = 'english';
INSERT INTO sqlagent.query_patterns (name, question, sql, status)
	SELECT 'Branch ' || i, 'Monthly report of branch ' || i, 'SELECT ' || i, 'approved'
	FROM generate_series(1, 8000) i;
INSERT INTO sqlagent.query_patterns (name, question, sql, status) VALUES
	('Penguins', 'Monthly report on penguins', 'SELECT 1', 'approved'),
	('Wages', 'What does a branch pay, with a yearly report and a monthly one?', 'SELECT 2', 'approved'),
	('Monthly report', 'All of it', 'SELECT 3', 'approved'),
	('Hidden penguins', 'Monthly report on hidden penguins', 'SELECT 4', 'rejected');
ANALYZE sqlagent.query_patterns;
CREATE FUNCTION pg_temp.found(args jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' of ', string_agg(p->>'name', ', '), count(*))
	FROM jsonb_array_elements(sqlagent.tool_search_knowledge(args)->'query_patterns') p $$;

-- A rare word finds its rows, however many have the common ones.
SELECT pg_temp.found('{"query": "penguins"}') AS alone,
	pg_temp.found('{"query": "penguins in the monthly report of a branch", "limit": 1}') AS among_common,
	pg_temp.found('{"query": "yearly penguins"}') AS two_rare;
-- Rows with nothing but common words fill up what is left.
SELECT pg_temp.found('{"query": "monthly report of penguins", "limit": 20}') ~ '^Monthly report, Penguins, .* of 20$' AS filled_up;
-- Common words only.
SELECT pg_temp.found('{"query": "report of branch", "limit": 3}') LIKE 'Branch % of 3' AS common_only,
	pg_temp.found('{"query": "zebra"}') AS unrelated,
	pg_temp.found('{"query": "the of and"}') AS stop_words;
-- The best first.
SELECT pg_temp.found('{"query": "monthly report of branch 77"}') LIKE 'Branch 77,%' AS best_first;
DELETE FROM sqlagent.query_patterns;
VACUUM sqlagent.query_patterns;
