#!/usr/bin/perl
# Turn text files into a C header: one macro a file, PREFIX and the file's name
# in capitals.  Used for the prompts and for the longer SQL statements.
use strict;
use warnings;

my $prefix = shift or die "usage: embed.pl PREFIX FILE...\n";
print "/* generated from the text files beside it: do not edit */\n";
for my $file (@ARGV)
{
	my ($name) = $file =~ m{([^/]+)\.\w+$} or die "no name in $file\n";
	open my $in, '<', $file or die "could not open $file: $!\n";
	print "\n#define $prefix" . uc($name) . " \\\n";
	my @lines = map {
		chomp;
		s/([\\"])/\\$1/g;
		s/\?\?/?\\?/g;    # no trigraphs
		"\t\"$_\\n\"";
	} <$in>;
	print @lines ? join(" \\\n", @lines) : "\t\"\"", "\n";
}
