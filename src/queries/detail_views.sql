SELECT r.ev_class, d.refobjid, d.refobjsubid
FROM pg_catalog.pg_rewrite r
JOIN pg_catalog.pg_depend d
	ON d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_rewrite'::pg_catalog.regclass
	AND d.objid OPERATOR(pg_catalog.=) r.oid
	AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
WHERE r.ev_class OPERATOR(pg_catalog.=) ANY ($1)
	AND r.rulename OPERATOR(pg_catalog.=) '_RETURN'
