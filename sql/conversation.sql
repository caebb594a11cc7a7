-- Threads, verbs and approval with the provider that needs no model.
CREATE SCHEMA conversation;
SET search_path = conversation;
SET client_min_messages = warning;
\set ECHO none
\i test/sample/company.sql
\set ECHO all
\set VERBOSITY terse
\pset format unaligned
\pset tuples_only
SELECT sqlagent.new_thread('Staff') AS thread \gset
SELECT sqlagent.ask('Which employee has the highest salary?', :thread) ~ 'Bob Brown';
SELECT count(*), bool_and(r ? 'country') FROM sqlagent.ask_rows('How many customers per country?', :thread) r;
SELECT question, status, sql IS NOT NULL FROM sqlagent.conversations WHERE thread = :thread ORDER BY run;
SELECT sqlagent.ask('Which employee has the highest salary?', -1);
-- what a statement does, and what is wrong with one, as far as the server knows
SELECT sqlagent.explain_sql('SELECT name FROM employees WHERE salary > 60000') ~ '^It returns the columns name text; the planner expects \d+ rows';
SELECT sqlagent.explain_sql('DROP TABLE employees');
SELECT sqlagent.fix_sql('SELECT nam FROM employees');
-- a report tells how to draw it
SELECT report->'visualization' AS drawing, jsonb_array_length(report->'stats') AS figures,
	sqlagent.chart(report) ~ 'John Smith' AS chart, sqlagent.chart_svg(report) ~ '^<svg' AS picture
FROM sqlagent.ask_json('What is the total revenue per customer?') report;
-- with a schema the rows have to conform
SELECT sqlagent.ask_json('How many invoices are there?', schema => '{"type": "integer"}')->'result';
SELECT sqlagent.ask_json('How many invoices are there?', schema => '{"type": "object", "required": ["count"]}')->'result';
SELECT jsonb_array_length(sqlagent.ask_json('How many customers per country?',
	schema => '{"type": "array", "items": {"required": ["country", "count"]}}')->'result');
SELECT r->>'status', r->'errors'->0->>'detail'
FROM sqlagent.ask_json('How many invoices are there?', schema => '{"type": "boolean"}') r;
-- the procedure
CALL sqlagent.ask_proc('How many invoices are there?');
-- a statement that waits: approved, edited, rejected
SET sqlagent.approval = always;
SELECT sqlagent.ask_json('How many invoices are there?') AS report \gset
SELECT :'report'::jsonb->>'status' AS status, :'report'::jsonb->>'run' AS run \gset waits_
SELECT sql FROM sqlagent.waiting WHERE run = :waits_run;
SELECT sqlagent.approve(:waits_run)::jsonb->>'answer';
SELECT count(*) FROM sqlagent.waiting WHERE run = :waits_run;
SELECT sqlagent.ask_json('How many invoices are there?')->>'run' AS run \gset
SELECT sqlagent.approve(:run, 'DELETE FROM invoices');
SELECT sqlagent.approve(:run, 'SELECT count(*) FROM invoices WHERE paid_on IS NULL') ~ '3';
SELECT decision, edited_sql FROM sqlagent.approvals WHERE run = :run;
SELECT sqlagent.ask_json('How many invoices are there?')->>'run' AS run \gset
SELECT sqlagent.reject(:run, 'not today') IS NOT NULL;
SELECT decision, reason FROM sqlagent.approvals WHERE run = :run;
RESET sqlagent.approval;
-- registered tools
CREATE FUNCTION double(x int) RETURNS int LANGUAGE sql AS 'SELECT 2 * x';
SELECT sqlagent.register_tool('double', 'double(int)', 'Twice a number.',
	'{"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": false}');
SELECT sqlagent.call_tool('double', '{"x": 21}');
SELECT sqlagent.call_tool('double', '{"x": "21"}')->'error'->>'detail';
SELECT sqlagent.call_tool('double')->'error'->>'detail';
SELECT sqlagent.drop_tool('double');
-- a schema that is not understood is refused before anything is done
SELECT sqlagent.ask_json('How many invoices are there?', schema => '{"type": "object", "not": {}}');
DROP SCHEMA conversation CASCADE;
