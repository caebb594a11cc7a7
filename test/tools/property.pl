#!/usr/bin/perl
# property.pl DIRECTORY
#    The part of property.sh that makes the statements and looks at what became
#    of them.  Three kinds: from a grammar over the sample schema (run), the
#    server's own regression queries where they are (run), and mutations of our
#    tests' statements (checked, which is the guard's entry without the executor).
use strict;
use warnings;

my ($work) = @ARGV;
my $seed = $ENV{SEED} || time;
my ($passed, $failed, $skipped) = (0, 0, 0);
srand $seed;
print "seed $seed\n";

sub slurp
{
	my ($name) = @_;
	open my $fh, '<:encoding(UTF-8)', $name or die "$name: $!";
	local $/;
	return <$fh>;
}

sub psql
{
	my ($role, $sql) = @_;
	my $file = "$work/property.sql";
	open my $fh, '>', $file or die $!;
	print $fh $sql;
	close $fh;
	my $out = `psql -XAtq -d company -U $role -f $file 2>&1`;
	chomp $out;
	return $out;
}

sub report
{
	my ($ok, $name) = @_;
	$ok ? $passed++ : $failed++;
	print $ok ? 'ok      ' : 'FAILED  ', "$name\n";
}

sub one { return $_[ rand @_ ]; }

# ------------------------------------------------------------ the grammar
my %columns = (
	departments => { int => ['id'], text => [ 'name', 'location' ] },
	employees => {
		int => [ 'id', 'department_id', 'salary' ],
		text => [ 'name', 'title' ],
		date => ['hired_on']
	},
	customers => { int => ['id'], text => [ 'name', 'country', 'city', 'email' ] },
	invoices => {
		int => [ 'id', 'customer_id', 'employee_id' ],
		numeric => ['total'],
		date => [ 'issued_on', 'paid_on' ]
	});
my $aliases = 0;

# A column of the type from what is in scope, or a constant.
sub leaf
{
	my ($scope, $type) = @_;
	my @found = map { my $s = $_; map { "$s->{alias}.$_" } @{ $s->{columns}{$type} // [] } } @$scope;
	return one(@found) if @found && rand() < 0.8;
	return one(0, 1, 7, 100) if $type eq 'int';
	return one("'USA'", "'x'", "''", "'%a%'", 'NULL::text') if $type eq 'text';
	return one('1.5', '100.00', '0.1::numeric') if $type eq 'numeric';
	return one("date '2024-01-15'", 'current_date') if $type eq 'date';
	return one('true', 'false', 'NULL::boolean');
}

my %makers = (
	int => [
		sub { "($_[0]->('int') " . one('+', '-', '*') . " $_[0]->('int'))" },
		sub { 'length(' . $_[0]->('text') . ')' },
		sub { 'extract(' . one('year', 'month', 'dow') . ' FROM ' . $_[0]->('date') . ')::int' },
		sub { '(SELECT count(*)::int FROM ' . one(sort keys %columns) . ')' },
		sub { 'abs(' . $_[0]->('int') . ')' },
		sub { 'coalesce(' . $_[0]->('int') . ', 0)' } ],
	text => [
		sub { one('upper', 'lower', 'trim', 'initcap', 'reverse', 'md5') . '(' . $_[0]->('text') . ')' },
		sub { "($_[0]->('text') || $_[0]->('text'))" },
		sub { 'left(' . $_[0]->('text') . ', 3)' },
		sub { 'replace(' . $_[0]->('text') . ", 'a', 'b')" },
		sub { 'split_part(' . $_[0]->('text') . ", ' ', 1)" },
		sub { 'to_char(' . $_[0]->('date') . ", 'YYYY-MM')" },
		sub { 'CASE WHEN ' . $_[0]->('bool') . ' THEN ' . $_[0]->('text') . " ELSE 'no' END" },
		sub { "jsonb_build_object('k', " . $_[0]->('int') . ")->>'k'" },
		sub { '(' . $_[0]->('int') . ')::text' } ],
	numeric => [
		sub { 'round(' . $_[0]->('numeric') . ', 1)' },
		sub { "($_[0]->('numeric') / nullif($_[0]->('numeric'), 0))" },
		sub { '(' . $_[0]->('int') . ')::numeric' },
		sub { 'greatest(' . $_[0]->('numeric') . ', 1)' } ],
	date => [
		sub { "date_trunc('month', " . $_[0]->('date') . ')::date' },
		sub { '(' . $_[0]->('date') . ' + 1)' } ],
	bool => [
		sub { "$_[0]->('int') " . one('<', '=', '>=', '<>') . " $_[0]->('int')" },
		sub { $_[0]->('text') . " ILIKE '%a%'" },
		sub { $_[0]->('text') . ' ~ \'^[A-M]\'' },
		sub { $_[0]->('date') . " BETWEEN date '2024-01-01' AND current_date" },
		sub { '(' . $_[0]->('bool') . one(' AND ', ' OR ') . $_[0]->('bool') . ')' },
		sub { 'NOT (' . $_[0]->('bool') . ')' },
		sub { $_[0]->('int') . ' IN (SELECT id FROM ' . one(sort keys %columns) . ')' },
		sub { $_[0]->('text') . ' IS ' . one('', 'NOT ') . 'NULL' } ]);

sub expression
{
	my ($scope, $type, $depth) = @_;
	return leaf($scope, $type) if $depth <= 0 || rand() < 0.3;
	my $maker = one(@{ $makers{$type} });
	return $maker->(sub { expression($scope, $_[0], $depth - 1) });
}

# Items of FROM, and what they bring into scope.
sub source
{
	my ($depth) = @_;
	my $alias = 't' . ++$aliases;
	if ($depth > 0 && rand() < 0.3)
	{
		my ($sql, $types) = query($depth - 1);
		my %got;
		push @{ $got{ $types->[$_] } }, "c$_" for 0 .. $#$types;
		my $names = join ', ', map { "c$_" } 0 .. $#$types;
		return ("($sql) AS $alias($names)", { alias => $alias, columns => \%got });
	}
	return ("generate_series(1, 5) AS $alias(n)", { alias => $alias, columns => { int => ['n'] } })
	  if rand() < 0.1;
	my $table = one(sort keys %columns);
	return ("$table AS $alias", { alias => $alias, columns => $columns{$table} });
}

# A query and the types of its columns.
sub query
{
	my ($depth) = @_;
	my ($from, $first) = source($depth);
	my @scope = ($first);
	for (1 .. int rand 3)
	{
		my ($more, $item) = source($depth);
		push @scope, $item;
		$from .= rand() < 0.2
		  ? ", $more"
		  : ' ' . one('', 'LEFT ', 'FULL ') . "JOIN $more ON " . leaf(\@scope, 'int') . ' = ' . leaf([$item], 'int');
	}
	my @types = map { one(qw(int text numeric date)) } 0 .. int rand 4;
	my $where = rand() < 0.6 ? ' WHERE ' . expression(\@scope, 'bool', 2) : '';
	if (rand() < 0.3)
	{
		my $key = expression(\@scope, $types[0], 1);
		my @targets = map { one('count(*)::int', 'max(' . leaf(\@scope, 'int') . ')', 'count(*) FILTER (WHERE ' . expression(\@scope, 'bool', 1) . ')::int') } 1 .. $#types;
		return ("SELECT " . join(', ', "($key) AS k", @targets) . " FROM $from$where GROUP BY "
			  . one('1', 'ROLLUP (1)') . ' HAVING count(*) > 0',
			[ $types[0], map { 'int' } 1 .. $#types ]);
	}
	my @targets = map { expression(\@scope, $_, 2) } @types;
	if (rand() < 0.2)
	{
		push @targets, one('row_number()', 'rank()', 'count(*)') . ' OVER (PARTITION BY ' . leaf(\@scope, 'int') . ' ORDER BY ' . leaf(\@scope, 'text') . ')';
		push @types, 'bigint';
	}
	my $sql = 'SELECT ' . one('', '', 'DISTINCT ') . join(', ', @targets) . " FROM $from$where";
	$sql = "($sql) UNION " . one('', 'ALL ') . "($sql)" if rand() < 0.1;
	$sql .= ' LIMIT ' . int rand 50 if rand() < 0.4;
	$sql = "WITH w AS MATERIALIZED ($sql) SELECT * FROM w" if rand() < 0.1;
	return ($sql, \@types);
}

# ---------------------------------------------------------- the mutations
my @words = qw(SELECT FROM WHERE GROUP BY ORDER HAVING LIMIT UNION ALL WITH
  RECURSIVE AS JOIN LATERAL ON USING NULL CASE WHEN THEN END OVER PARTITION
  FILTER ARRAY ROW CAST VALUES TABLE DISTINCT EXISTS IN ANY NOT AND OR INTO
  FOR UPDATE DELETE INSERT pg_sleep set_config employees customers invoices
  id name total text int numeric jsonb regclass count sum max string_agg
  unnest generate_series repeat translate xpath format CUBE ROLLUP GROUPING
  SETS TABLESAMPLE WINDOW ROWS RANGE COLLATE JSON_TABLE XMLTABLE MERGE);
push @words, '(', ')', ',', ';', '.', '*', '+', '-', '/', '||', '::', '=', '<',
  '->>', '@>', '[', ']', '$1', "''", '"', "'", '--', '/*', '*/', '$$', '%',
  '0', '1', '99999999999', '1e100', "E'\\x'", 'U&"x"', "\x{e9}", "\x{1f600}";

sub seeds
{
	my @found = map { "SELECT $_ FROM employees" } qw(* id name);
	for my $file (glob "$work/src/sql/guard*.sql")
	{
		my $text = slurp($file);
		push @found, grep { length } split /\n/, $1
		  while $text =~ /FROM stdin WITH.*?\n(.*?)\n\\\.\n/gs;
	}
	return @found;
}

sub mutate
{
	my ($sql, $other) = @_;
	my @tokens = $sql =~ /(\w+|\s+|[^\w\s])/g;
	for (0 .. int rand 4)
	{
		my $at = int rand(@tokens || 1);
		my $kind = int rand 7;
		if ($kind == 0) { splice @tokens, $at, 1 }
		elsif ($kind == 1) { splice @tokens, $at, 0, ' ', one(@words), ' ' }
		elsif ($kind == 2) { $tokens[$at] = one(@words) }
		elsif ($kind == 3) { splice @tokens, $at, 0, @tokens[ $at .. min($at + rand 6, $#tokens) ] }
		elsif ($kind == 4) { @tokens = @tokens[ 0 .. $at ] }
		elsif ($kind == 5) { splice @tokens, $at, 1, '(', $other, ')' }
		else { $tokens[$at] = ($tokens[$at] // 'x') x (1 + rand 40) }
	}
	my $text = join '', map { $_ // '' } @tokens;
	return substr $text, 0, 20000;
}

sub min { return $_[0] < $_[1] ? $_[0] : $_[1]; }

# --------------------------------------------------------- running them
sub state_of_things
{
	return psql('postgres', <<'SQL');
SELECT relname, (xpath('/row/h/text()', query_to_xml(format(
	'SELECT count(*) || md5(coalesce(string_agg(t::text, chr(10) ORDER BY t::text), '''')) AS h FROM %I t', relname), false, true, '')))[1]
	FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'input' ORDER BY 1;
SELECT count(*) FROM pg_class WHERE relnamespace <> 'pg_toast'::regnamespace;
SELECT count(*) FROM pg_proc;
SELECT count(*) FROM pg_roles;
SELECT count(*) FROM pg_locks WHERE locktype = 'advisory';
SELECT count(*) FROM pg_largeobject_metadata;
SELECT pg_postmaster_start_time();
SQL
}

sub copy_text
{
	my ($text) = @_;
	$text =~ s/\\/\\\\/g;
	$text =~ s/\t/\\t/g;
	$text =~ s/\n/\\n/g;
	$text =~ s/\r/\\r/g;
	$text =~ s/\0//g;
	return $text;
}

# Statements through a tool in one session; counts by outcome.
sub run_all
{
	my ($tool, @statements) = @_;
	my $id = 0;
	my $script = "TRUNCATE input;\nCOPY input FROM stdin;\n"
	  . join('', map { ++$id . "\t" . copy_text($_) . "\n" } @statements) . "\\.\n";
	utf8::encode($script);
	my $out = psql('postgres', $script);
	die "COPY: $out" if $out ne '';
	return psql('analyst', <<"SQL");
SET client_min_messages = error;
SELECT string_agg(outcome || ' ' || n, ', ' ORDER BY outcome) FROM (
	SELECT coalesce(r->'error'->>'type', 'passed') AS outcome, count(*) AS n
	FROM (SELECT sqlagent.$tool(jsonb_build_object('sql', sql)) AS r FROM input OFFSET 0) x GROUP BY 1) y
SQL
}

sub harmless
{
	my ($before, $name, $outcome, $wanted) = @_;
	my $after = state_of_things();
	my $log = slurp("$work/data/log");
	my $crashed = $log =~ /terminated by signal|runtime error|PANIC/;
	print "        $outcome\n";
	report($outcome =~ $wanted && !$crashed && $after eq $before, $name);
	print "        log: $_\n"
	  for grep { /signal|runtime error|PANIC/ } split /\n/, $log;
	print "        before: $before\n        after: $after\n" if $after ne $before;
}

my $before = state_of_things();
my @grammatical = map { (query(2))[0] } 1 .. $ENV{RUNS};
harmless($before, "$ENV{RUNS} grammatical statements run and change nothing",
	run_all('tool_run_sql', @grammatical), qr/passed \d{2,}/);

my @files = $ENV{SERVER_SQL} ? glob "$ENV{SERVER_SQL}/*.sql" : ();
if (@files)
{
	my @statements = map { split /;\s*\n/, slurp($_) } @files;
	harmless($before, scalar(@statements) . ' regression queries of the server change nothing',
		run_all('tool_run_sql', grep { length && length() < 16000 } @statements), qr/passed \d/);
}
else
{
	$skipped++;
	print "skip    regression queries of the server: SERVER_SQL is not set\n";
}

my @seeds = seeds();
my $left = $ENV{INPUTS};
while ($left > 0)
{
	my $count = min($left, 20000);
	my @mutated = map { mutate(one(@seeds), one(@seeds)) } 1 .. $count;
	harmless($before, "$count mutated statements are checked without harm",
		run_all('tool_check_sql', @mutated), qr/\w/);
	last if $failed;
	$left -= $count;
}
print "$passed passed, $failed failed, $skipped skipped\n";
exit($failed ? 1 : 0);
