-- Honest questions as people and BI tools ask them: none may be refused.
\set VERBOSITY terse
SET client_min_messages = warning;
CREATE ROLE regress_guard_honest LOGIN;
CREATE SCHEMA honest;
SET search_path = honest;
CREATE TYPE size AS ENUM ('small', 'medium', 'large');
CREATE TYPE place AS (street text, city text);
CREATE DOMAIN percent AS numeric CHECK (VALUE BETWEEN 0 AND 100);
CREATE DOMAIN email AS text CHECK (VALUE ~ '^[^@]+@[^@]+$' AND length(VALUE) < 200);
CREATE TABLE region (id int PRIMARY KEY, name text NOT NULL, parent int REFERENCES region);
INSERT INTO region VALUES (1, 'World', NULL), (2, 'Europe', 1), (3, 'Asia', 1), (4, 'France', 2);
CREATE TABLE client (id int PRIMARY KEY, region int REFERENCES region, name text, mail email,
	home place, tier size, tags text[], since date, discount percent, extra jsonb, raw json,
	open_hours int4range, address inet, photo bytea, visits int[], active boolean, key uuid);
INSERT INTO client SELECT i, 1 + i % 4, 'Client ' || i, 'c' || i || '@example.org',
	ROW('Street ' || i, 'Town ' || i % 3)::place, (ARRAY['small', 'medium', 'large']::size[])[1 + i % 3],
	ARRAY['a' || i % 3, 'b'], date '2023-01-01' + i, i % 50,
	jsonb_build_object('score', i, 'langs', jsonb_build_array('en', 'fr'), 'x', jsonb_build_object('y', i)),
	json_build_object('score', i), int4range(i, i + 10), '10.0.0.1', 'abc', ARRAY[i, i + 1], i % 2 = 0,
	md5(i::text)::uuid
	FROM generate_series(1, 40) i;
CREATE TABLE sale (id bigint PRIMARY KEY, client int REFERENCES client, at timestamptz, day date,
	amount numeric(12, 2), quantity int, weight float8, note text, period tstzrange, tsv tsvector);
INSERT INTO sale SELECT i, 1 + i % 40, timestamptz '2024-01-01 00:00+00' + i * interval '5 hours',
	date '2024-01-01' + i / 5, i % 97 + 0.5, i % 9, i / 7.0, 'note ' || i,
	tstzrange(timestamptz '2024-01-01 00:00+00', timestamptz '2024-01-02 00:00+00'),
	to_tsvector('english', 'the quick brown fox number ' || i)
	FROM generate_series(1, 400) i;
CREATE TABLE meter (at timestamp, sensor int, value real) PARTITION BY RANGE (at);
CREATE TABLE meter_2024 PARTITION OF meter FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
INSERT INTO meter SELECT timestamp '2024-01-01' + i * interval '1 hour', i % 3, i FROM generate_series(1, 100) i;
CREATE VIEW client_total AS SELECT c.id, c.name, sum(s.amount) AS total, lpad(c.id::text, 6, '0') AS code
	FROM client c LEFT JOIN sale s ON s.client = c.id GROUP BY c.id;
CREATE MATERIALIZED VIEW monthly AS SELECT date_trunc('month', at) AS month, sum(amount) AS total FROM sale GROUP BY 1;
CREATE VIEW own_rows AS SELECT * FROM client WHERE name <> current_setting('honest.none', true) OR current_setting('honest.none', true) IS NULL;
CREATE TABLE shared (owner name, note text);
INSERT INTO shared VALUES ('regress_guard_honest', 'mine'), ('other', 'not mine');
ALTER TABLE shared ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON shared USING (owner = current_user AND pg_has_role(current_user, 'pg_monitor', 'member') IS NOT NULL);
GRANT USAGE ON SCHEMA honest, sqlagent TO regress_guard_honest;
GRANT SELECT ON ALL TABLES IN SCHEMA honest TO regress_guard_honest;
GRANT EXECUTE ON FUNCTION sqlagent.tool_run_sql(jsonb) TO regress_guard_honest;
ANALYZE;
CREATE TABLE question (id int GENERATED ALWAYS AS IDENTITY, q text);
GRANT SELECT ON question TO regress_guard_honest;
COPY question (q) FROM stdin WITH (DELIMITER E'\x01');
SELECT count(*) FROM sale
SELECT c.name, sum(s.amount) FROM client c JOIN sale s ON s.client = c.id GROUP BY c.name ORDER BY 2 DESC LIMIT 10
SELECT date_trunc('month', at) AS month, sum(amount), avg(amount), min(amount), max(amount), count(DISTINCT client) FROM sale GROUP BY 1 ORDER BY 1
SELECT day, sum(amount), sum(sum(amount)) OVER (ORDER BY day ROWS UNBOUNDED PRECEDING) AS running FROM sale GROUP BY day ORDER BY day
SELECT day, avg(sum(amount)) OVER (ORDER BY day RANGE BETWEEN interval '6 days' PRECEDING AND CURRENT ROW) FROM sale GROUP BY day
SELECT client, amount, rank() OVER w, dense_rank() OVER w, row_number() OVER w, percent_rank() OVER w, cume_dist() OVER w, ntile(4) OVER w, lag(amount, 1, 0) OVER w, lead(amount) OVER w, first_value(amount) OVER w, last_value(amount) OVER w, nth_value(amount, 2) OVER w FROM sale WINDOW w AS (PARTITION BY client ORDER BY amount DESC, id)
SELECT * FROM (SELECT s.*, row_number() OVER (PARTITION BY client ORDER BY at DESC) AS rn FROM sale s) x WHERE rn <= 2
SELECT amount, amount - lag(amount) OVER (ORDER BY at) AS change, round(100.0 * (amount - lag(amount) OVER (ORDER BY at)) / nullif(lag(amount) OVER (ORDER BY at), 0), 2) AS percent FROM sale ORDER BY at
SELECT sum(amount) FILTER (WHERE amount > 50) AS big, count(*) FILTER (WHERE quantity = 0) AS none FROM sale
SELECT coalesce(r.name, 'All') AS region, grouping(r.name), sum(s.amount) FROM sale s JOIN client c ON c.id = s.client JOIN region r ON r.id = c.region GROUP BY ROLLUP (r.name)
SELECT c.tier, r.name, sum(s.amount) FROM sale s JOIN client c ON c.id = s.client JOIN region r ON r.id = c.region GROUP BY GROUPING SETS ((c.tier), (r.name), ()) ORDER BY 1, 2
SELECT c.tier, c.active, count(*) FROM client c GROUP BY CUBE (1, 2)
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) AS median, percentile_disc(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY amount), mode() WITHIN GROUP (ORDER BY quantity), rank(50) WITHIN GROUP (ORDER BY amount) FROM sale
SELECT stddev(amount), stddev_pop(amount), variance(amount), corr(amount, weight), covar_pop(amount, weight), regr_slope(amount, weight), regr_r2(amount, weight), regr_intercept(amount, weight) FROM sale
WITH RECURSIVE t AS (SELECT id, name, parent, 1 AS depth, name AS path FROM region WHERE parent IS NULL UNION ALL SELECT r.id, r.name, r.parent, t.depth + 1, t.path || ' > ' || r.name FROM region r JOIN t ON r.parent = t.id) SELECT depth, name, path FROM t ORDER BY path
WITH RECURSIVE t AS (SELECT id, ARRAY[id] AS seen FROM region WHERE id = 1 UNION ALL SELECT r.id, t.seen || r.id FROM region r JOIN t ON r.parent = t.id WHERE NOT r.id = ANY (t.seen)) SELECT count(*) FROM t
WITH RECURSIVE months AS (SELECT date '2024-01-01' AS m UNION ALL SELECT (m + interval '1 month')::date FROM months WHERE m < date '2024-12-01') SELECT m, coalesce(sum(s.amount), 0) FROM months LEFT JOIN sale s ON date_trunc('month', s.day) = m GROUP BY m ORDER BY m
SELECT d::date, count(s.id) FROM generate_series(date '2024-01-01', date '2024-02-01', interval '1 day') d LEFT JOIN sale s ON s.day = d::date GROUP BY 1 ORDER BY 1
WITH m AS (SELECT client, date_trunc('month', at) AS month, sum(amount) AS total FROM sale GROUP BY 1, 2), g AS MATERIALIZED (SELECT *, lag(total) OVER (PARTITION BY client ORDER BY month) AS before FROM m) SELECT client, month, total, round((total - before) / before * 100, 1) FROM g WHERE before > 0
WITH first AS (SELECT client, min(date_trunc('month', at)) AS cohort FROM sale GROUP BY client) SELECT f.cohort, extract(month FROM age(date_trunc('month', s.at), f.cohort)) AS n, count(DISTINCT s.client) FROM first f JOIN sale s USING (client) GROUP BY 1, 2 ORDER BY 1, 2
SELECT extract(year FROM at), extract(quarter FROM at), extract(dow FROM at), extract(epoch FROM at), extract(isodow FROM day), date_part('hour', at) FROM sale LIMIT 3
SELECT to_char(at, 'YYYY-MM-DD HH24:MI'), to_char(amount, 'FM999,990.00'), to_char(day, 'TMMonth'), to_char(interval '3 hours', 'HH24:MI'), to_char(quantity, '0009') FROM sale LIMIT 3
SELECT now(), current_date, current_timestamp, localtime, clock_timestamp() > now(), statement_timestamp(), age(at), at AT TIME ZONE 'Europe/Paris', timezone('UTC', at) FROM sale LIMIT 1
SELECT make_date(2024, 2, 29), make_interval(days => 3, hours => 2), make_timestamptz(2024, 1, 1, 0, 0, 0, 'UTC'), date '2024-03-01' - 1, date_bin('15 minutes', at, timestamptz '2024-01-01'), justify_interval(interval '40 days'), to_timestamp(0), to_date('05 Dec 2024', 'DD Mon YYYY'), isfinite(at) FROM sale LIMIT 1
SELECT (date '2024-01-01', date '2024-02-01') OVERLAPS (date '2024-01-15', interval '10 days'), at BETWEEN now() - interval '10 years' AND now() FROM sale LIMIT 1
SELECT upper(name), lower(name), initcap(name), length(name), char_length(name), octet_length(name), reverse(name), left(name, 3), right(name, -2), substr(name, 2, 3), substring(name FROM 'l.e'), substring(name, 1, 3), trim(both 'C' FROM name), ltrim(name), rtrim(name, '0'), btrim(name, ' '), lpad(name, 20, '.'), rpad(name, 20), repeat('*', 5), concat(name, '-', id), concat_ws(', ', name, mail), replace(name, 'Client', 'C'), translate(name, 'abc', 'xyz'), split_part(mail, '@', 2), strpos(name, 'i'), position('i' IN name), overlay(name PLACING 'X' FROM 1 FOR 1), ascii(name), chr(65), md5(name), quote_ident(name), quote_literal(name), format('%s (%s)', name, id), format('%-10s|%5s', name, id), starts_with(name, 'C'), string_to_array(name, ' '), encode(photo, 'hex'), name ^@ 'C' FROM client LIMIT 2
SELECT name FROM client WHERE name LIKE 'Client 1%' OR name ILIKE '%2' OR name ~ '^C.*3$' OR name ~* 'client' OR name SIMILAR TO '%(4|5)' OR name NOT LIKE '%9' OR name LIKE ANY (ARRAY['%1', '%2']) OR mail LIKE '%!%%' ESCAPE '!'
SELECT a.name, b.name FROM client a JOIN client b ON b.name LIKE '%' || a.name || '%' AND a.id < b.id LIMIT 5
SELECT regexp_replace(name, '\d+', '#'), regexp_match(name, '(\w+) (\d+)'), regexp_split_to_array(name, '\s'), (regexp_matches(name, '\d', 'g'))[1], regexp_count(name, 'i'), regexp_substr(name, '\d+'), regexp_like(name, 'c', 'i'), regexp_instr(name, 't') FROM client LIMIT 2
SELECT word, count(*) FROM client, regexp_split_to_table(name, ' ') AS word GROUP BY word ORDER BY 2 DESC, 1
SELECT id, tags, tags[1], tags[1:2], array_length(tags, 1), cardinality(tags), 'b' = ANY (tags), tags @> ARRAY['b'], tags && ARRAY['a1', 'a2'], array_to_string(tags, ', '), array_position(tags, 'b'), array_append(tags, 'c'), array_remove(tags, 'b'), tags || 'z'::text, array_cat(tags, tags) FROM client LIMIT 2
SELECT t, count(*) FROM client, unnest(tags) AS t GROUP BY t
SELECT t.tag, t.n FROM client c, unnest(c.tags) WITH ORDINALITY AS t(tag, n) LIMIT 3
SELECT array_agg(name ORDER BY name), string_agg(name, ', ' ORDER BY id DESC), string_agg(DISTINCT tier::text, '/') FROM client
SELECT c.region, string_agg(c.name, ', ') FROM client c GROUP BY c.region HAVING string_agg(c.name, ', ') LIKE '%Client 1%'
SELECT left(string_agg(name, ', '), 50), upper(string_agg(name, ';')), replace(string_agg(name, ','), ',', E'\n') FROM client
SELECT array_agg(id) @> ARRAY[1], array_agg(id) && ARRAY[5], (array_agg(name ORDER BY id))[1:3] FROM client
SELECT extra->>'score', extra->'x'->>'y', extra #>> '{x,y}', extra @> '{"langs": ["fr"]}', extra ? 'score', extra ?| ARRAY['a', 'score'], extra ?& ARRAY['x'], (extra->>'score')::int * 2, jsonb_array_length(extra->'langs'), jsonb_typeof(extra), extra['x']['y'], raw->>'score' FROM client LIMIT 2
SELECT e.key, count(*) FROM client, jsonb_each(extra) AS e GROUP BY e.key
SELECT l, count(*) FROM client, jsonb_array_elements_text(extra->'langs') AS l GROUP BY l
SELECT jsonb_path_query_first(extra, '$.x.y'), jsonb_path_exists(extra, '$.langs[*] ? (@ == "fr")'), extra @? '$.score ? (@ > 3)', jsonb_set(extra, '{score}', '1'), extra - 'score', jsonb_pretty(extra), jsonb_strip_nulls(extra), extra || '{"k": 1}' FROM client LIMIT 1
SELECT jsonb_build_object('id', id, 'name', name), json_agg(name) OVER (), to_jsonb(c), row_to_json(c) FROM client c LIMIT 1
SELECT jsonb_agg(jsonb_build_object('region', r.name, 'clients', (SELECT jsonb_agg(c.name ORDER BY c.id) FROM client c WHERE c.region = r.id))) FROM region r
SELECT jsonb_object_agg(name, id), json_object_agg(id, name) FROM region
SELECT x.score, x.langs FROM client, jsonb_to_record(extra) AS x(score int, langs text[]) LIMIT 2
SELECT * FROM jsonb_to_recordset('[{"a": 1, "b": "x"}, {"a": 2}]') AS t(a int, b text)
SELECT * FROM json_array_elements('[1, 2, 3]') WITH ORDINALITY
SELECT open_hours, lower(open_hours), upper(open_hours), open_hours @> 5, open_hours && int4range(3, 8), open_hours * int4range(3, 8), isempty(open_hours), open_hours -|- int4range(50, 60) FROM client LIMIT 2
SELECT range_agg(period), count(*) FROM sale WHERE period @> timestamptz '2024-01-01 12:00+00' AND upper(period) > now() - interval '100 years'
SELECT round(amount, 1), round(amount), trunc(amount), ceil(amount), floor(amount), abs(-amount), mod(quantity, 2), quantity % 3, power(quantity, 2), quantity ^ 2, sqrt(amount), exp(1), ln(amount), log(amount), sign(amount), greatest(amount, 10), least(amount, 10), width_bucket(amount, 0, 100, 10), random() < 2, pi(), degrees(1), sin(weight), cbrt(weight), div(amount, 3), gcd(12, 18), factorial(5), amount::int, amount::float8, quantity::numeric / 3 FROM sale LIMIT 2
SELECT round(sum(amount) / count(*) * 100.0 / nullif(max(amount), 0), 2), round((sum(amount) * 1.2)::numeric, 2), sum(quantity * amount), sum(amount) / nullif(sum(quantity), 0) FROM sale
SELECT round(power(1 + 0.05, 10)::numeric, 4), round(1000 * power(1.0 + discount / 100, 3), 2) FROM client LIMIT 3
SELECT floor(amount / 10) * 10 AS bucket, count(*), repeat('#', least(count(*)::int, 50)) FROM sale GROUP BY 1 ORDER BY 1
SELECT CASE WHEN amount > 50 THEN 'high' WHEN amount > 20 THEN 'mid' ELSE 'low' END AS band, count(*) FROM sale GROUP BY 1
SELECT coalesce(note, 'none'), nullif(note, ''), num_nulls(note, amount), note IS NULL, note IS DISTINCT FROM 'x', amount IN (1, 2, 3), amount NOT IN (SELECT 5) FROM sale LIMIT 2
SELECT name FROM client c WHERE EXISTS (SELECT 1 FROM sale s WHERE s.client = c.id AND s.amount > 90) AND id NOT IN (SELECT client FROM sale WHERE client IS NOT NULL AND amount < 0)
SELECT name FROM client WHERE (region, tier) IN (SELECT region, tier FROM client WHERE id < 5) OR id = ALL (ARRAY[1])
SELECT c.name, l.at, l.amount FROM client c CROSS JOIN LATERAL (SELECT at, amount FROM sale s WHERE s.client = c.id ORDER BY at DESC LIMIT 1) l
SELECT c.name, s.total FROM client c LEFT JOIN LATERAL (SELECT sum(amount) AS total FROM sale WHERE client = c.id) s ON true
SELECT DISTINCT ON (client) client, at, amount FROM sale ORDER BY client, at DESC
SELECT name FROM client UNION SELECT name FROM region UNION ALL SELECT 'x' EXCEPT SELECT 'y' INTERSECT SELECT 'z' ORDER BY 1
SELECT a.id FROM client a FULL JOIN region b ON b.id = a.id RIGHT JOIN sale s ON s.id = a.id NATURAL JOIN (SELECT 1 AS one) o
SELECT * FROM client JOIN sale USING (id)
SELECT (home).city, count(*) FROM client GROUP BY (home).city
SELECT home, (home).*, c.* FROM client c LIMIT 1
SELECT tier, count(*), min(tier), max(tier) FROM client WHERE tier >= 'medium' GROUP BY tier ORDER BY tier
SELECT enum_range(NULL::size), enum_first(NULL::size), 'small'::size < 'large'::size
SELECT mail, discount + 1, avg(discount), max(mail) FROM client WHERE discount > 3 GROUP BY 1, 2, discount
SELECT 5::percent, 'a@example.org'::email, CAST(discount AS percent) FROM client LIMIT 1
SELECT host(address), address << inet '10.0.0.0/8', netmask(address), encode(sha256(photo), 'hex'), decode('00ff', 'hex'), key::text, gen_random_uuid() IS NOT NULL FROM client LIMIT 1
SELECT ts_rank(tsv, q), ts_headline('english', note, q) FROM sale, websearch_to_tsquery('english', 'quick fox -dog') q WHERE tsv @@ q ORDER BY 1 DESC LIMIT 3
SELECT count(*) FROM sale WHERE tsv @@ to_tsquery('english', 'fox & (brown | red)') OR to_tsvector('english', note) @@ plainto_tsquery('note') OR tsv @@ phraseto_tsquery('quick brown')
SELECT * FROM client_total ORDER BY total DESC NULLS LAST LIMIT 3
SELECT name FROM client_total WHERE name LIKE '%1%' AND code LIKE '0%'
SELECT * FROM monthly
SELECT count(*) FROM own_rows
SELECT note FROM shared
SELECT date_trunc('day', at), avg(value), max(value) FROM meter WHERE at >= '2024-01-02' GROUP BY 1 ORDER BY 1
SELECT count(*) FROM sale TABLESAMPLE system (50)
SELECT count(*) FROM sale TABLESAMPLE bernoulli (50) REPEATABLE (3)
SELECT x, y FROM (VALUES (1, 'a'), (2, 'b')) AS v(x, y)
TABLE region
VALUES (1), (2)
SELECT * FROM region ORDER BY id OFFSET 1 ROWS FETCH FIRST 2 ROWS ONLY
SELECT * FROM region ORDER BY name COLLATE "C" DESC NULLS FIRST FETCH FIRST 1 ROW WITH TIES
SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema = 'honest'
SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'sale'
SELECT c.relname, pg_size_pretty(pg_total_relation_size(c.oid)), c.reltuples FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'honest' AND c.relkind = 'r'
SELECT a.attname, format_type(a.atttypid, a.atttypmod), col_description(a.attrelid, a.attnum) FROM pg_attribute a WHERE a.attrelid = 'honest.sale'::regclass AND a.attnum > 0
SELECT current_user, session_user, current_database(), current_schema, current_schemas(false), version() IS NOT NULL, pg_typeof(1), has_table_privilege('honest.sale', 'SELECT')
SELECT xmlelement(name a, xmlattributes(1 AS b), 'c'), xmlforest(id, name), xpath('/a/b/text()', '<a><b>1</b></a>'::xml), xmlagg(xmlelement(name n, name)) OVER () FROM region LIMIT 1
SELECT * FROM XMLTABLE('/r/x' PASSING ('<r><x><v>1</v></x></r>'::xml) COLUMNS v int PATH 'v', n FOR ORDINALITY)
SELECT point(1, 2) <-> point(3, 4), box '((0,0),(1,1))' @> point '(0.5,0.5)', circle '((0,0),1)' && circle '((1,0),1)', polygon '((0,0),(1,1),(1,0))' && polygon '((0,0),(2,2),(2,0))', area(circle '((0,0),1)'), path '((0,0),(1,1))' <-> path '((2,2),(3,3))'
SELECT B'101' & B'110', 5 & 3, 5 # 3, 1 << 4, get_bit(B'100', 0), bit_and(quantity), bit_or(quantity), bool_and(amount > 0), every(amount > 0) FROM sale
SELECT 12.34::money, '1 day'::interval * 2, '12:00'::time + interval '1 hour', '2024-01-01'::timestamp, 'a'::"char", 'ab'::char(5), 'ab'::varchar(1), '{1,2}'::int[], '(1,2)'::point, 'x'::name
SELECT generate_series(1, 5), unnest(ARRAY['a', 'b']), generate_subscripts(ARRAY[1, 2], 1)
SELECT sum(a) FROM generate_series(1, 1000) a, generate_series(1, 100) b
SELECT (SELECT max(amount) FROM sale) - (SELECT min(amount) FROM sale) AS spread, ARRAY(SELECT name FROM region ORDER BY id), (SELECT ROW(1, 'x'))
SELECT lower(a) || upper(b) FROM (SELECT 'x' AS a, 'y' AS b) t(a, b) WHERE false AND 1 / 0 = 1 OR a < b COLLATE "C"
SELECT r.name, c.n, sum(c.n) OVER (), round(c.n * 100.0 / sum(c.n) OVER (), 1) AS share FROM region r JOIN (SELECT region, count(*) AS n FROM client GROUP BY region) c ON c.region = r.id ORDER BY c.n DESC
SELECT sum(CASE WHEN extract(month FROM at) = 1 THEN amount ELSE 0 END) AS jan, sum(CASE WHEN extract(month FROM at) = 2 THEN amount END) AS feb FROM sale
SELECT name AS "update", id AS "delete" FROM region WHERE name <> 'DROP TABLE x; --' /* insert */ -- commit
SELECT substring('Thomas' SIMILAR '%#"o_a#"_' ESCAPE '#'), 'abc' LIKE 'a_c', U&'d\0061t\+000061', E'tab\there', $$dollar$$
SELECT hashtext(name), mod(abs(hashtext(name)), 10) FROM region
SELECT count(*) FROM sale WHERE at > now() - make_interval(years => 100) AND at::date <> current_date AND at::time > '00:00' AND (at AT TIME ZONE 'UTC')::date > '2000-01-01'
SELECT array_agg(DISTINCT extract(year FROM at)) FROM sale
SELECT jsonb_agg(x) FROM (SELECT name, total FROM client_total ORDER BY total DESC NULLS LAST LIMIT 3) x
SELECT ROW(1, 2) = ROW(1, 2), (1, 2) < (1, 3), ROW(NULL) IS NULL
SELECT count(*) FILTER (WHERE s.amount > a.avg) FROM sale s, (SELECT avg(amount) AS avg FROM sale) a
SELECT trim(to_char(day, 'Day')) AS weekday, count(*) FROM sale GROUP BY 1, extract(isodow FROM day) ORDER BY extract(isodow FROM day)
SELECT split_part(note, ' ', 2)::int AS n FROM sale WHERE note ~ '^note \d+$' ORDER BY n LIMIT 2
SELECT unaccent_free.x FROM (SELECT normalize('é', NFC) AS x) unaccent_free
SELECT last.at - first.at AS lasted FROM (SELECT min(at) AS at FROM sale) first, (SELECT max(at) AS at FROM sale) last
SELECT DISTINCT tags FROM client ORDER BY tags
SELECT id, sum(amount) OVER (PARTITION BY client ORDER BY at GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) FROM sale LIMIT 2
\.
CREATE FUNCTION verdict(sql text) RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT coalesce(r->'error'->>'message', 'ran')
	FROM sqlagent.tool_run_sql(jsonb_build_object('sql', sql)) r $$;
SET ROLE regress_guard_honest;
SELECT verdict, count(*) > 100 AS many, CASE WHEN verdict <> 'ran' THEN min(q) END AS q
	FROM (SELECT verdict(q), q FROM question ORDER BY id) x GROUP BY verdict;
RESET ROLE;
DROP SCHEMA honest CASCADE;
REVOKE USAGE ON SCHEMA sqlagent FROM regress_guard_honest;
REVOKE EXECUTE ON FUNCTION sqlagent.tool_run_sql(jsonb) FROM regress_guard_honest;
DROP ROLE regress_guard_honest;
