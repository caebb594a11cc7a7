SELECT c.oid, pg_catalog.pg_get_viewdef(c.oid, true)
FROM pg_catalog.unnest($1) AS c(oid)
