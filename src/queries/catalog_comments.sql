SELECT d.objoid, d.objsubid, d.description, d.xmin::pg_catalog.text
FROM pg_catalog.pg_description d
WHERE d.objoid OPERATOR(pg_catalog.=) ANY ($1)
	AND d.classoid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
