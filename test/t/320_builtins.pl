# Which of the server's own functions a statement may call is decided by rules
# of name and volatility; so that a new major's are looked at by a person, those
# that are allowed are listed in test/schema/builtins.txt.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use PostgreSQL::Test::Utils;
use SaCluster;
use Test::More;

# name, then "(types)" of each function: "15 abs(bigint)(double precision)"
my %since;
for (split /\n/, slurp_file("$FindBin::RealBin/../schema/builtins.txt"))
{
	next if /^#/ || $_ eq '';
	my ($major, $name, $types) = /^(\d+) ([\w.]+)((?:\([^()]*\))+)$/ or die "builtins.txt: $_";
	$since{"$name$_"} = $major for $types =~ /\([^()]*\)/g;
}
cmp_ok(scalar keys %since, '>', 1000, 'the list is there');

my $node = SaCluster->start_company('');
my ($major) = $node->safe_psql('company', 'SHOW server_version_num') =~ /^(\d+)\d{4}$/;

# What has an internal argument, or is a trigger, SQL cannot call.
my %allowed = map { split /\|/, $_, 2 } split /\n/, $node->safe_psql('company', <<'SQL');
CREATE FUNCTION pg_temp.rule(oid) RETURNS text LANGUAGE c STRICT
	AS '$libdir/sqlagent', 'sqlagent_function_rule';
SELECT concat(nullif(n.nspname || '.', 'pg_catalog.'), p.proname,
		'(', oidvectortypes(p.proargtypes), ')'),
	pg_temp.rule(p.oid) IS NULL
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE p.oid < 16384 AND 'internal'::regtype <> ALL (p.proargtypes)
	AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype)
SQL

my @unseen = sort grep { $allowed{$_} eq 't' && ($since{$_} // 99) > ($major == 16 ? 17 : $major) } keys %allowed;
is("@unseen", '', 'every built-in function that is allowed is listed');
my @refused = sort grep { $allowed{$_} eq 'f' && $since{$_} } keys %allowed;
is("@refused", '', 'and none that is refused');

done_testing();
