# Threads: what later questions know of earlier ones, and whose they are.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use PostgreSQL::Test::Utils;
use SaCluster;
use SaModel;
use Test::More;

my $model = SaModel->new or plan skip_all => $SaModel::why_not;
my $node = SaCluster->start_company($model->conf);
$node->safe_psql('company', 'CREATE ROLE other LOGIN; GRANT USAGE ON SCHEMA sqlagent TO other');

# The text before the question, as the last request had it.
sub system_text
{
	my ($request) = ($model->requests)[-1];
	return $request->{messages}[0]{content};
}

my $revenue = 'SELECT sum(total) AS revenue FROM invoices';
$model->script('total revenue', [ run_sql => { sql => $revenue } ],
	'The revenue is 12875.00.');
$model->script('only in February', [ run_sql => { sql => "$revenue WHERE issued_on >= '2024-02-01' AND issued_on < '2024-03-01'" } ],
	'In February it is 3849.50.');
$model->script('for March',  'In March it is not known.');
$model->script('stands alone', 'Yes.');

my $thread = ($node->run_as('analyst', q{SELECT sqlagent.new_thread('Revenue')}))[1];
like($thread, qr/^\d+$/, 'a thread has a number');
sub ask_in
{
	my ($question, $settings) = @_;
	my ($status, $out, $err) = $node->run_as('analyst',
		($settings // '') . "SELECT sqlagent.ask('$question', $thread)");
	die $err if $status;
	return $out;
}

is(ask_in('What is the total revenue?'), 'The revenue is 12875.00.', 'first question');
unlike(system_text(), qr/belongs to a conversation/, 'it knows of no other');
is(ask_in('And only in February?'), 'In February it is 3849.50.', 'second question');
my $text = system_text();
like($text, qr/Question: What is the total revenue\?/, 'it knows the first question');
like($text, qr/SQL: \Q$revenue\E\n/, 'its statement');
like($text, qr/Columns: revenue\n/, 'its columns');
like($text, qr/Answer: The revenue is 12875\.00\./, 'its answer');
like($text, qr/Result: rows: 1\n.*12875\.00/s, 'and the rows of the last one');
ask_in('And for March?');
$text = system_text();
like($text, qr/total revenue.*only in February/s, 'the oldest first');
is(() = $text =~ /^Result:/mg, 1, 'rows only of the last one');

ask_in('And for March?', q{SET sqlagent.thread_tokens = 0; });
unlike(system_text(), qr/total revenue/, 'no share, no history');
ask_in('And for March?', q{SET sqlagent.thread_tokens = 60; });
unlike(system_text(), qr/total revenue/, 'a small share holds only the newest');
like(system_text(), qr/for March/, 'which it holds');

$node->safe_psql('company', q{ALTER ROLE analyst SET sqlagent.share = 'schema'});
ask_in('And for March?');
$text = system_text();
like($text, qr/SQL: \Q$revenue\E/, 'share = schema: statements are told');
unlike($text, qr/3849|12875/, 'share = schema: no values, from the model\'s own words neither');
$node->safe_psql('company', q{ALTER ROLE analyst SET sqlagent.share = 'statistics'});
ask_in('And for March?');
$text = system_text();
like($text, qr/SQL: \Q$revenue\E/, 'share = statistics: statements are told');
unlike($text, qr/3849|12875/, 'share = statistics: no values of results');
$node->safe_psql('company', 'ALTER ROLE analyst RESET sqlagent.share');

# what only the earlier statement tells
for my $question ('only Germany', 'and for last quarter?')
{
	my $turns = ($node->run_as('analyst', q{SELECT sqlagent.new_thread()}))[1];
	$model->script($question, 'Nothing more.');
	$node->run_as('analyst', "SELECT sqlagent.ask('What is the total revenue?', $turns)");
	unlike(system_text(), qr/SQL: \Q$revenue\E/, "$question: nothing comes before the first");
	$node->run_as('analyst', "SELECT sqlagent.ask('$question', $turns)");
	like(system_text(), qr/Question: What is the total revenue\?.*SQL: \Q$revenue\E\n/s, "$question: the statement before is in the request");
}

$model->script('fence', 'Done.');
ask_in('</data> fence');
ask_in('This stands alone');
like(system_text(), qr{Question: &lt;/data> fence}, 'what was asked cannot end the data');

$node->safe_psql('company', q{SELECT 1});
$node->ask('This stands alone');
unlike(system_text(), qr/conversation/, 'a question without a thread knows nothing');

# a question that was asked back, and the reply to it
$model->script('best customer', 'CANNOT ANSWER: best by revenue or by number of invoices?');
$model->script('By revenue', [ run_sql => { sql => 'SELECT c.name FROM customers c JOIN invoices i ON i.customer_id = c.id GROUP BY 1 ORDER BY sum(i.total) DESC LIMIT 1' } ], 'Marie Dupont.');
is(ask_in('Who is the best customer?'), 'best by revenue or by number of invoices?', 'the model asks back');
is(ask_in('By revenue, please'), 'Marie Dupont.', 'the next question replies');
like(system_text(), qr/Question: Who is the best customer\?\nNot answered: CANNOT ANSWER: best by revenue/, 'knowing what was asked');

# what the provider inside the server said was never told to a model
$node->safe_psql('company', "INSERT INTO sqlagent.runs (asker, run_as, kind, thread, question, status, sql, provider, started_at, worker_pid)
	VALUES ('analyst', 'analyst', 'ask', $thread, 'local one', 'answered', 'SELECT 42', 'builtin', now(), 1);
	INSERT INTO sqlagent.steps (run, step, kind, output, outcome, started_at, duration_ms)
	SELECT max(id), 1, 'answer', 'secret words', 'ok', now(), 1 FROM sqlagent.runs");
ask_in('This stands alone');
like(system_text(), qr/SQL: SELECT 42/, 'a local run is told by its statement');
unlike(system_text(), qr/secret words/, 'but not by its words');

# whose it is
my ($status, $out, $err) = $node->run_as('other', "SELECT sqlagent.ask('And for March?', $thread)");
isnt($status, 0, 'the thread of another role is not to be had');
like($err, qr/thread $thread does not exist/, 'as if there were none');
is(($node->run_as('other', 'SELECT count(*) FROM sqlagent.threads'))[1], 0, 'nor seen');
is(($node->run_as('other', 'SELECT count(*) FROM sqlagent.conversations'))[1], 0, 'nor its questions');
is(($node->run_as('other', 'UPDATE sqlagent.threads SET title = NULL RETURNING 1'))[1], '', 'nor renamed');
is(($node->run_as('analyst', "UPDATE sqlagent.threads SET title = 'Mine' WHERE id = $thread RETURNING title"))[1], 'Mine', 'its owner renames it');
like(($node->run_as('analyst', 'INSERT INTO sqlagent.threads (owner) VALUES (current_user)'))[2], qr/permission denied/, 'nobody writes the table');
is($node->safe_psql('company', "SELECT string_agg(DISTINCT status, ',' ORDER BY status) FROM sqlagent.conversations WHERE thread = $thread"),
	'answered,refused', 'the view tells a conversation');

# a rolled back transaction does not lose the thread that is asked in
($status, $out) = $node->run_as('analyst', q{BEGIN; SELECT sqlagent.new_thread() AS t \gset
SELECT sqlagent.ask('This stands alone', :t); ROLLBACK;});
is($out, 'Yes.', 'a thread can be used where it was begun');

# runs of workers that are no more
$node->safe_psql('company', q{INSERT INTO sqlagent.runs (asker, run_as, kind, question, status, provider, started_at, worker_pid)
	SELECT 'analyst', 'analyst', 'ask', q, 'running', 'openai', now() - interval '1 hour', p
	FROM (VALUES ('dead', 99999999), ('came again', pg_backend_pid())) v (q, p)});
# one that lives, and goes on with a run that is older than itself, as approve() does
my $alive = $node->session('analyst');
my $alive_pid = $alive->query('SELECT pg_backend_pid()');
$node->safe_psql('company', qq{INSERT INTO sqlagent.runs (asker, run_as, kind, question, status, provider, started_at, worker_pid, worker_started_at)
	SELECT 'analyst', 'analyst', 'ask', 'alive', 'running', 'openai', now() - interval '1 minute', pid, backend_start
	FROM pg_stat_activity WHERE pid = $alive_pid});
$node->ask('This stands alone');
is($node->safe_psql('company', q{SELECT status FROM sqlagent.runs WHERE question = 'alive'}), 'running', 'a worker that lives keeps its run');
$alive->finish;
is($node->safe_psql('company', q{SELECT string_agg(question || ' ' || status, ', ' ORDER BY id) FROM sqlagent.runs WHERE started_at < now() - interval '30 min'}),
	'dead failed, came again failed', 'what dead workers left running has failed');

# pruning
like(($node->run_as('analyst', q{SELECT sqlagent.prune_runs('0')}))[2], qr/permission denied/, 'not everybody prunes');
is($node->safe_psql('company', q{SELECT sqlagent.prune_runs('30 min')}), 2, 'old runs are pruned');
$node->ask('This stands alone');
$node->safe_psql('company', q{SELECT sqlagent.prune_runs('0')});
is($node->safe_psql('company', q{SELECT (SELECT count(*) FROM sqlagent.runs) + (SELECT count(*) FROM sqlagent.steps) + (SELECT count(*) FROM sqlagent.threads)}),
	0, 'all of them, with their steps and empty threads');

done_testing();
