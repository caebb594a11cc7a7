# SaServer.pm
#    A server with bad manners, for what aimock cannot do.
#
#    my $server = SaServer->new('hang');   its endpoint: $server->{url}
#    $server->wait_for_request;
package SaServer;

use strict;
use warnings;
use File::Temp qw(tempfile);
use IO::Select;
use IO::Socket::INET;
use Time::HiRes qw(time usleep);

# What each kind does with a connection that has sent something.
my %manners = (
	# takes the request and never answers
	hang => sub { },

	# promises a body and sends one byte of it
	half => sub {
		my ($client) = @_;
		print $client
		  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";
		$client->flush;
	},
);

my %running;

sub new
{
	my ($class, $manner) = @_;
	my $act = $manners{$manner} or die "no manner $manner";
	my $listener = IO::Socket::INET->new(
		LocalAddr => '127.0.0.1',
		Listen => 64,
		ReuseAddr => 1) or die "listen: $!";
	my ($log, $log_name) = tempfile(UNLINK => 1);
	my $port = $listener->sockport;
	my $parent = $$;
	my $pid = fork // die "fork: $!";
	if ($pid == 0)
	{
		$SIG{PIPE} = 'IGNORE';
		serve($listener, $log_name, $act, $parent);
		require POSIX;
		POSIX::_exit(0);
	}
	close $listener;
	$running{$pid} = 1;
	return bless {
		pid => $pid,
		log => $log_name,
		seen => 0,
		url => "http://127.0.0.1:$port"
	}, $class;
}

# Ends with the test, however that ends.
sub serve
{
	my ($listener, $log_name, $act, $parent) = @_;
	my $watch = IO::Select->new($listener);
	my %answered;
	while (getppid() == $parent)
	{
		for my $socket ($watch->can_read(0.5))
		{
			if ($socket == $listener)
			{
				$watch->add(scalar $listener->accept);
				next;
			}
			if (!sysread $socket, my $data, 65536)
			{
				$watch->remove($socket);
				delete $answered{$socket};
				close $socket;
				next;
			}
			next if $answered{$socket}++;
			open my $log, '>>', $log_name or next;
			print $log "request\n";
			close $log;
			$act->($socket);
		}
	}
}

# Waits until one more request has come than was waited for before; a session
# that asks is pumped meanwhile.
sub wait_for_request
{
	my ($self, $session) = @_;
	my $end = time + 30;
	while (time < $end)
	{
		my $count = -s $self->{log};
		if (($count // 0) > $self->{seen} * length "request\n")
		{
			$self->{seen}++;
			return 1;
		}
		$session->pump if $session;
		usleep(2_000);
	}
	die 'no request came' . ($session ? ": $session->{err}" : '');
}

sub conf
{
	my ($self) = @_;
	return "sqlagent.provider = 'openai'\n"
	  . "sqlagent.endpoint = '$self->{url}/v1'\n"
	  . "sqlagent.model = 'test-model'\n";
}

END
{
	my $status = $?;
	kill 'KILL', $_ for keys %running;
	$? = $status;
}

1;
