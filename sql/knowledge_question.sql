-- When two questions are the same, and what placeholders stand for.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS sqlagent;
BEGIN;
CREATE FUNCTION pg_temp.key(question text) RETURNS text LANGUAGE sql AS $$
	INSERT INTO sqlagent.query_patterns (name, question, sql, proposed_by)
	VALUES ('n', question, 'SELECT 1', pg_catalog.md5(pg_catalog.random()::text))
	RETURNING question_key || coalesce(' [' || question_prefix || ']', '') $$;

-- Case, blanks and punctuation at the ends of words do not count.
SELECT pg_temp.key(q) FROM unnest(ARRAY[
	'How many customers are there?',
	E'  HOW many\n\tcustomers are   there  ',
	'"How many (customers) are there!"',
	'How many customers, are there...']) q;

-- What changes the meaning does.
SELECT pg_temp.key(q) FROM unnest(ARRAY[
	'balance over -5', 'balance over 5', 'balance over 5.', 'balance over .5', 'balance over 2.5',
	'a > b', 'a < b', 'C++', 'C', '50 %', 'sales - costs', 'invoice 2024-01-31', 'john.smith@example.com', 'O''Brien']) q;

-- Placeholders, with types and without.
SELECT pg_temp.key(q) FROM unnest(ARRAY[
	'Customers of :country text', 'Customers of :country', 'Customers of :country text?',
	':what in :year integer', 'since :day::date', 'a text about :topic', 'at 10:30 or :30']) q;

-- No words, no question.
SAVEPOINT s;
SELECT pg_temp.key('?!');
ROLLBACK TO s;
SELECT pg_temp.key('   ');
ROLLBACK TO s;

-- A long question can be a key, and differs from others that begin like it.
SELECT length(pg_temp.key(repeat('word ', 2000))) < 1100 AS is_bounded,
	pg_temp.key(repeat('word ', 2000)) = pg_temp.key(repeat('word ', 2000)) AS is_stable,
	pg_temp.key(repeat('word ', 2000)) <> pg_temp.key(repeat('word ', 2001)) AS tells_apart;
ROLLBACK;
