-- SECURITY LABEL FOR sqlagent: what is hidden cannot be read by any way.
\set VERBOSITY terse
SET client_min_messages = warning;
LOAD 'sqlagent';
CREATE ROLE regress_guard_label LOGIN;
CREATE SCHEMA clinic;
SET search_path = clinic;
CREATE TABLE patient (id int PRIMARY KEY, name text, born date, "Blood Type" text, note text, doctor int);
INSERT INTO patient VALUES (1, 'Ada', '1980-01-01', 'A', 'secret one', 1), (2, 'Ben', '1990-01-01', 'B', 'secret two', 1);
CREATE TABLE doctor (id int PRIMARY KEY, name text, note text);
INSERT INTO doctor VALUES (1, 'Dr. Cox', 'none');
CREATE TABLE payment (id int, amount numeric);
INSERT INTO payment VALUES (1, 100);
CREATE TABLE visit (day date, remark text) PARTITION BY RANGE (day);
CREATE TABLE visit_2024 PARTITION OF visit FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
INSERT INTO visit VALUES ('2024-05-05', 'fine');
CREATE VIEW everybody AS SELECT * FROM patient;
CREATE VIEW derived AS SELECT id, upper(note) || '!' AS loud, name FROM everybody;
CREATE VIEW paid AS SELECT p.id, (SELECT sum(amount) FROM payment) AS total FROM patient p;
CREATE MATERIALIZED VIEW copied AS SELECT id, note FROM patient;
GRANT USAGE ON SCHEMA clinic, sqlagent TO regress_guard_label;
GRANT SELECT ON ALL TABLES IN SCHEMA clinic TO regress_guard_label;
GRANT EXECUTE ON FUNCTION sqlagent.tool_run_sql(jsonb) TO regress_guard_label;
CREATE FUNCTION verdict(sql text) RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT coalesce((r->'error'->>'type') || ': ' || (r->'error'->>'message'), 'rows: ' || (r->'rows')::text)
	FROM sqlagent.tool_run_sql(jsonb_build_object('sql', sql)) r $$;
-- what can be labelled, and how
SECURITY LABEL FOR sqlagent ON SCHEMA clinic IS 'hidden';
SECURITY LABEL FOR sqlagent ON TABLE patient IS 'masked';
SECURITY LABEL FOR sqlagent ON COLUMN patient.note IS 'secret';
SECURITY LABEL FOR sqlagent ON TABLE payment IS 'hidden';
SECURITY LABEL FOR sqlagent ON COLUMN patient.note IS 'hidden';
SECURITY LABEL FOR sqlagent ON COLUMN patient."Blood Type" IS 'masked';
SECURITY LABEL FOR sqlagent ON COLUMN visit.remark IS 'hidden';
SELECT objtype, objname, label FROM pg_seclabels WHERE provider = 'sqlagent' ORDER BY 1, 2;
CREATE TABLE try (id int GENERATED ALWAYS AS IDENTITY, sql text);
GRANT SELECT ON try TO regress_guard_label;
COPY try (sql) FROM stdin WITH (DELIMITER E'\x01');
SELECT note FROM patient
SELECT * FROM patient
SELECT p FROM patient p
SELECT p.* FROM patient p
SELECT (p).note FROM patient p
SELECT to_jsonb(p) FROM patient p
SELECT count(p) FROM patient p
SELECT p IS NULL FROM patient p
SELECT patient::text FROM patient
SELECT "note" FROM "clinic"."patient"
SELECT x.n FROM patient AS x(a, b, c, d, n, e)
SELECT id FROM patient WHERE note LIKE 's%'
SELECT id FROM patient ORDER BY note
SELECT count(*) FROM patient GROUP BY note
SELECT max(note) FROM patient
SELECT p.id FROM patient p JOIN doctor d USING (note)
SELECT id FROM patient NATURAL JOIN doctor
SELECT EXISTS (SELECT 1 FROM patient WHERE note = 'x')
WITH p AS (SELECT note FROM patient) SELECT 1 FROM p
SELECT * FROM (SELECT * FROM patient) p
TABLE patient
SELECT amount FROM payment
SELECT count(*) FROM payment
SELECT id FROM paid
SELECT total FROM paid
SELECT note FROM everybody
SELECT * FROM everybody
SELECT loud FROM derived
SELECT name FROM derived WHERE loud = 'x'
SELECT note FROM copied
SELECT remark FROM visit
SELECT remark FROM visit_2024
SELECT * FROM visit_2024
SELECT attname FROM pg_attribute
SELECT column_name FROM information_schema.columns
SELECT col_description('clinic.patient'::regclass, 5)
SELECT id, name, "Blood Type" FROM patient ORDER BY id
SELECT id, name FROM everybody ORDER BY id
SELECT id, name FROM derived ORDER BY id
SELECT id FROM copied ORDER BY id
SELECT day FROM visit
SELECT day FROM visit_2024
SELECT p.name, d.name FROM patient p JOIN doctor d ON d.id = p.doctor ORDER BY 1
SELECT count(*) FROM patient
\.
SET ROLE regress_guard_label;
SELECT id, sql, verdict(sql) FROM try ORDER BY id;
RESET ROLE;
-- a label is taken back: the running worker sees it
SECURITY LABEL FOR sqlagent ON COLUMN patient.note IS NULL;
SECURITY LABEL FOR sqlagent ON TABLE payment IS NULL;
SET ROLE regress_guard_label;
SELECT verdict('SELECT note FROM patient ORDER BY id'), verdict('SELECT total FROM paid LIMIT 1');
RESET ROLE;
SECURITY LABEL FOR sqlagent ON COLUMN doctor.note IS 'hidden';
SET ROLE regress_guard_label;
SELECT verdict('SELECT note FROM doctor');
RESET ROLE;
DROP SCHEMA clinic CASCADE;
REVOKE ALL ON SCHEMA sqlagent FROM regress_guard_label;
REVOKE ALL ON FUNCTION sqlagent.tool_run_sql(jsonb) FROM regress_guard_label;
DROP ROLE regress_guard_label;
