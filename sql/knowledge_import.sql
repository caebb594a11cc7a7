-- Knowledge files of the Laravel package, and pruning.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS sqlagent;
CREATE SCHEMA k;
SET search_path = k, public;
CREATE TABLE customers (id integer, name text, last_order_at timestamp);
CREATE TABLE orders (id integer, customer_id integer, status text, total_amount integer, created_at timestamp);
CREATE VIEW recent AS SELECT * FROM orders;
COMMENT ON COLUMN orders.status IS 'as it was';

-- One value with files by name, as jsonb_object_agg(name, content) makes it.
CREATE TEMPORARY TABLE files AS SELECT jsonb_build_object(
'tables/orders.json', '{
	"connection": "default", "table": "orders",
	"description": "Customer orders and their status",
	"use_cases": ["Revenue reporting"],
	"data_quality_notes": ["total_amount is in cents", "created_at is UTC"],
	"columns": {"id": "Primary key", "status": "pending, shipped", "total_amount": "In cents", "ghost": "not there"},
	"relationships": ["Belongs to customers via customer_id -> customers.id"]}'::jsonb,
'tables/customers.json', '{"table_name": "customers", "table_description": "Who buys", "columns": [{"name": "name", "description": "Full name"}]}'::jsonb,
'tables/recent.json', '{"table": "recent", "description": "Orders of late"}'::jsonb,
'tables/ghosts.json', '{"table": "ghosts", "description": "There are none"}'::jsonb,
'business/rules.json', '{
	"metrics": [{"name": "Active Customer", "definition": "Ordered in the last 90 days", "table": "customers", "calculation": "last_order_at > now() - interval ''90 days''"}],
	"business_rules": ["Cancelled orders do not count", {"name": "Fulfilment", "rule": "Only delivered orders count", "tables_affected": ["orders"]}],
	"common_gotchas": [{"issue": "Total in cents", "tables_affected": ["orders"], "solution": "Divide by 100"}, "Time zones"]}'::jsonb,
'business/more.json', '{"rules": [{"description": "Named by its text"}], "gotchas": [{"name": "Nulls", "solution": "coalesce", "tables_affected": ["ghosts"]}]}'::jsonb,
'queries/json.json', '{"patterns": [
	{"name": "order_count", "question": "How many orders are there?", "sql": "SELECT count(*) FROM orders", "summary": "All orders", "tables_used": ["orders"], "data_quality_notes": "none"},
	{"name": "aliases", "query": "SELECT name FROM customers", "description": "All names", "tables": ["customers"]},
	{"name": "mysql", "question": "Revenue by month", "sql": "SELECT DATE_FORMAT(created_at, ''%Y-%m'') FROM orders"},
	{"name": "writes", "question": "Remove orders", "sql": "DELETE FROM orders"},
	{"name": "no sql", "question": "Nothing"}, {"sql": "SELECT 1"}]}'::jsonb,
'queries/single.json', '{"name": "single", "question": "The latest order", "sql": "SELECT max(created_at) FROM orders"}'::jsonb,
'queries/list.json', '{"queries": [{"question": "Customers by name", "sql": "SELECT * FROM customers WHERE name = ''x''"}]}'::jsonb,
'queries/file.sql', to_jsonb('
-- <query name>top_customers</query name>
-- <query description>
-- Find the customers
-- with the most orders
-- </query description>
-- <query>
SELECT c.name, count(*) -- a comment
FROM customers c JOIN orders o ON o.customer_id = c.id
GROUP BY c.name ORDER BY 2 DESC
LIMIT 10
-- </query>

-- <query name>shipped_orders</query name>
-- <QUERY>
SELECT count(*) FROM orders WHERE status = ''shipped'';
-- </QUERY>

-- <query name>no query</query name>
'::text),
'notes.txt', to_jsonb('no knowledge at all'::text), 'flag', 'true'::jsonb) AS data;

CREATE FUNCTION pg_temp.report(r jsonb) RETURNS TABLE (what text, value text) LANGUAGE sql AS $$
	SELECT key, value::text FROM jsonb_each(r) WHERE key <> 'skipped'
	UNION ALL (SELECT 'skipped: ' || (s->>'what'), s->>'why' FROM jsonb_array_elements(r->'skipped') s)
	ORDER BY 1 $$;

-- A dry run.
SELECT * FROM pg_temp.report((SELECT sqlagent.import_knowledge(data, dry_run => true) FROM files));
SELECT (SELECT count(*) FROM sqlagent.query_patterns) + (SELECT count(*) FROM sqlagent.rules) AS rows,
	obj_description('orders'::regclass) AS comment;
-- In earnest, and again.
SELECT * FROM pg_temp.report((SELECT sqlagent.import_knowledge(data) FROM files)) WHERE what !~ 'skipped';
SELECT * FROM pg_temp.report((SELECT sqlagent.import_knowledge(data) FROM files)) WHERE what !~ 'skipped';
SELECT status, name, question, summary, sql, tables_used, data_quality_notes, proposed_by = CURRENT_USER AS mine FROM sqlagent.query_patterns ORDER BY name;
SELECT status, kind, name, description, calculation, solution, tables FROM sqlagent.rules ORDER BY kind, name;
SELECT c.relname, d.objsubid, d.description FROM pg_description d JOIN pg_class c ON c.oid = d.objoid
	WHERE c.relnamespace = 'k'::regnamespace AND d.classoid = 'pg_class'::regclass ORDER BY 1, 2;
-- Forced, comments are replaced.
SELECT * FROM pg_temp.report((SELECT sqlagent.import_knowledge('{"table": "orders", "columns": {"status": "forced"}}', force => true)));
SELECT col_description('orders'::regclass, 3);
-- It is rules and patterns at once for who asks.
SELECT sqlagent.ask('how many orders are there');

-- Single values.
SELECT * FROM pg_temp.report(sqlagent.import_knowledge('{"learnings": [
	{"title": "T", "description": "d", "category": "type_error", "sql": "SELECT status FROM orders"},
	{"title": "no category", "description": "d"}, {"description": "no title"}]}'));
SELECT sqlagent.import_knowledge('[]'), sqlagent.import_knowledge('{}') IS NOT NULL AS empty_object;
SELECT * FROM pg_temp.report(sqlagent.import_knowledge('"text"'));
SELECT sqlagent.import_knowledge(NULL);

-- The rights of comments are those of the caller.
CREATE ROLE regress_k_importer LOGIN;
GRANT USAGE ON SCHEMA sqlagent, k TO regress_k_importer;
GRANT EXECUTE ON FUNCTION sqlagent.import_knowledge TO regress_k_importer;
SET ROLE regress_k_importer;
SELECT * FROM pg_temp.report(sqlagent.import_knowledge('{"table": "customers", "description": "mine now"}', force => true));
RESET ROLE;

-- Pruning: not what is approved, and not what was used unless told so.
UPDATE sqlagent.query_patterns SET status = 'rejected' WHERE name IN ('aliases', 'single');
UPDATE sqlagent.query_patterns SET use_count = 1 WHERE name = 'single';
SELECT sqlagent.prune_knowledge('1 day');
SELECT sqlagent.prune_knowledge('0 seconds');
SELECT sqlagent.prune_knowledge('0 seconds', false);
SELECT kind, status, count, used FROM sqlagent.knowledge_statistics ORDER BY 1, 2;

DELETE FROM sqlagent.query_patterns;
DELETE FROM sqlagent.learnings;
DELETE FROM sqlagent.rules;
DROP SCHEMA k CASCADE;
DROP OWNED BY regress_k_importer;
DROP ROLE regress_k_importer;
