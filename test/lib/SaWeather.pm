# SaWeather.pm
#    The model server with bad manners (badserver.mjs), a behaviour by address.
#
#    my $weather = SaWeather->new;
#    $weather->endpoint('reset');  $weather->count('reset');
package SaWeather;

use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempfile);
use HTTP::Tiny;
use JSON::PP;
use Time::HiRes qw(usleep);

my $lib = abs_path(dirname(__FILE__));
my %running;

# What is missing to run it, or ''.
sub why_not
{
	my ($major) = (`node --version 2>/dev/null` // '') =~ /^v(\d+)/;
	return
	    !$major     ? 'Node.js is not installed'
	  : $major < 20 ? "Node.js is $major, the server needs 20"
	  :               '';
}

# With certificate and key it speaks TLS.
sub new
{
	my ($class, @tls) = @_;
	my ($output_file, $output) = tempfile(UNLINK => 1);
	my $pid = fork // die "fork: $!";
	if ($pid == 0)
	{
		open STDOUT, '>', $output or die $!;
		open STDERR, '>&', \*STDOUT or die $!;
		exec 'node', "$lib/badserver.mjs", @tls ? ('--tls', @tls) : ();
		exit 127;
	}
	$running{$pid} = 1;
	my $scheme = @tls ? 'https' : 'http';
	for (1 .. 400)
	{
		if (slurp($output) =~ /listening (\d+)/)
		{
			return bless {
				pid => $pid,
				port => $1,
				output => $output,
				url => "$scheme://127.0.0.1:$1"
			}, $class;
		}
		usleep(50_000);
	}
	die 'the server did not start';
}

sub slurp
{
	my ($name) = @_;
	open my $fh, '<', $name or die "$name: $!";
	local $/;
	return <$fh> // '';
}

sub endpoint { return "$_[0]{url}/$_[1]/v1"; }

# How many requests a behaviour got.
sub count
{
	my ($self, $behaviour) = @_;
	return scalar grep { $_ eq "request $behaviour" } split /\n/,
	  slurp($self->{output});
}

# The last request: url, headers, text.
sub last_request
{
	my ($self) = @_;
	my $answer = HTTP::Tiny->new->get("$self->{url}/_last");
	die "$answer->{status}" unless $answer->{success};
	return decode_json($answer->{content});
}

END
{
	my $status = $?;
	kill 'KILL', $_ for keys %running;
	$? = $status;
}

1;
