WITH RECURSIVE derived AS (
	SELECT u.relation FROM pg_catalog.unnest($1) AS u(relation)
	UNION
	SELECT r.ev_class
	FROM derived d
	JOIN pg_catalog.pg_depend p
		ON p.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
		AND p.refobjid OPERATOR(pg_catalog.=) d.relation
		AND p.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_rewrite'::pg_catalog.regclass
	JOIN pg_catalog.pg_rewrite r ON r.oid OPERATOR(pg_catalog.=) p.objid
)
SELECT relation FROM derived
