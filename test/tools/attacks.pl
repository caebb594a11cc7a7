#!/usr/bin/perl
# attacks.pl DIRECTORY
#    The part of attacks.sh that runs the cases and judges: for each role one
#    session after the other, with all cases through sqlagent.tool_run_sql, and
#    a comparison of what the statements could have changed.
use strict;
use warnings;
use JSON::PP;
use Time::HiRes qw(time sleep);

my ($work) = @ARGV;
my $limit_ms = 2000;
my %ends = map { $_ => 1 } qw(57014 53400 53200 54000);
my $json = JSON::PP->new->utf8;
my ($passed, $failed, $skipped) = (0, 0, 0);
my @failures;

sub slurp
{
	my ($name) = @_;
	open my $fh, '<', $name or die "$name: $!";
	local $/;
	return <$fh>;
}

my $setup = slurp("$work/setup.sql");
my @cases;
for (split /\n/, slurp("$work/cases.tsv"))
{
	my ($id, $expected, $why, $sql) = split /\t/, $_, 4;
	next if $ENV{CASES} && $id !~ /^(?:$ENV{CASES})/;
	$sql =~ s/<LF>/\n/g;
	push @cases,
	  { id => $id, expected => $expected, why => $why, sql => $sql };
}

# Output of psql for a script, as one text.
sub psql
{
	my ($role, $script) = @_;
	my $file = "$work/script.$$";
	open my $fh, '>', $file or die $!;
	print $fh $script;
	close $fh;
	my $out = `psql -XAtq -d sectest -U $role -f $file 2>&1`;
	unlink $file;
	return $out;
}

# Tables, large objects and the like, as text to be compared.
sub state_of_things
{
	return psql('postgres', <<'SQL');
SELECT n.nspname, c.relname, (xpath('/row/h/text()', query_to_xml(format(
	'SELECT count(*) || md5(coalesce(string_agg(t::text, chr(10) ORDER BY t::text), '''')) AS h FROM %s t',
	c.oid::regclass), false, true, '')))[1]
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE c.relkind IN ('r', 'm') AND n.nspname IN ('shop', 'lab', 'vault') ORDER BY 1, 2;
SELECT 'sequence', schemaname, sequencename, last_value FROM pg_sequences ORDER BY 2, 3;
SELECT 'large object', m.oid, md5(lo_get(m.oid)) FROM pg_largeobject_metadata m ORDER BY 2;
SELECT 'prepared', count(*) FROM pg_prepared_xacts;
SELECT 'slots', count(*) FROM pg_replication_slots;
SELECT 'roles', count(*), md5(string_agg(r::text, ',' ORDER BY rolname)) FROM pg_authid r;
SELECT 'settings of roles', md5(string_agg(s::text, ',' ORDER BY setdatabase, setrole)) FROM pg_db_role_setting s;
SELECT 'relations', count(*), md5(string_agg(coalesce(relacl::text, ''), ',' ORDER BY oid)) FROM pg_class WHERE relnamespace <> 'sqlagent'::regnamespace;
SELECT 'functions', count(*) FROM pg_proc;
SELECT 'collations', count(*) FROM pg_collation;
SELECT 'comments', count(*) FROM pg_description;
SELECT 'temporary schemas', count(*) FROM pg_namespace WHERE nspname LIKE 'pg\_temp\_%' AND EXISTS (SELECT FROM pg_class WHERE relnamespace = pg_namespace.oid);
SELECT 'advisory locks', count(*) FROM pg_locks WHERE locktype = 'advisory';
SELECT 'started', pg_postmaster_start_time();
SELECT 'statistics reset', stats_reset FROM pg_stat_bgwriter;
SQL
}

# Sessions that nobody may end, one of which listens to every channel.
my @bystanders;

sub start_bystander
{
	my ($role, $script) = @_;
	my $name = "$work/bystander" . @bystanders;
	my $pid = open my $in, '|-',
	  "psql -XAtq -d sectest -U $role >$name 2>&1"
	  or die $!;
	select((select($in), $| = 1)[0]);
	print $in $script;
	push @bystanders, { in => $in, out => $name, role => $role };
}

sub channels
{
	my $text = join ' ', $setup, map { $_->{sql} } @cases;
	my %found = map { $_ => 1 }
	  $text =~ /(?:pg_notify"?\s*\(\s*'+|NOTIFY\s+|LISTEN\s+)(\w+)/gi;
	return sort keys %found;
}

# What is wrong with them now.
sub bystander_harm
{
	my @harm;
	for my $bystander (@bystanders)
	{
		print { $bystander->{in} } "SELECT 'still here';\n";
		my $tries = 200;
		sleep 0.02
		  until slurp($bystander->{out}) =~ /still here/ || !--$tries;
		push @harm, "a session of $bystander->{role} has ended"
		  unless $tries;
		push @harm, "notification arrived: $1"
		  if slurp($bystander->{out}) =~ /Asynchronous notification "(\w+)"/;
		close $bystander->{in};
	}
	return @harm;
}

# Files that the statements name, below /tmp.
sub files
{
	my $text = join ' ', map { $_->{sql} } @cases;
	my %found = map { $_ => 1 } $text =~ m{'(/tmp/[\w./-]+)'}g;
	return grep { -e } sort keys %found;
}

# A module that is missing takes its cases with it.
sub missing_modules
{
	my ($list) = $setup =~ /FOREACH m IN ARRAY ARRAY\[(.*?)\]/s;
	my %there = map { $_ => 1 } split /\n/,
	  psql('postgres', 'SELECT extname FROM pg_extension');
	return grep { !$there{$_} } ($list // '') =~ /'(\w+)'/g;
}

# The results of the cases by id: parsed JSON, and milliseconds.
sub run_cases
{
	my ($role) = @_;
	my %result;
	my @todo = grep { !$_->{skip} } @cases;
	while (@todo)
	{
		my $script = "\\timing on\n";
		for my $case (@todo)
		{
			my $args = $json->encode({ sql => $case->{sql} });
			utf8::decode(my $copy = $case->{sql});
			$args = $json->encode({ sql => $copy });
			$script .= "\\echo \@\@$case->{id}\n"
			  . "SELECT sqlagent.tool_run_sql(\$args\$$args\$args\$);\n";
		}
		my %out = psql($role, $script) =~ /^\@\@(\S+)\n(.*?)(?=^\@\@|\z)/gms;
		my $last;
		for my $case (@todo)
		{
			my $text = $out{ $case->{id} };
			last unless defined $text;
			$last = $case->{id};
			my ($ms) = $text =~ /^Time: ([\d.]+) ms/m;
			my ($line) = $text =~ /^(\{.*\})$/m;
			$result{$last} = {
				ms => $ms // 0,
				text => $text,
				json => defined $line ? eval { $json->decode($line) } : undef
			};
		}
		die "no result from psql" unless defined $last;

		# the session ended in this case: go on behind it in a new one
		shift @todo while @todo && $result{ $todo[0]{id} };
	}
	return \%result;
}

# Whether the result is what was expected, and what it was.
sub judge
{
	my ($case, $result) = @_;
	my $answer = $result->{json};
	return (0, "no answer: $result->{text}") unless $answer;
	my $error = $answer->{error};
	my $state = $error ? $error->{sqlstate} // '' : '';
	my $told = $error ? "$state $error->{message}" : "$answer->{row_count} rows";
	my $in_time = $result->{ms} < $limit_ms + 1000;
	my $ended = $error && $ends{$state} && $in_time;
	$told .= sprintf ' (%.0f ms)', $result->{ms} unless $in_time;
	my %holds = (
		block => $error && $in_time,
		allow => !$error && !$answer->{truncated} && $answer->{row_count} > 0,
		timeout => $ended,
		cap => $ended || (!$error && $answer->{truncated}));
	return ($holds{ $case->{expected} } ? 1 : 0, $told);
}

# Who refused: a rule of the guard, the parser, or the server's privileges.
sub refuser
{
	my ($error) = @_;
	return $1 if $error->{message} =~ /\((R\d\d)\)$/;
	return 'privilege' if $error->{sqlstate} eq '42501';
	return 'parser' if $error->{sqlstate} =~ /^42|^54001/;
	return $error->{type};
}

sub report_role
{
	my ($role, $results) = @_;
	my (%group, %by, @other);
	for my $case (@cases)
	{
		my ($letter) = $case->{id} =~ /^([A-Z]+)/;
		if ($case->{skip})
		{
			$skipped++;
			next;
		}
		my ($ok, $told) = judge($case, $results->{ $case->{id} });
		$group{$letter}[$ok]++;
		$ok ? $passed++ : $failed++;
		push @failures, "$role $case->{id} $case->{expected}: $told"
		  unless $ok;
		next unless $ok && $case->{expected} eq 'block';
		my $who = refuser($results->{ $case->{id} }{json}{error});
		$by{$who}++;
		my ($rule) = $case->{why} =~ m{^(R[\d/R]+)};
		push @other, "$case->{id} $rule by $who"
		  if $rule && !grep { $_ eq $who } split m{/}, $rule;
	}
	print "$role\n";
	printf "  %-3s %3d of %d\n", $_, $group{$_}[1] // 0,
	  ($group{$_}[1] // 0) + ($group{$_}[0] // 0)
	  for sort keys %group;
	print '  refused by: ', join(', ', map { "$_ $by{$_}" } sort keys %by),
	  "\n";
	print "  by another rule than noted: $_\n" for @other;
}

my @missing = missing_modules();
if (@missing)
{
	$_->{skip} = $_->{sql} =~ /\bext\.|lab\.ft_|lab\.part_mixed/
	  for @cases;
	print "skipped for the missing modules @missing: ",
	  scalar(grep { $_->{skip} } @cases), " cases\n";
}
my $before = state_of_things();
start_bystander('sa_alice', join '', map { "LISTEN $_;\n" } channels());
start_bystander('sa_bob', "SELECT 'hello';\n");
for my $role (qw(sa_alice sa_boss))
{
	report_role($role, run_cases($role));
}
my @harm = bystander_harm();
my %were = map { $_ => 1 } split /\n/, $before;
push @harm, "changed: $_" for grep { !$were{$_} } split /\n/, state_of_things();
push @harm, "file $_" for files();
push @harm, "server log: $_"
  for grep { /terminated by signal|PANIC/ } split /\n/,
  slurp("$work/data/log");
if (@harm)
{
	$failed++;
	push @failures, map { "harm: $_" } @harm;
}
else
{
	$passed++;
	print "no harm found: tables, sequences, large objects, roles, locks, ",
	  "slots, settings, files, notifications, sessions\n";
}
print "FAILED  $_\n" for @failures;
print "$passed passed, $failed failed, $skipped skipped\n";
exit($failed ? 1 : 0);
