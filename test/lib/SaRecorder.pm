# SaRecorder.pm
#    Stands before the model of the tests and keeps each request as it was sent,
#    checked by the schema that its provider publishes (schemas.mjs).
#
#    my $recorder = SaRecorder->new($model->{url});   its address: $recorder->{url}
#    for my $request ($recorder->requests) { ... $request->{problems} ... }
package SaRecorder;

use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempfile);
use HTTP::Tiny;
use JSON::PP;
use PostgreSQL::Test::Utils;
use Time::HiRes qw(usleep);

my $lib = abs_path(dirname(__FILE__));
# where the schemas are kept for all tests of a run of them
our $schemas;
my %running;

# What is missing to run it, or ''.
sub why_not
{
	for my $package (
		qw(ajv ts-json-schema-generator openai @anthropic-ai/sdk @google/genai ollama))
	{
		return "$package is not installed (npm ci in test/)"
		  unless -e "$lib/../node_modules/$package/package.json";
	}
	return '';
}

sub new
{
	my ($class, $target) = @_;
	$schemas //= $PostgreSQL::Test::Utils::tmp_check;
	system('node', "$lib/schemas.mjs", $schemas) == 0
	  or die 'the schemas could not be made';
	my (undef, $requests) = tempfile(UNLINK => 1);
	my (undef, $output) = tempfile(UNLINK => 1);
	my $pid = fork // die "fork: $!";
	if ($pid == 0)
	{
		open STDOUT, '>', $output or die $!;
		open STDERR, '>&', \*STDOUT or die $!;
		exec 'node', "$lib/recorder.mjs", $target, $requests, $schemas;
		exit 127;
	}
	$running{$pid} = 1;
	my $self = bless { pid => $pid, requests => $requests, output => $output },
	  $class;
	for (1 .. 400)
	{
		if (slurp($output) =~ /listening (\d+)/)
		{
			$self->{url} = "http://127.0.0.1:$1";
			return $self;
		}
		usleep(50_000);
	}
	die 'the recorder did not start: ' . slurp($output);
}

sub slurp
{
	my ($name) = @_;
	open my $fh, '<', $name or die "$name: $!";
	local $/;
	return <$fh> // '';
}

# What is wrong with a request's body (JSON text), one problem a line.
sub problems_of
{
	my ($self, $provider, $body) = @_;
	my $answer = HTTP::Tiny->new->post("$self->{url}/_check/$provider",
		{ content => $body });
	die "$answer->{status}" unless $answer->{success};
	return join "\n", @{ decode_json($answer->{content}) };
}

# All requests since the last forget.
sub requests { return map { decode_json($_) } split /\n/, slurp($_[0]->{requests}); }

sub forget { truncate $_[0]->{requests}, 0 or die $!; }

END
{
	my $status = $?;
	kill 'TERM', $_ for keys %running;
	$? = $status;
}

1;
