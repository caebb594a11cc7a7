# What a run finds out by failing, and what the asker says about it.
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
CREATE ROLE colleague LOGIN;
CREATE ROLE steward LOGIN;
GRANT USAGE ON SCHEMA sqlagent TO colleague, steward;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO colleague;
GRANT UPDATE ON sqlagent.query_patterns, sqlagent.learnings TO steward;
SQL
sub all { return $node->safe_psql('company', $_[0]); }

my $wrong = 'SELECT sum(amount) FROM invoices';
my $right = 'SELECT sum(total) FROM invoices';
my @repaired = ([ run_sql => { sql => $wrong } ], [ run_sql => { sql => $right } ], 'It is 12875.');
$model->script('the revenue', @repaired);
$model->script('turnover', @repaired);
$model->script('just fail', [ run_sql => { sql => $wrong } ], 'I could not find out.');
$model->script('something else', [ run_sql => { sql => $wrong } ], [ run_sql => { sql => "SELECT name, city, email FROM customers WHERE country LIKE 'J%' ORDER BY 3" } ], 'Kenji.');
$model->script('other mistake', [ run_sql => { sql => "SELECT count(*) FROM invoices WHERE issued_on > 'soon'" } ], [ run_sql => { sql => "SELECT count(*) FROM invoices WHERE issued_on > '2024-01-01'" } ], 'Nine.');

# Failure alone
$node->ask('Please just fail');
is(all('SELECT count(*) FROM sqlagent.learnings'), 0, 'a failure alone teaches nothing');
$node->ask('Now something else');
is(all('SELECT count(*) FROM sqlagent.learnings'), 0, 'nor does an unrelated statement that works');

# Failing, then repaired
is($node->ask('What is the revenue?'), 'It is 12875.', 'a run that repairs its statement');
is(all('SELECT status, category, sqlstate, failing_sql, sql, proposed_by, use_count, tables FROM sqlagent.learnings'),
	"proposed|schema_fix|42703|$wrong|$right|analyst|0|{public.invoices}", 'exactly one learning with both statements');
is(all('SELECT l.run = max(r.id) FROM sqlagent.learnings l, sqlagent.runs r GROUP BY l.run'), 't', 'it names its run');
is(($node->run_as('colleague', 'SELECT count(*) FROM sqlagent.learnings'))[1], 0, 'others do not see it');
$node->ask('What is the revenue?');
$node->ask('What is the turnover?');
is(all('SELECT count(*), max(use_count) FROM sqlagent.learnings'), '1|2', 'the same mistake is counted');
$node->ask('What is the revenue?', role => 'colleague');
is(all('SELECT string_agg(proposed_by || use_count, $$ $$ ORDER BY id) FROM sqlagent.learnings'), 'analyst2 colleague0', 'that of another role is its own');
$node->ask('Make the other mistake');
is(all('SELECT category, sqlstate FROM sqlagent.learnings ORDER BY id DESC LIMIT 1'), 'type_error|22007', 'another mistake is another learning');

# Decided
all(q{UPDATE sqlagent.learnings SET status = 'rejected' WHERE proposed_by = 'colleague'});
$node->ask('What is the revenue?', role => 'colleague');
is(all(q{SELECT count(*), max(use_count) FROM sqlagent.learnings WHERE proposed_by = 'colleague'}), '1|1', 'what people rejected is not proposed again');
all(q{UPDATE sqlagent.learnings SET status = 'approved' WHERE sqlstate = '42703' AND proposed_by = 'analyst'});
$model->script('sum amount invoices', 'Nothing.');
$node->ask('The sum amount invoices', role => 'colleague');
my @requests = $model->requests;
ok(encode_json($requests[-1]) =~ /fails: SELECT sum\(amount\) FROM invoices\\n  works: SELECT sum\(total\)/, 'once approved it is told');
for my $setting (qw(auto_learn learning))
{
	$node->safe_psql('postgres', "ALTER ROLE analyst SET sqlagent.$setting = off");
	all('DELETE FROM sqlagent.learnings');
	$node->ask('What is the revenue?');
	is(all('SELECT count(*) FROM sqlagent.learnings'), 0, "$setting = off");
	$node->safe_psql('postgres', "ALTER ROLE analyst RESET sqlagent.$setting");
}

# Feedback: right
sub last_run { return all(q{SELECT max(id) FROM sqlagent.runs WHERE asker = 'analyst'}); }
my $run = last_run();
is(($node->run_as('analyst', "SELECT sqlagent.feedback($run, true)"))[0], 0, 'right');
is(all('SELECT status, question, sql, run, proposed_by FROM sqlagent.query_patterns'), "proposed|What is the revenue?|$right|$run|analyst", 'a pattern to review');
is(($node->run_as('analyst', "SELECT sqlagent.feedback($run, true)"))[0], 0, 'said again');
is(all('SELECT count(*) FROM sqlagent.query_patterns'), 1, 'it is there once');
like(($node->run_as('analyst', "SELECT sqlagent.feedback($run, true)"))[2], qr/NOTICE:  there is a pattern for this question already: It is pattern \d+, "What is the revenue\?", which is proposed/, 'which the asker is told');
$node->ask('Please just fail');
my $failed = last_run();
like(($node->run_as('analyst', "SELECT sqlagent.feedback($failed, true)"))[2], qr/no statement that answers a question/, 'what ran nothing has nothing to propose');
$node->run_as('analyst', "SELECT sqlagent.explain_sql('SELECT 1')");
my $explained = last_run();
like(($node->run_as('analyst', "SELECT sqlagent.feedback($explained, true, 'Explained well')"))[2], qr/no statement that answers a question.*; learning \d+ waits for review/, 'nor has what was asked about a statement, but a remark is a learning');
is(all('SELECT count(*) FROM sqlagent.query_patterns'), 1, '... as it stays');
$model->script('count the invoices', [ check_sql => { sql => 'SELECT count(*) FROM invoices' } ], 'SELECT count(*) FROM invoices');
$node->run_as('analyst', "SELECT sqlagent.to_sql('count the invoices')");
my $written = last_run();
like(($node->run_as('analyst', "SELECT sqlagent.feedback($written, true, 'Drafts are counted')"))[2], qr/NOTICE:  pattern \d+ waits for review; learning \d+ waits for review/, 'right, with a remark: a pattern and a learning');
is(all(q{SELECT p.sql, p.summary IS NULL, l.sql, l.failing_sql IS NULL FROM sqlagent.query_patterns p, sqlagent.learnings l WHERE p.question = 'count the invoices' AND l.description = 'Drafts are counted'}),
	'SELECT count(*) FROM invoices|t|SELECT count(*) FROM invoices|t', 'the statement is the one that works');
all(q{DELETE FROM sqlagent.query_patterns WHERE question = 'count the invoices'; DELETE FROM sqlagent.learnings});
like(($node->run_as('colleague', "SELECT sqlagent.feedback($run, false, 'no')"))[2], qr/no run $run of yours/, 'of the runs of others nothing is said');

# Feedback: wrong
all(q{UPDATE sqlagent.query_patterns SET status = 'approved'});
is($node->ask('What is the revenue?'), 'sum: 12875.00', 'the pattern answers');
$run = last_run();
like(($node->run_as('analyst', "SELECT sqlagent.feedback($run, false, 'Open invoices are no revenue')"))[2], qr/NOTICE:  pattern \d+ goes back to review; learning \d+ waits for review/, 'wrong');
is(all('SELECT status, note FROM sqlagent.query_patterns'), "proposed|run $run was called wrong by analyst: Open invoices are no revenue", 'the pattern goes back to review');
is(all('SELECT status, description, category, failing_sql, proposed_by, run FROM sqlagent.learnings ORDER BY id DESC LIMIT 1'),
	"proposed|Open invoices are no revenue|business_logic|$right|analyst|$run", 'the correction is a learning to review');
is(($node->run_as('colleague', 'SELECT count(*) FROM sqlagent.learnings'))[1], 0, 'which others do not see');
all(q{UPDATE sqlagent.query_patterns SET status = 'approved'});
is(all('SELECT status, note IS NULL FROM sqlagent.query_patterns'), 'approved|t', 'approved again, nothing is said against it any more');
like(($node->run_as('analyst', "SELECT sqlagent.feedback(NULL, true)"))[2], qr/must not be null/, 'a verdict is about a run');

# Feedback on what was told in the prompt
all('DELETE FROM sqlagent.learnings; DELETE FROM sqlagent.query_patterns');
all(q{INSERT INTO sqlagent.learnings (title, description, category, tables, status) VALUES
	('Revenue counts open invoices', 'revenue', 'business_logic', '{invoices}', 'approved'),
	('Revenue of customers', 'revenue', 'business_logic', '{customers}', 'approved')});
$node->ask('What is the revenue?');
$run = last_run();
is(all("SELECT string_agg(concat_ws(' ', u->>'kind', u->>'how', u->>'touched'), ', ' ORDER BY u->>'id') FROM sqlagent.runs, jsonb_array_elements(report->'knowledge_used') u WHERE id = $run"),
	'learning prompt true, learning prompt false', 'the report says what was told and what was of use');
$node->run_as('analyst', "SELECT sqlagent.feedback($run, false)");
is(all('SELECT string_agg(status, $$ $$ ORDER BY id) FROM sqlagent.learnings WHERE sqlstate IS NULL'), 'proposed approved', 'what had to do with the answer goes back to review');

done_testing();
