# SaCerts.pm
#    A certification authority of our own and certificates by it, made anew by
#    openssl for each test.
#
#    my $certs = SaCerts->new;                      $certs->{ca} is its file
#    my @files = $certs->issue('good', san => 'DNS:localhost');
package SaCerts;

use strict;
use warnings;
use File::Temp qw(tempdir);

# What is missing, or ''.
sub why_not
{
	return system('openssl version >/dev/null 2>&1') == 0
	  ? ''
	  : 'openssl is not installed';
}

sub openssl
{
	my ($self, @args) = @_;
	system("cd $self->{dir} && openssl @args >>log 2>&1") == 0
	  or die "openssl @args: " . `cat $self->{dir}/log`;
}

sub new
{
	my ($class) = @_;
	my $self = bless { dir => tempdir(CLEANUP => 1) }, $class;
	chmod 0755, $self->{dir};
	$self->{ca} = "$self->{dir}/ca.crt";
	$self->openssl(
		'req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=Test CA"',
		'-keyout ca.key -out ca.crt');
	return $self;
}

# Certificate and key; options: san, days (negative: expired), self_signed.
sub issue
{
	my ($self, $name, %options) = @_;
	my $days = $options{days} // 30;
	my $extension = "$self->{dir}/$name.ext";
	open my $fh, '>', $extension or die $!;
	print $fh "subjectAltName=$options{san}\n";
	close $fh;
	$self->openssl("req -newkey rsa:2048 -nodes -subj '/CN=$name'",
		"-keyout $name.key -out $name.csr");

	# from 3.4 on an end before the beginning is refused, and both can be told
	my $valid =
		$days < 0 && `openssl x509 -help 2>&1` =~ /-not_after/
	  ? '-not_before 20200101000000Z -not_after 20200201000000Z'
	  : "-days $days";
	my $signed =
		$options{self_signed}
	  ? "-signkey $name.key"
	  : '-CA ca.crt -CAkey ca.key -CAcreateserial';
	$self->openssl(
		"x509 -req -in $name.csr $signed $valid -extfile $extension",
		"-out $name.crt");
	return ("$self->{dir}/$name.crt", "$self->{dir}/$name.key");
}

1;
