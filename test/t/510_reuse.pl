# A question that equals an approved pattern is answered without a model.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use JSON::PP;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SaCluster;
use SaModel;
use Test::More;

my $model = SaModel->new or plan skip_all => $SaModel::why_not;
my $node = SaCluster->start_company($model->conf);
$node->safe_psql('company', <<'SQL');
CREATE ROLE steward LOGIN;
GRANT USAGE ON SCHEMA sqlagent TO steward;
GRANT UPDATE ON sqlagent.query_patterns TO steward;
SQL
$model->script('', 'The model was asked.');

sub save
{
	my (%pattern) = @_;
	my $json = encode_json({ summary => 's', tables_used => ['customers'], name => $pattern{question}, %pattern });
	my ($status, $out, $err) = $node->run_as('analyst', "SELECT sqlagent.tool_save_validated_query(" . SaCluster::quote($json) . ")");
	return $out . $err;
}

sub approve { $node->run_as('steward', q{UPDATE sqlagent.query_patterns SET status = 'approved' WHERE status = 'proposed'}); }

sub ask_without_model
{
	my ($question, $answer, $name) = @_;
	my $before = () = $model->requests;
	is($node->ask($question), $answer, $name);
	is(scalar(my @r = $model->requests), $before, '... with no model call');
}

sub ask_with_model
{
	my ($question, $name, %options) = @_;
	my $before = () = $model->requests;
	like($node->ask($question, %options), qr/The model was asked/, $name);
	cmp_ok(scalar(my @r = $model->requests), '>', $before, '... by a model');
}

like(save(question => 'How many customers are there?', sql => 'SELECT count(*) AS customers FROM customers'), qr/"success": true/, 'a pattern is saved');
ask_with_model('How many customers are there?', 'a proposal answers nothing, not even for who made it');
approve();
ask_without_model('How many customers are there?', 'customers: 6', 'an approved one answers');
ask_without_model("  how MANY customers\n are there ", 'customers: 6', 'case, blanks and punctuation do not matter');
ask_with_model('How many customers are there in Japan?', 'another question is another question');
my ($status, $out, $err) = $node->run_as('analyst', "SET sqlagent.reuse = off; SELECT sqlagent.ask('How many customers are there?')");
like($out, qr/The model was asked/, 'reuse = off');
$node->safe_psql('postgres', 'ALTER ROLE analyst SET sqlagent.learning = off');
ask_with_model('How many customers are there?', 'learning = off');
$node->safe_psql('postgres', 'ALTER ROLE analyst RESET sqlagent.learning');

# The report says so
my $report = decode_json(($node->run_as('analyst', "SELECT sqlagent.ask_json('How many customers are there?')"))[1]);
is($report->{knowledge_used}[0]{how}, 'reused', 'the report says that it was reused');
is($report->{model}, undef, 'and names no model');
is_deeply($report->{rows}, [[6]], 'the rows are those of now');
$node->safe_psql('company', "INSERT INTO customers VALUES (7, 'Lena Olsen', 'Norway', 'Bergen', NULL)");
ask_without_model('How many customers are there?', 'customers: 7', 'the SQL is run, not remembered');
is(($node->run_as('analyst', 'SELECT use_count > 2, last_used_at IS NOT NULL FROM sqlagent.query_patterns'))[1], 't|t', 'uses are counted');
is(($node->run_as('analyst', "SELECT sqlagent.to_sql('How many customers are there?')"))[1], 'SELECT count(*) AS customers FROM customers', 'to_sql gives its SQL');
is(($node->run_as('analyst', q{SELECT name, outcome FROM sqlagent.steps ORDER BY run DESC, step DESC LIMIT 1}))[1], 'check_sql|ok', 'the audit trail has it');
is(($node->run_as('analyst', "SELECT sqlagent.ask_rows('How many customers are there?')"))[1], '{"customers": 7}', 'ask_rows gives its rows');

# Placeholders
save(question => 'How many customers live in :country text?', sql => 'SELECT count(*) FROM customers WHERE country = :country');
save(question => 'Invoices over :amount numeric since :day date, please', sql => 'SELECT count(*) FROM invoices WHERE total > :amount AND issued_on >= :day');
like(save(question => 'Customers of :city text', sql => 'SELECT name FROM customers'), qr/does not use the placeholder :city/, 'a placeholder has to be used');
approve();
ask_without_model('How many customers live in USA?', 'count: 2', 'a value in the placeholder');
ask_without_model('how many customers live in "Japan"', 'count: 1', 'in quotes, too');
ask_without_model('Invoices over 1500 since 2024-02-01, please', 'count: 2', 'two typed ones');
ask_with_model('Invoices over many since 2024-02-01, please', 'a value of another type is another question');
ask_with_model('How many customers live in Japan and pay?  Tell me all of it, and do so quickly now', 'more words than a value has');
ask_with_model(q{How many customers live in Japan' OR true --}, 'a value is a value, and one that does not occur');
is($node->safe_psql('company', q{SELECT sql FROM sqlagent.steps WHERE sql LIKE '%OR true%'}),
	q{SELECT count(*) FROM customers WHERE country = ('Japan'' OR true --')}, '... quoted');
# other types, and values that are made to do harm
$node->safe_psql('company', <<'SQL');
CREATE TYPE state AS ENUM ('open', 'done');
CREATE TABLE tickets (id bigint, state state, due date, price numeric(8,2), tag char(3));
INSERT INTO tickets VALUES (1, 'open', '2024-03-01', 9.5, 'a\b'), (2, 'done', '2024-04-01', 12.25, 'x'), (3, 'done', '2024-05-01', 1, NULL);
GRANT SELECT ON tickets TO analyst;
SQL
for ([ 'Tickets that are :state text', 'state = :state' ], [ 'Tickets due :day date', 'due = :day' ], [ 'Tickets dearer than :price numeric dollars', 'price > :price' ],
	[ 'Tickets with tag :tag text', 'tag = :tag' ], [ 'Ticket number :id bigint', 'id = :id' ])
{
	like(save(question => $_->[0], sql => "SELECT count(*) AS n FROM tickets WHERE $_->[1]"), qr/"success": true/, "$_->[0]: saved");
}
approve();
ask_without_model('Tickets that are done', 'n: 2', 'a label of an enum');
ask_with_model('Tickets that are lost', 'no label of it');
ask_without_model('Tickets due 2024-03-01', 'n: 1', 'a date');
ask_with_model('Tickets due 2024-13-41', 'no date');
ask_without_model('Tickets dearer than 9.25 dollars', 'n: 2', 'a number with digits behind the point');
ask_with_model('Tickets dearer than 9.25.1 dollars', 'no number');
ask_without_model('Ticket number 9007199254740993', 'n: 0', 'a long number');
ask_with_model('Ticket number 1;DROP TABLE tickets', 'a number and more');
ask_without_model('Tickets with tag a\b', 'n: 1', 'a backslash');
ask_with_model(q{Tickets with tag '||pg_sleep(9)||'}, 'quotes');
ask_with_model(q{Tickets with tag $$); DELETE FROM tickets; --}, 'a statement');
is($node->safe_psql('company', 'SELECT count(*) FROM tickets'), 3, '... which was none');

# a question that fits more than one: the one that says more of it
save(question => 'Tickets of :tag text', sql => q{SELECT 'any' AS which FROM tickets WHERE tag IS DISTINCT FROM :tag});
save(question => 'Tickets of :tag text in :year integer', sql => q{SELECT 'of a year' AS which FROM tickets WHERE tag IS DISTINCT FROM :tag AND extract(year FROM due) = :year LIMIT 1});
save(question => 'Tickets of :id bigint', sql => q{SELECT 'number' AS which FROM tickets WHERE id <> :id LIMIT 1});
save(question => 'Tickets of nobody', sql => q{SELECT 'exactly' AS which});
approve();
ask_without_model('Tickets of somebody in 2024', 'which: of a year', 'more words of the question');
ask_without_model('Tickets of 77', 'which: number', 'a number rather than any text');
ask_without_model('Tickets of nobody', 'which: exactly', 'no placeholder at all');

save(question => 'Names of customers in :country text', sql => 'SELECT name FROM customers WHERE country = :country');
approve();
ask_without_model('Names of customers in Germany', 'name: Hans Weber', 'one row');
ask_with_model('Names of customers in germany', 'no row for a word: the model finds out how it is written');

$model->script('', 'The model was asked.');

# Where every statement waits for a person
$node->safe_psql('postgres', 'ALTER ROLE analyst SET sqlagent.approval = always');
ask_with_model('How many customers are there?', 'approval = always');
$node->safe_psql('postgres', 'ALTER ROLE analyst RESET sqlagent.approval');

# What cannot be used is left to the model
$node->safe_psql('company', 'REVOKE SELECT ON customers FROM analyst');
ask_with_model('How many customers are there?', 'the rights are those of who asks');
$report = decode_json(($node->run_as('analyst', "SELECT sqlagent.ask_json('How many customers are there?')"))[1]);
like($report->{warnings}[0], qr/could not be used: permission denied/, 'a warning says why');
$node->safe_psql('company', 'GRANT SELECT ON customers TO analyst');
$node->safe_psql('company', q{INSERT INTO sqlagent.query_patterns (name, question, sql, status) VALUES
	('bad', 'Remove all', 'DELETE FROM invoices', 'approved'), ('sleep', 'Sleep now', 'SELECT pg_sleep(100)', 'approved')});
ask_with_model('Remove all', 'approved or not, it is guarded');
ask_with_model('Sleep now', 'also for its functions');
is($node->safe_psql('company', 'SELECT count(*) FROM invoices'), 9, 'nothing is lost');

# Another meaning
$node->safe_psql('company', <<'SQL');
CREATE SCHEMA own AUTHORIZATION analyst;
CREATE TABLE own.customers (id integer);
ALTER TABLE own.customers OWNER TO analyst;
SQL
($status, $out, $err) = $node->run_as('analyst', "SET search_path = own, public; SELECT sqlagent.ask('How many customers are there?')");
like($out, qr/The model was asked/, 'a table of the same name is not the one that was approved');
ask_without_model('How many customers are there?', 'customers: 7', 'the pattern is as good as before');

# Changes of the schema
$node->safe_psql('company', 'ALTER TABLE customers RENAME COLUMN country TO nation');
ask_without_model('How many customers live in USA?', 'count: 2', 'a renamed column');
is($node->safe_psql('company', q{SELECT status, sql, checked_at IS NOT NULL FROM sqlagent.query_patterns WHERE question LIKE '%live in%'}),
	'approved|SELECT count(*) FROM customers WHERE nation = :country|t', 'the SQL is corrected and was found to work');
$node->safe_psql('company', 'ALTER TABLE customers RENAME TO clients');
ask_without_model('How many customers are there?', 'customers: 7', 'a renamed table');
# without event triggers it is found out at the next use
$node->safe_psql('company', 'ALTER EVENT TRIGGER sqlagent_altered DISABLE; ALTER TABLE clients RENAME COLUMN nation TO land');
ask_without_model('How many customers live in USA?', 'count: 2', 'a rename that nobody told of');
$node->safe_psql('company', 'ALTER EVENT TRIGGER sqlagent_altered ENABLE; ALTER TABLE clients DROP COLUMN land');
is($node->safe_psql('company', q{SELECT status, note FROM sqlagent.query_patterns WHERE question LIKE '%live in%'}),
	'stale|column land of table public.clients was dropped', 'a dropped column');
ask_with_model('How many customers live in USA?', 'stale ones answer nothing');
is($node->safe_psql('company', q{SELECT status FROM sqlagent.query_patterns WHERE name = 'How many customers are there?'}), 'approved', 'what does not speak of it stays');

# A hot standby answers, too
$node->append_conf('postgresql.conf', "wal_level = replica\nmax_wal_senders = 5");
$node->set_replication_conf;
$node->restart;
$node->backup('copy');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'copy', has_streaming => 1);
$standby->start;
bless $standby, 'SaCluster';
is($standby->ask('How many customers are there?'), 'customers: 7', 'a standby reuses patterns');

done_testing();
