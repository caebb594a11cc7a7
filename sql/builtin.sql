-- What the built-in provider answers about the sample database, and what it
-- refuses.
CREATE SCHEMA company;
SET search_path = company;
\set ECHO none
\i test/sample/company.sql
\set ECHO all
SET sqlagent.trace = off;
\pset format unaligned
\pset tuples_only on

-- one value, a sentence
SELECT sqlagent.ask('How many employees are there?');
SELECT sqlagent.ask('What is the highest salary?');
SELECT sqlagent.ask('How many invoices were issued in March 2024?');
SELECT sqlagent.ask('How many different countries do customers come from?');
SELECT sqlagent.ask('When was Carol Davis hired?');
SELECT sqlagent.ask('How much revenue did we make in 2024?');

-- a row, a few rows
SELECT sqlagent.ask('Which customer has the most total revenue?');
SELECT sqlagent.ask('Which department has the highest average salary?');
SELECT sqlagent.ask('What is the average salary by department? Order by name.');
SELECT sqlagent.ask('How many invoices per month?');
SELECT sqlagent.ask('Which customers are in the USA?');
SELECT sqlagent.ask('customers whose name starts with K');

-- nothing
SELECT sqlagent.ask('employees hired after 2030');

-- the statements: joins, groups, negation, comparison with an aggregate
SELECT sqlagent.to_sql('total revenue per department');
SELECT sqlagent.to_sql('employees hired after 2020-01-01');
SELECT sqlagent.to_sql('customers without invoices');
SELECT sqlagent.to_sql('customers with more than 2 invoices');
SELECT sqlagent.to_sql('Which customers have no email?');
SELECT sqlagent.to_sql('employees who earn above the average salary');
SELECT sqlagent.to_sql('top 3 customers by revenue');
SELECT sqlagent.to_sql('the three most recent invoices');
SELECT sqlagent.to_sql('invoices between 1000 and 1500 of customers from France or Germany');
SELECT sqlagent.to_sql('list the names and salaries of employees in Engineering ordered by salary descending');
SELECT sqlagent.to_sql('invoices issued in the last 30 days');
SELECT sqlagent.to_sql('Which invoices were not paid?');
SELECT sqlagent.to_sql('What is the ratio of customers to employees?');
SELECT sqlagent.to_sql('countries with at least 2 customers');
SELECT sqlagent.to_sql('Which department does Eve Martin work in?');

-- names and values that need quoting, and SQL inside the question
CREATE TABLE "Order Items" ("Item ""Name""" text PRIMARY KEY, "select" integer);
INSERT INTO "Order Items" VALUES ('O''Neil; DROP TABLE x', 1), ('back\slash', 2);
ANALYZE "Order Items";
SELECT sqlagent.to_sql('What is the select of the order item named "O''Neil; DROP TABLE x"?');
SELECT sqlagent.to_sql('order items whose item name contains "50%_\"');
SELECT sqlagent.to_sql('how many order items are there; drop table employees') \gset
SELECT sqlagent.ask('how many employees; DELETE FROM employees; --') LIKE '%could not place%';
SELECT count(*) FROM employees;

-- what is not understood is refused, with the words and the setting
SELECT sqlagent.ask('What is the meaning of life?');
SELECT sqlagent.ask('average shoe size of employees');
SELECT sqlagent.ask('How many cancelled invoices are there?');
SELECT sqlagent.ask('Which employees left in 2020?');
SELECT status, result FROM (SELECT r ->> 'status' AS status, r ->> 'sql' AS result
	FROM sqlagent.ask_json('Which employee is the nicest?') r) x;
SELECT sqlagent.ask(repeat('how many employees ', 50000)) LIKE '%too long%';
SELECT sqlagent.ask(E'how many \001 employees \t\r\n are there');

-- two readings of equal weight: it asks
CREATE TABLE meetings (id integer PRIMARY KEY, topic text NOT NULL,
	starts_on date NOT NULL, ends_on date NOT NULL);
SELECT sqlagent.ask('how many meetings in 2024');

-- the trace looks like any other: tools, then the statement
SELECT s ->> 'kind', s ->> 'name' FROM sqlagent.ask_json('How many customers are from Japan?') r,
	jsonb_array_elements(r -> 'steps') WITH ORDINALITY AS x(s, n)
	WHERE s ->> 'name' <> 'introspect_schema' ORDER BY n;

\pset tuples_only off
SET client_min_messages = warning;
DROP SCHEMA company CASCADE;
