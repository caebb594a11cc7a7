#!/usr/bin/perl
# accuracy.pl ask QUESTIONS.jsonl...       asks, prints predictions
# accuracy.pl sum PREDICTIONS VERDICTS     prints what of the answered is right
#    For accuracy.sh, which says where the server is and what the files hold.
use strict;
use warnings;
use JSON::PP;

my $json = JSON::PP->new->utf8->canonical;
my $psql = $ENV{PSQL} // 'psql';

sub read_lines
{
	my @all;
	for my $file (@_)
	{
		open my $in, '<', $file or die "could not open $file: $!\n";
		push @all, map { $json->decode($_) } grep { /\S/ } <$in>;
	}
	return @all;
}

sub setup
{
	my ($db) = @_;
	my $sql = 'DROP EXTENSION IF EXISTS sqlagent CASCADE; CREATE EXTENSION sqlagent; GRANT USAGE ON SCHEMA sqlagent TO bench_ro;'
	  . ' GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA sqlagent TO bench_ro';
	system($psql, '-XAtq', '-d', $db, '-c', 'SET client_min_messages = warning', '-c', $sql) == 0
	  or die "could not set up $db\n";
}

# All questions on one database in one session, each answer between marks.
sub ask_database
{
	my ($db, @questions) = @_;
	setup($db);
	open my $to, '>', "$ENV{WORK_FILE}.sql" or die "could not write: $!\n";
	binmode $to, ':utf8';
	print $to "SET sqlagent.trace = off;\nSET client_min_messages = error;\n";
	for my $q (@questions)
	{
		(my $text = $q->{question}) =~ s/'/''/g;
		print $to "\\echo \@\@\@$q->{id}\nSELECT sqlagent.to_sql(E'" . ($text =~ s/\\/\\\\/gr) . "');\n";
	}
	close $to;
	my $out = `PGUSER=bench_ro '$psql' -XAtq -d '$db' -v VERBOSITY=verbose -f '$ENV{WORK_FILE}.sql' 2>&1`;
	my %said;
	my $id;
	for my $line (split /\n/, $out)
	{
		if ($line =~ /^\@\@\@(.*)/) { $id = $1; next }
		$said{$id} .= "$line\n" if defined $id;
	}
	for my $q (@questions)
	{
		my $sql = $said{$q->{id}} // die "no answer to $q->{id} on $db: $out\n";
		my $refused = $sql =~ /^psql:.* ERROR:  \w+: no SQL answers this question/;

		# an error of any other kind is no refusal
		die "$db: $q->{id}: $sql" if $sql =~ /^psql:/ && !$refused;
		print $json->encode({ id => $q->{id}, $refused ? (refused => JSON::PP::true) : (sql => $sql) }), "\n";
	}
}

sub ask
{
	my (%by_db, @order);
	for my $q (read_lines(@_))
	{
		push @order, $q->{db} unless $by_db{ $q->{db} };
		push @{ $by_db{ $q->{db} } }, $q;
	}
	$ENV{WORK_FILE} = ($ENV{TMPDIR} // '/tmp') . "/sa_accuracy_$$";
	ask_database($_, @{ $by_db{$_} }) for @order;
	unlink "$ENV{WORK_FILE}.sql";
}

sub sum
{
	my ($predictions, $verdicts) = @_;
	my %answered = map { $_->{id} => defined $_->{sql} } read_lines($predictions);
	my %sum;
	for my $v (read_lines($verdicts))
	{
		my $s = $sum{ $v->{set} } //= [0, 0, 0];
		$s->[0]++;
		next unless $answered{ $v->{id} };
		$s->[1]++;
		$s->[2]++ if $v->{subset};
	}
	printf "%-20s %9s %9s %9s %17s\n", '', 'questions', 'answered', 'right', 'right of answered';
	for my $set (sort keys %sum)
	{
		my ($n, $answered, $right) = @{ $sum{$set} };
		printf "%-20s %9d %9d %9d %16.1f%%\n", $set, $n, $answered, $right,
		  $answered ? 100 * $right / $answered : 0;
	}
}

my ($command, @files) = @ARGV;
my %commands = (ask => \&ask, sum => \&sum);
die "usage: accuracy.pl ask|sum FILE...\n" unless $command && $commands{$command};
$commands{$command}->(@files);
