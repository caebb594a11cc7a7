# What the room of a generated statement holds: time, locks, disk, a built-in
# that cannot be interrupted, and that nothing of it remains.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use JSON::PP;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SaCluster;
use Test::More;
use Time::HiRes qw(time usleep);

my $node = SaCluster->start_company(<<'CONF');
sqlagent.query_timeout = '1500ms'
sqlagent.allowed_functions = 'public.slow(text, text, text), public.swallow(integer)'
CONF
$node->safe_psql('company', <<'SQL');
CREATE TABLE big AS SELECT g AS id, md5(g::text) AS filler FROM generate_series(1, 300000) g;
CREATE TABLE long AS SELECT repeat('z', 200000) AS t, repeat('ab', 10000) AS s;
CREATE FUNCTION slow(text, text, text) RETURNS text LANGUAGE internal IMMUTABLE STRICT AS 'translate';
CREATE FUNCTION swallow(int) RETURNS int LANGUAGE plpgsql STABLE AS $$
BEGIN
	FOR i IN 1 .. $1 LOOP
		BEGIN PERFORM pg_sleep(1); EXCEPTION WHEN query_canceled THEN NULL; END;
	END LOOP;
	RETURN 1;
END $$;
ANALYZE big, long;
GRANT SELECT ON big, long TO analyst;
SQL
my $session = $node->session('analyst');

sub run_sql
{
	my ($sql, $in) = @_;
	my $args = encode_json({ sql => $sql });
	$args =~ s/'/''/g;
	my $out = ($in // $session)->query("SELECT sqlagent.tool_run_sql('$args')");
	return $out eq '' ? { raised => 1 } : decode_json($out);
}

sub state_of { return $_[0]{error}{sqlstate} // 'none'; }

# Our time limit is data; it also holds for planning and for what swallows it
my $start = time;
my $result = run_sql('SELECT count(*) FROM big a, big b WHERE a.id < b.id');
is(state_of($result), '57014', 'the time of a statement is limited');
is($result->{error}{type}, 'timeout', 'the error says which limit');
like($result->{error}{message}, qr/1500 ms/, 'and how much it is');
cmp_ok(time - $start, '<', 3, 'it ends in time');
$start = time;
$result = run_sql('SELECT swallow(3)');
cmp_ok(time - $start, '<', 4, 'a function that swallows the cancel is cancelled again');

# The asker's cancel is not data
$session->{err} = '';
$session->send("SELECT sqlagent.tool_run_sql('{\"sql\": \"SELECT count(*) FROM big a, big b, big c\"}');\n\\echo over");
usleep(400_000);
$node->safe_psql('postgres',
	"SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'analyst' AND backend_type = 'client backend'");
$session->wait_for(qr/^over$/m);
like($session->{err}, qr/canceling statement due to user request/, 'a cancel by the asker is raised');
is(run_sql('SELECT 1 AS one')->{row_count}, 1, 'the session goes on');

# A lock of the asker's own transaction
$node->safe_psql('company', 'GRANT ALL ON departments TO analyst');
$session->query('BEGIN');
$session->query('LOCK TABLE departments');
$start = time;
$result = run_sql('SELECT count(*) FROM departments');
$session->query('ROLLBACK');
is($result->{error}{type}, 'timeout', 'a lock is not waited for without end');
like($result->{error}{hint} // '', qr/your own transaction|longer|fewer/, 'the hint says whose it may be');
cmp_ok(time - $start, '<', 4, 'in time');

# With time to spare the lock's own limit speaks
$node->append_conf('postgresql.conf', "sqlagent.query_timeout = '20s'");
$node->reload;
usleep(300_000);
$session->query('BEGIN');
$session->query('LOCK TABLE departments');
$result = run_sql('SELECT count(*) FROM departments');
$session->query('ROLLBACK');
is(state_of($result), '55P03', 'the limit for locks');
like($result->{error}{hint}, qr/your own transaction/, 'with the hint');

# Disk
$node->append_conf('postgresql.conf', "temp_file_limit = '10MB'");
$node->reload;
usleep(300_000);
$result = run_sql('SELECT count(*) FROM generate_series(1, 3000000)');
is(state_of($result), '53400', 'temporary files are limited');

# Settings of the asker reach the statement, but not those that bound it
$session->query("SET work_mem = '1GB'");
$session->query('SET max_parallel_workers_per_gather = 4');
$session->query("SET parallel_setup_cost = 0");
$session->query("SET statement_timeout = 0");
$session->query("SET row_security = off");
$session->query("SET DateStyle = 'German'");
is(run_sql('SELECT DATE \'2024-02-01\' AS d')->{rows}[0][0], '2024-02-01', 'dates are ISO');
is(run_sql('SELECT count(*) FROM big')->{rows}[0][0], 300000, 'a large scan runs');
$session->query('RESET ALL');

# A cell is left out by its stored size, and the limits are exact
$result = run_sql("SELECT t FROM long");
is($result->{omitted}, 1, 'a long value is left out');
like($result->{rows}[0][0], qr/^<value of 200000 bytes left out>$/, 'and its size said');
ok($result->{truncated}, 'which counts as truncated');
$result = run_sql("SELECT left(t, 65536) FROM long");
is($result->{omitted}, 0, 'the longest value that fits');
$result = run_sql("SELECT left(t, 65537) FROM long");
is($result->{omitted}, 1, 'one byte more does not');

# A superuser's session works through another role
$node->append_conf('postgresql.conf', "sqlagent.superuser_role = 'analyst'");
$node->reload;
my $superuser = $node->session('postgres');
is(run_sql('SELECT session_user AS u', $superuser)->{rows}[0][0], 'analyst', 'a superuser is another role in it');
is(state_of(run_sql('SELECT rolname FROM pg_authid', $superuser)), '42501', 'and guarded likewise');
is(state_of(run_sql('SELECT set_config(\'role\', \'postgres\', false)', $superuser)), '42501', 'without a way back');
$superuser->finish;

# A built-in that cannot be interrupted does not hold the asker
$node->append_conf('postgresql.conf', "sqlagent.query_timeout = '1s'");
$node->reload;
usleep(300_000);
my $log = $node->log_size;
$start = time;
$session->{err} = '';
$result = run_sql('SELECT length(slow(t, s, \'\')) FROM long');
cmp_ok(time - $start, '<', 6, 'an answer within the time limit');
like($session->{err}, qr/does not stop at its time limit/, 'that says so');
like(join("\n", $node->log_lines('given up', $log)), qr/PID \d+/, 'the log names the worker');
$node->stop('immediate');
done_testing();
