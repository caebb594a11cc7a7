# SaModel.pm
#    The model of the tests: aimock (npm) with scripted replies.
#
#    my $model = SaModel->new or plan skip_all => $SaModel::why_not;
#    $model->script('revenue' => [ tool => { name => {argument => 'value'} } ], 'The answer.');
#    ... the requests it got: $model->requests
package SaModel;

use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempfile);
use HTTP::Tiny;
use JSON::PP;
use Time::HiRes qw(usleep);

our $why_not = '';
my $test_dir = abs_path(dirname(__FILE__) . '/..');
my $aimock = "$test_dir/node_modules/\@copilotkit/aimock/dist/cli.js";
my %running;

# Whether aimock can run here; the reason is in $why_not otherwise.
sub available
{
	my ($major) = (`node --version 2>/dev/null` // '') =~ /^v(\d+)/;
	$why_not =
		!$major    ? 'Node.js is not installed'
	  : $major < 20 ? "Node.js is $major, aimock needs 20"
	  : !-e $aimock ? 'aimock is not installed (npm ci in test/)'
	  :               '';
	return $why_not eq '';
}

# Options are those of aimock's command line.
sub new
{
	my ($class, @options) = @_;
	return undef unless available();

	# aimock does not start without a fixture; this one never fits
	my ($seed, $seed_name) = tempfile(UNLINK => 1);
	print $seed encode_json(
		{ fixtures => [ fixture('no question has this text', 0, 'none') ] });
	close $seed;
	my ($log, $log_name) = tempfile(UNLINK => 1);
	my $pid = fork // die "fork: $!";
	if ($pid == 0)
	{
		open STDOUT, '>', $log_name or die $!;
		open STDERR, '>&', \*STDOUT or die $!;
		exec 'node', $aimock, '-p', 0, '-f', $seed_name, '--strict', @options;
		exit 127;
	}
	$running{$pid} = 1;
	my $self = bless { pid => $pid, log => $log_name }, $class;
	for (1 .. 400)
	{
		my ($port) = $self->log_text =~ /listening on \S+:(\d+)/;
		if ($port)
		{
			$self->{port} = $port;
			$self->{url} = "http://127.0.0.1:$port";
			return $self;
		}
		usleep(50_000);
	}
	die "aimock did not start: " . $self->log_text;
}

sub log_text
{
	my ($self) = @_;
	open my $fh, '<', $self->{log} or die $!;
	local $/;
	return <$fh> // '';
}

sub call
{
	my ($self, $method, $path, $body) = @_;
	my $answer = HTTP::Tiny->new->request(
		$method,
		"$self->{url}/__aimock$path",
		defined $body
		? { content => encode_json($body),
			headers => { 'content-type' => 'application/json' } }
		: {});
	die "aimock: $method $path: $answer->{status} $answer->{content}"
	  unless $answer->{success};
	return length $answer->{content} ? decode_json($answer->{content}) : undef;
}

# A reply of a script as aimock's fixture.  A reply is a text; or
# [ tool => {arguments}, ... ] for tool calls; or a hash in aimock's own form.
sub fixture
{
	my ($question, $turn, $reply) = @_;
	my $response = $reply;
	if (!ref $reply)
	{
		$response = { content => $reply };
	}
	elsif (ref $reply eq 'ARRAY')
	{
		my @calls;
		my @left = @$reply;
		while (my ($name, $arguments) = splice @left, 0, 2)
		{
			push @calls,
			  {
				id => "call_${turn}_" . @calls,
				name => $name,
				# characters: the whole is encoded once, when it is sent
				arguments => ref $arguments ? JSON::PP->new->encode($arguments) : $arguments
			  };
		}
		$response = { toolCalls => \@calls };
	}
	return {
		match => { userMessage => $question, turnIndex => $turn },
		response => $response
	};
}

# What the model replies, in order, to questions that contain the text.
sub script
{
	my ($self, $question, @replies) = @_;
	my $turn = 0;
	$self->call('POST', '/fixtures',
		{ fixtures => [ map { fixture($question, $turn++, $_) } @replies ] });
}

# One reply, when the last message of the user contains the text and the model
# has spoken so many times before.
sub reply_to
{
	my ($self, $text, $turn, $reply) = @_;
	$self->call('POST', '/fixtures', { fixtures => [ fixture($text, $turn, $reply) ] });
}

# Forgets scripts and requests.
sub reset { $_[0]->call('POST', '/reset'); }

# The next request fails with this HTTP status.
sub fail_next
{
	my ($self, $status, $message) = @_;
	$self->call('POST', '/error',
		{ status => $status, body => { message => $message, type => 'test' } });
}

# aimock's fault injection: dropRate, malformedRate, disconnectRate, ... 0 to 1
sub chaos
{
	my ($self, %rates) = @_;
	%rates
	  ? $self->call('POST', '/chaos', \%rates)
	  : $self->call('DELETE', '/chaos');
}

# The journal: one hash a request, with path, headers, body, response.
sub journal { return @{ $_[0]->call('GET', '/journal') }; }

# The bodies of the requests so far, decoded.
sub requests { return map { $_->{body} } $_[0]->journal; }

# Settings that send a server's questions here.
sub conf
{
	my ($self) = @_;
	return "sqlagent.provider = 'openai'\n"
	  . "sqlagent.endpoint = '$self->{url}/v1'\n"
	  . "sqlagent.model = 'test-model'\n";
}

sub stop
{
	my ($self) = @_;
	return unless delete $running{ $self->{pid} };
	kill 'TERM', $self->{pid};
	waitpid $self->{pid}, 0;
}

END
{
	my $status = $?;
	kill 'TERM', $_ for keys %running;
	$? = $status;
}

1;
