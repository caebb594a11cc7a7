# TLS: the server's certificate is verified, always.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use IO::Socket::INET;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SaCerts;
use SaCluster;
use SaWeather;
use Test::More;
use Time::HiRes qw(time);

for my $missing (SaWeather::why_not(), SaCerts::why_not())
{
	plan skip_all => $missing if $missing;
}
my $certs = SaCerts->new;
my %server = map {
	my ($name, %options) = @$_;
	$name => SaWeather->new($certs->issue($name, %options))
  } (
	[ 'good', san => 'DNS:localhost,IP:127.0.0.1' ],
	[ 'wrong_name', san => 'DNS:model.example' ],
	[ 'expired', san => 'DNS:localhost', days => -1 ],
	[ 'self_signed', san => 'DNS:localhost', self_signed => 1 ]);

my $node = SaCluster->start_company(<<'CONF');
sqlagent.provider = 'openai'
sqlagent.model = 'test-model'
sqlagent.connect_timeout = '1s'
sqlagent.retries = 0
CONF
$node->safe_psql('postgres',
	'GRANT SET ON PARAMETER sqlagent.endpoint, sqlagent.ca_file TO analyst');

sub ask
{
	my ($url, $ca_file) = @_;
	my ($status, $out, $err) = $node->run_as('analyst', <<"SQL");
\\set VERBOSITY verbose
SET sqlagent.endpoint = '$url';
SET sqlagent.ca_file = '$ca_file';
SELECT sqlagent.ask('What is it?');
SQL
	return $status ? $err : $out;
}

sub url
{
	my ($name, $host) = @_;
	return 'https://' . ($host // 'localhost') . ":$server{$name}{port}/ok/v1";
}

is(ask(url('good'), $certs->{ca}), 'fine', 'a certificate of a trusted authority');
is(ask(url('good', '127.0.0.1'), $certs->{ca}), 'fine', 'for an address too');
like(ask(url('good'), ''),
	qr/08004: could not verify the certificate.*ca_file/s,
	'an authority that is not trusted');
like(ask(url($_), $certs->{ca}),
	qr/08004: could not verify the certificate/, "$_")
  for qw(wrong_name expired self_signed);
like(
	ask(url('good'), '/no/such/file'),
	qr/F0000: could not read the certification authorities.*HINT:.*ca_file/s,
	'no file of authorities');
is($server{$_}->count('ok'), 0, "$_: no question was sent")
  for qw(wrong_name expired self_signed);
is(ask(url('good'), $certs->{ca}), 'fine', 'the good one still answers');

# A server that takes the connection and says nothing
my $silent = IO::Socket::INET->new(
	LocalAddr => '127.0.0.1',
	Listen => 8) or die $!;
my $start = time;
like(
	ask('https://127.0.0.1:' . $silent->sockport . '/v1', $certs->{ca}),
	qr/08001: could not connect .* in time.*connect_timeout/s,
	'no greeting');
cmp_ok(time - $start, '<', 3, 'is waited for as long as connect_timeout says');

done_testing();
