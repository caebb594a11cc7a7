-- Which tables fit a search: names, comments, labels, values; forms of words.
SET client_min_messages = warning;
CREATE ROLE regress_sa_reader LOGIN;
GRANT USAGE ON SCHEMA sqlagent TO regress_sa_reader;
CREATE SCHEMA shop;
GRANT USAGE ON SCHEMA shop TO regress_sa_reader;
SET search_path = shop;
SET sqlagent.schemas = 'shop';

CREATE TYPE severity AS ENUM ('trivial', 'disastrous');
CREATE TABLE purchase_order (id integer PRIMARY KEY, placed_on date, supplier_id integer);
CREATE TABLE "OrderLine" ("OrderLineId" integer PRIMARY KEY, qty integer);
CREATE TABLE supplier (id integer PRIMARY KEY, title text);
CREATE TABLE cities (id integer PRIMARY KEY, name text);
CREATE TABLE incident (id integer PRIMARY KEY, grade severity);
CREATE TABLE x17 (a integer);
COMMENT ON TABLE x17 IS 'Vessels that lie in the harbour';
CREATE TABLE x18 (a integer, b integer);
COMMENT ON COLUMN x18.b IS 'tonnage';
CREATE TABLE customeraddress (id integer);
CREATE TABLE dept (id integer);
CREATE TABLE child (id integer, person_id integer);
CREATE TABLE "Größen" (id integer);
CREATE TABLE paint (shade text);
INSERT INTO paint SELECT CASE WHEN g % 2 = 0 THEN 'crimson red' ELSE 'teal' END FROM generate_series(1, 40) g;
INSERT INTO cities VALUES (1, 'Timbuktu'), (2, 'Ulm');
ANALYZE paint, cities;
GRANT SELECT ON ALL TABLES IN SCHEMA shop TO regress_sa_reader;

CREATE FUNCTION pg_temp.best(search text) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(string_agg(t->>'name', ' ' ORDER BY n), '')
	FROM jsonb_array_elements(sqlagent.tool_introspect_schema(jsonb_build_object('search', search))->'tables')
		WITH ORDINALITY AS e(t, n) WHERE n <= 2
$$;
SET ROLE regress_sa_reader;
SELECT s AS search, pg_temp.best(s) AS best FROM unnest(ARRAY[
	'purchase orders', 'purchaseorder', 'purcase', 'PO', -- a name and its forms
	'order line', 'order lines', 'OrderLine', 'quantity', -- camel case, abbreviation
	'city', 'children', 'Größen', 'department', 'address of a customer', -- plural, irregular, parts
	'suppliers', 'placed', -- columns
	'harbour', 'ships in the harbour', 'tonnage', -- comments
	'disastrous', 'crimson', 'timbuktu', -- labels and values
	'nonsense', 'the of and']) s;
SELECT sqlagent.tool_introspect_schema('{"search": "orders"}');
SELECT sqlagent.tool_introspect_schema('{"search": "nonsense"}');
RESET ROLE;

-- names in the language of text search, and English ones all the same
CREATE TABLE kunde (id integer);
CREATE TABLE "Häuser" (id integer);
GRANT SELECT ON kunde, "Häuser" TO regress_sa_reader;
SET ROLE regress_sa_reader;
SELECT s AS search, pg_temp.best(s) AS best FROM unnest(ARRAY['Kunden', 'Häusern', 'des Hauses', 'suppliers', 'order lines']) s;
RESET ROLE;
SET sqlagent.text_search_config = 'german';
SET ROLE regress_sa_reader;
SELECT s AS search, pg_temp.best(s) AS best FROM unnest(ARRAY['Kunden', 'Häusern', 'des Hauses', 'suppliers', 'order lines']) s;
RESET ROLE;
RESET sqlagent.text_search_config;
DROP TABLE kunde, "Häuser";

-- keys that nobody declared: by the name of the table, by the name of its key,
-- not when values speak against it
CREATE TABLE team (team_code text PRIMARY KEY, name text);
CREATE TABLE game (game_id integer PRIMARY KEY, home_team_code text, team_code text, supplier integer, name text, order_id integer);
CREATE TABLE score (game_id integer, points integer);
CREATE TABLE far (far_id integer, game_id integer);
CREATE TABLE no_key (thing_id integer, v text);
CREATE TABLE of_no_key (id integer PRIMARY KEY, thing_id integer);
CREATE TABLE not_unique (blob_id integer, v text);
CREATE TABLE of_not_unique (id integer PRIMARY KEY, blob_id integer);
INSERT INTO team SELECT 'T' || g FROM generate_series(1, 20) g;
INSERT INTO game SELECT g, 'T' || g % 20 + 1, 'T' || g % 20 + 1 FROM generate_series(1, 300) g;
INSERT INTO score SELECT g FROM generate_series(1, 300) g;
INSERT INTO far SELECT g, g + 1000 FROM generate_series(1, 300) g;
INSERT INTO no_key SELECT g FROM generate_series(1, 300) g;
INSERT INTO of_no_key SELECT g, g FROM generate_series(1, 300) g;
INSERT INTO not_unique SELECT g % 3 FROM generate_series(1, 300) g;
INSERT INTO of_not_unique SELECT g, g % 3 FROM generate_series(1, 300) g;
ANALYZE team, game, score, far, no_key, of_no_key, not_unique, of_not_unique;
GRANT SELECT ON ALL TABLES IN SCHEMA shop TO regress_sa_reader;
SET ROLE regress_sa_reader;
SELECT t, r->>'direction' AS direction, r->'columns' AS columns, r->>'table' AS "table", r->'foreign_columns' AS foreign_columns
	FROM unnest(ARRAY['game', 'team', 'score', 'far', 'purchase_order', 'of_no_key', 'of_not_unique', 'child']) WITH ORDINALITY AS u(t, n),
		jsonb_array_elements(sqlagent.tool_introspect_schema(jsonb_build_object('table_name', t))->'relationships') r
	WHERE (r->>'implied')::boolean ORDER BY n, r->>'direction' DESC, r->>'table', r->>'columns', r->>'foreign_columns';
RESET ROLE;

-- an administrator states one and rejects another
INSERT INTO sqlagent.relationships (table_name, columns, foreign_table, foreign_columns) VALUES ('game', '{supplier}', 'supplier', '{id}');
INSERT INTO sqlagent.relationships (table_name, columns, foreign_table, foreign_columns, rejected)
	VALUES ('game', '{home_team_code}', 'team', '{team_code}', true), ('game', '{no_such}', 'team', '{team_code}', false);
SET ROLE regress_sa_reader;
SELECT r->'columns' AS columns, r->>'table' AS "table", r->'implied' AS implied
	FROM jsonb_array_elements(sqlagent.tool_introspect_schema('{"table_name": "game"}')->'relationships') r
	WHERE r->>'direction' = 'outgoing' ORDER BY r->>'columns';
RESET ROLE;
DELETE FROM sqlagent.relationships;
SET ROLE regress_sa_reader;
SELECT r->'columns' AS columns, r->>'table' AS "table", r->'implied' AS implied
	FROM jsonb_array_elements(sqlagent.tool_introspect_schema('{"table_name": "game"}')->'relationships') r
	WHERE r->>'direction' = 'outgoing' ORDER BY r->>'columns';
INSERT INTO sqlagent.relationships (table_name, columns, foreign_table, foreign_columns) VALUES ('game', '{supplier}', 'supplier', '{id}');
RESET ROLE;

DROP SCHEMA shop CASCADE;
DROP OWNED BY regress_sa_reader;
DROP ROLE regress_sa_reader;
