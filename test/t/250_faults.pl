# Faults at random: every run ends, answered or failed with a coded error, no
# worker is lost, and memory does not grow.  SA_FAULT_RUNS=500 makes it long.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SaCluster;
use SaModel;
use Test::More;
use Time::HiRes qw(time);

my $runs = $ENV{SA_FAULT_RUNS} // 48;
my $sessions = 4;
my $model = SaModel->new or plan skip_all => $SaModel::why_not;
my $node = SaCluster->start_company($model->conf . <<'CONF');
sqlagent.request_timeout = '5s'
sqlagent.run_timeout = '10s'
sqlagent.retries = 1
sqlagent.worker_idle_timeout = '10min'
CONF

$model->script(
	'How many',
	[ run_sql => { sql => 'SELECT count(*) FROM employees' } ],
	'There are 5.');

# kB of memory that is a process's own.
sub memory
{
	my ($pid) = @_;
	my ($anon) = slurp_file("/proc/$pid/status") =~ /RssAnon:\s+(\d+)/;
	return $anon;
}

# First without faults: memory over many asks of one session.
my $session = $node->session('analyst');
my $many = "DO \$\$ BEGIN FOR i IN 1 .. 100 LOOP PERFORM sqlagent.ask('How many employees?'); END LOOP; END \$\$";
$session->query("SET client_min_messages = warning");
$session->query($many);
my ($worker) = $node->workers;
my $before = memory($worker);
$session->query($many) for 1 .. 3;
my $growth = memory($worker) - $before;
cmp_ok($growth, '<', 512, "300 more asks take no more memory ($growth kB)");
is( $node->safe_psql('company',
		"SELECT count(*) FROM sqlagent.runs WHERE status = 'answered'"),
	400, 'all were answered');
$session->finish;

# Then the weather
$model->chaos(
	dropRate => 0.15,
	malformedRate => 0.15,
	rateLimitRate => 0.1,
	disconnectRate => 0.15);
for my $trace ('sql', 'steps')
{
	my $each = int($runs / 2 / $sessions);
	my $last = $node->safe_psql('company', 'SELECT max(id) FROM sqlagent.runs');
	my $start = time;
	my @asking = map { $node->session('analyst') } 1 .. $sessions;
	for my $one (@asking)
	{
		$one->send('\set VERBOSITY verbose');
		$one->send("SET sqlagent.trace = $trace; SET client_min_messages = error;");
		$one->send("SELECT sqlagent.ask('How many employees?');") for 1 .. $each;
		$one->send('\echo finished');
	}
	$_->wait_for(qr/finished/) for @asking;
	my $seconds = time - $start;
	my ($answered, $failed, $others) = split /\|/,
	  $node->safe_psql(
		'company', "
		SELECT count(*) FILTER (WHERE status = 'answered'), count(*) FILTER (WHERE status = 'failed'),
			count(*) FILTER (WHERE status NOT IN ('answered', 'failed')) FROM sqlagent.runs WHERE id > $last");
	note sprintf '%s: %d answered, %d failed in %.1f s', $trace, $answered,
	  $failed, $seconds;
	is($answered + $failed, $each * $sessions, "every run ended, trace $trace");
	is($others, 0, 'as answered or failed');
	cmp_ok($answered, '>', 0, 'some were answered');
	my $messages = join '', map { $_->{err} } @asking;
	my @errors = $messages =~ /ERROR:  (.*)/g;
	is(scalar @errors, $failed, 'the others failed with an error');
	is(scalar(grep { !/^(?:08\w{3}|58000|57014): / } @errors),
		0, 'that has its code');
	is(scalar(() = $messages =~ /FATAL|PANIC|closed the connection unexpectedly/g),
		0, 'and no session was lost');
	is(scalar $node->workers, $sessions, 'nor a worker');
	$_->finish for @asking;
}
unlike(slurp_file($node->logfile), qr/PANIC|was terminated by signal/,
	'nothing crashed');

done_testing();
