# Workers come and go: sessions, idle time, restarts, extensions, databases.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SaCluster;
use SaModel;
use Test::More;

my $model = SaModel->new or plan skip_all => $SaModel::why_not;
my $node = SaCluster->start_company($model->conf);
my $ask = "SELECT sqlagent.ask('The headcount, please')";
$model->script('headcount',
	[ run_sql => { sql => 'SELECT count(*) FROM employees' } ], 'Five.');

# One worker a session, kept for its questions
{
	my $session = $node->session('analyst');
	is($session->query($ask), 'Five.', 'the first question');
	my @first = $node->workers;
	is(scalar @first, 1, 'has a worker');
	is($session->query($ask), 'Five.', 'the second question');
	is_deeply([ $node->workers ], \@first, 'has the same');
	is( $node->safe_psql('postgres',
			"SELECT usename, state, backend_xmin IS NULL FROM pg_stat_activity WHERE pid = $first[0]"
		),
		'analyst|idle|t',
		'which idles as the asker, without a snapshot');
	is($session->query("DISCARD ALL; $ask"), 'Five.', 'after DISCARD ALL');
	$session->finish;
	ok($node->wait_for_no_workers(5), 'it ends with the session');
}

# Killed between questions
{
	my $session = $node->session('analyst');
	$session->query($ask);
	my ($worker) = $node->workers;
	$node->safe_psql('postgres', "SELECT pg_terminate_backend($worker)");
	$node->wait_for_no_workers(5);
	is($session->query($ask), 'Five.', 'after the worker was terminated');
	$session->finish;
}
$node->wait_for_no_workers(5);

# Idle timeout
my $offset = $node->log_size;
{
	my $session = $node->session('analyst');
	$node->append_conf('postgresql.conf', "sqlagent.worker_idle_timeout = '300ms'");
	$node->reload;
	is($session->query($ask), 'Five.', 'with an idle timeout');
	ok($node->wait_for_no_workers(5), 'the worker ends while the session lives');
	is($session->query($ask), 'Five.', 'and comes back');
	$node->append_conf('postgresql.conf', 'sqlagent.worker_idle_timeout = 0');
	$node->reload;
	is($session->query($ask), 'Five.', 'without idle time');
	ok($node->wait_for_no_workers(2), 'it ends after each question');
	is($session->query($ask), 'Five.', 'and is started for each');
	# a request that does not fit into the queue arrives in pieces
	ok($node->wait_for_no_workers(2), 'and ends again');
	$session->query(q{SET app.long = ''; DO $$BEGIN PERFORM set_config('app.long', repeat('x', 1000000), false); END$$});
	is($session->query($ask), 'Five.', 'which waits until the first request is there');
	$session->finish;
	ok($node->wait_for_no_workers(5), 'none is left');
}
is(scalar $node->log_lines(qr/FATAL|PANIC/, $offset),
	0, 'normal ends leave no FATAL in the log')
  or diag join "\n", $node->log_lines(qr/FATAL|PANIC/, $offset);
$node->append_conf('postgresql.conf', "sqlagent.worker_idle_timeout = '60s'");

# Restart
$node->restart;
is($node->ask('The headcount, please'), 'Five.', 'after a restart');

# The extension goes and comes again, in one session that has a worker
{
	my $session = $node->session('analyst');
	$session->query($ask);
	$node->safe_psql('company', 'DROP EXTENSION sqlagent');
	$session->query($ask);
	like($session->{err}, qr/does not exist/, 'after DROP EXTENSION');
	$node->safe_psql('company', <<'SQL');
CREATE EXTENSION sqlagent;
GRANT USAGE ON SCHEMA sqlagent TO analyst;
SQL
	is($session->query($ask), 'Five.', 'after CREATE EXTENSION');
	$session->finish;
	$node->restart;
	is($node->ask('The headcount, please'),
		'Five.', 'and with the server restarted');
}

# Another version of the library is installed while a session has the former:
# its next worker would load the new one
{
	my $session = $node->session('analyst');
	is($session->query($ask), 'Five.', 'before the library is replaced');
	my $path = $node->config_data('--pkglibdir');
	my $version = $node->safe_psql('company',
		"SELECT extversion FROM pg_extension WHERE extname = 'sqlagent'");
	my $other = $version =~ tr/0-9/9/r;
	my $library = slurp_file("$path/sqlagent.so");
	ok($library =~ s/\Q$version\E\0/$other\0/g, 'another version of it');
	my $directory = PostgreSQL::Test::Utils::tempdir;
	chmod 0755, $directory;
	PostgreSQL::Test::Utils::append_to_file("$directory/sqlagent.so", $library);
	$node->append_conf('postgresql.conf',
		"dynamic_library_path = '$directory:\$libdir'");
	$node->reload;
	is($session->query($ask), 'Five.', 'the worker that runs goes on');
	$node->safe_psql('postgres', "SELECT pg_terminate_backend($_)")
	  for $node->workers;
	$node->wait_for_no_workers(5);
	$session->query($ask);
	like($session->{err}, qr/library was replaced.*version \Q$other\E.*Reconnect/s,
		'the next one refuses, and says what to do');
	$node->append_conf('postgresql.conf', "dynamic_library_path = '\$libdir'");
	$node->reload;
	is($session->query($ask), 'Five.', 'with the former library again');
	$session->finish;
}

# A database that takes no connections
{
	my $session = $node->session('analyst');
	$session->query('SELECT 1');
	$node->safe_psql('postgres',
		'ALTER DATABASE company ALLOW_CONNECTIONS false');
	$session->query($ask);
	like(
		$session->{err},
		qr/ERROR: +database "company" is not currently accepting connections/,
		'a database that takes no connections');
	$node->safe_psql('postgres',
		'ALTER DATABASE company ALLOW_CONNECTIONS true');
	is($session->query($ask), 'Five.', 'and takes them again');
	$session->finish;
}

# No worker stands in the way of DROP DATABASE
$node->safe_psql('postgres', 'CREATE DATABASE passing');
$node->safe_psql('passing', <<'SQL');
CREATE EXTENSION sqlagent;
GRANT USAGE ON SCHEMA sqlagent TO analyst;
SQL
$model->script('nothing', 'Nothing.');
is($node->ask('nothing', database => 'passing'), 'Nothing.', 'another database');
is(($node->psql('postgres', 'DROP DATABASE passing'))[0],
	0, 'which can be dropped after the session');

# Preloaded, and on a standby
$node->append_conf('postgresql.conf',
	"shared_preload_libraries = 'sqlagent'\nwal_level = replica\nmax_wal_senders = 4");
$node->restart;
is($node->ask('The headcount, please'), 'Five.', 'preloaded');
$node->backup('base');
my $standby = SaCluster->new('standby');
$standby->init_from_backup($node, 'base', has_streaming => 1);
$standby->start;
my ($status, $out, $err) = $standby->run_as('analyst', $ask);
is($out, 'Five.', 'a hot standby answers') or diag $err;
like($err, qr/WARNING:.*stor/, 'and warns that it cannot store the run');
$standby->stop;

done_testing();
