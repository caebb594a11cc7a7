SELECT r.table_name::pg_catalog.oid, r.foreign_table::pg_catalog.oid,
	r.columns::pg_catalog.text[], r.foreign_columns::pg_catalog.text[], r.rejected
FROM sqlagent.relationships r
ORDER BY r.id
