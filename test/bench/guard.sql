-- Tables, statements and the measuring function of guard.sh.
CREATE EXTENSION sqlagent;
CREATE TABLE rounds AS SELECT :rounds AS n;
SELECT format('CREATE TABLE t%s (id int PRIMARY KEY, a int, b text, c numeric, d date)', g) FROM generate_series(1, 10) g \gexec
CREATE VIEW v AS SELECT t1.id, t1.b, sum(t2.c) AS total FROM t1 JOIN t2 ON t2.a = t1.id GROUP BY t1.id;
CREATE TABLE labelled (id int, a text);
CREATE TABLE policed (id int, owner name);
ALTER TABLE policed ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON policed USING (owner = current_user);
CREATE TABLE statement (name text, budget float8, sql text);
INSERT INTO statement VALUES
	('one table', 0.3, 'SELECT id, b FROM t1 WHERE id = 5'),
	('ten tables', 0.3, 'SELECT t1.b, upper(t2.b), sum(t3.c), count(DISTINCT t10.id), max(t4.d)'
		|| ' FROM t1' || (SELECT string_agg(format(' JOIN t%s ON t%s.a = t%s.id', g, g, g - 1), '') FROM generate_series(2, 10) g)
		|| ' WHERE t1.d BETWEEN date ''2024-01-01'' AND current_date AND t5.b LIKE ''%x%'' AND t6.c > 10'
		|| ' GROUP BY 1, 2 HAVING sum(t3.c) > 5 ORDER BY 3 DESC LIMIT 10'),
	('view and policy', 0.3, 'SELECT v.b, v.total FROM v JOIN policed USING (id)'),
	('window, CTE, subqueries', 0.3, 'WITH m AS (SELECT a, date_trunc(''month'', d) AS m, sum(c) AS s FROM t1 GROUP BY 1, 2)'
		|| ' SELECT a, m, s, lag(s) OVER (PARTITION BY a ORDER BY m), (SELECT max(s) FROM m x WHERE x.a = m.a)'
		|| ' FROM m WHERE a IN (SELECT id FROM t2 WHERE b ILIKE ''%y%'')'),
	('16 kB: list of values', 5, 'SELECT id FROM t1 WHERE a IN (' || (SELECT string_agg(g::text, ', ') FROM generate_series(1000, 3700) g) || ')'),
	('16 kB: sum of columns', 5, 'SELECT a' || repeat(' + a', 4085) || ' FROM t1'),
	('16 kB: calls', 5, 'SELECT ' || repeat('coalesce(upper(b), replace(b, ''a'', ''b'')), ', 360) || '1 FROM t1'),
	('16 kB: subqueries', 5, 'SELECT 1 FROM t1 WHERE ' || repeat('a IN (SELECT id FROM t2 WHERE b LIKE ''x%'') OR ', 340) || 'true'),
	('16 kB: one literal', 5, 'SELECT ''' || repeat('x', 16300) || ''''),
	('nested: 300 subqueries', 5, repeat('SELECT * FROM (', 300) || 'SELECT b || b AS x FROM t1' || repeat(') q', 300));
-- p50 and p99 of the guard, p50 of the rest of the check
CREATE FUNCTION measured(OUT name text, OUT budget float8, OUT p50 text, OUT p99 text, OUT server text) RETURNS SETOF record
LANGUAGE plpgsql AS $$
DECLARE
	s record;
	r jsonb;
	started timestamptz;
	guards float8[];
	totals float8[];
BEGIN
	FOR s IN SELECT * FROM statement LOOP
		guards := '{}';
		totals := '{}';
		FOR i IN 1 .. (SELECT n FROM rounds) + 10 LOOP
			started := clock_timestamp();
			r := sqlagent.tool_check_sql(jsonb_build_object('sql', s.sql));
			IF r->'error' <> 'null' THEN RAISE EXCEPTION '%: %', s.name, r->'error'->>'message'; END IF;
			CONTINUE WHEN i <= 10;
			guards := guards || (r->>'guard_ms')::float8;
			totals := totals || extract(epoch FROM clock_timestamp() - started)::float8 * 1000;
		END LOOP;
		SELECT s.name, s.budget, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY g)::numeric, 3),
			round(percentile_cont(0.99) WITHIN GROUP (ORDER BY g)::numeric, 3),
			round(percentile_cont(0.5) WITHIN GROUP (ORDER BY t - g)::numeric, 2)
			INTO name, budget, p50, p99, server FROM unnest(guards, totals) u(g, t);
		RETURN NEXT;
	END LOOP;
END $$;
GRANT USAGE ON SCHEMA sqlagent TO analyst;
GRANT EXECUTE ON FUNCTION sqlagent.tool_check_sql(jsonb) TO analyst;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO analyst;
