# bench.pl [SECTION...]
#    The benchmark: what a question costs beyond the model and its statements.
#    Run by run.sh.  Times vary by machine; ratios are of one run.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use JSON::PP;
use PostgreSQL::Test::Cluster;
use SaCluster;
use SaModel;
use SaWeather;
use Time::HiRes qw(time);

# The test library sends STDOUT to its log when the program starts.
my $table;
BEGIN { open $table, '>&', \*STDOUT or die $!; $table->autoflush; }
my $rounds = $ENV{ROUNDS} // 200;
my $big_rows = $ENV{BIG_ROWS} // 5_000_000;
my $wide = $ENV{WIDE_TABLES} // 10_000;
my $question = 'What is the total revenue per department?';
my $revenue = 'SELECT d.name, sum(i.total) AS revenue FROM departments d '
  . 'JOIN employees e ON e.department_id = d.id '
  . 'JOIN invoices i ON i.employee_id = e.id GROUP BY d.name';

# What a bare agent would ask the catalog in the place of our tools.
my $list = q{SELECT relname, obj_description(oid), reltuples FROM pg_class
	WHERE relkind IN ('r', 'v') AND relnamespace = 'public'::regnamespace};
my $describe = q{SELECT attname, format_type(atttypid, atttypmod), attnotnull,
	col_description(attrelid, attnum) FROM pg_attribute
	WHERE attrelid = 'invoices'::regclass AND attnum > 0};

my $model = SaModel->new('--journal-max', 0) or die $SaModel::why_not;
my $node = SaCluster->start_company($model->conf . "shared_buffers = '256MB'\n");
my $conninfo = $node->connstr('company') . ' user=analyst';

sub line { printf $table "%-52s %s\n", @_; }

sub percentile
{
	my ($share, @values) = @_;
	@values = sort { $a <=> $b } @values;
	return $values[ int($share * $#values + 0.5) ];
}

sub floor_times
{
	my (@arguments) = @_;
	my %times;
	open my $out, '-|', $ENV{FLOOR}, @arguments or die $!;
	while (<$out>)
	{
		my ($name, @values) = split;
		$times{$name} = \@values;
	}
	close $out or die "floor failed";
	return %times;
}

sub play_revenue
{
	$model->reset;
	$model->script(
		'total revenue',
		[ introspect_schema => {} ],
		[ introspect_schema => { table_name => 'invoices' } ],
		[ run_sql => { sql => $revenue } ],
		'Sales made 12875.00.');
}

# A warm question against the same posts and statements.
sub bench_warm
{
	play_revenue();
	$node->ask($question);
	my @statements = map { s/\s+/ /gr } $list, $describe, $revenue;
	my $script = '';
	my $bytes = 0;
	my $number = 0;
	for my $body (map { encode_json($_) } $model->requests)
	{
		my $file = 'body' . ++$number;
		open my $fh, '>', $file or die $!;
		print $fh $body;
		close $fh;
		$bytes += length $body;
		$script .= "post $file\n";
		$script .= 'sql ' . shift(@statements) . "\n" if @statements;
	}
	open my $fh, '>', 'script' or die $!;
	print $fh $script;
	close $fh;
	my %times = floor_times('warm', $rounds, $conninfo, $question,
		"$model->{url}/v1/chat/completions", 'script');
	my ($ask, $bare) =
	  map { percentile(0.5, @{ $times{$_} }) } qw(ask bare);
	line('a warm question, 4 calls, 3 statements', sprintf '%.2f ms', $ask);
	line('the same posts and statements by a bare loop', sprintf '%.2f ms', $bare);
	line('ratio of the medians (budget 1.3)', sprintf '%.2f', $ask / $bare);
	line('ratio of the 95th percentiles',
		sprintf '%.2f', percentile(0.95, @{ $times{ask} }) / percentile(0.95, @{ $times{bare} }));
	line('request bytes of the run', $bytes);
}

# The first question of a session against its second; each process loads the
# library, unless the server has.
sub bench_first
{
	play_revenue();
	first_against_second('of a session');
	$node->append_conf('postgresql.conf', "shared_preload_libraries = 'sqlagent'");
	$node->restart;
	first_against_second('likewise, preloaded');
	$node->append_conf('postgresql.conf', "shared_preload_libraries = ''");
	$node->restart;
}

sub first_against_second
{
	my ($where) = @_;
	my %times = floor_times('first', 40, $conninfo, $question);
	my ($first, $second) =
	  map { percentile(0.5, @{ $times{$_} }) } qw(first second);
	line("the first question $where", sprintf '%.2f ms', $first);
	line('more than the second (budget 15 ms)', sprintf '%.2f ms', $first - $second);
}

sub anonymous_kb
{
	my ($pid) = @_;
	open my $fh, '<', "/proc/$pid/status" or die $!;
	my ($kb) = map { /^RssAnon:\s+(\d+)/ } <$fh>;
	return $kb;
}

# SELECT * of a large table, as a model may ask for it.
sub bench_big
{
	$node->safe_psql('company',
		"CREATE UNLOGGED TABLE big AS SELECT g AS id, md5(g::text) AS text, g * 1.5 AS amount FROM generate_series(1, $big_rows) g; ANALYZE big; GRANT SELECT ON big TO analyst"
	);
	my $session = $node->session('analyst');
	my $call = q{SELECT sqlagent.tool_run_sql('{"sql": "SELECT * FROM big"}')->>'row_count'};
	my $small = $call =~ s/big/departments/r;
	$session->query($small);
	my $backend = $session->query('SELECT pg_backend_pid()');
	my ($worker) = $node->worker_processes;
	my @before = map { anonymous_kb($_) } $backend, $worker;
	my @times = map {
		my $start = time;
		die $session->{err} if $session->query($call) ne '1000';
		1000 * (time - $start)
	} 1 .. 20;
	my @after = map { anonymous_kb($_) } $backend, $worker;
	line("SELECT * of $big_rows rows (budget 20 ms)",
		sprintf '%.1f ms, first %.1f ms', percentile(0.5, @times), $times[0]);
	line('more memory: backend, worker (budget 32 MB)',
		join ', ', map { sprintf '%.1f MB', ($after[$_] - $before[$_]) / 1024 } 0, 1);
	line('memory of an idle worker (anonymous)', sprintf '%.1f MB', $before[1] / 1024);
	$session->finish;
	$node->safe_psql('company', 'DROP TABLE big');
}

# The built-in provider, and the schema text, alone and beside many tables.
sub median_ms
{
	my ($session, $query, $count) = @_;
	$session->{err} = '';
	return percentile(0.5, map {
		my $start = time;
		$session->query($query);
		die $session->{err} if $session->{err} =~ /ERROR/;
		1000 * (time - $start)
	} 1 .. $count);
}

sub bench_tables
{
	my ($what) = @_;
	my $session = $node->session('analyst');
	$session->query('SELECT 1');
	my $prompt = "SELECT sqlagent.show_prompt('$question')->>'tokens'";
	my $first = median_ms($session, $prompt, 1);
	my $tokens = $session->query($prompt);
	line("prompt with $what: first", sprintf '%.1f ms', $first);
	line("prompt with $what: next, tokens",
		sprintf '%.1f ms, %d', median_ms($session, $prompt, 30), $tokens);
	$session->finish;
	$node->append_conf('postgresql.conf', "sqlagent.provider = 'builtin'");
	$node->reload;
	$session = $node->session('analyst');
	$session->query("SELECT sqlagent.ask('$question')");
	line("built-in provider with $what: a question",
		sprintf '%.1f ms', median_ms($session, "SELECT sqlagent.ask('$question')", 30));
	my ($worker) = $node->worker_processes;
	line("memory of that worker (anonymous)", sprintf '%.1f MB', anonymous_kb($worker) / 1024);
	$session->finish;
	$node->append_conf('postgresql.conf', "sqlagent.provider = 'openai'");
	$node->reload;
}

sub bench_wide
{
	bench_tables('4 tables');
	my @words = qw(order item stock batch route visit claim score event asset);
	for my $schema (0 .. 9)
	{
		my $sql = "CREATE SCHEMA s$schema; GRANT USAGE ON SCHEMA s$schema TO analyst;";
		for my $number (1 .. $wide / 10)
		{
			my ($a, $b) = ($words[ $number % 10 ], $words[ ($number / 10) % 10 ]);
			$sql .= "CREATE TABLE s$schema.${a}_${b}_$number (id int PRIMARY KEY, ${a}_id int, ${b}_name text, "
			  . "code text, amount numeric, created timestamptz, note text, kind text, place text, flag bool);\n";
			$sql .= "COMMENT ON TABLE s$schema.${a}_${b}_$number IS 'Each $a of a $b, number $number';\n"
			  if $number % 3 == 0;
		}
		$node->safe_psql('company', "SET client_min_messages = warning; BEGIN; $sql COMMIT");
		$node->safe_psql('company', "GRANT SELECT ON ALL TABLES IN SCHEMA s$schema TO analyst");
	}
	bench_tables("$wide tables beside them");
}

# Many sessions at a model that takes its time: one call each question, so that
# the ideal is sessions / latency.
sub bench_sessions
{
	my ($sessions, $each, $latency) = (32, 30, 0.2);
	my $weather = SaWeather->new;
	$node->append_conf('postgresql.conf',
		"max_worker_processes = 64\nmax_connections = 80\n"
		  . "sqlagent.ground = off\nsqlagent.endpoint = '" . $weather->endpoint('slow') . "'");
	$node->restart;
	my @asking = map { $node->session('analyst') } 1 .. $sessions;
	my $ask = "DO \$\$ BEGIN FOR i IN 1 .. %d LOOP PERFORM sqlagent.ask('What is it?'); END LOOP; END \$\$";
	my @backends = map {
		$_->query('SET client_min_messages = warning');
		$_->query(sprintf $ask, 1);
		$_->query('SELECT pg_backend_pid()')
	} @asking;
	my $start = time;
	$_->send(sprintf("$ask;", $each) . "\n\\echo finished") for @asking;
	$_->wait_for(qr/finished/) for @asking;
	my $rate = $sessions * $each / (time - $start);
	my $ideal = $sessions / $latency;
	my $answered = $node->safe_psql('company',
		q{SELECT count(*) FROM sqlagent.runs WHERE status = 'answered' AND question = 'What is it?'});
	die "$answered answered" if $answered != $sessions * ($each + 1);
	line("$sessions sessions, a model of 200 ms: runs a second",
		sprintf '%.1f of %d (%.0f %%)', $rate, $ideal, 100 * $rate / $ideal);
	my @workers = $node->worker_processes;
	line('memory of a session: backend, worker (anonymous)',
		join ', ', map { sprintf '%.1f MB', percentile(0.5, map { anonymous_kb($_) } @$_) / 1024 }
		  \@backends, \@workers);
	$_->finish for @asking;
	bench_asks($ask, $weather);
}

# What a session's worker and backend grow by.
sub bench_asks
{
	my ($ask, $weather) = @_;
	$node->append_conf('postgresql.conf',
		"sqlagent.endpoint = '" . $weather->endpoint('ok') . "'");
	$node->restart;
	my $session = $node->session('analyst');
	$session->query('SET client_min_messages = warning');
	$session->query(sprintf $ask, 100);
	my $backend = $session->query('SELECT pg_backend_pid()');
	my @processes = ($backend, $node->worker_processes);
	my @before = map { anonymous_kb($_) } @processes;
	$session->query(sprintf $ask, 200) for 1 .. 5;
	my @after = map { anonymous_kb($_) } @processes;
	line('1,000 more asks of a session: backend, worker grow by',
		join ', ', map { sprintf '%d kB', $after[$_] - $before[$_] } 0, 1);
	$session->finish;
}

my %sections = (
	sessions => \&bench_sessions,
	warm => \&bench_warm,
	first => \&bench_first,
	big => \&bench_big,
	wide => \&bench_wide);
for my $section (@ARGV ? @ARGV : qw(warm first big wide sessions))
{
	$sections{$section}->();
}
print $table "done\n";
