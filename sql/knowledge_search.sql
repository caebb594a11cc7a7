-- Searching and proposing knowledge, as a person does it.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS sqlagent;
CREATE ROLE regress_k_analyst LOGIN;
CREATE ROLE regress_k_other LOGIN;
GRANT USAGE ON SCHEMA sqlagent TO regress_k_analyst, regress_k_other;
CREATE SCHEMA k;
CREATE TABLE k.orders (id integer, status text, total_amount integer);
INSERT INTO k.orders VALUES (1, 'shipped', 1250);
GRANT USAGE ON SCHEMA k TO regress_k_analyst, regress_k_other;
GRANT SELECT ON k.orders TO regress_k_analyst, regress_k_other;
SET search_path = k, public;
SET ROLE regress_k_analyst;
SET sqlagent.text_search_config = 'english';

-- What comes back, without what differs from run to run.
CREATE FUNCTION pg_temp.brief(result jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT coalesce(result #- '{learning_id}' #- '{pattern_id}' #- '{error,hint}' #- '{error,position}' #- '{error,sql}', result) $$;
CREATE FUNCTION pg_temp.found(args jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' | ',
		(SELECT string_agg(p->>'name', ', ') FROM jsonb_array_elements(r->'query_patterns') p),
		(SELECT string_agg(p->>'title', ', ') FROM jsonb_array_elements(r->'learnings') p),
		(SELECT string_agg(p->>'name', ', ') FROM jsonb_array_elements(r->'rules') p),
		r->>'total_found')
	FROM sqlagent.tool_search_knowledge(args) r $$;

-- A query that works is saved.
SELECT pg_temp.brief(sqlagent.tool_save_validated_query('{"name": "Revenue of orders", "question": "What is our revenue?", "sql": "SELECT sum(total_amount) / 100.0 FROM orders", "summary": "Revenue in dollars", "tables_used": ["orders"], "data_quality_notes": "Amounts are in cents"}'));
SELECT status, name, question, sql, summary, tables_used, data_quality_notes, proposed_by, run, use_count, checked_at IS NOT NULL AS checked
	FROM sqlagent.query_patterns;
-- One that does not is not; nor what the guard refuses, nor what is none.
SELECT pg_temp.brief(sqlagent.tool_save_validated_query(jsonb_build_object('name', 'n', 'question', 'q ' || i, 'sql', s, 'summary', 's', 'tables_used', '[]'::jsonb))) -> 'error' ->> 'message'
	FROM unnest(ARRAY['SELECT amount FROM orders', 'SELECT 1; SELECT 2', 'DELETE FROM orders', 'SELECT pg_sleep(10)', '', 'SELECT 1 / 0']) WITH ORDINALITY AS t (s, i);
SELECT count(*) FROM sqlagent.query_patterns;
-- Arguments are checked.
SELECT sqlagent.tool_save_validated_query(a || '{"summary": "s", "tables_used": []}') -> 'error' ->> 'message'
	FROM unnest(ARRAY[
		jsonb_build_object('name', repeat('x', 101), 'question', 'q', 'sql', 'SELECT 1'),
		'{"name": " ", "question": "q", "sql": "SELECT 1"}',
		'{"name": "n", "question": " ? ", "sql": "SELECT 1"}',
		'{"question": "q", "sql": "SELECT 1"}',
		'{"name": "n", "question": "of :country text", "sql": "SELECT 1"}',
		'{"name": "n", "question": "q", "sql": "SELECT 1", "more": 1}']) a;
-- The same question is refused, and the existing one named.
SELECT pg_temp.brief(sqlagent.tool_save_validated_query('{"name": "Again", "question": "what is OUR revenue", "sql": "SELECT 1", "summary": "s", "tables_used": []}'))
	-> 'error' ->> 'message';
SELECT regexp_replace(sqlagent.tool_save_validated_query('{"name": "Again", "question": "what is OUR revenue", "sql": "SELECT 1", "summary": "s", "tables_used": []}')
	-> 'error' ->> 'detail', '\d+', 'N');
-- Learnings.
SELECT pg_temp.brief(sqlagent.tool_save_learning('{"title": "Totals are in cents", "description": "Divide total_amount by 100 for dollars", "category": "data_quality", "sql": "SELECT total_amount / 100.0 FROM orders"}'));
SELECT pg_temp.brief(sqlagent.tool_save_learning('{"title": "Status is text", "description": "The status of an order is a word, never a number", "category": "type_error"}'));
SELECT pg_temp.brief(sqlagent.tool_save_learning('{"title": "totals are in cents!", "description": "again", "category": "data_quality"}')) ->> 'message';
SELECT sqlagent.tool_save_learning(a) -> 'error' ->> 'message'
	FROM unnest(ARRAY[
		jsonb_build_object('title', repeat('x', 101), 'description', 'd', 'category', 'type_error'),
		'{"title": "t", "description": "d", "category": "gossip"}',
		'{"title": "t", "description": " ", "category": "type_error"}',
		'{"title": "", "description": "d", "category": "type_error"}',
		'{"title": "t", "category": "type_error"}']) a;
SELECT category, title, tables, sql IS NOT NULL AS has_sql, use_count FROM sqlagent.learnings ORDER BY id;

-- Searching: by any word, without regard to case, in any form of the word.
SELECT pg_temp.found('{"query": "revenue"}') AS by_word,
	pg_temp.found('{"query": "REVENUES"}') AS by_case,
	pg_temp.found('{"query": "revenue of zebras in antarctica"}') AS more_words,
	pg_temp.found('{"query": "zebra"}') AS unrelated,
	pg_temp.found('{"query": "the of and"}') AS stop_words;
-- The best match first; what is in a name counts more than what is in a text.
SELECT pg_temp.found('{"query": "cents dollars"}');
SELECT pg_temp.found('{"query": "status order"}');
SELECT jsonb_path_query_array(sqlagent.tool_search_knowledge('{"query": "cents"}'), '$.*[*].relevance_score ? (@ > 0 && @ <= 1)') <> '[]' AS scores_in_range,
	(SELECT s->'learnings'->0->>'relevance_score' > s->'query_patterns'->0->>'relevance_score' FROM sqlagent.tool_search_knowledge('{"query": "cents"}') s) AS title_before_notes;
-- Types, limits.
SELECT type, pg_temp.found(jsonb_build_object('query', 'cents status', 'type', type))
	FROM unnest(ARRAY['all', 'patterns', 'learnings', 'rules', 'everything']) type;
SELECT lim, pg_temp.found(jsonb_build_object('query', 'cents status order', 'type', 'learnings', 'limit', lim))
	FROM unnest(ARRAY[1, 2, 0, -5, 20, 1000]) lim;
SELECT sqlagent.tool_search_knowledge(a) -> 'error' ->> 'message'
	FROM unnest(ARRAY['{"query": "  "}', '{}', '{"query": "a", "limit": "many"}']::jsonb[]) a;
-- Odd text is text.
SELECT pg_temp.found(jsonb_build_object('query', q)) FROM unnest(ARRAY['''', 'a & b | !c', '\', 'cents''; DROP TABLE k.orders', '<->', repeat('cents ', 2000)]) q;

-- Another role finds nothing of it before it is approved.
SET ROLE regress_k_other;
SELECT pg_temp.found('{"query": "revenue cents status"}');
SELECT count(*) FROM sqlagent.query_patterns;
RESET ROLE;
UPDATE sqlagent.query_patterns SET status = 'approved';
INSERT INTO sqlagent.rules (kind, name, description, calculation, tables, status)
	VALUES ('metric', 'Revenue', 'What was sold', 'sum(total_amount) / 100.0', '{orders}', 'approved');
SET ROLE regress_k_other;
SELECT pg_temp.found('{"query": "revenue cents status"}');
-- Off.
RESET ROLE;
SET sqlagent.learning = off;
SELECT sqlagent.tool_search_knowledge('{"query": "revenue"}') -> 'error' ->> 'message';
SET sqlagent.learning = on;

-- Another language; and rows of both are found.
SET sqlagent.text_search_config = 'german';
SET ROLE regress_k_analyst;
SELECT pg_temp.brief(sqlagent.tool_save_learning('{"title": "Rechnungen mit Mahnung", "description": "haben einen Verzug", "category": "business_logic"}')) ->> 'success';
SELECT config FROM sqlagent.learnings WHERE title ~ 'Mahnung';
SELECT pg_temp.found('{"query": "Rechnung"}') AS german, pg_temp.found('{"query": "revenues"}') AS english;
SET sqlagent.text_search_config = 'simple';
SELECT pg_temp.found('{"query": "Mahnungen"}') AS german, pg_temp.found('{"query": "revenues"}') AS english;
SET sqlagent.text_search_config = 'klingon';
SELECT sqlagent.tool_search_knowledge('{"query": "revenue"}') -> 'error' ->> 'message';
RESET sqlagent.text_search_config;
RESET ROLE;

-- Misspelt words, where pg_trgm is installed.
SET sqlagent.text_search_config = 'english';
SELECT pg_temp.found('{"query": "revenoe"}');
CREATE SCHEMA ext;
CREATE EXTENSION pg_trgm SCHEMA ext;
SELECT pg_temp.found('{"query": "revenoe"}');
SET ROLE regress_k_other;
SELECT pg_temp.found('{"query": "mahnun rechnunge statuss"}') AS not_of_others;
RESET ROLE;
DROP EXTENSION pg_trgm;

DELETE FROM sqlagent.query_patterns;
DELETE FROM sqlagent.learnings;
DELETE FROM sqlagent.rules;
SELECT count(*) FROM sqlagent.knowledge_objects;
DROP SCHEMA k, ext CASCADE;
DROP OWNED BY regress_k_analyst, regress_k_other;
DROP ROLE regress_k_analyst, regress_k_other;
