-- Advice on statements that may give a wrong answer without an error.
CREATE SCHEMA advise;
SET search_path = advise;
CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL, region text, code text UNIQUE);
CREATE TABLE orders (id int PRIMARY KEY, customer int NOT NULL REFERENCES customers, at timestamptz NOT NULL, local timestamp, day date, total int, UNIQUE (customer, day));
CREATE TABLE items (orders int REFERENCES orders, product text, price numeric);
CREATE FUNCTION pg_temp.advice(sql text) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT coalesce(a, 'error: ' || (checked->'error'->>'message'))
	FROM sqlagent.tool_check_sql(jsonb_build_object('sql', sql)) checked
	LEFT JOIN LATERAL jsonb_array_elements_text(checked->'warnings') a ON true
	WHERE a IS NOT NULL OR checked->>'allowed' = 'false' $$;
\pset tuples_only
\pset format unaligned
-- NOT IN over what may be NULL
SELECT pg_temp.advice('SELECT * FROM customers WHERE id NOT IN (SELECT orders FROM items)');
SELECT pg_temp.advice('SELECT * FROM customers WHERE id NOT IN (SELECT customer FROM orders)');
SELECT pg_temp.advice('SELECT * FROM customers WHERE id NOT IN (1, 2)');
SELECT pg_temp.advice('SELECT * FROM customers WHERE id IN (SELECT orders FROM items)');
-- UNION
SELECT pg_temp.advice('SELECT name FROM customers UNION SELECT product FROM items');
SELECT pg_temp.advice('SELECT name FROM customers UNION ALL SELECT product FROM items');
SELECT pg_temp.advice('SELECT * FROM (SELECT 1 UNION ALL (SELECT 2 UNION SELECT 3)) q');
-- upper bounds
SELECT pg_temp.advice($$SELECT * FROM orders WHERE at BETWEEN '2024-01-01' AND '2024-01-31'$$);
SELECT pg_temp.advice($$SELECT * FROM orders WHERE local <= date '2024-01-31'$$);
SELECT pg_temp.advice($$SELECT * FROM orders WHERE local <= '2024-01-31 23:59:59'$$);
SELECT pg_temp.advice($$SELECT * FROM orders WHERE local < '2024-02-01'$$);
SELECT pg_temp.advice($$SELECT * FROM orders WHERE day <= '2024-01-31'$$);
-- time zones
SELECT pg_temp.advice('SELECT * FROM orders WHERE at > local');
SELECT pg_temp.advice('SELECT * FROM orders WHERE local > day');
-- whole numbers
SELECT pg_temp.advice('SELECT sum(total) / count(*) FROM orders');
SELECT pg_temp.advice('SELECT sum(total)::numeric / count(*) FROM orders');
SELECT pg_temp.advice('SELECT total / 2.0 FROM orders');
-- bounds of ranges
SELECT pg_temp.advice($$SELECT * FROM orders, (SELECT '[2024-01-01,2024-02-01)'::daterange AS r) q WHERE day BETWEEN lower(r) AND upper(r)$$);
SELECT pg_temp.advice($$SELECT * FROM orders, (SELECT '[2024-01-01,2024-02-01)'::daterange AS r) q WHERE day <@ r AND day < upper(r)$$);
SELECT pg_temp.advice('SELECT * FROM orders WHERE total BETWEEN 1 AND 10');
-- types
SELECT pg_temp.advice($$SELECT * FROM customers WHERE code > '10'$$);
SELECT pg_temp.advice($$SELECT * FROM customers WHERE code > 'inf'$$);
SELECT pg_temp.advice($$SELECT * FROM customers WHERE code = '10' OR code > 'A'$$);
SELECT pg_temp.advice('SELECT * FROM customers WHERE code = 10');
SELECT pg_temp.advice($$SELECT * FROM customers WHERE id = 'Smith'$$);
-- quoting
SELECT pg_temp.advice($$SELECT * FROM customers WHERE 'region' = 'EU'$$);
SELECT pg_temp.advice($$SELECT * FROM customers WHERE name = 'Region'$$);
SELECT pg_temp.advice($$SELECT * FROM customers WHERE region = 'EU'$$);
SELECT pg_temp.advice('SELECT * FROM customers WHERE region = "EU"');
SELECT pg_temp.advice('SELECT * FROM customers WHERE "region" = name');
-- counts of arguments
SELECT pg_temp.advice('SELECT round(price, 1, 2) FROM items');
SELECT pg_temp.advice('SELECT round(price, 1) FROM items');
-- casts
SELECT pg_temp.advice('SELECT price::int FROM items');
SELECT pg_temp.advice('SELECT round(price)::int, extract(year FROM day)::int, price::numeric(10, 2) FROM items, orders WHERE orders = id');
SELECT pg_temp.advice('SELECT sum(total)::int, count(*)::int FROM orders');
SELECT pg_temp.advice($$SELECT * FROM orders WHERE id::numeric = 1.5$$);
SELECT pg_temp.advice($$SELECT * FROM orders WHERE at::date = '2024-01-01'$$);
-- columns of joins
SELECT pg_temp.advice('SELECT * FROM customers c JOIN items i ON i.price = c.id');
SELECT pg_temp.advice('SELECT * FROM customers c JOIN items i ON i.product = c.code');
SELECT pg_temp.advice('SELECT * FROM orders o JOIN customers c ON c.id = o.id');
SELECT pg_temp.advice('SELECT * FROM orders o JOIN customers c ON o.customer = c.id AND o.id = c.id');
SELECT pg_temp.advice('SELECT * FROM orders o JOIN orders p ON o.total = p.total');
-- joins that repeat rows
SELECT pg_temp.advice('SELECT sum(o.total) FROM orders o JOIN items i ON i.orders = o.id');
SELECT pg_temp.advice('SELECT c.name, sum(o.total) FROM orders o JOIN customers c ON c.id = o.customer GROUP BY 1');
SELECT pg_temp.advice('SELECT sum(i.price) FROM orders o JOIN items i ON i.orders = o.id JOIN customers c ON o.customer = c.id');
SELECT pg_temp.advice('SELECT c.name, avg(o.total), sum(i.price) FROM customers c, orders o, items i WHERE o.customer = c.id AND i.orders = o.id GROUP BY 1');
SELECT pg_temp.advice('SELECT sum(DISTINCT o.total) FROM orders o JOIN items i ON i.orders = o.id');
SELECT pg_temp.advice('SELECT sum(o.total) FROM orders o JOIN customers c ON c.code = o.customer::text');
SELECT pg_temp.advice('SELECT sum(o.total) FROM orders o LEFT JOIN orders p ON p.customer = o.customer AND p.day = o.day');
SELECT pg_temp.advice('SELECT sum(o.total) FROM orders o WHERE EXISTS (SELECT FROM items i WHERE i.orders = o.id)');
-- no condition
SELECT pg_temp.advice('SELECT * FROM orders, customers');
SELECT pg_temp.advice('SELECT * FROM orders o JOIN customers c ON true, items i WHERE i.orders = o.id');
SELECT pg_temp.advice('SELECT * FROM orders o, items i, customers c WHERE c.id = o.customer AND i.orders = o.id');
SELECT pg_temp.advice('SELECT * FROM orders o CROSS JOIN LATERAL (SELECT o.total * 2) d');
-- limits
SELECT pg_temp.advice('SELECT * FROM orders LIMIT 5');
SELECT pg_temp.advice('SELECT * FROM orders ORDER BY total LIMIT 5');
-- inner levels are looked at as well, and each advice is given once
SELECT pg_temp.advice('WITH w AS (SELECT * FROM orders LIMIT 5) SELECT *, (SELECT 1 / id FROM customers c WHERE c.id = w.id LIMIT 1) FROM w');
-- what is refused has no advice
SELECT pg_temp.advice('SELECT nothing FROM orders LIMIT 5');
SET client_min_messages = warning;
DROP SCHEMA advise CASCADE;
