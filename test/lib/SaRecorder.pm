# SaRecorder.pm
#    Stands before the model of the tests and keeps each request as it was sent,
#    checked by the JSON Schema of its provider (test/schema).
#
#    my $recorder = SaRecorder->new($model->{url});   its address: $recorder->{url}
#    for my $request ($recorder->requests) { ... $request->{problems} ... }
package SaRecorder;

use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempfile);
use JSON::PP;
use Time::HiRes qw(usleep);

my $lib = abs_path(dirname(__FILE__));
my %running;

# What is missing to run it, or ''.
sub why_not
{
	return -e "$lib/../node_modules/ajv/dist/2020.js"
	  ? ''
	  : 'ajv is not installed (npm ci in test/)';
}

sub new
{
	my ($class, $target) = @_;
	my (undef, $requests) = tempfile(UNLINK => 1);
	my (undef, $output) = tempfile(UNLINK => 1);
	my $pid = fork // die "fork: $!";
	if ($pid == 0)
	{
		open STDOUT, '>', $output or die $!;
		open STDERR, '>&', \*STDOUT or die $!;
		exec 'node', "$lib/recorder.mjs", $target, $requests, "$lib/../schema";
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
