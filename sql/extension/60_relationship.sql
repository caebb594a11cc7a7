-- How tables belong together where no foreign key says so.
CREATE TABLE sqlagent.relationships (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	table_name regclass NOT NULL,
	columns name[] NOT NULL,
	foreign_table regclass NOT NULL,
	foreign_columns name[] NOT NULL,
	rejected boolean NOT NULL DEFAULT false,
	note text,
	stated_by name NOT NULL DEFAULT SESSION_USER,
	stated_at timestamp with time zone NOT NULL DEFAULT pg_catalog.now(),
	UNIQUE (table_name, columns, foreign_table, foreign_columns),
	CHECK (pg_catalog.cardinality(columns) OPERATOR(pg_catalog.>) 0
		AND pg_catalog.cardinality(columns) OPERATOR(pg_catalog.=) pg_catalog.cardinality(foreign_columns))
);
COMMENT ON TABLE sqlagent.relationships IS
	'Keys between tables that an administrator states, or rejects where names suggest one';
COMMENT ON COLUMN sqlagent.relationships.columns IS
	'Columns of table_name that refer to the foreign_columns of foreign_table, in order';
COMMENT ON COLUMN sqlagent.relationships.rejected IS
	'Whether there is no such key although it looks like one';
ALTER TABLE sqlagent.relationships ENABLE ROW LEVEL SECURITY;
-- Whether the columns may be read is looked at when they are shown.
CREATE POLICY readable ON sqlagent.relationships FOR SELECT
	USING (pg_catalog.has_any_column_privilege(table_name::oid, 'SELECT')
		AND pg_catalog.has_any_column_privilege(foreign_table::oid, 'SELECT'));
GRANT SELECT ON sqlagent.relationships TO PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('sqlagent.relationships', '');
SELECT pg_catalog.pg_extension_config_dump('sqlagent.relationships_id_seq', '');

CREATE FUNCTION sqlagent.relationships_changed()
RETURNS trigger
AS 'MODULE_PATHNAME', 'sqlagent_relationships_changed'
LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION sqlagent.relationships_changed() IS
	'Tells the workers of all sessions that the relationships are other ones now';
REVOKE EXECUTE ON FUNCTION sqlagent.relationships_changed() FROM PUBLIC;
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
	ON sqlagent.relationships FOR EACH STATEMENT
	EXECUTE FUNCTION sqlagent.relationships_changed();
