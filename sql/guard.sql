-- What a statement may not do, by rule: the way in is sqlagent.tool_run_sql.
\set VERBOSITY terse
SET client_min_messages = warning;
CREATE ROLE regress_guard_reader LOGIN;
CREATE SCHEMA yard;
SET search_path = yard;
CREATE TABLE tree (id int PRIMARY KEY, kind text, height numeric, planted date, parent int);
INSERT INTO tree SELECT i, (ARRAY['oak', 'elm', 'ash'])[1 + i % 3], i, date '2020-01-01' + i, nullif(i / 2, 0)
	FROM generate_series(1, 20) i;
CREATE SEQUENCE tag;
CREATE TABLE gate (id int, key text);
CREATE TABLE fence (id int, owner text);
INSERT INTO fence VALUES (1, 'regress_guard_reader'), (2, 'other');
-- functions of users, whatever they call themselves
CREATE FUNCTION chop(int) RETURNS int LANGUAGE plpgsql VOLATILE AS
	$$ BEGIN DELETE FROM yard.tree; RETURN $1; END $$;
CREATE FUNCTION shout(anyelement) RETURNS anyelement LANGUAGE plpgsql IMMUTABLE AS
	$$ BEGIN PERFORM pg_notify('yard', 'x'); RETURN $1; END $$;
CREATE FUNCTION same(int, int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
	$$ BEGIN RETURN yard.shout($1) = $2; END $$;
CREATE FUNCTION tall(int) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT $1 + 1 $$;
CREATE FUNCTION noisy(int) RETURNS int LANGUAGE plpgsql STABLE AS
	$$ BEGIN PERFORM set_config('yard.noise', 'loud', false); PERFORM pg_advisory_lock(77); RETURN $1; END $$;
CREATE FUNCTION keeper() RETURNS text LANGUAGE sql SECURITY DEFINER AS $$ SELECT current_user::text $$;
CREATE OPERATOR =#= (LEFTARG = int, RIGHTARG = int, FUNCTION = same);
CREATE AGGREGATE total (int) (SFUNC = int4pl, STYPE = int);
CREATE FUNCTION loud(int) RETURNS boolean LANGUAGE plpgsql AS
	$$ BEGIN PERFORM pg_notify('yard', 'check'); RETURN true; END $$;
CREATE DOMAIN ring AS int CHECK (yard.loud(VALUE));
CREATE DOMAIN bell AS int CHECK (pg_try_advisory_lock(VALUE) IS NOT NULL);
CREATE TYPE nest AS (a int, b ring);
CREATE TABLE rings (r ring[], n nest);
INSERT INTO rings VALUES ('{1}', NULL);
CREATE FUNCTION width(int, int) RETURNS float8 LANGUAGE plpgsql IMMUTABLE AS
	$$ BEGIN PERFORM pg_notify('yard', 'width'); RETURN $1 - $2; END $$;
CREATE TYPE span AS RANGE (SUBTYPE = int, SUBTYPE_DIFF = width);
CREATE TABLE spans AS SELECT span(i, i + 5) AS s FROM generate_series(1, 50) i;
ANALYZE spans;
CREATE TYPE coin AS (n int);
CREATE FUNCTION coin_text(coin) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN yard.shout('x'::text); END $$;
CREATE CAST (coin AS text) WITH FUNCTION coin_text(coin);
-- views and policies that call them
CREATE VIEW v_chop AS SELECT chop(id) FROM tree;
CREATE VIEW v_far AS SELECT * FROM v_chop;
CREATE VIEW v_setting AS SELECT current_setting('search_path', true) AS path;
CREATE VIEW v_roles AS SELECT rolname FROM pg_catalog.pg_roles;
CREATE VIEW v_tag AS SELECT nextval('yard.tag') AS n;
CREATE TABLE pond (id int);
INSERT INTO pond VALUES (1);
ALTER TABLE pond ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON pond USING (shout(id) > 0);
CREATE TABLE brook (id int, owner name);
INSERT INTO brook VALUES (1, 'regress_guard_reader'), (2, 'nobody');
ALTER TABLE brook ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON brook USING (owner = current_user AND coalesce(current_setting('yard.none', true), '') = '');
CREATE TABLE hatch (id int);
CREATE INDEX ON hatch ((shout(5) + id));
CREATE TABLE old_tree () INHERITS (tree);
GRANT USAGE ON SCHEMA yard, sqlagent TO regress_guard_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA yard TO regress_guard_reader;
REVOKE ALL ON gate FROM regress_guard_reader;
REVOKE ALL ON fence FROM regress_guard_reader;
GRANT SELECT (id) ON fence TO regress_guard_reader;
GRANT USAGE, SELECT ON SEQUENCE tag TO regress_guard_reader;
GRANT EXECUTE ON FUNCTION sqlagent.tool_run_sql(jsonb), sqlagent.tool_check_sql(jsonb) TO regress_guard_reader;
-- what became of a statement: the type of the error and its text
CREATE FUNCTION verdict(sql text) RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT coalesce((r->'error'->>'type') || ': ' || (r->'error'->>'message')
			|| coalesce(' @' || (r->'error'->>'position'), ''),
		'rows: ' || (r->'rows')::text)
	FROM sqlagent.tool_run_sql(jsonb_build_object('sql', sql)) r $$;
CREATE TABLE try (id int GENERATED ALWAYS AS IDENTITY, sql text);
GRANT SELECT ON try TO regress_guard_reader;
COPY try (sql) FROM stdin WITH (DELIMITER E'\x01');
SELECT 1; SELECT 2
SELECT 1; DROP TABLE tree

-- nothing
DELETE FROM tree
UPDATE tree SET kind = 'x' RETURNING *
WITH w AS (INSERT INTO tree (id) VALUES (99) RETURNING id) SELECT * FROM w
WITH a AS (SELECT 1), b AS (DELETE FROM tree) SELECT * FROM a
SELECT * INTO copse FROM tree
SELECT id FROM tree FOR UPDATE
SELECT (SELECT id FROM tree ORDER BY id LIMIT 1 FOR SHARE)
CREATE TABLE copse (id int)
EXPLAIN ANALYZE DELETE FROM tree
SET search_path = yard
COPY tree TO '/tmp/tree'
DO 'BEGIN END'
LOCK TABLE tree
VALUES (1, DEFAULT)
SELECT * FROM tree WHERE id = $1
SELECT id FROM tree WHERE
SELECT kin FROM tree
SELECT * FROM trees
SELECT nextval('yard.tag')
SELECT kind FROM tree ORDER BY set_config('work_mem', '1GB', false)
SELECT count(*) FILTER (WHERE pg_notify('yard', 'x') IS NULL) FROM tree
SELECT pg_advisory_lock(1)
SELECT U&"pg\\005Fsleep"(1)
SELECT query_to_xml('DELETE FROM yard.tree', true, false, '')
SELECT table_to_xml('yard.tree', true, false, '')
SELECT current_setting('data_directory')
SELECT txid_current()
SELECT age(xmin) FROM tree
SELECT lo_creat(1)
SELECT pg_read_file('/etc/hostname')
SELECT int4in('1')
SELECT domain_in('5', 'yard.ring'::regtype, -1)
SELECT tall(1)
SELECT shout(kind) FROM tree
SELECT chop(1)
SELECT 1 =#= 2
SELECT id FROM tree WHERE id =#= ANY (ARRAY[1, 2])
SELECT total(id) FROM tree
SELECT total(id) OVER (ORDER BY id) FROM tree
SELECT ROW(1)::coin::text
SELECT * FROM generate_series(1, chop(2))
SELECT sum(id) OVER (ORDER BY id ROWS BETWEEN tall(1) PRECEDING AND CURRENT ROW) FROM tree
SELECT CASE WHEN false THEN chop(1) END
WITH unused AS (SELECT chop(1)) SELECT 1
SELECT 1 LIMIT tall(0)
SELECT * FROM tree TABLESAMPLE bernoulli (tall(10))
SELECT (ARRAY[1])[tall(0)]
SELECT DISTINCT ON (tall(id)) id FROM tree
SELECT * FROM v_chop
SELECT * FROM v_far
SELECT * FROM v_tag
SELECT * FROM pond
SELECT keeper()
SELECT 5::ring
SELECT '{5}'::ring[]
SELECT * FROM rings WHERE r = '{7}'
SELECT * FROM json_to_record('{"a": 1}') AS t(a ring)
SELECT jsonb_populate_record(NULL::nest, '{"b": 4}')
SELECT * FROM XMLTABLE('/a' PASSING '<a>1</a>' COLUMNS x ring PATH '.')
SELECT 3::bell
SELECT count(*) FROM spans WHERE s && '[1,5)'
SELECT count(*) FROM spans a JOIN spans b ON a.s && b.s
SELECT id FROM hatch WHERE 5 + id = 6
SELECT rolname FROM pg_authid
SELECT * FROM pg_stat_activity
SELECT * FROM v_roles
SELECT * FROM pg_stats
SELECT * FROM sqlagent.runs
SELECT key FROM gate
SELECT owner FROM fence
SELECT * FROM fence
SELECT repeat('x', id) FROM tree
SELECT repeat('x', 20000)
SELECT lpad('x', 2000000)
SELECT array_fill(0, ARRAY[100000, 10])
SELECT format('%*s', 100000, 'x')
SELECT format(kind, 1) FROM tree
SELECT 'x'::char(5000000)
SELECT strpos(string_agg(kind, ''), repeat('ab', 500)) FROM tree
SELECT kind LIKE (SELECT string_agg(kind, '%') FROM tree) FROM tree
SELECT translate(string_agg(kind, ''), repeat('abc', 50), '') FROM tree
SELECT array_agg(id) && array_agg(id) FROM tree
SELECT jsonb_agg(id) @> jsonb_agg(id) FROM tree
SELECT polygon(5000, circle '((0,0),1)')
SELECT xpath('//*[count(//*) > 1]', '<a/>')
SELECT xpath(kind, '<a/>') FROM tree
SELECT xpath('/a', (SELECT xmlagg(xmlelement(name a)) FROM tree))
SELECT power(1.5, 100000), power(1.5, 100001)
\.
INSERT INTO try (sql) SELECT 'SELECT ' || repeat('1 + ', 4200) || '1';
INSERT INTO try (sql) SELECT 'SELECT ' || string_agg('1', ',') FROM generate_series(1, 501);
SET ROLE regress_guard_reader;
SELECT id, left(sql, 60) AS sql, verdict(sql) FROM try ORDER BY id;
-- allowed, though they look like the others
SELECT sql, verdict(sql) FROM unnest(ARRAY[
	'SELECT r FROM rings', 'SELECT count(s) FROM spans', 'SELECT path IS NULL FROM v_setting',
	'SELECT id FROM brook', 'SELECT id FROM fence ORDER BY id', 'SELECT last_value FROM tag',
	'SELECT kind FROM tree WHERE kind = ''delete'' UNION SELECT ''drop table''',
	'SELECT 1 AS "update"; -- ; DROP TABLE tree', 'SELECT format(''%5s|'', 1), repeat(''#'', least(3, 10))',
	'SELECT pg_size_pretty(1024::bigint), pg_typeof(1)', 'SELECT array_agg(id) @> ARRAY[1] FROM tree']) sql;
-- nothing of one statement is seen by the next, nor by anybody
SELECT verdict('SELECT count(*) FROM tree'), verdict('SELECT is_called FROM tag'),
	verdict('SELECT 2 > (SELECT count(*) FROM pg_class WHERE relname = ''copse'')');
RESET ROLE;
SELECT count(*) FROM pg_locks WHERE locktype = 'advisory';
-- what the administrator allows
SET sqlagent.allowed_functions = 'yard.tall(integer), yard.shout(anyelement), yard.keeper()';
SET ROLE regress_guard_reader;
SELECT verdict('SELECT tall(1)'), verdict('SELECT shout(5)'), verdict('SELECT keeper()'), verdict('SELECT chop(1)');
RESET ROLE;
SET sqlagent.allowed_functions = 'yard.keeper() security definer, yard.noisy(int4), tall(integer), yard.same(integer)';
SET ROLE regress_guard_reader;
SELECT verdict('SELECT keeper() = session_user'), verdict('SELECT noisy(1)'), verdict('SELECT tall(1)'),
	verdict('SELECT same(1, 2)');
RESET ROLE;
SET sqlagent.allowed_functions = 'yard.noisy(integer)';
SET ROLE regress_guard_reader;
SELECT verdict('SELECT noisy(1)');
SELECT verdict('SELECT path LIKE ''%noise%'' FROM v_setting');
RESET ROLE;
SELECT count(*) FROM pg_locks WHERE locktype = 'advisory';
RESET sqlagent.allowed_functions;
-- the verdict alone: nothing runs
SET ROLE regress_guard_reader;
SELECT sqlagent.tool_check_sql('{"sql": "SELECT * FROM tree WHERE 1 / id > 0"}')->'error' AS error;
SELECT sqlagent.tool_check_sql('{"sql": "DELETE FROM tree"}')->'error'->>'type' AS type;
SELECT sqlagent.tool_check_sql('{"sql": "SELECT key FROM gate"}')->'error'->>'type' AS type;
RESET ROLE;
SET sqlagent.max_cost = 1000;
SET ROLE regress_guard_reader;
SELECT regexp_replace(verdict('SELECT count(*) FROM tree a, tree b, tree c, tree d'), '[0-9.]+', 'N', 'g');
RESET ROLE;
RESET sqlagent.max_cost;
DROP SCHEMA yard CASCADE;
REVOKE ALL ON SCHEMA sqlagent FROM regress_guard_reader;
REVOKE ALL ON FUNCTION sqlagent.tool_run_sql(jsonb), sqlagent.tool_check_sql(jsonb) FROM regress_guard_reader;
DROP ROLE regress_guard_reader;
