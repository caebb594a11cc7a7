# Whatever a model server does, a run ends within its time limit, answered or
# failed with a coded error that is stored; the session and its worker go on.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SaCluster;
use SaWeather;
use Test::More;
use Time::HiRes qw(time);

plan skip_all => SaWeather::why_not() if SaWeather::why_not();
my $weather = SaWeather->new;
my $node = SaCluster->start_company(<<'CONF');
sqlagent.provider = 'openai'
sqlagent.model = 'test-model'
sqlagent.request_timeout = '1500ms'
sqlagent.connect_timeout = '1s'
sqlagent.worker_idle_timeout = '10min'
sqlagent.ground = off
CONF
$node->safe_psql('postgres', <<'SQL');
GRANT SET ON PARAMETER sqlagent.endpoint, sqlagent.retries, sqlagent.run_timeout TO analyst;
SQL
my $session = $node->session('analyst');

sub query { return $session->query($_[0]); }
$session->send('\set VERBOSITY verbose');
query('SET sqlagent.retries = 0');

# Asks the server of that behaviour: answer, SQLSTATE, all messages, seconds.
sub weather
{
	my ($behaviour, $settings) = @_;
	my $endpoint = $behaviour =~ /:/ ? $behaviour : $weather->endpoint($behaviour);
	query("SET sqlagent.endpoint = '$endpoint'; " . ($settings // ''));
	$session->{err} = '';
	my $start = time;
	my $answer = query("SELECT sqlagent.ask('What is it?')");
	my $seconds = time - $start;
	$session->{handle}->pump_nb;
	my ($state) = $session->{err} =~ /ERROR:  (\w{5}): /;
	return ($answer, $state // '', $session->{err}, $seconds);
}

sub last_run
{
	return query(
		'SELECT status FROM sqlagent.runs ORDER BY id DESC LIMIT 1');
}

sub fails
{
	my ($behaviour, $expected, $message, $settings) = @_;
	my ($answer, $state, $err, $seconds) = weather($behaviour, $settings);
	like("$answer$state", qr/^(?:$expected)$/, "$behaviour: fails with $expected")
	  or diag $err;
	like($err, $message, "$behaviour: says why");
	cmp_ok($seconds, '<', 4, "$behaviour: in time");
	is(last_run(), 'failed', "$behaviour: is stored");
	return $err;
}

sub answers
{
	my ($behaviour, $expected, $settings) = @_;
	my ($answer, $state, $err) = weather($behaviour, $settings);
	like($answer, $expected, "$behaviour: is answered") or diag $err;
	return $err;
}

answers('ok', qr/^fine$/);
my ($worker) = $node->workers;
ok($worker, 'there is a worker');

# Time
for my $behaviour (qw(hang hang_headers hang_body drip drip_headers))
{
	fails($behaviour, '57014', qr/did not answer in time.*request_timeout/s);
}
fails(
	'hang', '57014',
	qr/time limit was reached.*run_timeout/s,
	"SET sqlagent.run_timeout = '500ms'");
query('RESET sqlagent.run_timeout');

# Size
fails($_, '54000', qr/too large.*16 MB/s) for qw(endless promised);
fails($_, '54000', qr/too large.*256 kB of headers/s)
  for qw(header_flood continue_flood);
fails('gzip_bomb', '58000', qr/cannot be read.*(?:UTF-8|NUL)/s);
fails('many_calls', '58000', qr/too many tool calls/);
my ($answer) = weather('big_answer');
cmp_ok(length $answer, '<', 300_000, 'a huge answer is cut');
like($answer, qr/^y{1000}/, 'but told');

# What breaks off
fails('reset', '08006', qr/connection .* broke/);
fails('closed', '08006', qr/closed the connection without a response/);
fails($_, '08006', qr/connection .* broke/) for qw(reset_body short);

# What is no reply
my %unreadable = (
	empty => qr/it is empty/,
	no_content => qr/it is empty/,
	html => qr{text/html},
	malformed => qr/ends in the middle/,
	trailing => qr/behind its end|unexpected/,
	deep => qr/too deep/,
	not_utf8 => qr/not valid UTF-8/,
	nul => qr/NUL/,
	twice => qr/same key twice/,
	no_choices => qr/no message/,
	error_inside => qr/no credits left/);
fails($_, '58000', qr/cannot be read.*$unreadable{$_}/s)
  for sort keys %unreadable;
fails('not_http', '08P01', qr/does not speak HTTP/);

# What is a strange reply
answers('plain_type', qr/^fine all the same$/);
answers('surrogates', qr/^a\x{fffd}b\x{fffd}\x{fffd}c\?d$|^a\xef\xbf\xbdb\xef\xbf\xbd\xef\xbf\xbdc\?d$/);
answers($_, qr/^counted$/) for qw(numbers odd_usage);
answers('parts', qr/^in parts$/);
answers('control', qr/^red and bell$/);
answers($_, qr/^It is five\.$/) for qw(thoughts half_thoughts);
is( query(
		q{SELECT bool_and(prompt_tokens >= 0 AND completion_tokens >= 0) FROM sqlagent.runs}
	),
	't',
	'no count is negative');

# Tool calls
answers('twice_argument', qr/same key twice/);
answers('nul_argument', qr/told: .*error/s);
answers('object_argument', qr/42/);
answers($_, qr/41.*\|.*42/s) for qw(no_ids same_ids);
answers('long_name', qr/told: /);
answers($_, qr/^42$/m) for qw(as_text as_fence as_function);
is($node->safe_psql('company', 'SELECT count(*) FROM employees'),
	5, 'and nothing was done behind a NUL');

# Statuses: the provider's own words, and nothing is asked twice
query('SET sqlagent.retries = 3');
fails('status_400', '58000', qr/refused the request: status 400 for a reason/);
fails('status_401', '58000', qr/refused the key.*HINT:.*api_key_file/s);
fails('status_403', '58000', qr/status 403 for a reason/);
fails('status_404', '58000', qr/status 404 for a reason.*HINT/s);
fails('status_422', '58000', qr/field required/);
fails('status_429_quota', '58000', qr/exceeded your current quota/);
like(
	fails('long_message', '58000', qr/z{100}/),
	qr/^(?!.*z{1100})/s, 'a long message is cut');
for my $behaviour (qw(redirect_302 redirect_307 redirect_file))
{
	my $before = $weather->count('ok');
	fails($behaviour, '58000', qr/redirects.*HINT:.*final URL/s);
	is($weather->count('ok'), $before, "$behaviour: is not followed");
}
is($weather->count($_), 1, "$_: was asked once")
  for qw(status_400 status_401 status_403 status_404 status_422
  status_429_quota redirect_302);

# Passing failures are tried again, as often as the setting says
for my $behaviour (
	qw(then_408 then_409 then_429 then_500 then_reset then_half then_malformed))
{
	my ($answer, $state, $err, $seconds) = weather($behaviour);
	is($answer, 'at last', "$behaviour: the third try succeeds") or diag $err;
	is($weather->count($behaviour), 3, "$behaviour: of three");

	# a connection kept from before that is reset is libcurl's to open again
	is( query('SELECT requests FROM sqlagent.runs ORDER BY id DESC LIMIT 1'),
		$behaviour eq 'then_reset' ? 2 : 3,
		"$behaviour: all are counted");
	cmp_ok($seconds, '>=', 2, 'Retry-After is kept') if $behaviour eq 'then_429';
}
query('SET sqlagent.retries = 1');
my ($no_answer, $state, $err) = weather('status_503');
is($state, '58000', 'in the end the failure is told');
is($weather->count('status_503'), 2, 'after one more try');
($no_answer, $state, $err, my $seconds) = weather('status_429_long');
is($weather->count('status_429_long'),
	1, 'a wait beyond the end of the run is not begun');
cmp_ok($seconds, '<', 1, 'but told at once');
($no_answer, $state, $err) =
  weather('hang', "SET sqlagent.run_timeout = '1s'");
my $hung = $weather->count('hang');
weather('hang');
is($weather->count('hang'), $hung + 1, 'a time limit is not tried again');
query('RESET sqlagent.run_timeout; SET sqlagent.retries = 0');

# Streams
query("SET sqlagent.trace = 'steps'");
answers('stream_crlf', qr/^gr\xc3\xbc\xe2\x82\xacn\xf0\x9f\x98\x80$/);
answers($_, qr/^seen$/) for qw(stream_calls stream_same_index);
is( query(
		q{SELECT string_agg(sql, '; ' ORDER BY step) FROM sqlagent.steps
		WHERE run = (SELECT max(id) FROM sqlagent.runs) AND kind = 'tool'}),
	'SELECT 41 AS n; SELECT 42 AS n',
	'two calls were read out of the stream');
answers('stream_refused', qr/^not streamed$/);
fails('cut_stream', '58000', qr/ends in the middle/);
fails('reset_stream', '08006', qr/connection .* broke/);
fails('failed_stream', '58000', qr/the model fell over/);
fails('endless_event', '58000', qr/too long/);
fails('endless_stream', '54000|57014', qr/too large|in time/);
fails('hang', '57014', qr/in time/);
fails('html', '58000', qr{text/html|ends in the middle|no message});
fails('malformed', '58000', qr/ends in the middle/);
query('RESET sqlagent.trace');

# Addresses
fails('http://127.0.0.1:1/v1', '08001', qr/could not connect/);
fails('http://no-such-host.invalid/v1', '08001', qr/could not resolve/);
fails('http://169.254.169.254/v1', '08001', qr/could not connect/);
fails('http://[fe80::1]/v1', '08001', qr/could not connect/);
fails('ftp://127.0.0.1/v1', '22023', qr/http:/);
fails('file:///etc/passwd', '22023', qr/http:/);
fails('http://me:secret@127.0.0.1/v1', '22023', qr/password/);
fails('https://127.0.0.1:' . $weather->{port}, '08001', qr/TLS/);

answers('ok', qr/^fine$/);
is(($node->workers)[0], $worker, 'one worker did all of it');

done_testing();
