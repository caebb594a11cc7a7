-- Values of a column nearest to a text.
SET client_min_messages = warning;
CREATE ROLE regress_sa_reader LOGIN;
GRANT USAGE ON SCHEMA sqlagent TO regress_sa_reader;
CREATE SCHEMA shop;
GRANT USAGE ON SCHEMA shop TO regress_sa_reader;
SET search_path = shop;
SET sqlagent.schemas = 'shop';

CREATE TYPE size AS ENUM ('small', 'very large');
CREATE TABLE client (id integer, country text, state text, city text, kind size, secret text, no integer, born date);
INSERT INTO client
	SELECT g, (ARRAY['USA', 'United States', 'Österreich', 'Côte d''Ivoire', 'France'])[g % 5 + 1],
		(ARRAY['canceled', 'open', ' padded '])[g % 3 + 1], (ARRAY['New York', 'Newark', 'York', 'Saint-Denis'])[g % 4 + 1],
		'small', 'hidden thing', 100 + g, date '2020-02-01' + g
	FROM generate_series(1, 60) g;
INSERT INTO client (id) VALUES (0);
CREATE VIEW client_view AS SELECT country, upper(city) AS city FROM client;
-- more rows than are read, the last of them another one
CREATE TABLE many (name text) WITH (autovacuum_enabled = off);
INSERT INTO many SELECT 'row ' || g % 7 FROM generate_series(1, 100000) g;
INSERT INTO many VALUES ('Zanzibar'), ('100% sure');
GRANT SELECT (id, country, state, city, kind, no, born) ON client TO regress_sa_reader;
GRANT SELECT ON client_view, many TO regress_sa_reader;

-- Best values first; frequencies only where they matter.
CREATE FUNCTION pg_temp.near(tab text, col text, txt text) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce((SELECT string_agg(format('%s: "%s"', v->>'match', v->>'value'), ', ' ORDER BY n)
			FROM jsonb_array_elements(r->'values') WITH ORDINALITY AS e(v, n) WHERE n <= 3), '')
		|| CASE WHEN r ? 'error' THEN r->'error'->>'message' ELSE ' (complete: ' || (r->>'complete') || ')' END
	FROM sqlagent.tool_find_values(jsonb_build_object('table', tab, 'column', col, 'text', txt)) r
$$;

SET ROLE regress_sa_reader;
-- no statistics yet: the column is read
SELECT t, pg_temp.near('client', 'country', t)
	FROM unnest(ARRAY['USA', 'usa', ' usa ', 'Untied States', 'osterreich', 'cote divoire', 'Unit', 'us', 'FRANCE!', 'Atlantis', '%', '']) t;
SELECT t, pg_temp.near('client', 'state', t) FROM unnest(ARRAY['cancelled', 'Canceled', 'padded', 'opened']) t;
SELECT t, pg_temp.near('client', 'city', t) FROM unnest(ARRAY['new york', 'NY', 'newyork', 'york city', 'st denis']) t;
RESET ROLE;
ANALYZE client;
SET ROLE regress_sa_reader;
-- with statistics the same
SELECT t, pg_temp.near('client', 'country', t) FROM unnest(ARRAY['usa', 'Untied States', 'Atlantis']) t;
SELECT sqlagent.tool_find_values('{"table": "client", "column": "country", "text": "usa"}');
-- labels of an enum, also those that do not occur; other types as text
SELECT t, pg_temp.near('client', 'kind', t) FROM unnest(ARRAY['Very Large', 'large', 'smal']) t;
SELECT pg_temp.near('client', 'no', '107'), pg_temp.near('client', 'born', '2020-02-05');
-- views have no statistics
SELECT pg_temp.near('client_view', 'city', 'new york');
-- only a part of the rows is looked at, and then for the text anywhere
SELECT t, pg_temp.near('many', 'name', t) FROM unnest(ARRAY['row 3', 'zanzibar', 'anz', '100% sure', '0%_s', 'nowhere']) t;
-- what may not be read, and what is not there
SELECT pg_temp.near('client', 'secret', 'hidden'), pg_temp.near('client', 'contry', 'x'), pg_temp.near('clients', 'country', 'x');
SELECT sqlagent.tool_find_values('{"table": "client", "column": "contry", "text": "x"}')->'error'->>'hint' AS hint;
SELECT pg_temp.near('client', 'country"; DROP TABLE client; --', 'x''; SELECT 1; --');
SELECT pg_temp.near('client', 'country', 'x''; SELECT 1; -- \');
RESET ROLE;

-- rows beyond those that are read, by trigrams where pg_trgm is installed: none of them has the text in it
INSERT INTO many SELECT 'Constantinople' FROM generate_series(1, 2);
SET ROLE regress_sa_reader;
SELECT pg_temp.near('many', 'name', 'Konstantinople'), pg_temp.near('client', 'city', 'Denis Saint');
RESET ROLE;
CREATE SCHEMA "Tri grams";
GRANT USAGE ON SCHEMA "Tri grams" TO regress_sa_reader;
CREATE EXTENSION pg_trgm SCHEMA "Tri grams";
SET ROLE regress_sa_reader;
SELECT pg_temp.near('many', 'name', 'Konstantinople'), pg_temp.near('client', 'city', 'Denis Saint'), pg_temp.near('client', 'city', 'Atlantis');
RESET ROLE;
DROP EXTENSION pg_trgm;
DROP SCHEMA "Tri grams";

-- row-level security holds for the values, too
ALTER TABLE client ENABLE ROW LEVEL SECURITY;
CREATE POLICY no_france ON client USING (country <> 'France');
SET ROLE regress_sa_reader;
SELECT t, pg_temp.near('client', 'country', t) FROM unnest(ARRAY['usa', 'france']) t;
RESET ROLE;
ALTER TABLE client DISABLE ROW LEVEL SECURITY;

-- a model outside gets no values when they are not shared, nor masked ones
LOAD 'sqlagent';
SET sqlagent.provider = 'openai';
SET sqlagent.share = 'schema';
SET ROLE regress_sa_reader;
SELECT pg_temp.near('client', 'country', 'usa');
SELECT pg_temp.near('client', 'kind', 'LARGE');
RESET ROLE;
SET sqlagent.share = 'statistics';
SECURITY LABEL FOR sqlagent ON COLUMN client.city IS 'masked';
SET ROLE regress_sa_reader;
SELECT pg_temp.near('client', 'country', 'usa');
SELECT pg_temp.near('client', 'city', 'york');
SELECT pg_temp.near('client_view', 'city', 'york');
RESET ROLE;
-- the provider inside the server may know both
SET sqlagent.provider = 'builtin';
SET sqlagent.share = 'schema';
SET ROLE regress_sa_reader;
SELECT pg_temp.near('client', 'country', 'usa'), pg_temp.near('client', 'city', 'york');
RESET ROLE;

DROP SCHEMA shop CASCADE;
DROP OWNED BY regress_sa_reader;
DROP ROLE regress_sa_reader;
