-- What holds for all objects of the extension: comments, rights, search paths,
-- and that its tables come along in a dump.  Each query lists offenders.
CREATE TEMPORARY VIEW members AS
	SELECT d.classid, d.objid, pg_describe_object(d.classid, d.objid, 0) AS object
	FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
	WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
	AND e.extname = 'sqlagent';

-- There are members at all.
SELECT count(*) > 0 AS has_members FROM members;

-- All are in the extension's schema.
SELECT object FROM members
	WHERE classid IN ('pg_class'::regclass, 'pg_proc'::regclass, 'pg_type'::regclass)
	AND object !~ ' sqlagent\.' ORDER BY 1;

-- Functions, tables and views have comments.
SELECT object FROM members
	WHERE obj_description(objid, classid::regclass::name) IS NULL
	AND (classid = 'pg_proc'::regclass
		OR classid = 'pg_class'::regclass
		AND (SELECT relkind IN ('r', 'v', 'm', 'p') FROM pg_class WHERE oid = objid))
	ORDER BY 1;

-- Nothing is open to those who were not let into the schema.
SELECT n.nspname FROM pg_namespace n, aclexplode(n.nspacl) a
	WHERE n.nspname = 'sqlagent' AND a.grantee = 0;

-- Nobody but the owner may change a table; reading is limited by policies.
SELECT c.oid::regclass, a.privilege_type, c.relrowsecurity
	FROM members m JOIN pg_class c ON c.oid = m.objid, aclexplode(c.relacl) a
	WHERE m.classid = 'pg_class'::regclass AND a.grantee <> c.relowner
	AND (a.privilege_type <> 'SELECT' OR c.relkind = 'r' AND NOT c.relrowsecurity)
	ORDER BY 1, 2;

-- Functions that run with the owner's rights, and all that are written in SQL,
-- have a search_path of their own.
SELECT object FROM members m JOIN pg_proc p ON p.oid = m.objid
	JOIN pg_language l ON l.oid = p.prolang
	WHERE m.classid = 'pg_proc'::regclass AND (p.prosecdef OR l.lanname NOT IN ('c', 'internal'))
	AND NOT coalesce(p.proconfig::text LIKE '%search_path=%', false)
	AND p.prosqlbody IS NULL ORDER BY 1;

-- None is said to be safe in a parallel worker or to be without effect while it
-- calls a model.
SELECT object FROM members m JOIN pg_proc p ON p.oid = m.objid
	WHERE m.classid = 'pg_proc'::regclass AND p.proparallel = 's'
	AND p.provolatile = 'v' ORDER BY 1;

-- Every table and every sequence of it is dumped.
SELECT c.oid::regclass FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE n.nspname = 'sqlagent' AND c.relkind IN ('r', 'S')
	AND NOT EXISTS (SELECT FROM pg_extension WHERE c.oid = ANY (extconfig))
	ORDER BY 1;

-- What whoever may use the schema may call.
SELECT p.oid::regprocedure FROM members m JOIN pg_proc p ON p.oid = m.objid
	WHERE m.classid = 'pg_proc'::regclass
	AND has_function_privilege('public', p.oid, 'EXECUTE')
	ORDER BY p.oid::regprocedure::text COLLATE "C";

DROP VIEW members;
