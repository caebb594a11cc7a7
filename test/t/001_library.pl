# The model server of the tests plays its script and keeps what it was sent.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use HTTP::Tiny;
use JSON::PP;
use SaModel;
use Test::More;

my $model = SaModel->new or plan skip_all => $SaModel::why_not;
$model->script('revenue', [ run_sql => { sql => 'SELECT 1' } ], 'Done.');

sub post
{
	my (@messages) = @_;
	my $answer = HTTP::Tiny->new->post(
		"$model->{url}/v1/chat/completions",
		{ content => encode_json({ model => 'test', messages => \@messages }) });
	return ($answer->{status}, decode_json($answer->{content}));
}

my @messages = ({ role => 'user', content => 'the revenue, please' });
my ($status, $reply) = post(@messages);
my $call = $reply->{choices}[0]{message}{tool_calls}[0];
is($call->{function}{name}, 'run_sql', 'first a tool call');
push @messages, $reply->{choices}[0]{message},
  { role => 'tool', tool_call_id => $call->{id}, content => 'rows: 0' };
($status, $reply) = post(@messages);
is($reply->{choices}[0]{message}{content}, 'Done.', 'then the answer');
($status) = post({ role => 'user', content => 'something else' });
isnt($status, 200, 'what is not in the script fails');
is(scalar $model->requests, 3, 'three requests were kept');
$model->fail_next(429, 'slow down');
is((post(@messages))[0], 429, 'one failure on demand');
is((post(@messages))[0], 200, 'and no more');
$model->reset;
is(scalar $model->requests, 0, 'reset forgets');

done_testing();
