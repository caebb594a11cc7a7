# tap.pl FILE...
#    Runs TAP tests, two at a time, and prints one line a file, what failed, and
#    "counts: PASSED FAILED SKIPPED" of their assertions.
#
# A file that is skipped as a whole counts as one; one that breaks off counts as
# one failure more than it reported.
use strict;
use warnings;
use TAP::Parser;
use TAP::Parser::Multiplexer;

my @files = @ARGV;
my $jobs = $ENV{TAP_JOBS} // 2;
my %count = (passed => 0, failed => 0, skipped => 0);
my (%seen, @problems);
my $running = TAP::Parser::Multiplexer->new;

sub start_next
{
	my $file = shift @files or return;
	my $parser = TAP::Parser->new({ source => $file, merge => 1 });
	$seen{$file} = { start => time, lines => [], skips => [], failures => [] };
	$running->add($parser, $file);
}

sub note_result
{
	my ($state, $result) = @_;
	push @{ $state->{lines} }, $result->as_string;
	return unless $result->is_test;
	if ($result->has_skip)
	{
		push @{ $state->{skips} }, $result->explanation || $result->description;
	}
	elsif ($result->is_ok)
	{
		$state->{passed}++;
	}
	else
	{
		push @{ $state->{failures} }, $result->description;
	}
}

sub show_tail
{
	my @tail = @_ > 80 ? @_[ -80 .. -1 ] : @_;
	print "        $_\n" for @tail;
}

# The log that PostgreSQL's test library keeps: it has what a file died of.
sub regress_log
{
	my ($file) = @_;
	my ($name) = $file =~ m{([^/]+)\.pl$};
	open my $fh, '<', "tmp_check/log/regress_log_$name" or return;
	chomp(my @lines = <$fh>);
	return @lines > 25 ? @lines[ -25 .. -1 ] : @lines;
}

sub report
{
	my ($file, $parser) = @_;
	my $state = $seen{$file};
	my @failures = @{ $state->{failures} };
	my @skips = @{ $state->{skips} };
	push @skips, $parser->skip_all if $parser->skip_all;
	push @failures, 'it broke off'
	  if $parser->has_problems && !@failures;
	$count{passed} += $state->{passed} // 0;
	$count{failed} += @failures;
	$count{skipped} += @skips;
	printf "ok      %s (%d in %ds)\n", $file, $state->{passed},
	  time - $state->{start}
	  if !@failures && $state->{passed};
	print "skip    $file: $_\n" for @skips;
	print "FAILED  $file: $_\n" for @failures;

	if (@failures)
	{
		show_tail(@{ $state->{lines} });
		show_tail(regress_log($file)) if $parser->has_problems;
	}
}

$| = 1;
start_next() for 1 .. $jobs;
while (my ($parser, $file, $result) = $running->next)
{
	if (defined $result)
	{
		note_result($seen{$file}, $result);
	}
	else
	{
		report($file, $parser);
		start_next();
	}
}
print "counts: $count{passed} $count{failed} $count{skipped}\n";
exit($count{failed} ? 1 : 0);
