-- Charts are drawn of reports alone.  Their blocks need UTF-8.
SELECT getdatabaseencoding() <> 'UTF8' AS skip \gset
\if :skip
\quit
\endif
CREATE FUNCTION pg_temp.report(drawing text, columns text, rows text) RETURNS jsonb
LANGUAGE sql AS $$
	SELECT jsonb_build_object('question', 'How <much> & "when"?', 'visualization', drawing::jsonb,
		'columns', (SELECT jsonb_agg(jsonb_build_object('name', c)) FROM unnest(string_to_array(columns, ',')) c),
		'rows', rows::jsonb)
$$;
\pset format unaligned
\pset tuples_only
-- bars: lengths go with the amounts, and negative ones are told by their figure
SELECT sqlagent.chart(pg_temp.report('{"type": "bar", "x": "name", "y": ["total"]}', 'name,total',
	'[["Carol Davis", 6525.50], ["David Wilson", 6349.50], ["Nobody", 0], ["Minus", -3000], [null, null]]'), 60);
SELECT sqlagent.chart(pg_temp.report('{"type": "bar", "x": "name", "y": ["a", "b"]}', 'a,name,b',
	'[[1, "one", 2], [3, "three\nlines of a name that is too long to be shown in full", 4]]'), 40);
-- dots
SELECT sqlagent.chart(pg_temp.report('{"type": "line", "x": "month", "y": ["total"]}', 'month,total',
	'[["2024-01", 1], ["2024-02", 2], ["2024-03", 4], ["2024-04", 8], ["2024-05", 16]]'));
SELECT sqlagent.chart(pg_temp.report('{"type": "scatter", "x": "a", "y": ["b"]}', 'a,b', '[[1, 1], [2, 4], [3, 9], [null, 5]]'), 40);
-- shares are bars as well
SELECT sqlagent.chart(pg_temp.report('{"type": "pie", "x": "name", "y": ["pct"]}', 'name,pct', '[["x", 75], ["y", 25]]'), 30);
-- everything else is a table
SELECT sqlagent.chart(pg_temp.report('{"type": "table"}', 'id,name', '[[1, "a"], [22, null]]'));
SELECT sqlagent.show_rows(pg_temp.report('null', 'id,name', '[[1, "Müller"], [22, "日本"]]'));
SELECT sqlagent.show_rows(pg_temp.report('null', 'a', '[]'));
SELECT sqlagent.chart(pg_temp.report('{"type": "bar", "x": "gone", "y": ["name"]}', 'name', '[["x"]]'));
-- what is no report, and no width
SELECT sqlagent.chart('{"rows": 1}'::jsonb);
SELECT sqlagent.chart(pg_temp.report('null', 'a', '[]'), 5);
SELECT sqlagent.chart_svg(pg_temp.report('{"type": "table"}', 'a', '[[1]]'));
-- pictures
SELECT sqlagent.chart_svg(pg_temp.report('{"type": "pie", "x": "name", "y": ["pct"]}', 'name,pct', '[["<script>", 75], ["y", 25]]'));
SELECT kind, regexp_count(picture, '<' || element || ' ') AS elements
FROM (VALUES ('bar', 'rect'), ('line', 'path'), ('scatter', 'circle'), ('pie', 'path')) v (kind, element),
	LATERAL sqlagent.chart_svg(pg_temp.report(format('{"type": "%s", "x": "x", "y": ["a", "b"]}', kind), 'x,a,b',
		'[[1, 10, 5], [2, 20, -5], [3, null, 8]]')) picture;
SELECT sqlagent.chart_svg(pg_temp.report('{"type": "pie", "x": "name", "y": ["pct"]}', 'name,pct', '[["all", 100]]')) ~ '<circle' AS whole;
-- of runs that are not there
SELECT sqlagent.chart(4711);
SELECT sqlagent.chart_svg(4711);
SELECT sqlagent.show_rows(4711);
