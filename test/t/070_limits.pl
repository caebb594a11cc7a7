# Rows, bytes, cells, time, memory and length of a statement, and of the answer
# of a model.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use JSON::PP;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SaCluster;
use SaServer;
use Test::More;
use Time::HiRes qw(time usleep);

my $node = SaCluster->start_company('');
$node->safe_psql('company', <<'SQL');
CREATE TABLE wide AS SELECT g AS id, repeat('x', 200) AS filler FROM generate_series(1, 200000) g;
CREATE TABLE blob AS SELECT string_agg(md5(g::text), '') AS text FROM generate_series(1, 100000) g;
CREATE TABLE tall AS SELECT * FROM wide;
ANALYZE wide, tall, blob;
GRANT SELECT ON wide, tall, blob TO analyst;
SQL
my $session = $node->session('analyst');

sub run_sql
{
	my ($sql, $settings) = @_;
	$session->query($settings) if $settings;
	my $args = encode_json({ sql => $sql });
	$args =~ s/'/''/g;
	$session->{err} = '';
	my $out = $session->query("SELECT sqlagent.tool_run_sql('$args')");
	die $session->{err} if $out eq '';
	return decode_json($out);
}

# Changes settings of the server, and waits until the session has them.
sub configure
{
	my (%settings) = @_;
	$node->append_conf('postgresql.conf', "$_ = '$settings{$_}'")
	  for keys %settings;
	$node->reload;
	for my $name (keys %settings)
	{
		my $tries = 500;
		usleep(10_000)
		  while $session->query("SHOW $name") ne $settings{$name} && --$tries;
	}
}

sub kind { my ($result) = @_; return $result->{error}{type} // 'no error'; }

# Rows: the flag is exact at the limit
$session->query('SET sqlagent.max_rows = 10');
for my $rows (0, 9, 10, 11)
{
	my $result = run_sql("SELECT id FROM wide LIMIT $rows");
	is($result->{row_count}, $rows > 10 ? 10 : $rows, "$rows rows of 10");
	is(!!$result->{truncated}, $rows > 10, "$rows rows: truncated or not");
}
run_sql('SELECT 1', 'SET sqlagent.max_rows = 1000');
my $result = run_sql('SELECT * FROM tall');
is($result->{row_count}, 1000, 'a large table is read to the limit');
ok($result->{truncated}, 'which is said');

# A cell: left out by its size
$result = run_sql('SELECT text FROM blob');
like($result->{rows}[0][0], qr/3200000|3\.2 ?MB|3125 ?kB/i,
	'a large value is replaced by its size');

# Bytes of a result
configure('sqlagent.max_result_bytes' => '64kB');
$result = run_sql('SELECT * FROM wide');
cmp_ok($result->{row_count}, '<', 1000, 'the bytes of a result are limited');
ok($result->{truncated}, 'which is said');

# Length of a statement
configure('sqlagent.max_sql_bytes' => '1kB');
is(kind(run_sql("SELECT '" . 'x' x 2000 . "'")), 'too_large',
	'length of a statement');

# Time, told apart from a cancel
configure('sqlagent.query_timeout' => '300ms');
my $start = time;
$result = run_sql('SELECT count(*) FROM generate_series(1, 1000000000)');
is(kind($result), 'timeout', 'time of a statement');
cmp_ok(time - $start, '<', 5, 'ends in time');
is($session->query('SELECT 1'), 1, 'the session goes on');

# Memory
configure(
	'sqlagent.query_memory' => '64MB',
	'sqlagent.query_timeout' => '30s');
$result =
  run_sql('SELECT array_agg(a.id) FROM wide a, generate_series(1, 100)');
is($result->{error}{sqlstate}, '53200', 'memory of a statement')
  or diag encode_json($result->{error} // {});
is(run_sql('SELECT 1')->{row_count}, 1, 'the worker goes on');

# Cost
configure('sqlagent.max_cost' => 1000);
$result = run_sql('SELECT count(*) FROM wide a, wide b');
is(kind($result), 'cost_exceeded', 'cost of a statement');
is(run_sql('SELECT count(*) FROM departments')->{row_count},
	1, 'a cheap one passes');
$session->finish;

# The worker's counters are there when it has ended
$node->wait_for_no_workers;
my $read = 0;
for (1 .. 200)
{
	$read = $node->safe_psql('company',
		"SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'tall'");
	last if $read > 0;
	usleep(50_000);
}
ok($read > 0 && $read < 5000, 'and not further') or diag "rows read: $read";

# A model that begins an answer and does not go on: the request's time limit
my $server = SaServer->new('half');
$node->append_conf('postgresql.conf',
	$server->conf . "sqlagent.request_timeout = '500ms'\nsqlagent.retries = 0\n");
$node->reload;
$start = time;
my ($status, $out, $err) =
  $node->run_as('analyst', "SELECT sqlagent.ask('Are you there?')");
isnt($status, 0, 'half an answer is none');
cmp_ok(time - $start, '<', 10, 'and is given up in time');
is( $node->safe_psql('company',
		q{SELECT status, report->'errors'->0->>'type' FROM sqlagent.runs ORDER BY id DESC LIMIT 1}
	),
	'failed|timeout',
	'the run is stored');

# Nobody there
$node->append_conf('postgresql.conf',
	"sqlagent.endpoint = 'http://127.0.0.1:1/v1'");
$node->reload;
($status, $out, $err) =
  $node->run_as('analyst', "SELECT sqlagent.ask('Are you there?')");
isnt($status, 0, 'nobody there');
is( $node->safe_psql('company',
		q{SELECT status, report->'errors'->0->>'type' FROM sqlagent.runs ORDER BY id DESC LIMIT 1}
	),
	'failed|connection_error',
	'a connection error');

done_testing();
