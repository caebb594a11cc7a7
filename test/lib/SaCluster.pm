# SaCluster.pm
#    A cluster with the extension and the sample database, and what the tests
#    ask of it.  A subclass of PostgreSQL::Test::Cluster.
#
#    my $node = SaCluster->start_company($model->conf);
#    is($node->ask('How many employees are there?'), ...);
package SaCluster;

use strict;
use warnings;
use parent 'PostgreSQL::Test::Cluster';
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use IPC::Run ();
use PostgreSQL::Test::Utils ();
use Test::More ();
use Time::HiRes qw(time usleep);

our $top = abs_path(dirname(__FILE__) . '/../..');
my $count = 0;

# A running cluster with database company and role analyst, who may use
# sqlagent and read the sample tables.
sub start_company
{
	my ($class, $conf, %options) = @_;
	my $node = PostgreSQL::Test::Cluster::new($class, 'company' . ++$count);
	$node->init(extra => $options{initdb} // []);
	$node->append_conf('postgresql.conf', <<"CONF");
max_worker_processes = 20
max_connections = 40
log_line_prefix = '%m [%p] %b '
$conf
CONF
	$node->start;
	$node->safe_psql('postgres', 'CREATE ROLE analyst LOGIN');
	$node->make_company('company');
	return $node;
}

sub make_company
{
	my ($node, $database, $options) = @_;
	$node->safe_psql('postgres',
		"CREATE DATABASE $database " . ($options // ''));
	$node->safe_psql($database, <<"SQL");
CREATE EXTENSION sqlagent;
GRANT USAGE ON SCHEMA sqlagent TO analyst;
\\i $top/test/sample/company.sql
GRANT SELECT ON ALL TABLES IN SCHEMA public TO analyst;
SQL
}

# Runs statements as a role; returns exit status, output, and messages.
sub run_as
{
	my ($node, $role, $sql, %options) = @_;
	my ($out, $err) = ('', '');
	my $status = $node->psql(
		$options{database} // 'company', $sql,
		stdout => \$out,
		stderr => \$err,
		on_error_stop => 1,
		extra_params => [ '-U', $role ],
		timeout => $PostgreSQL::Test::Utils::timeout_default);
	return ($status, $out, $err);
}

sub quote
{
	my ($text) = @_;
	$text =~ s/'/''/g;
	return "'$text'";
}

# The answer to a question of the analyst; dies when there is none.
sub ask
{
	my ($node, $question, %options) = @_;
	my ($status, $out, $err) = $node->run_as($options{role} // 'analyst',
		'SELECT sqlagent.ask(' . quote($question) . ')', %options);
	die "ask failed: $err" if $status != 0;
	return $out;
}

# A session in the background, for what has to be watched or ended from outside.
sub session
{
	my ($node, $role, %options) = @_;
	my $self = { in => '', out => '', err => '' };
	$self->{handle} = IPC::Run::start(
		[
			'psql', '-XAtq', '-v', 'ON_ERROR_STOP=0', '-d',
			$node->connstr($options{database} // 'company') . " user=$role"
		],
		'<', \$self->{in}, '>', \$self->{out}, '2>', \$self->{err},
		IPC::Run::timeout(60));
	return bless $self, 'SaCluster::Session';
}

# Process ids of session workers, as the server shows them.
sub workers
{
	my ($node) = @_;
	return split /\n/,
	  $node->safe_psql('postgres',
		"SELECT pid FROM pg_stat_activity WHERE backend_type LIKE '%sqlagent%' ORDER BY pid"
	  );
}

# The same by the operating system, also when the server is gone: children of
# the postmaster that call themselves sqlagent.
sub worker_processes
{
	my ($node) = @_;
	my @found;
	for my $status (glob '/proc/[0-9]*/cmdline')
	{
		open my $fh, '<', $status or next;
		my $line = <$fh> // '';
		next unless $line =~ /^postgres: .*sqlagent worker/;
		my ($pid) = $status =~ /(\d+)/;
		my $data = readlink "/proc/$pid/cwd";
		push @found, $pid if defined $data && $data eq abs_path($node->data_dir);
	}
	return @found;
}

sub alive
{
	my ($pid) = @_;
	open my $fh, '<', "/proc/$pid/stat" or return 0;

	# without an init nobody may have collected it yet
	return <$fh> !~ /\) Z /;
}

# Seconds until none of the processes is left; undef if that takes too long.
sub seconds_until_gone
{
	my ($start, $limit, @pids) = @_;
	while (time - $start < $limit)
	{
		return time - $start unless grep { alive($_) } @pids;
		usleep(2_000);
	}
	return undef;
}

sub wait_for_no_workers
{
	my ($node, $limit) = @_;
	my $end = time + ($limit // 10);
	while (time < $end)
	{
		return 1 unless $node->workers;
		usleep(20_000);
	}
	return 0;
}

# Log lines since an offset that fit the pattern.
sub log_lines
{
	my ($node, $pattern, $offset) = @_;
	my $text = substr PostgreSQL::Test::Utils::slurp_file($node->logfile), $offset // 0;
	return grep { /$pattern/ } split /\n/, $text;
}

sub log_size { return -s $_[0]->logfile; }

package SaCluster::Session;

sub send
{
	my ($self, $sql) = @_;
	$self->{in} .= "$sql\n";
	$self->pump;
}

# Moves what there is to move, without waiting.
sub pump { $_[0]{handle}->pump_nb; }

# Sends a query and returns its output.
sub query
{
	my ($self, $sql) = @_;
	$self->{out} = '';
	my $told = length $self->{err};
	$self->{mark} = 'done_' . ++$self->{queries};
	$self->send("$sql;\n\\echo $self->{mark}");
	$self->{handle}->pump until $self->{out} =~ /^\Q$self->{mark}\E$/m;
	my $out = $self->{out};
	$out =~ s/^\Q$self->{mark}\E\n//m;
	chomp $out;
	my $messages = substr $self->{err}, $told;
	Test::More::note($messages) if $messages =~ /ERROR|FATAL|PANIC/;
	return $out;
}

# Waits for text in the output or the messages.
sub wait_for
{
	my ($self, $pattern) = @_;
	$self->{handle}->pump
	  until $self->{out} =~ $pattern || $self->{err} =~ $pattern;
}

sub psql_pid { return $_[0]{handle}{KIDS}[0]{PID}; }

sub finish
{
	my ($self) = @_;
	$self->{in} .= "\\q\n";
	eval { $self->{handle}->finish; };
}

1;
