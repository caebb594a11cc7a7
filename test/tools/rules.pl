# rules.pl
#    Checks rules of the code that a pattern can hold: what may be used only in
#    one place, how files begin, and how long files and functions may be.
use strict;
use warnings;
use File::Find;

# [what, pattern that must not occur, files where it may]
my @only = (
	[ 'curl', qr/\bcurl_\w+\(|\bCURL[A-Z_]|"curl\/|<curl\//, qr{^src/llm/http} ],
	[ 'json-c headers', qr/#include.*json-c/, qr{^src/(base/json|llm/wire_)} ],
	[ 'PG_VERSION_NUM', qr/\bPG_VERSION_NUM\b/, qr{^src/base/compat\.h$} ],
	[
		'processes and shared memory',
		qr/\b(?:dsm_|shm_mq|shm_toc_|RegisterDynamicBackgroundWorker|BackgroundWorker)\w*/,
		qr{^src/worker/}
	],
	[
		'SPI and transactions',
		qr/\b(?:SPI_\w+|StartTransaction\w*|CommitTransaction\w*|Abort(?:Current|OutOfAny)\w*)\s*\(/,
		qr{^src/base/spi\.c$}
	],
	[
		'SQL-callable functions', qr/\b(?:SA_FUNCTION|PG_FUNCTION_INFO_V1)\(/,
		qr{^src/(api/|sqlagent\.c$|base/export\.h$)}
	],
);

my $max_file = 600;
my $max_function = 120;
my (%problems, %own);

sub problem
{
	my ($rule, $text) = @_;
	push @{ $problems{$rule} }, $text;
}

sub code_of    # the file with comments blanked, lines kept
{
	my ($text) = @_;
	$text =~ s{/\*.*?\*/}{ my $c = $&; $c =~ s/[^\n]//g; $c }gse;
	return $text;
}

sub check_file
{
	my ($file) = @_;
	open my $fh, '<', $file or die "$file: $!\n";
	my $text = do { local $/; <$fh> };
	my @lines = split /\n/, $text;
	my @code = split /\n/, code_of($text);

	for my $rule (@only)
	{
		my ($what, $pattern, $where) = @$rule;
		next if $file =~ $where;
		for my $i (0 .. $#code)
		{
			problem("$what in its place", "$file:" . ($i + 1) . ": $lines[$i]")
			  if $code[$i] =~ $pattern;
		}
	}
	my ($first) = grep { /^#include/ } @lines;
	if ($file =~ /\.c$/)
	{
		problem('postgres.h first', "$file: first include is $first")
		  if defined $first && $first ne '#include "postgres.h"';
	}
	else
	{
		problem('postgres.h first', "$file: a header includes postgres.h")
		  if $text =~ /^#include "postgres\.h"/m;
	}
	for (grep { /^#include "(\w+\.h)"/ } @lines)
	{
		my ($header) = /"(.*)"/;
		problem('includes name the layer', "$file: $_") if $own{$header};
	}
	my ($base) = $file =~ m{([^/]+)$};
	problem('header comment', "$file: begins without a comment that names it")
	  if $text !~ m{\A/\*(?:-*\n| )?\s*\*?\s*\Q$base\E\n};
	problem('lengths', "$file: " . @lines . " lines, at most $max_file")
	  if @lines > $max_file;

	# a function's body begins and ends in column one
	my ($start, $name) = (0, '');
	for my $i (0 .. $#lines)
	{
		$start = $i, $name = $lines[ $i - 1 ] if $lines[$i] eq '{';
		my $length = $i - $start + 1;
		problem('lengths', "$file:$start: $name: $length lines, at most $max_function")
		  if $lines[$i] eq '}' && $length > $max_function;
	}
}

my @files;
find(
	{
		no_chdir => 1,
		wanted => sub {
			push @files, $_ if m{\.[ch]$} && !m{\.gen\.h$};
		}
	},
	'src');
$own{ m{([^/]+)$} ? $1 : '' } = 1 for grep { /\.h$/ } @files;
check_file($_) for sort @files;

# One line a rule, in the form that check.sh reads.
my @names = (
	(map { "$_->[0] in its place" } @only),
	'postgres.h first', 'includes name the layer', 'header comment', 'lengths');
for my $rule (@names)
{
	my $found = $problems{$rule};
	print $found ? "FAIL" : "ok", "\t$rule\n";
	print "  $_\n" for @{ $found // [] };
}
exit(%problems ? 1 : 0);
