# The key: where it may be, who may read it, and that it is nowhere else.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use File::Temp qw(tempdir);
use POSIX qw(mkfifo);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SaCluster;
use SaWeather;
use Test::More;
use Time::HiRes qw(usleep);

plan skip_all => SaWeather::why_not() if SaWeather::why_not();
my $weather = SaWeather->new;
my $dir = tempdir(CLEANUP => 1);
my $secret = 'sk-very-secret-0123456789';
my $node = SaCluster->start_company(<<"CONF");
sqlagent.provider = 'openai'
sqlagent.model = 'test-model'
sqlagent.endpoint = '@{[ $weather->endpoint('ok') ]}'
sqlagent.retries = 0
log_min_messages = debug5
log_statement = all
CONF

sub write_file
{
	my ($name, $content, $mode) = @_;
	my $path = "$dir/$name";
	unlink $path;
	open my $fh, '>', $path or die $!;
	print $fh $content;
	close $fh;
	chmod $mode // 0600, $path;
	return $path;
}

sub settings
{
	my (%settings) = @_;
	$node->safe_psql('postgres',
		join "\n",
		map { "ALTER ROLE analyst SET sqlagent.$_ = '$settings{$_}';" }
		  sort keys %settings);
}

my $output = '';

# The answer, or the messages.
sub ask
{
	my ($status, $out, $err) = $node->run_as('analyst',
		"\\set VERBOSITY verbose\nSELECT sqlagent.ask('What is it?')");
	$output .= "$out$err";
	return $status ? $err : $out;
}

sub header { return $weather->last_request->{headers}{ $_[0] }; }

# No key
is(ask(), 'fine', 'a server of our own needs no key');
is(header('authorization'), undef, 'and gets none');

# A file
settings(api_key_file => write_file('key', "$secret\n"));
is(ask(), 'fine', 'a key in a file');
is(header('authorization'), "Bearer $secret", 'is sent');
write_file('key', 'sk-rotated-0123456789');
is(ask(), 'fine', 'another key in the file');
is(header('authorization'), 'Bearer sk-rotated-0123456789',
	'is sent without a restart');
write_file('key', "$secret\n");

# By database; the role's own goes before it
my $by_database = 'sk-of-the-database-0123456789';
write_file('database_key', "$by_database\n");
$node->safe_psql('postgres', <<"SQL");
ALTER ROLE analyst RESET sqlagent.api_key_file;
ALTER DATABASE company SET sqlagent.api_key_file = '$dir/database_key';
SQL
is(ask(), 'fine', 'a key of the database');
is(header('authorization'), "Bearer $by_database", 'is sent');
settings(api_key_file => "$dir/key");
ask();
is(header('authorization'), "Bearer $secret", "a role's own goes before it");

# What everybody can look at shows no key, while it is in use
settings(endpoint => $weather->endpoint('hang'), request_timeout => '20s');
my $asking = $node->session('analyst');
my $before = $weather->count('hang');
$asking->send("SELECT sqlagent.ask('What is it?');");
for (1 .. 500)
{
	last if $weather->count('hang') > $before;
	$asking->pump;
	usleep(20_000);
}
is(header('authorization'), "Bearer $secret", 'the key is in use');
my @workers = $node->worker_processes;
is(scalar @workers, 1, 'by a worker');
like(slurp_file("/proc/$workers[0]/limits"),
	qr/^Max core file size\s+0\s+0\s/m, 'that leaves no core file');
for my $view (
	qw(pg_stat_activity pg_settings pg_file_settings pg_db_role_setting
	pg_stat_ssl pg_locks pg_prepared_statements pg_cursors sqlagent.runs sqlagent.steps))
{
	is( $node->safe_psql('company',
			"SELECT count(*) FROM $view v WHERE v::text ~ 'sk-(very|of-the|rotated)'"),
		0, "$view holds no key");
}
for my $file (qw(cmdline environ))
{
	unlike(slurp_file("/proc/$workers[0]/$file"), qr/sk-very/, "nor does $file");
}
$node->safe_psql('postgres', "SELECT pg_cancel_backend($_)") for @workers;
$asking->finish;
settings(endpoint => $weather->endpoint('ok'), request_timeout => '60s');

# Not by a header's name only, but by the dialect
settings(provider => 'anthropic');
ask();
is(header('x-api-key'), $secret, 'anthropic has a header of its own');
is(header('authorization'), undef, 'and no other');
settings(provider => 'gemini');
ask();
is(header('x-goog-api-key'), $secret, 'so has gemini');
settings(
	provider => 'openai',
	endpoint => $weather->{url} . '/ok/openai/deployments/x?api-version=2024-10-21');
ask();
is(header('api-key'), $secret, 'and Azure');
like($weather->last_request->{url},
	qr{/deployments/x/chat/completions\?api-version=2024-10-21$},
	'whose version stays behind the path');

# Files that are refused
my %refused = (
	missing => [ "$dir/none", qr/No such file/ ],
	empty => [ write_file('empty', ''), qr/one line of visible ASCII/ ],
	open => [ write_file('open', $secret, 0644), qr/Others may read/ ],
	group => [ write_file('group', $secret, 0640), qr/Others may read/ ],
	long => [ write_file('long', 'x' x 5000), qr/too long/ ],
	two_lines => [ write_file('two', "$secret\n$secret\n"), qr/one line/ ],
	carriage_return => [ write_file('cr', "$secret\r\nX-Evil: 1"), qr/one line/ ],
	blank => [ write_file('blank', 'a b'), qr/one line/ ],
	nul => [ write_file('nul', "$secret\0x"), qr/one line/ ],
	directory => [ $dir, qr/not a regular file/ ],
	relative => [ 'key', qr/absolute path/ ],
	device => [ '/dev/zero', qr/not a regular file|belongs|Others may/ ]);
symlink "$dir/key", "$dir/link";
$refused{symlink} = [ "$dir/link", qr/Symbolic links/ ];
mkfifo("$dir/fifo", 0600);
$refused{fifo} = [ "$dir/fifo", qr/not a regular file/ ];
for my $name (sort keys %refused)
{
	settings(api_key_file => $refused{$name}[0]);
	my $told = ask();
	like($told, qr/ERROR:  (?:F0000|22023): .*api_key_file.*$refused{$name}[1]/s,
		"refused: $name");
	unlike($told, qr/\Q$dir\E/, "refused: $name: without its path");
}
settings(api_key_file => "$dir/key");

# Extra headers
settings(
	endpoint => $weather->endpoint('ok'),
	headers_file => write_file(
		'headers', "# for the gateway\n\nX-Tenant: blue team\nX-Token: tok-0123456789abcdef\n"
	));
is(ask(), 'fine', 'headers from a file');
is(header('x-tenant'), 'blue team', 'are sent');
is(header('x-token'), 'tok-0123456789abcdef', 'all of them');
is(header('authorization'), "Bearer $secret", 'beside the key');
for my $line ('no colon', ': no name', "Bad Name: x", "X-A: b\r\nX-C: d", "X-A: \x{e9}")
{
	settings(headers_file => write_file('bad', $line));
	like(ask(), qr/F0000: .*headers_file.*line 1/s, 'no header: ' . ($line =~ s/\W/_/gr));
}
settings(headers_file => "$dir/headers");

# A server that repeats what it was sent
settings(endpoint => $weather->endpoint('status_401'));
my $told = ask();
like($told, qr/bad key Bearer \*+/, 'a message shows no key');
settings(endpoint => $weather->endpoint('echo'));
$told = ask();
like($told, qr/\*{10}/, 'nor does an answer');
settings(trace => 'steps');
$told = ask();
like($told, qr/\*{10}/, 'nor a streamed one, even in pieces');

# The environment, when there is no file.  PostgreSQL itself writes it into the
# log at debug3 when it starts.
my $other = 'sk-environment-0123456789';
$node->safe_psql('postgres', 'ALTER DATABASE company RESET sqlagent.api_key_file');
$node->append_conf('postgresql.conf', 'log_min_messages = debug2');
settings(
	api_key_file => '',
	headers_file => '',
	trace => 'sql',
	endpoint => $weather->endpoint('ok'));
$node->stop;
{
	local $ENV{SQLAGENT_API_KEY} = $other;
	$node->start;
}
is(ask(), 'fine', "a key in the server's environment");
is(header('authorization'), "Bearer $other", 'is sent');

# A provider's own address wants a key; no proxy of the environment is asked
settings(endpoint => '');
$node->stop;
$node->start;
like(ask(), qr/22023: there is no key.*SQLAGENT_API_KEY/s, 'no key');
settings(endpoint => $weather->endpoint('ok'));
$node->stop;
{
	local $ENV{$_} = 'http://127.0.0.1:1'
	  for qw(http_proxy HTTP_PROXY https_proxy ALL_PROXY);
	$node->start;
}
is(ask(), 'fine', 'a proxy in the environment is not asked');

# Only superusers say where the question and the key go
for my $setting (
	qw(endpoint api_key_file headers_file ca_file provider model provider_options))
{
	my ($status, $out, $err) =
	  $node->run_as('analyst', "LOAD 'sqlagent'; SET sqlagent.$setting = ''");
	isnt($status, 0, "$setting cannot be set by anybody");
}
for my $setting (qw(api_key_file headers_file))
{
	my ($status, $out, $err) =
	  $node->run_as('analyst', "SELECT sqlagent.ask('x'); SHOW sqlagent.$setting");
	like($err, qr/must be superuser|permission denied/, "$setting is not shown");
}

# Nowhere else
$node->safe_psql('postgres', 'CHECKPOINT');
$node->stop;
my $log = slurp_file($node->logfile);
for my $text ($secret, $other, $by_database, 'sk-rotated-0123456789',
	'tok-0123456789abcdef')
{
	unlike($output, qr/\Q$text\E/, 'no answer and no message holds a secret');
	unlike($log, qr/\Q$text\E/, 'nor does the log at its finest');
	my $found = `grep -rlF '$text' '@{[ $node->data_dir ]}' | head -3`;
	is($found, '', 'nor any file of the cluster');
}

done_testing();
