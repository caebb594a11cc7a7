-- What becomes of knowledge when the tables that it speaks of change.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS sqlagent;
CREATE SCHEMA k;
SET search_path = k, public;
CREATE TABLE customers (id integer PRIMARY KEY, name text, country text, note varchar(10));
CREATE TABLE invoices (id integer, customer_id integer, name text, total numeric);
CREATE VIEW big AS SELECT * FROM invoices WHERE total > 1000;
CREATE FUNCTION pg_temp.save(name text, question text, sql text) RETURNS boolean LANGUAGE sql AS $$
	SELECT (sqlagent.tool_save_validated_query(jsonb_build_object('name', name, 'question', question, 'sql', sql, 'summary', 's', 'tables_used', '[]'::jsonb)) ->> 'success')::boolean $$;
SELECT pg_temp.save('count', 'How many customers?', 'SELECT count(*) FROM customers'),
	pg_temp.save('of', 'Customers of :country text', 'SELECT c.name, i.name AS country FROM customers c LEFT JOIN invoices AS i ON i.customer_id = c.id WHERE c.country = :country -- country'),
	pg_temp.save('names', 'All names', 'SELECT "name" FROM customers ORDER BY NAME'),
	pg_temp.save('using', 'Joined', 'SELECT count(*) FROM customers JOIN invoices USING (name)'),
	pg_temp.save('nested', 'Nested', 'WITH w AS (SELECT total AS t FROM invoices) SELECT sum(t) FROM w WHERE ''total'' <> '''''),
	pg_temp.save('view', 'Big ones', 'SELECT count(total) FROM big'),
	pg_temp.save('constant', 'One', 'SELECT 1');
UPDATE sqlagent.query_patterns SET status = 'approved';
INSERT INTO sqlagent.rules (kind, name, description, calculation, tables, status) VALUES
	('metric', 'Revenue', 'what was billed', 'sum(total)', '{invoices}', 'approved'),
	('rule', 'Everywhere', 'holds for all', NULL, '{}', 'approved');
INSERT INTO sqlagent.learnings (title, description, category, sql, tables, status)
	VALUES ('Notes are short', 'd', 'data_quality', 'SELECT note FROM customers', '{customers}', 'approved');
CREATE FUNCTION pg_temp.state() RETURNS TABLE (what text, status text, sql text, checked boolean, note text) LANGUAGE sql AS $$
	SELECT name, status, sql, checked_at IS NOT NULL, note FROM sqlagent.query_patterns
	UNION ALL SELECT name, status, calculation, NULL, note FROM sqlagent.rules
	UNION ALL SELECT title, status, sql, NULL, note FROM sqlagent.learnings ORDER BY 1 $$;

-- What is remembered.
SELECT p.name, o.relation, string_agg(o.attname, ' ' ORDER BY o.number) AS columns
	FROM sqlagent.knowledge_objects o JOIN sqlagent.query_patterns p ON p.id = o.pattern
	GROUP BY 1, 2 ORDER BY 1, 2;
SELECT name, tables FROM sqlagent.rules ORDER BY 1;

-- A renamed column: nothing is lost, the SQL is corrected.
ALTER TABLE customers RENAME COLUMN country TO "Land";
SELECT what, status, sql, checked FROM pg_temp.state() WHERE what IN ('of', 'count');
ALTER TABLE customers RENAME COLUMN name TO full_name;
SELECT what, status, sql, checked FROM pg_temp.state() WHERE what IN ('of', 'names', 'using');
-- What cannot be corrected by words is found out.
SELECT r ->> 'checked' AS checked, r ->> 'valid' AS valid, s ->> 'name' AS stale, s ->> 'reason' AS reason
	FROM sqlagent.revalidate_knowledge() r LEFT JOIN jsonb_array_elements(r -> 'stale') s ON true;
SELECT what, status, checked FROM pg_temp.state();

-- Renamed tables, and another schema.
ALTER TABLE customers RENAME TO "Clients";
SELECT what, status, sql FROM pg_temp.state() WHERE what IN ('of', 'count', 'names');
SELECT tables_used FROM sqlagent.query_patterns WHERE name = 'count';
CREATE SCHEMA k2;
ALTER TABLE "Clients" SET SCHEMA k2;
SET search_path = k, k2, public;
SELECT sqlagent.revalidate_knowledge() ->> 'valid' AS valid;
SELECT tables_used FROM sqlagent.query_patterns WHERE name = 'count';

-- A longer varchar is no other type, a text is; a dropped column that is not
-- used matters to nobody.
ALTER TABLE k2."Clients" ALTER note TYPE varchar(20);
SELECT what, status FROM pg_temp.state() WHERE what = 'Notes are short';
ALTER TABLE k2."Clients" ALTER note TYPE text;
SELECT what, status, note FROM pg_temp.state() WHERE what = 'Notes are short';
ALTER TABLE invoices DROP COLUMN id CASCADE;
SELECT what, status, note FROM pg_temp.state() WHERE what IN ('nested', 'view', 'Revenue');
ALTER TABLE invoices DROP COLUMN total CASCADE;
SELECT what, status, note FROM pg_temp.state() WHERE what IN ('nested', 'Revenue', 'of');
DROP TABLE k2."Clients";
SELECT what, status, note FROM pg_temp.state() WHERE note IS NOT NULL;

-- A command that is rolled back has changed nothing.
CREATE TABLE t (a integer, b integer);
SELECT pg_temp.save('t', 'All a', 'SELECT a FROM t');
UPDATE sqlagent.query_patterns SET status = 'approved' WHERE name = 't';
BEGIN;
ALTER TABLE t DROP COLUMN a;
SELECT status FROM sqlagent.query_patterns WHERE name = 't';
ROLLBACK;
SELECT status FROM sqlagent.query_patterns WHERE name = 't';

-- A reviewer has the last word: what is approved as it is now stays.
ALTER TABLE t ALTER a TYPE bigint;
SELECT status, note FROM sqlagent.query_patterns WHERE name = 't';
UPDATE sqlagent.query_patterns SET status = 'approved', note = NULL WHERE name = 't';
SELECT sqlagent.revalidate_knowledge() -> 'stale' AS stale;
SELECT status, checked_at IS NOT NULL AS checked FROM sqlagent.query_patterns WHERE name = 't';
-- Edited SQL is looked at again.
UPDATE sqlagent.query_patterns SET sql = 'SELECT nonsense FROM t' WHERE name = 't';
SELECT sqlagent.revalidate_knowledge() -> 'stale' -> 0 ->> 'reason' AS reason;

-- A rule that is about other tables.
UPDATE sqlagent.rules SET tables = '{t}' WHERE name = 'Everywhere';
SELECT o.relation FROM sqlagent.knowledge_objects o JOIN sqlagent.rules r ON r.id = o.rule WHERE r.name = 'Everywhere';

-- The event triggers stand in nobody's way.
CREATE TEMPORARY TABLE x (a integer);
ALTER TABLE x RENAME a TO b;
DROP TABLE x;
CREATE ROLE regress_k_user LOGIN;
GRANT CREATE ON SCHEMA k TO regress_k_user;
GRANT USAGE ON SCHEMA k TO regress_k_user;
SET ROLE regress_k_user;
CREATE TABLE k.own (a integer);
ALTER TABLE k.own RENAME a TO b;
DROP TABLE k.own;
RESET ROLE;
BEGIN READ ONLY;
SELECT count(*) > 0 FROM sqlagent.query_patterns;
COMMIT;

DELETE FROM sqlagent.query_patterns;
DELETE FROM sqlagent.learnings;
DELETE FROM sqlagent.rules;
DROP SCHEMA k, k2 CASCADE;
DROP OWNED BY regress_k_user;
DROP ROLE regress_k_user;
