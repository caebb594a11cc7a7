WITH RECURSIVE labelled AS (
	SELECT l.objoid AS relation, a.attname::pg_catalog.text AS attribute, l.label
	FROM pg_catalog.pg_seclabel l
	LEFT JOIN pg_catalog.pg_attribute a
		ON a.attrelid OPERATOR(pg_catalog.=) l.objoid
		AND a.attnum OPERATOR(pg_catalog.=) l.objsubid
		AND l.objsubid OPERATOR(pg_catalog.<>) 0
	WHERE l.provider OPERATOR(pg_catalog.=) 'sqlagent'
		AND l.classoid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
), family AS (
	SELECT relation, attribute, label FROM labelled
	UNION
	SELECT CASE WHEN i.inhparent OPERATOR(pg_catalog.=) f.relation
			THEN i.inhrelid ELSE i.inhparent END, f.attribute, f.label
	FROM family f
	JOIN pg_catalog.pg_inherits i ON i.inhparent OPERATOR(pg_catalog.=) f.relation
		OR i.inhrelid OPERATOR(pg_catalog.=) f.relation
)
SELECT relation, attribute, label OPERATOR(pg_catalog.=) 'masked'
FROM family
