--
-- company.sql
--    The sample database: a small consulting firm, made up for this project.
--
-- Loaded by "make demo" and by the tests (\i), into the first schema of the
-- search_path.  The figures below are what the tests rely on: 3 departments,
-- 5 employees, 6 customers in 5 countries (one without invoices), 9 invoices;
-- Bob Brown earns most, 110000; Marie Dupont has the most revenue, 3700 in two
-- invoices; all invoices were written by two employees of Sales, 12875 in sum.
--
CREATE TABLE departments (
	id integer PRIMARY KEY,
	name text NOT NULL UNIQUE,
	location text NOT NULL
);
COMMENT ON TABLE departments IS 'Departments of the firm';
COMMENT ON COLUMN departments.location IS 'City of the office';

CREATE TABLE employees (
	id integer PRIMARY KEY,
	name text NOT NULL,
	department_id integer NOT NULL REFERENCES departments,
	title text NOT NULL,
	salary integer NOT NULL CHECK (salary > 0),
	hired_on date NOT NULL
);
CREATE INDEX ON employees (department_id);
COMMENT ON TABLE employees IS 'People who work here';
COMMENT ON COLUMN employees.salary IS 'Yearly salary in dollars';

CREATE TABLE customers (
	id integer PRIMARY KEY,
	name text NOT NULL,
	country text NOT NULL,
	city text NOT NULL,
	email text UNIQUE
);
COMMENT ON TABLE customers IS 'People and firms that buy from us';
COMMENT ON COLUMN customers.email IS 'Null where we have none';

CREATE TABLE invoices (
	id integer PRIMARY KEY,
	customer_id integer NOT NULL REFERENCES customers,
	employee_id integer NOT NULL REFERENCES employees,
	issued_on date NOT NULL,
	paid_on date CHECK (paid_on >= issued_on),
	total numeric(12,2) NOT NULL CHECK (total > 0)
);
CREATE INDEX ON invoices (customer_id);
CREATE INDEX ON invoices (employee_id);
COMMENT ON TABLE invoices IS 'Bills sent to customers; revenue is the sum of total';
COMMENT ON COLUMN invoices.employee_id IS 'Who wrote the invoice';
COMMENT ON COLUMN invoices.paid_on IS 'Null while it is open';
COMMENT ON COLUMN invoices.total IS 'Amount in dollars';

INSERT INTO departments (id, name, location) VALUES
	(1, 'Engineering', 'Hamburg'),
	(2, 'Sales', 'Chicago'),
	(3, 'Support', 'Lisbon');

INSERT INTO employees (id, name, department_id, title, salary, hired_on) VALUES
	(1, 'Alice Johnson', 1, 'Engineer', 95000, '2019-03-18'),
	(2, 'Bob Brown', 1, 'Chief Engineer', 110000, '2017-09-01'),
	(3, 'Carol Davis', 2, 'Account Manager', 72000, '2020-06-15'),
	(4, 'David Wilson', 2, 'Account Manager', 68000, '2022-02-01'),
	(5, 'Eve Martin', 3, 'Support Agent', 51000, '2023-05-08');

INSERT INTO customers (id, name, country, city, email) VALUES
	(1, 'John Smith', 'USA', 'Boston', 'john.smith@example.com'),
	(2, 'Marie Dupont', 'France', 'Lyon', 'marie.dupont@example.com'),
	(3, 'Hans Weber', 'Germany', 'Bremen', NULL),
	(4, 'Emily Clark', 'USA', 'Denver', 'emily.clark@example.com'),
	(5, 'Kenji Tanaka', 'Japan', 'Osaka', 'kenji.tanaka@example.com'),
	(6, 'Ana Souza', 'Brazil', 'Recife', NULL);

INSERT INTO invoices (id, customer_id, employee_id, issued_on, paid_on, total) VALUES
	(1, 1, 3, '2024-01-15', '2024-02-01', 1250.00),
	(2, 2, 3, '2024-01-28', '2024-02-20', 2200.00),
	(3, 3, 4, '2024-02-09', '2024-03-08', 1950.00),
	(4, 4, 4, '2024-02-22', '2024-03-15', 1899.50),
	(5, 1, 3, '2024-03-05', '2024-04-02', 1125.50),
	(6, 2, 4, '2024-03-19', NULL, 1500.00),
	(7, 5, 3, '2024-04-11', '2024-05-10', 1200.00),
	(8, 4, 4, '2024-05-02', NULL, 1000.00),
	(9, 1, 3, '2024-05-23', NULL, 750.00);

ANALYZE departments, employees, customers, invoices;
