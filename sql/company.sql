-- The sample database holds the figures that tests and documents rely on.
CREATE SCHEMA company;
SET search_path = company;
\set ECHO none
\i test/sample/company.sql
\set ECHO all
SELECT (SELECT count(*) FROM departments) AS departments,
	(SELECT count(*) FROM employees) AS employees,
	(SELECT count(*) FROM customers) AS customers,
	(SELECT count(DISTINCT country) FROM customers) AS countries,
	(SELECT count(*) FROM invoices) AS invoices;
SELECT name, salary FROM employees ORDER BY salary DESC LIMIT 1;
SELECT c.name, sum(i.total), count(*) FROM customers c
	JOIN invoices i ON i.customer_id = c.id
	GROUP BY c.name ORDER BY 2 DESC LIMIT 2;
SELECT d.name, sum(i.total), count(DISTINCT e.id) AS authors
	FROM departments d JOIN employees e ON e.department_id = d.id
	JOIN invoices i ON i.employee_id = e.id GROUP BY d.name;
SELECT name FROM customers c
	WHERE NOT EXISTS (SELECT FROM invoices i WHERE i.customer_id = c.id);
SET client_min_messages = warning;
DROP SCHEMA company CASCADE;
