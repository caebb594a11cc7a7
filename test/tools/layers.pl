# layers.pl
#    Checks that a file of src/ includes headers of its own folder and of lower
#    layers only, and that no includes form a cycle.
use strict;
use warnings;
use File::Find;

# Lowest layer first; folders on one line may not include each other.
my @layers =
  (['base'], [ 'llm', 'db', 'store' ], ['agent'], ['worker'], ['api'], ['']);
my (%rank, %includes, $problems);
for my $i (0 .. $#layers) { $rank{$_} = $i for @{ $layers[$i] } }

sub scan
{
	my $file = $_;
	my ($dir) = $file =~ m{^src/(?:(\w+)/)?[\w.]+\.[ch]$} or return;
	$dir //= '';
	return if $dir =~ /^(prompts|queries)$/;
	if (!exists $rank{$dir})
	{
		print "$file: folder '$dir' is no layer\n";
		$problems++;
		return;
	}
	open my $fh, '<', $file or die "$file: $!\n";
	while (<$fh>)
	{
		next unless m{^\s*#\s*include "(?:(\w+)/)?([\w.]+\.h)"};
		my ($to, $header) = ($1 // '', $2);
		my $target = $to eq '' ? "src/$header" : "src/$to/$header";

		# the server's own headers, and the generated texts, are no layer
		next if !-e $target || $to =~ /^(prompts|queries)$/;
		push @{ $includes{$file} }, $target;
		if ($to ne $dir && $rank{$to} >= $rank{$dir})
		{
			print "$file:$.: '$dir' may not include '$to'\n";
			$problems++;
		}
	}
}
find({ no_chdir => 1, wanted => \&scan }, 'src');

my %seen;

sub walk
{
	my ($file, @path) = @_;
	if (grep { $_ eq $file } @path)
	{
		print "cycle: @path $file\n";
		$problems++;
		return;
	}
	return if $seen{$file}++;
	walk($_, @path, $file) for @{ $includes{$file} // [] };
}
walk($_) for sort keys %includes;
exit($problems ? 1 : 0);
