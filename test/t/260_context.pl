# A request is packed to fit sqlagent.context_tokens: the oldest results give
# way as a whole, the question and the newest result stay.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use JSON::PP;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SaCluster;
use SaModel;
use SaRecorder;
use Test::More;

my $model = SaModel->new or plan skip_all => $SaModel::why_not;
plan skip_all => SaRecorder::why_not() if SaRecorder::why_not();
my $recorder = SaRecorder->new($model->{url});
my $node = SaCluster->start_company($model->conf . <<"CONF");
sqlagent.endpoint = '$recorder->{url}/v1'
sqlagent.ground = off
sqlagent.max_iterations = 20
CONF
$node->safe_psql('company', <<'SQL');
CREATE TABLE words AS SELECT g AS id, 'line one' || E'\n' || 'line two of ' || g AS text FROM generate_series(1, 2000) g;
ANALYZE words;
GRANT SELECT ON words TO analyst;
SQL

sub result
{
	my ($n) = @_;
	return { toolCalls => [ { name => 'run_sql',
		arguments => encode_json({ sql => "SELECT id, text FROM words WHERE id > $n ORDER BY id LIMIT 50" }) } ] };
}

# The answer, the messages, and the requests; the model counts no tokens unless
# told to.
sub play
{
	my ($context, %more) = @_;
	%more = (usage => { prompt_tokens => 0, completion_tokens => 5 }) unless %more;
	$model->reset;
	$model->script('many words',
		(map { { %{ result($_ * 50) }, %more } } 1 .. 8), 'Enough.');
	$recorder->forget;
	$node->safe_psql('postgres', "ALTER ROLE analyst SET sqlagent.context_tokens = $context");
	my ($status, $out, $err) =
	  $node->run_as('analyst', "SELECT sqlagent.ask('Show many words')");
	return ($out, $err, map { $_->{body} } $recorder->requests);
}

sub results { return map { $_->{content} } grep { $_->{role} eq 'tool' } @{ $_[0]{messages} }; }

sub size { return length(encode_json($_[0])) / 4; }

# Without need nothing is left out
my ($answer, $err, @requests) = play(100_000);
like($answer, qr/^Enough\./, 'with enough room');
is(scalar(grep { /left out/ } results($requests[-1])), 0, 'nothing is left out');
unlike($err, qr/context_tokens/, 'and nothing is said');
my $full = size($requests[-1]);
cmp_ok($full, '>', 5000, 'of a request of some size');

# With less room the oldest go
my $limit = int($full * 0.6);
($answer, $err, @requests) = play($limit);
like($answer, qr/^Enough\./, 'with less room');
is(scalar @requests, 9, 'the run goes on as before');
my $largest = 0;
for (@requests) { $largest = size($_) if size($_) > $largest; }
cmp_ok($largest, '<', $limit * 1.15, "no request is much larger than the limit");
my @told = results($requests[-1]);
is(scalar @told, 8, 'every call has its result');
like($told[0], qr/^rows: 50\ntruncated: false\n\(left out/, 'the oldest only says what it was');
my ($first_kept) = grep { $told[$_] !~ /left out/ } 0 .. $#told;
is(scalar(grep { /left out/ } @told[ $first_kept .. $#told ]),
	0, 'what is left out is the oldest');
like($_, qr{<data>\nid,text\n.*\n</data>}s, 'what is kept is whole')
  for @told[ $first_kept .. $#told ];
like($told[-1], qr/line two of 450"\n/, 'the newest result is whole');
ok((grep { $_->{role} eq 'user' && $_->{content} =~ /Show many words/ }
		@{ $requests[-1]{messages} }), 'the question stays');
like($err, qr/WARNING:  older results were left out.*context_tokens/, 'it is said');
is(scalar(() = $err =~ /older results/g), 1, 'once');

# The provider counts more tokens than the estimate: less is sent
my (undef, undef, @by_count) = play($limit,
	usage => { prompt_tokens => int($limit * 0.9), completion_tokens => 5 });
my $by_count = (sort { $b <=> $a } map { size($_) } @by_count)[0];
cmp_ok($by_count, '<', $largest, 'an estimate that was too low is corrected');

# Even what cannot fit is sent
($answer) = play(1024);
like($answer, qr/^Enough\./, 'what does not fit at all is for the provider to refuse');

done_testing();
