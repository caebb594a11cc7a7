# What a report tells beside the rows: how to draw them, their figures, the
# model's assumptions and follow-up questions; and the drawings of stored runs.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use JSON::PP;
use PostgreSQL::Test::Utils;
use SaCluster;
use SaModel;
use Test::More;

my $model = SaModel->new or plan skip_all => $SaModel::why_not;
my $node = SaCluster->start_company($model->conf);
my $number = 0;

sub report
{
	my ($sql, $answer) = @_;
	my $question = 'What is it ' . join '', map { chr 97 + $_ } split //, 100 + $number++;
	$model->script($question, [ run_sql => { sql => $sql } ], $answer // 'Done.');
	my ($status, $out, $err) = $node->run_as('analyst', "SELECT sqlagent.ask_json('$question')");
	die $err if $status;
	return decode_json($out);
}

for my $case (
	[ 'SELECT name, salary FROM employees', 'bar', 'name', 'salary' ],
	[ 'SELECT id, name, salary FROM employees', 'bar', 'name', 'salary' ],
	[ 'SELECT id, salary FROM employees', 'bar', 'id', 'salary' ],
	[ 'SELECT date_trunc(\'month\', issued_on) AS m, sum(total) AS total, count(*) AS n FROM invoices GROUP BY 1', 'line', 'm', 'total n' ],
	[ 'SELECT extract(year FROM hired_on) AS year, count(*) AS hired FROM employees GROUP BY 1', 'line', 'year', 'hired' ],
	[ 'SELECT country, 100.0 * count(*) / sum(count(*)) OVER () AS percent FROM customers GROUP BY 1', 'pie', 'country', 'percent' ],
	[ 'SELECT a * 1.5 AS a, a * a AS b FROM generate_series(1, 60) a', 'scatter', 'a', 'b' ],
	[ 'SELECT max(salary) AS salary FROM employees', 'table' ],
	[ 'SELECT name, title FROM employees', 'table' ],
	[ 'SELECT i::text AS name, i AS amount FROM generate_series(1, 60) i', 'table' ])
{
	my ($sql, $type, $x, $y) = @$case;
	my $drawing = report($sql)->{visualization};
	is(join(' ', $drawing->{type}, $drawing->{x} // (), @{ $drawing->{y} // [] }),
		join(' ', $type, $x // (), $y // ()), "$type: $sql");
}

# figures are those that the server reckons
my $sql = 'SELECT customer_id, total, CASE WHEN id > 2 THEN id * 2 END AS twice FROM invoices';
my $stats = report($sql)->{stats};
is(scalar @$stats, 2, 'keys have no figures');
my $want = $node->safe_psql('company', "SELECT concat_ws(' ', 'twice', count(twice), count(*) - count(twice), min(twice), max(twice), avg(twice)::float8,
	percentile_cont(0.25) WITHIN GROUP (ORDER BY twice), percentile_cont(0.5) WITHIN GROUP (ORDER BY twice), percentile_cont(0.75) WITHIN GROUP (ORDER BY twice)) FROM ($sql) q");
is(join(' ', map { $stats->[1]{$_} } qw(column count nulls min max mean q1 median q3)), $want, 'figures of a column');
$stats = report('SELECT a AS amount FROM (VALUES (1), (2), (NULL), (3), (4)) v (a)')->{stats};
is(scalar @$stats, 1, 'one column of numbers');
is(join(' ', map { $stats->[0]{$_} + 0 } qw(count nulls min max mean q1 median q3)), '4 1 1 4 2.5 1.75 2.5 3.25',
	'figures reckoned by hand');
is(report('SELECT NULL::int AS nothing')->{stats}[0]{mean}, undef, 'of nothing there are none');
is_deeply(report('SELECT name FROM employees')->{stats}, [], 'text has none');

# assumptions and follow-up questions
my $report = report('SELECT count(*) AS n FROM invoices',
	"There are 9 invoices.\nASSUMPTION: all years count\n- **Assumption:** open ones too\nFOLLOW-UP: Which are open?\nFollow up: Who wrote them?");
is($report->{answer}, 'There are 9 invoices.', 'notes are no part of the answer');
is_deeply($report->{assumptions}, [ 'all years count', 'open ones too' ], 'assumptions');
is_deeply($report->{follow_ups}, [ 'Which are open?', 'Who wrote them?' ], 'follow-up questions');
like(($model->requests)[-1]{messages}[0]{content}, qr/ASSUMPTION:.*FOLLOW-UP:/s, 'the model was asked for them');
$model->script('in words', "There are some.\nASSUMPTION: none");
is($node->ask('Now in words'), "There are some.\nASSUMPTION: none", 'ask() asks for none');
unlike(($model->requests)[-1]{messages}[0]{content}, qr/FOLLOW-UP/, 'and takes none');
$report = report('SELECT 1 AS n', 'FOLLOW-UP: Which are open?');
is($report->{answer}, 'FOLLOW-UP: Which are open?', 'an answer is not taken for a note');

# drawings of stored runs
$report = report('SELECT name, salary FROM employees ORDER BY salary DESC');
my $run = $report->{run};
like(($node->run_as('analyst', "SELECT sqlagent.chart($run)"))[1], qr/^salary by name\nBob Brown +110000 .+\nAlice/, 'a chart of a run');
like(($node->run_as('analyst', "SELECT sqlagent.chart_svg($run)"))[1], qr/^<svg.*Bob Brown: 110000/s, 'a picture');
like(($node->run_as('analyst', "SELECT sqlagent.show_rows($run)"))[1], qr/^ name +\| salary\n-+\+-+\n Bob Brown +\| 110000\n/, 'a table');
$node->safe_psql('company', 'CREATE ROLE other LOGIN; GRANT USAGE ON SCHEMA sqlagent TO other');
like(($node->run_as('other', "SELECT sqlagent.chart($run)"))[2], qr/this is no report of a run.*Pass the id of a run of yours/s, 'none of the run of another role');
like(($node->run_as('analyst', "SELECT sqlagent.$_(4711)"))[2], qr/no report of a run/, "$_: nor of none") for qw(chart chart_svg show_rows);
$model->script('no rows at all', 'CANNOT ANSWER: there are none.');
$node->run_as('analyst', q{SELECT sqlagent.ask('no rows at all')});
is(($node->run_as('analyst', 'SELECT sqlagent.show_rows(max(id)) FROM sqlagent.runs'))[1], '(the run has no rows)', 'and of a run without rows it says so');

done_testing();
