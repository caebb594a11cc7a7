# Knowledge under concurrency: the same thing saved twice at once is there once.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SaCluster;
use Test::More;

my $node = SaCluster->start_company('');
my $save = q{SELECT sqlagent.tool_save_validated_query('{"name": "%s", "question": "How many invoices are there?", "sql": "SELECT count(*) FROM invoices", "summary": "s", "tables_used": ["invoices"]}')};
sub all { return $node->safe_psql('company', $_[0]); }

# Both workers reach the insert, and wait behind a lock on the table.
my $lock = $node->session('postgres');
my @session = map { $node->session('analyst') } 1 .. 2;
$_->query("SELECT sqlagent.tool_search_knowledge('{\"query\": \"warm up\"}') IS NULL") for @session;
$lock->query('BEGIN');
$lock->query('LOCK sqlagent.query_patterns IN SHARE MODE');
$session[$_]->send(sprintf($save, "name $_") . ";\n\\echo ended") for 0 .. 1;
$node->poll_query_until('company', q{SELECT count(*) = 2 FROM pg_locks WHERE NOT granted AND relation = 'sqlagent.query_patterns'::regclass})
  or die 'the sessions did not get there';
is(all('SELECT count(*) FROM sqlagent.query_patterns'), 0, 'neither has saved it yet');
$lock->query('COMMIT');
$_->wait_for(qr/^ended$/m) for @session;
my @out = map { $_->{out} } @session;
is(all('SELECT count(*) FROM sqlagent.query_patterns'), 1, 'two sessions that save the same question at once: one row');
is(scalar(grep { /"success": true/ } @out), 1, 'one is told that it succeeded');
my ($refused) = grep { !/"success": true/ } @out;
like($refused, qr/"message": "there is a pattern for this question already"/, 'the other gets an error');
my $name = all('SELECT name FROM sqlagent.query_patterns');
like($refused, qr/It is pattern \d+, \\"$name\\", which is proposed/, 'which names the one that is there');
is(all('SELECT count(DISTINCT pattern) || $$ $$ || count(*) FROM sqlagent.knowledge_objects'), '1 1', 'its objects are remembered once');

# The same learning
my $learn = q{SELECT sqlagent.tool_save_learning('{"title": "Totals are dollars", "description": "d", "category": "data_quality"}')};
$lock->query('BEGIN');
$lock->query('LOCK sqlagent.learnings IN SHARE MODE');
$session[$_]->send("$learn;\n\\echo ended again") for 0 .. 1;
$node->poll_query_until('company', q{SELECT count(*) = 2 FROM pg_locks WHERE NOT granted AND relation = 'sqlagent.learnings'::regclass})
  or die 'the sessions did not get there';
$lock->query('COMMIT');
$_->wait_for(qr/^ended again$/m) for @session;
is(all('SELECT count(*), max(use_count) FROM sqlagent.learnings'), '1|1', 'a learning is there once, and counted');

# Each role may propose; one is approved
all(q{CREATE ROLE colleague LOGIN; GRANT USAGE ON SCHEMA sqlagent TO colleague; GRANT SELECT ON invoices TO colleague;});
like(($node->run_as('colleague', sprintf($save, 'of a colleague')))[1], qr/"success": true/, 'what others propose stands in nobody\'s way, and is not told of');
my ($status, $out, $err) = $node->run_as('postgres', q{UPDATE sqlagent.query_patterns SET status = 'approved'});
like($err, qr/duplicate key.*query_patterns_approved_idx/s, 'a question has one approved pattern');
all(q{UPDATE sqlagent.query_patterns SET status = 'approved' WHERE proposed_by = 'analyst'});
like(($node->run_as('colleague', sprintf($save, 'again')))[1], qr/which is approved/, 'and then it is that of everybody');

# A reviewer who leaves a transaction open keeps nobody from an answer
all('UPDATE sqlagent.query_patterns SET checked_at = NULL');
$lock->query('BEGIN');
$lock->query(q{UPDATE sqlagent.query_patterns SET note = 'being looked at' WHERE status = 'approved'});
like(($node->run_as('analyst', q{SET statement_timeout = '20s'; SELECT sqlagent.ask('How many invoices are there?')}))[1], qr/: 9$/, 'a pattern that a reviewer has just under his hands answers');
$lock->query('ROLLBACK');
is(all(q{SELECT use_count FROM sqlagent.query_patterns WHERE status = 'approved'}), 0, 'this use is not counted');
is($node->ask('How many invoices are there?'), 'count: 9', 'once it is free');
is(all(q{SELECT use_count FROM sqlagent.query_patterns WHERE status = 'approved'}), 1, 'the next one is');

# A table is dropped while a pattern is used
$session[0]->send("BEGIN; SELECT sqlagent.ask('How many invoices are there?'); SELECT pg_sleep(0);\n\\echo asked");
$session[0]->wait_for(qr/^asked$/m);
all('DROP TABLE invoices');
is(all(q{SELECT string_agg(DISTINCT status, ' ') FROM sqlagent.query_patterns}), 'stale', 'an idle worker holds no lock on what it used');

$_->finish for @session, $lock;
done_testing();
