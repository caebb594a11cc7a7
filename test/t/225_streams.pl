# Hostile streams, refusals and content filters in each of the four formats.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use JSON::PP;
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
sqlagent.retries = 0
sqlagent.worker_idle_timeout = '10min'
sqlagent.ground = off
CONF
$node->safe_psql('postgres',
	'GRANT SET ON PARAMETER sqlagent.endpoint, sqlagent.provider, sqlagent.retries TO analyst');
my $session = $node->session('analyst');

sub query { return $session->query($_[0]); }
$session->send('\set VERBOSITY verbose');

# Asks: answer, SQLSTATE, all messages, seconds, status of the run.
sub weather
{
	my ($provider, $behaviour, $call) = @_;
	query("SET sqlagent.provider = '$provider'; SET sqlagent.endpoint = '"
		  . $weather->endpoint($behaviour) . "'");
	$session->{err} = '';
	my $start = time;
	my $answer = query($call // "SELECT sqlagent.ask('What is it?')");
	my $seconds = time - $start;
	$session->{handle}->pump_nb;
	my ($state) = $session->{err} =~ /ERROR:  (\w{5}): /;
	my $status = query('SELECT status FROM sqlagent.runs ORDER BY id DESC LIMIT 1');
	return ($answer, $state // '', $session->{err}, $seconds, $status);
}

# A stream that begins well: how it goes on, and how that is told.
my @hostile = (
	[ format_malformed => '58000', qr/cannot be read.*ends in the middle/s ],
	[ format_endless => '54000|57014', qr/too large|too long|in time/ ],
	[ format_endless_event => '58000', qr/an event of the stream is too long/ ],
	[ format_error => '58000', qr/the model fell over/ ],
	[ format_cut => '58000', qr/cannot be read.*ends in the middle/s ],
	[ format_reset => '08006', qr/connection .* broke/ ],
	[ format_drip => '57014', qr/did not answer in time/ ],
	[ format_drip_bytes => '57014', qr/did not answer in time/ ]);

# What the format says when it refuses: status and answer.  Ollama has no word
# for it.
my %refusal = (
	openai => qr/I will not\./,
	anthropic => qr/I will not\./,
	gemini => qr/PROHIBITED_CONTENT/);

my $worker;
for my $provider (qw(openai anthropic ollama gemini))
{
	query('SET sqlagent.trace = steps');
	my ($answer) = weather($provider, 'format_ok');
	is($answer, 'half of it', "$provider: a stream");
	$worker //= ($node->workers)[0];
	for my $row (@hostile)
	{
		my ($behaviour, $expected, $message) = @$row;
		my ($told, $state, $err, $seconds, $status) = weather($provider, $behaviour);
		my $name = "$provider: $behaviour";
		like($state, qr/^(?:$expected)$/, "$name: fails") or diag "$told $err";
		like($err, $message, "$name: says why");
		cmp_ok($seconds, '<', 4, "$name: in time");
		is($status, 'failed', "$name: is stored");
	}
	($answer) = weather($provider, 'format_calls');
	is($answer, 'seen', "$provider: two calls at once");
	is( query(
			q{SELECT string_agg(sql, '; ' ORDER BY step) FROM sqlagent.steps
			WHERE run = (SELECT max(id) FROM sqlagent.runs) AND kind = 'tool'}),
		'SELECT 41 AS n; SELECT 42 AS n',
		"$provider: are read apart");
	next unless $refusal{$provider};

	my ($report) = weather($provider, 'format_usage',
		"SELECT sqlagent.ask_json('What is it?')->'usage'");
	my $usage = decode_json($report || '{}');
	is($usage->{prompt_tokens}, 100, "$provider: all tokens of the prompt");
	is($usage->{cached_tokens}, 64, "$provider: those from a cache");
	is($usage->{completion_tokens}, 30, "$provider: those of the reply");
	is($usage->{reasoning_tokens}, $provider eq 'anthropic' ? 0 : 20,
		"$provider: those of thoughts");

	for my $trace (qw(steps sql))
	{
		query("SET sqlagent.trace = $trace");
		my %told = (
			format_refusal => $refusal{$provider},
			format_filtered => qr/How one/,
			format_silent => qr{declined to answer});
		for my $behaviour (sort keys %told)
		{
			my ($text, $state, $err, undef, $status) = weather($provider, $behaviour);
			my $name = "$provider, trace $trace: $behaviour";
			is($status, 'refused', "$name: is stored") or diag $err;
			like("$text$err", $told{$behaviour}, "$name: is told");
		}
	}
}
is(($node->workers)[0], $worker, 'one worker did all of it');

# Retry-After as a date
query("SET sqlagent.trace = sql; SET sqlagent.retries = 1");
my ($answer, undef, $err, $seconds) = weather('openai', 'then_date');
is($answer, 'at last', 'a date to come back at') or diag $err;
cmp_ok($seconds, '>', 1.5, 'is waited for');

$session->finish;
done_testing();
