-- Drawings of what a run brought.  Of a run's id they draw the stored report,
-- which only its asker can read; of none they say that it is none.

CREATE FUNCTION sqlagent.chart(report jsonb, width integer DEFAULT 72)
RETURNS text
AS 'MODULE_PATHNAME', 'sqlagent_chart'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sqlagent.chart(jsonb, integer) IS
	'A chart for the terminal, bars or dots, where the rows have a measure by a label or a time: of what ask_json() returned';

CREATE FUNCTION sqlagent.chart(run bigint, width integer DEFAULT 72)
RETURNS text
LANGUAGE sql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT sqlagent.chart(coalesce((SELECT r.report FROM sqlagent.runs r
		WHERE r.id OPERATOR(pg_catalog.=) $1), '{}'::jsonb), $2);
END;
COMMENT ON FUNCTION sqlagent.chart(bigint, integer) IS
	'A chart for the terminal, bars or dots, where the rows have a measure by a label or a time: of a run by its id';

CREATE FUNCTION sqlagent.chart_svg(report jsonb)
RETURNS text
AS 'MODULE_PATHNAME', 'sqlagent_chart_svg'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sqlagent.chart_svg(jsonb) IS
	'A chart as SVG for the browser: of what ask_json() returned';

CREATE FUNCTION sqlagent.chart_svg(run bigint)
RETURNS text
LANGUAGE sql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT sqlagent.chart_svg(coalesce((SELECT r.report FROM sqlagent.runs r
		WHERE r.id OPERATOR(pg_catalog.=) $1), '{}'::jsonb));
END;
COMMENT ON FUNCTION sqlagent.chart_svg(bigint) IS
	'A chart as SVG for the browser: of a run by its id';

CREATE FUNCTION sqlagent.show_rows(report jsonb)
RETURNS text
AS 'MODULE_PATHNAME', 'sqlagent_show_rows'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sqlagent.show_rows(jsonb) IS
	'The rows as an aligned text table: of what ask_json() returned';

CREATE FUNCTION sqlagent.show_rows(run bigint)
RETURNS text
LANGUAGE sql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT sqlagent.show_rows(coalesce((SELECT r.report FROM sqlagent.runs r
		WHERE r.id OPERATOR(pg_catalog.=) $1), '{}'::jsonb));
END;
COMMENT ON FUNCTION sqlagent.show_rows(bigint) IS
	'The rows as an aligned text table: of a run by its id';
