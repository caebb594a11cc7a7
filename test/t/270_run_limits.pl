# The limits of a run: replies, tokens, time.  At each the asker gets one answer
# from what is known, marked as cut short; a run that knows nothing fails.
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
my $node = SaCluster->start_company(<<"CONF");
sqlagent.provider = 'openai'
sqlagent.model = 'test-model'
sqlagent.retries = 0
sqlagent.ground = off
sqlagent.endpoint = '@{[ $weather->endpoint('call_then_hang') ]}'
CONF

# Report (or the error), messages, seconds.
sub report
{
	my ($settings, $call) = @_;
	$node->safe_psql('postgres', "ALTER ROLE analyst RESET ALL; $settings");
	my $start = time;
	my ($status, $out, $err) = $node->run_as('analyst',
		"\\set VERBOSITY verbose\n" . ($call // "SELECT sqlagent.ask_json('How many?')"));
	my $seconds = time - $start;
	my $report = !$status && $out =~ /^\{/ ? decode_json($out) : undef;
	return ($report, $err, $seconds);
}

# What a run failed with: SQLSTATE and text of its last error.
sub failure
{
	my ($report) = @_;
	my $error = $report->{errors}[-1] // {};
	return "$report->{status} " . join ' ', map { $error->{$_} // '' } qw(sqlstate message hint);
}

sub set
{
	my (%settings) = @_;
	return join ' ', map { "ALTER ROLE analyst SET sqlagent.$_ = '$settings{$_}';" } sort keys %settings;
}

# Time, with a statement that succeeded
my ($report, $err, $seconds) = report(set(run_timeout => '1500ms'));
is($report->{status}, 'answered', 'time: what is known is told') or diag $err;
is($report->{limit}, 'run_timeout', 'time: the report names the limit');
like($report->{answer}, qr/^n: 42\n\(cut short: the time limit of 1\.5 s .*run_timeout/,
	'time: the answer is made of the rows, and says so');
is_deeply($report->{rows}, [ [42] ], 'time: with the rows');
is($report->{errors}[0]{type}, 'timeout', 'time: what was cut off is an error');
like(join("\n", @{ $report->{warnings} }), qr/run_timeout/, 'time: and a warning');
is($report->{steps}[-1]{kind}, 'answer', 'time: the answer is a step');
cmp_ok($seconds, '<', 2.5, 'time: within the limit');
is( $node->safe_psql('company',
		"SELECT status, report->>'limit', finished_at - started_at < interval '1500 ms' FROM sqlagent.runs ORDER BY id DESC LIMIT 1"),
	'answered|run_timeout|t',
	'time: it is stored, and was over in time');

# with a schema the rows take its form
($report, $err) = report(set(run_timeout => '1500ms'),
	q{SELECT sqlagent.ask_json('How many?', schema => '{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}')});
is_deeply($report->{result}, { n => 42 }, 'time: a result by a schema') or diag $err;

# nothing is known
my $hang = set(endpoint => $weather->endpoint('hang'));
($report, $err, $seconds) = report($hang . set(run_timeout => '700ms'));
like(failure($report), qr/^failed 57014 .*time limit.*run_timeout/, 'time: a run that knows nothing fails');
cmp_ok($seconds, '<', 2, 'time: in time');
($report, $err) = report($hang . set(run_timeout => '700ms'), "SELECT sqlagent.to_sql('How many?')");
like($err, qr/ERROR:  57014/, 'time: rows are no answer to to_sql');

# a statement does not outlive its run
($report, $err, $seconds) = report(
	set(run_timeout => '1s', endpoint => $weather->endpoint('long_statement')));
like(failure($report), qr/^failed 57014 .*run_timeout/, 'time: ends a statement too');
cmp_ok($seconds, '<', 3, 'time: long before its own limit');

# a call of which only the model's time is over is not the run's end
($report, $err) = report(set(request_timeout => '500ms'));
like(failure($report), qr/^failed 57014 .*request_timeout/, 'the time of a call is no limit of the run');

# Replies: one forced call
my $calls = set(endpoint => $weather->endpoint('always_call'));
($report, $err) = report($calls . set(max_iterations => 2));
is($report->{status}, 'answered', 'replies: an answer is forced') or diag $err;
is($report->{answer}, 'That is all.', 'replies: from the model');
is($report->{limit}, 'max_iterations', 'replies: the report names the limit');
is($report->{iterations}, 3, 'replies: by one call more');

# Tokens: a forced call while the budget holds one (each call counts 1000)
my $n = $weather->count('always_call');
($report, $err) = report($calls . set(token_budget => 12000));
is($report->{status}, 'answered', 'tokens: an answer is forced') or diag $err;
is($report->{limit} // 'none', 'token_budget', 'tokens: the report names the limit');
is($report->{answer}, 'That is all.', 'tokens: from the model');
cmp_ok($report->{usage}{prompt_tokens} + $report->{usage}{completion_tokens},
	'<=', 12000, 'tokens: no more than the budget is spent');

# from the rows when it does not: the first call ate it all
($report, $err) = report(
	set(endpoint => $weather->endpoint('dear_call'), token_budget => 50000));
is($report->{limit}, 'token_budget', 'tokens: the budget is overspent');
like($report->{answer} // '', qr/^n: 42\n\(cut short: .*token_budget/, 'tokens: the rows answer');
is($report->{iterations}, 1, 'tokens: and no call more is made');

# nothing is known, nothing is sent
$n = $weather->count('ok');
($report, $err) = report(set(endpoint => $weather->endpoint('ok'), token_budget => 10));
like(failure($report), qr/^failed 54000 .*\(sqlagent\.token_budget\).*have sqlagent\.token_budget increased/, 'tokens: too few for the question');
is($weather->count('ok'), $n, 'tokens: nothing is sent');

# Nothing was cut
($report) = report(set(endpoint => $weather->endpoint('ok')));
is($report->{limit}, undef, 'no limit, no mark');

done_testing();
