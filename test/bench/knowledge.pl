# knowledge.pl
#    Knowledge at scale: prints times of searching a million patterns, and of a
#    question that is answered from one, in milliseconds as the client sees them.
#
# The words of the patterns follow Zipf's law: some are in a third of the rows,
# most in a few.  Called by knowledge.sh.
use strict;
use warnings;

# The test library sends STDOUT to its log when the program starts.
my $table;
BEGIN { open $table, '>&', \*STDOUT or die $!; $table->autoflush; }

use FindBin;
use lib "$FindBin::RealBin/../lib";
use Digest::MD5 qw(md5_hex);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SaCluster;
use Time::HiRes qw(time);

my $rows = $ENV{ROWS} // 1_000_000;
my $rounds = $ENV{ROUNDS} // 200;
my $words = 20_000;
srand 1;

my $node = SaCluster->start_company(<<'CONF');
shared_buffers = 512MB
maintenance_work_mem = 256MB
max_wal_size = 8GB
fsync = on
synchronous_commit = on
CONF

my $start = time;
$node->safe_psql('company', <<"SQL");
CREATE FUNCTION pg_temp.word(seed float8) RETURNS text LANGUAGE sql AS
	\$\$ SELECT 'w' || substr(md5(floor(exp(seed * ln($words)) - 1)::integer::text), 1, 6) \$\$;
INSERT INTO sqlagent.query_patterns (name, question, sql, summary, status)
SELECT concat_ws(' ', pg_temp.word(random()), pg_temp.word(random()), pg_temp.word(random())),
	concat_ws(' ', 'What is the', pg_temp.word(random()), pg_temp.word(random()), pg_temp.word(random()),
		'of', pg_temp.word(random()), pg_temp.word(random()), 'number', i, '?'),
	'SELECT ' || i, pg_temp.word(random()), CASE WHEN i % 10 = 0 THEN 'proposed' ELSE 'approved' END
FROM generate_series(1, $rows) i;
INSERT INTO sqlagent.query_patterns (name, question, sql, summary, status) VALUES
	('best', 'Who is the best customer?',
	'SELECT c.name, sum(i.total) FROM customers c JOIN invoices i ON i.customer_id = c.id GROUP BY c.name ORDER BY 2 DESC LIMIT 1', 's', 'approved'),
	('of', 'Revenue from :country text', 'SELECT sum(i.total) FROM customers c JOIN invoices i ON i.customer_id = c.id WHERE c.country = :country', 's', 'approved');
SQL
$node->safe_psql('company', 'VACUUM (ANALYZE) sqlagent.query_patterns');
# What the load has left unwritten would make the commits below wait.
$node->safe_psql('company', 'CHECKPOINT');
printf $table "%d patterns stored in %.0f s\n\n", $rows, time - $start;

sub word
{
	return 'w' . substr md5_hex(int(exp(rand() * log $words) - 1)), 0, 6;
}

sub at
{
	my ($share, @times) = @_;
	return (sort { $a <=> $b } @times)[ int(@times * $share) ];
}

sub show
{
	my ($what, @times) = @_;
	printf $table "%-44s %7.2f %7.2f %7.2f\n", $what, at(0.5, @times), at(0.9, @times), at(0.99, @times);
}

my $session = $node->session('analyst');
$session->query('SET client_min_messages = error');

sub timed
{
	my ($sql) = @_;
	my $begin = time;
	my $out = $session->query("$sql;");
	return ((time - $begin) * 1000, $out);
}

printf $table "%-44s %7s %7s %7s\n", 'milliseconds', 'p50', 'p90', 'p99';
my @all;
for my $count (1, 2, 4, 6)
{
	my @times;
	for (1 .. $rounds)
	{
		my $query = join ' ', 'What is the', map { word() } 1 .. $count;
		my ($time) = timed("SELECT length(sqlagent.tool_search_knowledge('{\"query\": \"$query\"}')::text)");
		push @times, $time;
	}
	show("search, $count word" . ($count > 1 ? 's' : ''), @times);
	push @all, @times;
}
show('search, all of these', @all);

my $sql = 'SELECT c.name, sum(i.total) FROM customers c JOIN invoices i ON i.customer_id = c.id GROUP BY c.name ORDER BY 2 DESC LIMIT 1';
my %times;
for (1 .. $rounds)
{
	my ($plain) = timed($sql);
	my ($reused, $out) = timed("SELECT sqlagent.ask('who is the best customer')");
	die "not reused: $out" unless $out =~ /Marie Dupont.*3700/;
	my ($filled, $sum) = timed("SELECT sqlagent.ask('Revenue from France')");
	die "not reused: $sum" unless $sum =~ /3700/;
	push @{ $times{plain} }, $plain;
	push @{ $times{reused} }, $reused;
	push @{ $times{filled} }, $filled;
}
show('the SQL of a pattern, run by the client', @{ $times{plain} });
show('the question that the pattern answers', @{ $times{reused} });
show('a question with a placeholder', @{ $times{filled} });
printf $table "%-44s %7.2f\n", 'beyond the query, p50', at(0.5, @{ $times{reused} }) - at(0.5, @{ $times{plain} });
$session->finish;
$node->stop;
print $table "done\n";
