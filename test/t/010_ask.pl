# A question's whole way: tools, rows, answer, trace, report.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use JSON::PP;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SaCluster;
use SaModel;
use Test::More;

my $model = SaModel->new or plan skip_all => $SaModel::why_not;
my $node = SaCluster->start_company($model->conf);

my $revenue = 'SELECT d.name, sum(i.total) AS revenue FROM departments d '
  . 'JOIN employees e ON e.department_id = d.id '
  . 'JOIN invoices i ON i.employee_id = e.id GROUP BY d.name';

sub last_tool_message
{
	my ($request) = @_;
	my ($last) = grep { $_->{role} eq 'tool' } reverse @{ $request->{messages} };
	return $last->{content};
}

# List, describe, run, answer.
$model->script(
	'total revenue per department',
	[ introspect_schema => {} ],
	[ introspect_schema => { table_name => 'invoices' } ],
	[ run_sql => { sql => $revenue } ],
	'Sales made 12875.00.');
my ($status, $out, $err) = $node->run_as('analyst',
	"SELECT sqlagent.ask('What is the total revenue per department?')");
is($status, 0, 'ask succeeds') or diag $err;
is($out, 'Sales made 12875.00.', 'and gives the answer');
like($err, qr/NOTICE:.*\Q$revenue\E/s, 'the SQL comes as a notice');
is( $node->safe_psql('company',
		q{SELECT string_agg(step || ' ' || kind || ' ' || name || ' ' || outcome, ', ' ORDER BY step)
		FROM sqlagent.steps WHERE run = (SELECT max(id) FROM sqlagent.runs)}),
	'1 tool introspect_schema ok, 2 tool introspect_schema ok, 3 tool run_sql ok, 4 answer test-model ok',
	'four steps are stored');
is( $node->safe_psql('company',
		'SELECT status, asker, run_as, requests, iterations, row_count FROM sqlagent.runs ORDER BY id DESC LIMIT 1'
	),
	'answered|analyst|analyst|4|4|1',
	'and the run');
is( $node->safe_psql('company',
		q{SELECT sql_hash = md5(sql), row_count, truncated FROM sqlagent.steps
		WHERE run = (SELECT max(id) FROM sqlagent.runs) AND step = 3}),
	't|1|f',
	'with the statement and its rows');
my @requests = $model->requests;
is(scalar @requests, 4, 'the model was called four times');
like(last_tool_message($requests[1]), qr/"employees".*"invoices"/s,
	'it was told the tables');
like(last_tool_message($requests[2]), qr/customer_id.*numeric\(12,2\)/s,
	'the columns of one');
like(last_tool_message($requests[3]), qr/Sales,12875\.00/, 'and the rows');
is( join(' ', map { $_->{role} } @{ $requests[3]{messages} }),
	'system user assistant tool assistant tool assistant tool',
	'in one conversation');
my ($headers) = map { $_->{headers} } $model->journal;
ok(!exists $headers->{authorization}, 'no key was set, and none was sent');

# A wrong column first: the error goes back to the model, which corrects it.
$model->reset;
$model->script(
	'best customer',
	[
		run_sql => {
			sql =>
			  'SELECT c.nam, sum(i.total) FROM customers c JOIN invoices i ON i.customer_id = c.id GROUP BY c.name'
		}
	],
	[
		run_sql => {
			sql =>
			  'SELECT c.name, sum(i.total) FROM customers c JOIN invoices i ON i.customer_id = c.id GROUP BY c.name ORDER BY 2 DESC LIMIT 1'
		}
	],
	'Marie Dupont, with 3700.00.');
my $report = decode_json(
	$node->safe_psql(
		'company', "SELECT sqlagent.ask_json('Who is the best customer?')",
		extra_params => [ '-U', 'analyst' ]));
is($report->{status}, 'answered', 'a wrong column is corrected');
is($report->{answer}, 'Marie Dupont, with 3700.00.', 'and answered');
@requests = $model->requests;
my $told = decode_json(last_tool_message($requests[1]))->{error};
is($told->{sqlstate}, '42703', 'the model was told the code');
is($told->{type}, 'unknown_column', 'the kind');
is($told->{position}, 8, 'the position');
like($told->{hint}, qr/c\.name/, 'and the hint of the server');
is(scalar @{ $report->{errors} }, 1, 'the report holds the error');
is($report->{errors}[0]{type}, 'unknown_column', 'with its kind');
like($report->{errors}[0]{sql}, qr/c\.nam,/, 'and its statement');
is_deeply($report->{rows}, [ [ 'Marie Dupont', 3700 ] ], 'the rows');
is($report->{columns}[0]{name}, 'name', 'the columns');
is($report->{row_count}, 1, 'their count');
is($report->{usage}{requests}, 3, 'and the usage');
is( $node->safe_psql('company',
		q{SELECT string_agg(outcome, ' ' ORDER BY step) FROM sqlagent.steps
		WHERE run = (SELECT max(id) FROM sqlagent.runs)}),
	'error ok ok',
	'both statements are in the trace');

# What models do wrong is told to them and ends no run.
$model->reset;
$model->script(
	'strange model',
	[ drop_everything => {} ],
	[ run_sql => '["SELECT 1"]' ],
	[ run_sql => { statement => 'SELECT 1' } ],
	[ run_sql => { sql => "```sql\nSELECT count(*) FROM employees\n```" } ],
	[
		run_sql => { sql => 'SELECT count(*) FROM customers' },
		run_sql => { sql => 'SELECT count(*) FROM invoices' }
	],
	[ run_sql => { sql => "SELECT '```' AS fence" } ],
	'Five, six and nine.');
is($node->ask('A strange model'), 'Five, six and nine.', 'strange calls');
is( $node->safe_psql('company',
		q{SELECT string_agg(outcome || coalesce(' ' || row_count, ''), ', ' ORDER BY step)
		FROM sqlagent.steps WHERE run = (SELECT max(id) FROM sqlagent.runs)}),
	'error, error, error, ok 1, ok 1, ok 1, ok 1, ok',
	'unknown tool, wrong arguments, a fence, two calls at once, no fence');

# A blank reply: the answer is made from the rows.
$model->reset;
$model->script(
	'silent',
	[ run_sql => { sql => 'SELECT count(*) AS employees FROM employees' } ],
	'   ');
like($node->ask('The silent model'), qr/employees: 5/, 'a blank reply');

# At the limit of replies one last call without tools brings the answer.
$model->reset;
$model->script(
	'endless',
	map { [ run_sql => { sql => "SELECT $_" } ] } 1 .. 3);
$model->reply_to('No more tools', 3, 'I give up.');
$report = decode_json(
	$node->safe_psql(
		'company',
		"SET sqlagent.max_iterations = 3; SELECT sqlagent.ask_json('The endless model')",
		extra_params => [ '-U', 'analyst' ]));
is($report->{answer}, 'I give up.', 'the limit of replies');
ok(!exists(($model->requests)[3]{tools}), 'the last call has no tools');
like("@{ $report->{warnings} }", qr/max_iterations/, 'and is said');

# What a question cannot be answered by is refused, not invented.
$model->reset;
$model->script('weather', 'CANNOT ANSWER: there is no weather here.');
$report = decode_json(
	$node->safe_psql(
		'company', "SELECT sqlagent.ask_json('How is the weather?')",
		extra_params => [ '-U', 'analyst' ]));
is($report->{status}, 'refused', 'no answer to be had');
is($report->{answer}, 'there is no weather here.', 'with the reason');

# Statements that are not for a model are refused and stored.
$model->reset;
$model->script(
	'vandal',
	[ run_sql => { sql => 'DELETE FROM invoices' } ],
	[ run_sql => { sql => 'SELECT pg_sleep(1)' } ],
	'I may not.');
is($node->ask('The vandal'), 'I may not.', 'forbidden statements');
is( $node->safe_psql('company',
		q{SELECT string_agg(outcome, ' ' ORDER BY step) FROM sqlagent.steps
		WHERE run = (SELECT max(id) FROM sqlagent.runs)}),
	'refused refused ok',
	'are refused');
is($node->safe_psql('company', 'SELECT count(*) FROM invoices'),
	9, 'and change nothing');

# to_sql gives a statement and runs none.
$model->reset;
$model->script('headcount', 'SELECT count(*) FROM employee');
$model->reply_to('does not exist',
	1, "```sql\nSELECT count(*) FROM employees\n```");
($status, $out, $err) = $node->run_as('analyst',
	"SELECT sqlagent.to_sql('The headcount')");
is($out, 'SELECT count(*) FROM employees', 'to_sql, corrected once')
  or diag $err;

# The key comes from a file that only the server's user may read.
$model->reset;
$model->script('secret', 'It was.');
my $key_file = $node->data_dir . '/key';
append_to_file($key_file, "quagga-key\n");
chmod 0600, $key_file;
$node->append_conf('postgresql.conf', "sqlagent.api_key_file = '$key_file'");
$node->reload;
is($node->ask('Was a secret sent?'), 'It was.', 'ask with a key');
($headers) = map { $_->{headers} } $model->journal;
ok($headers->{authorization}, 'the key was sent');
is($node->log_lines(qr/quagga/), 0, 'and is not in the log');
is( $node->safe_psql('company',
		q{SELECT count(*) FROM sqlagent.runs r, sqlagent.steps s WHERE r::text || s::text LIKE '%quagga%'}
	),
	0,
	'nor stored');

# show_prompt sends nothing.
$model->reset;
my $prompt = decode_json(
	$node->safe_psql(
		'company', "SELECT sqlagent.show_prompt('How many invoices are there?')",
		extra_params => [ '-U', 'analyst' ]));
cmp_ok($prompt->{tokens}, '>', 100, 'show_prompt estimates tokens');
like(encode_json($prompt->{request}), qr/How many invoices/, 'shows the request');
unlike(encode_json($prompt), qr/quagga/, 'without the key');
is(scalar $model->requests, 0, 'and sends nothing');

done_testing();
