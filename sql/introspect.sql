-- What introspect_schema tells: kinds of relations, names, keys, checks, and
-- that it tells nothing that the asker may not read.
SET client_min_messages = warning;
CREATE ROLE regress_sa_reader LOGIN;
CREATE ROLE regress_sa_other LOGIN;
GRANT USAGE ON SCHEMA sqlagent TO regress_sa_reader, regress_sa_other;
CREATE SCHEMA shop;
CREATE SCHEMA "Odd Schema";
CREATE SCHEMA closed;
GRANT USAGE ON SCHEMA shop, "Odd Schema" TO regress_sa_reader, regress_sa_other;
SET search_path = shop;
SET sqlagent.schemas = 'shop, "Odd Schema"';

CREATE TYPE size AS ENUM ('small', 'large');
CREATE DOMAIN zip AS text NOT NULL CHECK (VALUE ~ '^\d{5}$');
CREATE TABLE maker (id integer PRIMARY KEY, name text NOT NULL UNIQUE, postal zip);
COMMENT ON TABLE maker IS 'Who makes things';
COMMENT ON COLUMN maker.name IS 'Name in the register, "quoted"';
CREATE TABLE thing (
	maker_id integer REFERENCES maker,
	no integer,
	kind size DEFAULT 'small',
	state text NOT NULL DEFAULT 'new',
	price numeric(8,2) CHECK (price > 0),
	twice numeric GENERATED ALWAYS AS (price * 2) STORED,
	PRIMARY KEY (maker_id, no));
CREATE TABLE part (
	part_key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	maker_id integer, thing_no integer,
	FOREIGN KEY (maker_id, thing_no) REFERENCES thing);
CREATE TABLE "Odd Schema"."Mixed ""Case""" ("Select" integer PRIMARY KEY, "to thing" text);
CREATE TABLE sale (sold_on date, amount integer) PARTITION BY RANGE (sold_on);
CREATE TABLE sale_2020 PARTITION OF sale FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
CREATE TABLE sale_2021 PARTITION OF sale FOR VALUES FROM ('2021-01-01') TO ('2022-01-01');
CREATE VIEW cheap AS SELECT no, price FROM thing WHERE price < 10;
COMMENT ON VIEW cheap IS 'Things below 10';
CREATE MATERIALIZED VIEW per_state AS SELECT state, count(*) AS things FROM thing GROUP BY state;
CREATE FOREIGN DATA WRAPPER regress_sa_wrapper;
CREATE SERVER regress_sa_server FOREIGN DATA WRAPPER regress_sa_wrapper;
CREATE FOREIGN TABLE remote (id integer) SERVER regress_sa_server;
CREATE TABLE salary (who text, pay integer);
CREATE TABLE person (id integer PRIMARY KEY, name text, secret text CHECK (secret <> 'hush'), boss integer REFERENCES person);
CREATE TABLE closed.vault (id integer);
INSERT INTO maker SELECT g, 'maker ' || g, '0000' || g FROM generate_series(1, 4) g;
INSERT INTO thing SELECT g % 4 + 1, g, 'small', CASE WHEN g % 3 = 0 THEN 'sold' ELSE 'new' END, g FROM generate_series(1, 60) g;
INSERT INTO sale SELECT date '2020-06-01' + g, g FROM generate_series(1, 400) g;
REFRESH MATERIALIZED VIEW per_state;
ANALYZE maker, thing, part, sale, per_state, person;
GRANT SELECT ON maker, thing, part, sale, sale_2020, cheap, per_state, remote, "Odd Schema"."Mixed ""Case""" TO regress_sa_reader;
GRANT SELECT (id, name) ON person TO regress_sa_reader;
GRANT SELECT ON salary, maker, closed.vault TO regress_sa_other;

SET ROLE regress_sa_reader;
-- all that may be read, partitions behind their parent
SELECT t->>'name' AS name, t->>'kind' AS kind, t->>'rows' AS rows, t->>'comment' AS comment
	FROM jsonb_array_elements(sqlagent.tool_introspect_schema('{}')->'tables') t;
SELECT sqlagent.tool_introspect_schema('{}') - 'tables' AS counts;
-- one table
SELECT jsonb_pretty(sqlagent.tool_introspect_schema('{"table_name": "thing"}'));
SELECT c->>'name' AS name, c->>'type' AS type, c->>'nullable' AS nullable, c->>'base_type' AS base, c->'type_checks' AS checks
	FROM jsonb_array_elements(sqlagent.tool_introspect_schema('{"table_name": "maker"}')->'columns') c;
SELECT sqlagent.tool_introspect_schema('{"table_name": "part"}')->'relationships' AS part;
SELECT sqlagent.tool_introspect_schema('{"table_name": "maker"}')->'relationships' AS maker;
SELECT sqlagent.tool_introspect_schema('{"table_name": "cheap"}')->>'definition' ~ 'price < 10' AS has_definition;
SELECT sqlagent.tool_introspect_schema('{"table_name": "per_state"}')->'columns'->0->'values' AS states;
SELECT sqlagent.tool_introspect_schema('{"table_name": "sale"}')->'columns'->0 AS partitioned;
SELECT sqlagent.tool_introspect_schema('{"table_name": "sale_2020"}')->>'table' AS partition_by_name;
-- names as SQL writes them, and as people do
SELECT name, sqlagent.tool_introspect_schema(jsonb_build_object('table_name', name))->>'table' AS found
	FROM unnest(ARRAY['"Odd Schema"."Mixed ""Case"""', 'Mixed "Case"', 'MAKER', 'shop.maker', ' maker ', '"Maker"']) AS name;
-- what may not be read is as if it were not there, columns likewise
SELECT sqlagent.tool_introspect_schema(jsonb_build_object('table_name', name))->'error'->>'message' AS error
	FROM unnest(ARRAY['salary', 'closed.vault', 'pg_class', 'sqlagent.runs', 'sale_2021', '', 'no.such', '"']) AS name
	WHERE name <> '';
SELECT jsonb_path_query_array(t, '$.columns[*].name') AS columns, t->'checks' AS checks, t->'relationships' AS relationships
	FROM sqlagent.tool_introspect_schema('{"table_name": "person"}') t;
-- a typing error
SELECT sqlagent.tool_introspect_schema('{"table_name": "makr"}')->'error' AS error;
-- rows of a table
SELECT sqlagent.tool_introspect_schema('{"table_name": "maker", "include_sample_data": true}')->'sample_data' AS sample;
RESET ROLE;
SET sqlagent.sample_rows = 1;
SET ROLE regress_sa_reader;
SELECT sqlagent.tool_introspect_schema('{"table_name": "maker", "include_sample_data": true}')->'sample_data'->'rows' AS sample;
RESET ROLE;
RESET sqlagent.sample_rows;
-- another role sees other tables
SET ROLE regress_sa_other;
SELECT jsonb_path_query_array(sqlagent.tool_introspect_schema('{}'), '$.tables[*].name') AS tables;
RESET ROLE;
-- another path, other names
SET search_path = "Odd Schema";
SET ROLE regress_sa_reader;
SELECT sqlagent.tool_introspect_schema('{"table_name": "maker"}')->>'table' AS qualified;
SELECT c->>'type' AS qualified FROM jsonb_array_elements(sqlagent.tool_introspect_schema('{"table_name": "thing"}')->'columns') c
	WHERE c->>'name' = 'kind';
RESET ROLE;
-- only the schemas that are set
SET sqlagent.schemas = '"Odd Schema"';
SET ROLE regress_sa_reader;
SELECT jsonb_path_query_array(sqlagent.tool_introspect_schema('{}'), '$.tables[*].name') AS tables;
SELECT sqlagent.tool_introspect_schema('{"table_name": "shop.maker"}')->'error'->>'message' AS error;
RESET ROLE;
RESET sqlagent.schemas;

-- labels
SET search_path = shop;
SET sqlagent.schemas = 'shop';
LOAD 'sqlagent';
SECURITY LABEL FOR sqlagent ON TABLE part IS 'hidden';
SECURITY LABEL FOR sqlagent ON COLUMN thing.price IS 'hidden';
SECURITY LABEL FOR sqlagent ON COLUMN thing.state IS 'masked';
SET ROLE regress_sa_reader;
SELECT jsonb_path_query_array(sqlagent.tool_introspect_schema('{}'), '$.tables[*].name') AS tables;
SELECT c FROM jsonb_array_elements(sqlagent.tool_introspect_schema('{"table_name": "thing"}')->'columns') c
	WHERE c->>'name' IN ('price', 'state');
SELECT t->'relationships' AS relationships, t->'checks' AS checks FROM sqlagent.tool_introspect_schema('{"table_name": "thing"}') t;
SELECT jsonb_path_query_array(sqlagent.tool_introspect_schema('{"table_name": "cheap"}'), '$.columns[*].name') AS of_view;
SELECT sqlagent.tool_introspect_schema('{"table_name": "per_state"}')->'columns'->0 AS of_matview;
RESET ROLE;
SECURITY LABEL FOR sqlagent ON COLUMN thing.price IS NULL;
SET ROLE regress_sa_reader;
SELECT jsonb_path_query_array(sqlagent.tool_introspect_schema('{"table_name": "thing"}'), '$.columns[*].name') AS columns;
RESET ROLE;

DROP SCHEMA shop, "Odd Schema", closed CASCADE;
DROP SERVER regress_sa_server CASCADE;
DROP FOREIGN DATA WRAPPER regress_sa_wrapper;
DROP OWNED BY regress_sa_reader, regress_sa_other;
DROP ROLE regress_sa_reader, regress_sa_other;
