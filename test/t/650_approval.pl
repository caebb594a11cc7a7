# Statements that wait for a person: approve, edit, reject, expire, restart.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use JSON::PP;
use PostgreSQL::Test::Utils;
use SaCluster;
use SaModel;
use Test::More;

my $model = SaModel->new or plan skip_all => $SaModel::why_not;
my $node = SaCluster->start_company($model->conf . "sqlagent.approval = always\n");
$node->safe_psql('company', 'CREATE ROLE boss LOGIN; CREATE ROLE other LOGIN; GRANT USAGE ON SCHEMA sqlagent TO boss, other;
	GRANT UPDATE ON sqlagent.approvals TO boss');

sub query { my ($status, $out, $err) = $node->run_as($_[1] // 'analyst', $_[0]); die $err if $status; return $out; }
sub error { return ($node->run_as($_[1] // 'analyst', $_[0]))[2]; }
# What approve() or reject() gives of a run that was begun by ask_json(): a report.
sub answer { return decode_json(query(@_))->{answer}; }
sub run_row { return $node->safe_psql('company', "SELECT $_[1] FROM sqlagent.runs WHERE id = $_[0]"); }
sub decisions { return $node->safe_psql('company', "SELECT string_agg(concat_ws(' ', decision, decided_by, edited_sql, reason), ', ' ORDER BY id) FROM sqlagent.approvals WHERE run = $_[0]"); }
sub last_tool_text
{
	my ($request) = ($model->requests)[-1];
	my ($last) = grep { $_->{role} eq 'tool' } reverse @{ $request->{messages} };
	return $last->{content};
}

my $sql = 'SELECT name FROM employees ORDER BY salary DESC LIMIT 1';
sub ask_waiting
{
	my ($question) = @_;
	my $report = decode_json(query("SELECT sqlagent.ask_json('$question')"));
	is($report->{status}, 'waiting', "$question: the run waits");
	return $report;
}

# approve
$model->script('best paid', [ introspect_schema => {} ], [ run_sql => { sql => $sql } ], 'Bob Brown.');
my $text = query(q{SELECT sqlagent.ask('Who is best paid?')});
my ($run) = $text =~ /^Run (\d+) waits/;
like($text, qr/cost \d+, 1 rows expected\):\n\Q$sql\E\n\nSELECT sqlagent\.approve\($run\)/, 'ask returns at once, with the statement and its estimate');
is(run_row($run, q{status || ' ' || sql}), "waiting $sql", 'the run waits');
is(query('SELECT run, sql FROM sqlagent.waiting'), "$run|$sql", 'it is listed');
like(error('SELECT state FROM sqlagent.approvals'), qr/permission denied/, 'nobody sees what the model was told');
is(query('SELECT count(*) FROM sqlagent.waiting', 'other'), 0, 'nor does another role see the statement');
like(error("SELECT sqlagent.approve($run)", 'other'), qr/run $run does not wait for a decision/, 'or decide on it');
my $requests = $model->requests;
is(query("SELECT sqlagent.approve($run)"), 'Bob Brown.', 'approve goes on to the answer');
is($model->requests - $requests, 1, 'with one more request');
like(last_tool_text(), qr/Bob Brown/, 'that has the rows');
is(run_row($run, q{status || ' ' || answer || ' ' || requests || ' ' || iterations}), 'answered Bob Brown. 3 3', 'the same run is answered, and counts all replies');
is($node->safe_psql('company', "SELECT string_agg(step || ' ' || name, ', ' ORDER BY step) FROM sqlagent.steps WHERE run = $run"),
	'1 introspect_schema, 2 run_sql, 3 test-model', 'its steps are one trace');
is($node->safe_psql('company', "SELECT jsonb_array_length(report->'steps') FROM sqlagent.runs WHERE id = $run"), 3, 'also in the report');
is(decisions($run), 'approved analyst', 'the decision is recorded');
like(error("SELECT sqlagent.approve($run)"), qr/does not wait for a decision/, 'it is made once');
is(query('SELECT count(*) FROM sqlagent.waiting'), 0, 'nothing waits any more');
is($node->safe_psql('company', 'SELECT count(state) FROM sqlagent.approvals'), 0, 'and nothing is kept of the state');

# edited
my $report = ask_waiting('Who is best paid?');
$run = $report->{run};
is($report->{approval}{sql}, $sql, 'the report tells the statement');
like($report->{approval}{expires_at}, qr/^\d{4}-\d\d-\d\dT/, 'and until when it waits');
like(error("SELECT sqlagent.approve($run, 'DELETE FROM employees')"), qr/ERROR/, 'what a person writes is guarded as well');
like(error("SELECT sqlagent.approve($run, ' ')"), qr/statement is empty/, 'and has to be there');
is(decisions($run), '', 'and decides nothing when it is refused');
is(answer("SELECT sqlagent.approve($run, 'SELECT name FROM employees WHERE id = 5')"), "Bob Brown.\n\nNot supported by the rows: Bob Brown.", 'edited SQL runs');
like(last_tool_text(), qr/A person changed the statement.*WHERE id = 5.*Eve Martin/s, 'and the model is told');
is(decisions($run), 'approved analyst SELECT name FROM employees WHERE id = 5', 'it is recorded');
is(run_row($run, 'sql'), 'SELECT name FROM employees WHERE id = 5', 'the run names what ran');

# rejected; the second call of the same reply waits as well
$model->script('two statements', [ run_sql => { sql => 'SELECT 1' }, run_sql => { sql => 'SELECT 2' } ], 'Only one was possible.');
$run = ask_waiting('two statements')->{run};
like(answer("SELECT sqlagent.reject($run, 'too curious')"), qr/^Run $run waits.*\nSELECT 2\n/s, 'rejected: the next call waits in its turn');
is(answer("SELECT sqlagent.approve($run)"), 'Only one was possible.', 'and is approved');
my ($rejected) = grep { $_->{role} eq 'tool' } @{ ($model->requests)[-1]{messages} };
like($rejected->{content}, qr/a person rejected the statement.*too curious/s, 'the model was told the reason');
is(decisions($run), 'rejected analyst too curious, approved analyst', 'both decisions are recorded');
is($node->safe_psql('company', "SELECT string_agg(outcome, ' ' ORDER BY step) FROM sqlagent.steps WHERE run = $run"), 'error ok ok', 'and traced');

# by whom the admin allows, for the asker to go on with
$run = ask_waiting('Who is best paid?')->{run};
is(query('SELECT run FROM sqlagent.waiting', 'boss'), $run, 'who was granted UPDATE sees what waits');
is(query("UPDATE sqlagent.approvals SET decision = 'approved' WHERE run = $run RETURNING 1", 'boss'), '', 'but cannot write the table');
like(query("SELECT sqlagent.approve($run)", 'boss'), qr/is approved\. Role "analyst" goes on with it/, 'and approves');
is(run_row($run, 'status'), 'waiting', 'it does not run with the rights of that role');
like(error("SELECT sqlagent.approve($run)", 'boss'), qr/is decided already/, 'who decides once');
is(answer("SELECT sqlagent.approve($run)"), 'Bob Brown.', 'the asker goes on');
is(decisions($run), 'approved boss', 'the decision is that role\'s');
$run = ask_waiting('Who is best paid?')->{run};
query("SELECT sqlagent.reject($run, 'no')", 'boss');
my ($status, $out, $err) = $node->run_as('analyst', "SELECT sqlagent.approve($run)");
like($err, qr/had been rejected, which stands/, 'a rejection stands');
like(last_tool_text(), qr/a person rejected the statement/, 'also when the asker would approve');

# a stored pattern does not pass by
$model->script('customers do we have', [ run_sql => { sql => 'SELECT count(*) AS customers FROM customers' } ], 'There are 6.');
query(q{SELECT sqlagent.tool_save_validated_query('{"name": "n", "question": "How many customers do we have?",
	"sql": "SELECT count(*) AS customers FROM customers", "summary": "s", "tables_used": ["customers"]}')});
$node->safe_psql('company', q{UPDATE sqlagent.query_patterns SET status = 'approved'});
is(ask_waiting('How many customers do we have?')->{approval}{sql}, 'SELECT count(*) AS customers FROM customers', 'neither does an approved pattern');

# what the run was told of knowledge is remembered while it waits
$node->safe_psql('company', q{INSERT INTO sqlagent.learnings (title, description, category, tables, status)
	VALUES ('Salaries of the best paid', 'are yearly', 'business_logic', '{employees}', 'approved')});
$run = ask_waiting('Who is best paid?')->{run};
query("SELECT sqlagent.approve($run)");
is(run_row($run, q{(SELECT string_agg(concat_ws(' ', u->>'kind', u->>'name', u->>'how', u->>'touched'), ', ') FROM jsonb_array_elements(report->'knowledge_used') u)}),
	'learning Salaries of the best paid prompt true', 'the report of a run that waited says what it used');
is($node->safe_psql('company', 'SELECT use_count FROM sqlagent.learnings'), 1, 'it is counted');
query("SELECT sqlagent.feedback($run, false)");
is($node->safe_psql('company', 'SELECT status FROM sqlagent.learnings'), 'proposed', 'and a verdict reaches it');
$node->safe_psql('company', 'DELETE FROM sqlagent.learnings');

# a restart
$run = ask_waiting('Who is best paid?')->{run};
$node->restart;
is(answer("SELECT sqlagent.approve($run)"), 'Bob Brown.', 'a restart loses nothing');

# a transaction that is rolled back
$run = query(q{BEGIN; SELECT sqlagent.ask_json('Who is best paid?')->>'run'; ROLLBACK});
is(answer("SELECT sqlagent.approve($run)"), 'Bob Brown.', 'nor does a rollback of the asker');

# the result of ask_json with a schema
$model->script('as json', [ run_sql => { sql => $sql } ], '{"name": "Bob Brown"}');
$run = decode_json(query(q{SELECT sqlagent.ask_json('as json', schema => '{"required": ["name"]}')}))->{run};
my $approved = decode_json(query("SELECT sqlagent.approve($run)"));
is_deeply($approved->{result}, { name => 'Bob Brown' }, 'approve gives the report of a run that was begun by ask_json, with its result');
is(run_row($run, q{report->'result'->>'name'}), 'Bob Brown', 'which is stored as well');
like($approved->{prompt_hash}, qr/^[0-9a-f]{8,}$/, 'with the hash of its prompt');

# the rows of ask_rows, the text of ask_proc
$model->script('rows of two', [ run_sql => { sql => 'SELECT name, salary FROM employees ORDER BY salary DESC LIMIT 2' } ], 'Bob and Alice.');
like(error(q{SELECT sqlagent.ask_rows('rows of two')}), qr/no rows answer.*waits for a person/s, 'ask_rows has no rows while it waits');
$run = query('SELECT max(run) FROM sqlagent.waiting');
is(query("SELECT r FROM jsonb_array_elements(sqlagent.approve($run)::jsonb->'rows') r"), qq(["Bob Brown", 110000]\n["Alice Johnson", 95000]), 'approve gives its rows');
like(query(q{CALL sqlagent.ask_proc('rows of two')}), qr/^Run \d+ waits/, 'ask_proc says that its run waits');
$run = query('SELECT max(run) FROM sqlagent.waiting');
is(query("SELECT sqlagent.approve($run)"), 'Bob and Alice.', 'and goes on to the answer in words');
$model->script('rows of more', [ run_sql => { sql => 'SELECT 1' }, run_sql => { sql => 'SELECT 2' } ], 'Done.');
error(q{SELECT sqlagent.ask_rows('rows of more')});
$run = query('SELECT max(run) FROM sqlagent.waiting');
like(query("SELECT sqlagent.approve($run)"), qr/^Run $run waits.*\nSELECT 2\n/s, 'a second statement waits in its turn');
is(query("SELECT sqlagent.approve($run)::jsonb->'rows'"), '[[2]]', 'before there are rows');

# what the run was warned of is told when it goes on
$model->script('a blank', [ run_sql => { sql => $sql } ], { content => ' ' });
query(q{SELECT sqlagent.ask('a blank')});
$run = query('SELECT max(run) FROM sqlagent.waiting');
like(error("SELECT sqlagent.approve($run)"), qr/WARNING:  the model gave no answer; this answer was made from the rows/, 'warnings are told when it goes on');

# tools that write
$node->safe_psql('company', <<'SQL');
CREATE TABLE log (what text);
GRANT INSERT ON log TO analyst;
CREATE FUNCTION note(what text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN INSERT INTO log VALUES (what); RETURN 'noted'; END $$;
CREATE FUNCTION read_it(what text) RETURNS text LANGUAGE sql AS $$ SELECT 'read ' || what $$;
SELECT sqlagent.register_tool(name, f, 'Do it.', '{"type": "object", "properties": {"what": {"type": "string"}}, "additionalProperties": false}', name <> 'note')
FROM (VALUES ('note', 'note(text)'::regprocedure), ('read_it', 'read_it(text)')) v (name, f);
SQL
sub logged { return $node->safe_psql('company', q{SELECT coalesce(string_agg(what, ','), '') FROM log}); }
$model->script('note it', [ read_it => { what => 'x' } ], [ note => { what => "it's" } ], 'Noted.');
$report = ask_waiting('note it');
is($report->{approval}{sql}, q{SELECT sqlagent.call_tool('note', '{"what":"it''s"}')}, 'the call of a tool that writes waits, one that reads does not');
is(logged(), '', 'nothing is written before');
is(answer("SELECT sqlagent.approve($report->{run})"), 'Noted.', 'approved it goes on');
like(last_tool_text(), qr/noted/, 'with what the tool says');
is(logged(), "it's", 'and has written');
$report = ask_waiting('note it');
answer("SELECT sqlagent.reject($report->{run}, 'no notes')");
like(last_tool_text(), qr/a person rejected.*no notes/, 'rejected the model is told');
is(logged(), "it's", 'and nothing is written');
$report = ask_waiting('note it');
like(error("SELECT sqlagent.approve($report->{run}, 'SELECT note(1::text)')"), qr/not allowed/, 'another statement in its place is guarded');
answer("SELECT sqlagent.approve($report->{run}, 'SELECT 42 AS n')");
like(last_tool_text(), qr/A person changed.*42/s, 'and may be run');
is(logged(), "it's", 'instead of the tool');

# time
$node->safe_psql('company', q{ALTER ROLE analyst SET sqlagent.approval_timeout = '1s'});
$run = ask_waiting('Who is best paid?')->{run};
my $late = ask_waiting('Who is best paid?')->{run};
sleep 1;
sleep 1 until $node->safe_psql('company', "SELECT bool_and(expires_at < clock_timestamp()) FROM sqlagent.approvals WHERE run IN ($run, $late)") eq 't';
like(error("SELECT sqlagent.approve($run)"), qr/the time to decide on run $run is over|does not wait/, 'what was not decided in time expires');
query(q{SELECT sqlagent.ask('Who is best paid?')});
is(run_row($run, 'status') . ' ' . decisions($run), 'cancelled expired', 'which is recorded');
is(run_row($late, 'status') . ' ' . decisions($late), 'cancelled expired', 'also when nobody asks for it');
$node->safe_psql('company', 'ALTER ROLE analyst RESET sqlagent.approval_timeout');

# only what is expensive
$node->safe_psql('company', q{ALTER ROLE analyst SET sqlagent.approval = 'expensive'; ALTER ROLE analyst SET sqlagent.max_cost = 50});
is(query(q{SELECT sqlagent.ask('Who is best paid?')}), 'Bob Brown.', 'approval = expensive lets the rest run');
$model->script('expensive one', [ run_sql => { sql => 'SELECT count(*) AS n FROM generate_series(1, 100000)' } ], 'There are 100000.');
$run = ask_waiting('expensive one')->{run};
is(answer("SELECT sqlagent.approve($run)"), 'There are 100000.', 'and what was approved, at its cost');
$model->script('wrong one', [ run_sql => { sql => 'SELECT nam FROM employees' } ], 'It failed.');
is(query(q{SELECT sqlagent.ask('wrong one')}), 'It failed.', 'what fails anyway waits for nobody');
like(error('SELECT count(*) FROM sqlagent.config(); SET sqlagent.approval = never'), qr/permission denied/, 'an asker cannot switch it off');
$node->safe_psql('company', 'ALTER ROLE analyst RESET sqlagent.approval');
is(query(q{SET sqlagent.approval = never; SELECT sqlagent.ask_json('Who is best paid?')->>'status'}), 'waiting', 'nor before the library is there');

done_testing();
