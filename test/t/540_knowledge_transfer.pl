# Knowledge comes along in a dump, and in and out as JSON.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use JSON::PP;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SaCluster;
use Test::More;

my $node = SaCluster->start_company("sqlagent.text_search_config = 'english'");
sub company { return $node->safe_psql('company', $_[0]); }

# A table whose column numbers will be others in a copy
company(<<'SQL');
CREATE TABLE orders (old1 integer, old2 integer, country text, amount numeric);
ALTER TABLE orders DROP COLUMN old1;
ALTER TABLE orders DROP COLUMN old2;
INSERT INTO orders VALUES ('Peru', 12.5);
GRANT SELECT ON orders TO analyst;
SQL
$node->run_as('analyst', <<'SQL');
SELECT sqlagent.tool_save_validated_query('{"name": "Orders of", "question": "Orders from :country text", "sql": "SELECT amount FROM orders WHERE country = :country", "summary": "s", "tables_used": ["orders"]}');
SELECT sqlagent.tool_save_validated_query('{"name": "Amount", "question": "Amount of all orders", "sql": "SELECT sum(amount) FROM orders", "summary": "s", "tables_used": ["orders"]}');
SELECT sqlagent.tool_save_validated_query('{"name": "Names", "question": "Names of customers with invoices", "sql": "SELECT DISTINCT c.name FROM customers c JOIN invoices i ON i.customer_id = c.id JOIN employees e ON e.id = i.employee_id WHERE c.name LIKE $$K%$$", "summary": "s", "tables_used": ["customers"]}');
SELECT sqlagent.tool_save_learning('{"title": "Amounts", "description": "are net of tax", "category": "business_logic", "sql": "SELECT amount FROM orders"}');
SQL
company(q{UPDATE sqlagent.query_patterns SET status = 'approved';
INSERT INTO sqlagent.rules (kind, name, description, calculation, tables, status) VALUES ('metric', 'Revenue', 'what was sold', 'sum(amount)', '{orders}', 'approved')});
is($node->ask('Orders from Peru'), 'amount: 12.5', 'before the dump');

# Dump and restore
$node->safe_psql('postgres', 'CREATE DATABASE copy');
my $dump = $PostgreSQL::Test::Utils::tmp_check . '/company.dump';
$node->command_ok([ 'pg_dump', '-Fc', '-f', $dump, '-d', $node->connstr('company') ], 'pg_dump');
$node->command_ok([ 'pg_restore', '-e', '-d', $node->connstr('copy'), $dump ], 'pg_restore');
for my $table (qw(query_patterns learnings rules))
{
	my $sum = "SELECT count(*), md5(string_agg((to_jsonb(t))::text, chr(10) ORDER BY id)) FROM sqlagent.$table t";
	is($node->safe_psql('copy', $sum), company($sum), "all of $table");
	like(company($sum), qr/^[1-3]\|/, 'which is something');
}
is($node->ask('Orders from Peru', database => 'copy'), 'amount: 12.5', 'the copy reuses its patterns');
is($node->ask('Names of customers with invoices', database => 'copy'), 'name: Kenji Tanaka', 'also one over tables that share a name of a column');
is($node->safe_psql('copy', q{SELECT string_agg(DISTINCT status, ' ') FROM sqlagent.query_patterns}), 'approved', 'other OIDs and column numbers make nothing stale');
$node->safe_psql('copy', 'ALTER TABLE orders RENAME COLUMN amount TO price');
is($node->ask('Amount of all orders', database => 'copy'), 'sum: 12.5', 'and it follows renames there');
is($node->safe_psql('copy', q{SELECT sql FROM sqlagent.query_patterns WHERE name = 'Orders of'}), 'SELECT price FROM orders WHERE country = :country', 'in its SQL');
is($node->safe_psql('copy', 'SELECT calculation FROM sqlagent.rules'), 'sum(price)', 'in rules, too');
$node->safe_psql('copy', 'ALTER TABLE orders DROP COLUMN country');
is($node->safe_psql('copy', q{SELECT string_agg(name || ' ' || status, ', ' ORDER BY name) FROM sqlagent.query_patterns}), 'Amount approved, Names approved, Orders of stale', 'what was dropped there');
for my $table (qw(query_patterns learnings rules))
{
	my $insert = { query_patterns => "(name, question, sql) VALUES ('n', 'new', 'SELECT 1')",
		learnings => "(title, description, category) VALUES ('n', 'd', 'type_error')",
		rules => "(kind, name, description) VALUES ('rule', 'n', 'd')" }->{$table};
	is($node->safe_psql('copy', "INSERT INTO sqlagent.$table $insert RETURNING id"),
		company("SELECT max(id) + 1 FROM sqlagent.$table"), "the numbers of $table go on");
}
# event triggers of the copy are there
is($node->safe_psql('copy', q{SELECT count(*) FROM pg_event_trigger WHERE evtname LIKE 'sqlagent%'}), 2, 'the copy is told of commands');

# Export and import
my $export = company('SELECT sqlagent.export_knowledge()');
my $import = sub {
	my ($database, $json, $more) = @_;
	my ($status, $out, $err) = $node->run_as('postgres', 'SELECT sqlagent.import_knowledge(' . SaCluster::quote($json) . ($more // '') . ')', database => $database);
	die $err if $status;
	return decode_json($out);
};
$node->make_company('other');
$node->safe_psql('other', 'CREATE TABLE orders (country text, amount numeric)');
my $report = $import->('other', $export, ', dry_run => true');
is_deeply($report->{query_patterns}, { added => 3, updated => 0, unchanged => 0 }, 'a dry run tells what it would do');
is($node->safe_psql('other', 'SELECT count(*) FROM sqlagent.query_patterns'), 0, 'and does nothing');
$report = $import->('other', $export);
is_deeply([ map { $report->{$_}{added} } qw(query_patterns learnings rules) ], [ 3, 1, 1 ], 'an import');
is_deeply($report->{skipped}, [], 'all of it');
is($node->safe_psql('other', 'SELECT sqlagent.export_knowledge()'), $export, 'what is exported again is the same');
$report = $import->('other', $export);
is_deeply([ map { $report->{$_}{unchanged} } qw(query_patterns learnings rules) ], [ 3, 1, 1 ], 'twice is once');
is($node->safe_psql('other', q{SELECT string_agg(status, ' ' ORDER BY id) FROM sqlagent.query_patterns}), 'approved approved approved', 'decisions come along');
$node->safe_psql('other', q{UPDATE sqlagent.rules SET description = 'other'});
$report = $import->('other', $export);
is($report->{rules}{updated}, 1, 'what differs is replaced');

# Who may not review proposes
$node->safe_psql('other', q{DELETE FROM sqlagent.query_patterns; DELETE FROM sqlagent.learnings; DELETE FROM sqlagent.rules;
	GRANT SELECT ON orders TO analyst; GRANT EXECUTE ON FUNCTION sqlagent.import_knowledge TO analyst});
my ($status, $out, $err) = $node->run_as('analyst', 'SELECT sqlagent.import_knowledge(' . SaCluster::quote($export) . ')', database => 'other');
is($status, 0, 'who was granted the function may import');
is($node->safe_psql('other', q{SELECT string_agg(DISTINCT status || ' ' || proposed_by, ', ') FROM (SELECT status, proposed_by FROM sqlagent.query_patterns UNION ALL SELECT status, proposed_by FROM sqlagent.learnings UNION ALL SELECT status, proposed_by FROM sqlagent.rules) x}),
	'proposed analyst', 'but what he imports are his proposals');
like(($node->run_as('analyst', q{SELECT sqlagent.export_knowledge()}))[2], qr/permission denied/, 'export is for whom it was granted to');
like(($node->run_as('analyst', q{SELECT sqlagent.prune_knowledge('1 day')}))[2], qr/permission denied/, 'prune, too');
like(($node->run_as('analyst', q{SELECT sqlagent.revalidate_knowledge()}))[2], qr/permission denied/, 'and revalidate');

done_testing();
