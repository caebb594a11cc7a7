# Whatever ends a run that waits for a model ends it within a second, and leaves
# no process behind.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SaCluster;
use SaServer;
use Test::More;
use Time::HiRes qw(time);

my $limit = 1.0;
my $server = SaServer->new('hang');
my $node = SaCluster->start_company($server->conf
	  . "sqlagent.request_timeout = '60s'\nsqlagent.run_timeout = '60s'\n");

# A session that asks, and the processes that serve it, once the model has the
# question.
sub asking
{
	my (%options) = @_;
	my $session = $node->session('analyst');
	my $backend = $session->query('SELECT pg_backend_pid()');
	$session->query($options{before}) if $options{before};
	$session->send($options{sql} // "SELECT sqlagent.ask('Are you there?');");
	$server->wait_for_request($session);
	my @workers = $node->worker_processes;
	is(scalar @workers, 1, "$options{name}: one worker") if $options{name};
	return ($session, $backend, @workers);
}

sub gone_in_time
{
	my ($name, $start, @pids) = @_;
	my $seconds = SaCluster::seconds_until_gone($start, 10, @pids);
	ok(defined $seconds && $seconds <= $limit, "$name: gone in time")
	  or diag('seconds: ' . ($seconds // 'still there'));
}

sub usable
{
	my ($name, $session) = @_;
	is($session->query('SELECT 40 + 2'), '42', "$name: session is usable");
	$session->finish;
}

# Ctrl-C in psql
{
	my ($session, $backend, @workers) = asking(name => 'Ctrl-C');
	my $start = time;
	kill 'INT', $session->psql_pid;
	$session->wait_for(qr/canceling statement due to user request/);
	cmp_ok(time - $start, '<=', $limit, 'Ctrl-C: told in time');
	gone_in_time('Ctrl-C', $start, @workers);
	is( $node->safe_psql('company',
			'SELECT status FROM sqlagent.runs ORDER BY id DESC LIMIT 1'),
		'cancelled',
		'Ctrl-C: the run is stored as cancelled');

	# psql without a terminal ends by it
	$session->finish;
}

# pg_cancel_backend of the caller
{
	my ($session, $backend, @workers) = asking(name => 'cancel');
	my $start = time;
	$node->safe_psql('postgres', "SELECT pg_cancel_backend($backend)");
	$session->wait_for(qr/canceling statement due to user request/);
	cmp_ok(time - $start, '<=', $limit, 'cancel: told in time');
	gone_in_time('cancel', $start, @workers);
	usable('cancel', $session);
}

# statement_timeout of the caller
{
	my $start = time;
	my ($session, $backend, @workers) = asking(
		name => 'statement_timeout',
		before => "SET statement_timeout = '2s'");
	$session->wait_for(qr/canceling statement due to statement timeout/);
	cmp_ok(time - $start, '<=', 2 + $limit, 'statement_timeout: told in time');
	gone_in_time('statement_timeout', time, @workers);
	usable('statement_timeout', $session);
}

# pg_terminate_backend of the caller
{
	my ($session, $backend, @workers) = asking(name => 'terminate caller');
	my $start = time;
	$node->safe_psql('postgres', "SELECT pg_terminate_backend($backend)");
	gone_in_time('terminate caller', $start, $backend, @workers);
	$session->wait_for(qr/terminating connection due to administrator command/);
	pass('terminate caller: told');
	$session->finish;
}

# pg_terminate_backend of the worker
{
	my ($session, $backend, @workers) = asking(name => 'terminate worker');
	my $start = time;
	$node->safe_psql('postgres', "SELECT pg_terminate_backend($workers[0])");
	$session->wait_for(qr/ERROR: /);
	cmp_ok(time - $start, '<=', $limit, 'terminate worker: told in time');
	unlike($session->{err}, qr/server closed|connection to server was lost/,
		'terminate worker: an ordinary error');
	gone_in_time('terminate worker', $start, @workers);
	my $run = $node->safe_psql('company', 'SELECT max(id) FROM sqlagent.runs');
	my $status = "SELECT status FROM sqlagent.runs WHERE id = $run";
	is($node->safe_psql('company', $status),
		'running', 'terminate worker: nobody closed its run');
	$session->send("SELECT sqlagent.ask('Are you there?');");
	$server->wait_for_request($session);
	$node->safe_psql('postgres', "SELECT pg_cancel_backend($backend)");
	$session->wait_for(qr/canceling statement due to user request/);
	gone_in_time('terminate worker: the next', time, $node->worker_processes);
	is($node->safe_psql('company', $status),
		'failed', 'terminate worker: the next worker does');
	usable('terminate worker', $session);
}

# The client goes away, and the server looks for that
{
	my ($session, $backend, @workers) = asking(
		name => 'client gone',
		before => "SET client_connection_check_interval = '200ms'");
	my $start = time;
	kill 'KILL', $session->psql_pid;
	gone_in_time('client gone', $start + 0.2, $backend, @workers);
	$session->finish;
}

# CALL and functions wait the same way
{
	my ($session, $backend, @workers) = asking(
		name => 'in a function',
		sql => "DO \$\$ BEGIN PERFORM sqlagent.ask('Are you there?'); END \$\$;");
	my $start = time;
	$node->safe_psql('postgres', "SELECT pg_cancel_backend($backend)");
	$session->wait_for(qr/canceling statement due to user request/);
	gone_in_time('in a function', $start, @workers);
	usable('in a function', $session);
}

# A worker that waits in a query ends with its caller too
{
	my $session = $node->session('analyst');
	$session->query('SELECT 1');
	$session->send(
		q{SELECT sqlagent.tool_run_sql('{"sql": "SELECT count(*) FROM generate_series(1, 1000000000)"}');}
	);
	my @workers;
	for (1 .. 500)
	{
		@workers = $node->worker_processes and last;
		Time::HiRes::usleep(10_000);
	}
	is(scalar @workers, 1, 'running query: one worker');
	Time::HiRes::usleep(200_000);
	my $start = time;
	kill 'INT', $session->psql_pid;
	$session->wait_for(qr/canceling statement due to user request/);
	cmp_ok(time - $start, '<=', $limit, 'running query: told in time');
	gone_in_time('running query', $start, @workers);
	$session->finish;
}

# Fast shutdown
{
	my ($session, $backend, @workers) = asking(name => 'fast stop');
	my $start = time;
	$node->stop('fast');
	gone_in_time('fast stop', $start, $backend, @workers);
	$session->finish;
	$node->start;
}

# The postmaster dies
{
	my ($session, $backend, @workers) = asking(name => 'postmaster killed');
	my $postmaster = (split /\n/, slurp_file($node->data_dir . '/postmaster.pid'))[0];
	my $start = time;
	$node->kill9;
	gone_in_time('postmaster killed', $start, $backend, @workers);
	$session->finish;
}

done_testing();
