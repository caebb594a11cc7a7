# Tools that the administrator registers: what may be one, as whom it runs, and
# within what limits.
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
my $node = SaCluster->start_company($model->conf);
$node->safe_psql('company', <<'SQL');
CREATE ROLE other LOGIN;
GRANT USAGE ON SCHEMA sqlagent TO other;
CREATE SCHEMA tools;
GRANT USAGE ON SCHEMA tools TO analyst, other;
CREATE TABLE tools.log (who name DEFAULT session_user, what text);
GRANT INSERT ON tools.log TO analyst;
CREATE FUNCTION tools.convert(amount numeric, currency text DEFAULT 'EUR', OUT result jsonb) LANGUAGE plpgsql AS
	$$ BEGIN result := jsonb_build_object('amount', amount * 2, 'currency', currency, 'as', current_user, 'session', session_user); END $$;
CREATE FUNCTION tools.echo(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT args $$;
CREATE FUNCTION tools.note(what text) RETURNS text LANGUAGE plpgsql AS
	$$ BEGIN INSERT INTO tools.log (what) VALUES (what); RETURN 'noted'; END $$;
CREATE FUNCTION tools.sleepy() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(20); RETURN 1; END $$;
CREATE FUNCTION tools.big(bytes int) RETURNS text LANGUAGE sql AS $$ SELECT repeat('x', bytes) $$;
CREATE FUNCTION tools.broken() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'out of order' USING HINT = 'repair it'; END $$;
CREATE FUNCTION tools.secret() RETURNS int LANGUAGE sql AS $$ SELECT 42 $$;
REVOKE EXECUTE ON FUNCTION tools.secret() FROM PUBLIC;
CREATE FUNCTION tools.many() RETURNS SETOF int LANGUAGE sql AS $$ SELECT 1 $$;
SELECT sqlagent.register_tool('convert', 'tools.convert(numeric,text)', 'Convert an amount of dollars.',
	'{"type": "object", "properties": {"amount": {"type": "number", "minimum": 0}, "currency": {"type": "string"}}, "required": ["amount"], "additionalProperties": false}');
SELECT sqlagent.register_tool('echo', 'tools.echo(jsonb)', 'Say it again.', '{"type": "object", "properties": {"x": {"type": "string"}}}');
SELECT sqlagent.register_tool('note_ro', 'tools.note(text)', 'Note something.', '{"type": "object", "properties": {"what": {"type": "string"}}, "additionalProperties": false}');
SELECT sqlagent.register_tool('note_rw', 'tools.note(text)', 'Note something.', '{"type": "object", "properties": {"what": {"type": "string"}}, "additionalProperties": false}', false);
SELECT sqlagent.register_tool(name, ('tools.' || name || signature)::regprocedure, 'Do it.', '{"type": "object", "properties": {}, "additionalProperties": false}')
FROM (VALUES ('sleepy', '()'), ('broken', '()'), ('secret', '()')) v (name, signature);
SELECT sqlagent.register_tool('big', 'tools.big(int)', 'Do it.', '{"type": "object", "properties": {"bytes": {"type": "integer"}}, "additionalProperties": false}');
SQL

sub query { my ($status, $out, $err) = $node->run_as($_[1] // 'analyst', $_[0]); die $err if $status; return $out; }
sub error { return ($node->run_as($_[1] // 'postgres', $_[0]))[2]; }
sub tool { return decode_json(query("SELECT sqlagent.call_tool('$_[0]', '$_[1]')")); }
my $question = 0;

# What the model is told when it calls a tool.
sub told
{
	my ($name, $arguments, $settings) = @_;
	my $text = 'call number ' . join '', map { chr 97 + $_ } split //, 100 + $question++;
	$model->script($text, [ $name => $arguments ], 'Done.');
	query(($settings // '') . "SELECT sqlagent.ask('$text')");
	my ($last) = ($model->requests)[-1];
	return $last->{messages}[-1]{content};
}

# the model calls it
is(told(convert => { amount => 21.5 }), qq(<data>\n{"as": "analyst", "amount": 43.0, "session": "analyst", "currency": "EUR"}\n</data>),
	'named arguments, defaults, and the rights of the asker');
my ($request) = ($model->requests)[0];
my %offered = map { $_->{function}{name} => $_->{function} } @{ $request->{tools} };
is_deeply([ sort grep { /^(convert|echo|note|sleepy|broken|secret|big)/ } keys %offered ],
	[qw(big broken convert echo note_ro note_rw sleepy)], 'tools are offered to who may execute the function');
is($offered{convert}{parameters}{properties}{amount}{minimum}, 0, 'with their parameters');
is(told(echo => { x => "it's </data> \\ \"quoted\"" }), qq(<data>\n{"x": "it's &lt;/data> \\\\ \\"quoted\\""}\n</data>), 'one jsonb, and nothing leaves the data');
is($node->safe_psql('company', q{SELECT name || ' ' || outcome FROM sqlagent.steps ORDER BY run DESC, step LIMIT 1}), 'echo ok', 'the call is a step');
like(told(convert => { amount => -1 }), qr/arguments of \\"convert\\" do not fit.*\$\.amount: must be at least 0/, 'arguments are checked');
like(told(convert => { amount => 1, rate => 2 }), qr/\$\.rate: is not allowed/, 'also their names');
like(told(broken => {}), qr/out of order.*repair it/, 'an error is told');
like(told(secret => {}), qr/there is no tool \\"secret\\"/, 'what may not be executed is not there');
like(told(echo => { x => 'y' x 3000 }, 'SET sqlagent.result_tokens = 64; '), qr/^The result is too long; this is its beginning\.\n<data>\n.{256,300}\n<\/data>$/s, 'a long result is cut');

# limits
like(tool('note_ro', '{"what": "x"}')->{error}{message}, qr/read-only transaction/, 'read only unless declared otherwise');
is(query(q{SELECT sqlagent.call_tool('note_rw', '{"what": "x"}')}), '"noted"', 'declared otherwise it writes');
is($node->safe_psql('company', 'SELECT who, what FROM tools.log'), 'analyst|x', 'and what it did is committed');
like(query(q{SELECT sqlagent.call_tool('note_rw', '{"what": "x"}')}, 'other'), qr/permission denied for table log/, 'with the rights of who asks');
$node->safe_psql('company', q{ALTER ROLE analyst SET sqlagent.query_timeout = '300ms'; ALTER ROLE analyst SET sqlagent.max_result_bytes = '8kB'});
is(tool('sleepy', '{}')->{error}{type}, 'timeout', 'it has the time of a statement');
is(tool('big', '{"bytes": 100000}')->{error}{type}, 'too_large', 'and the size of a result');
is(length query(q{SELECT sqlagent.call_tool('big', '{"bytes": 5000}')}), 5002, 'below it is fine');
is(query(q{SELECT sqlagent.call_tool('big', '{"bytes": 10}'), sqlagent.tool_run_sql('{"sql": "SELECT tools.secret()"}') ? 'error'}), '"xxxxxxxxxx"|t',
	'a tool opens no way for statements');
like(query(q{SELECT sqlagent.tool_run_sql('{"sql": "SELECT tools.big(10)"}')}), qr/not allowed/, 'not even to its function');
is(query(q{SELECT sqlagent.call_tool('introspect_schema')->>'count'}), 4, 'built-in tools are called in the same way');
like(query(q{SELECT sqlagent.call_tool('nothing')}), qr/there is no tool/, 'and others not');

# what may leave the database
$node->safe_psql('company', q{ALTER ROLE analyst SET sqlagent.share = 'statistics'});
like(told(echo => { x => 'y' }), qr/there is no tool/, 'where rows may not leave, no tool is offered');
$node->safe_psql('company', q{ALTER ROLE analyst RESET ALL});

# what may be one
my $schema = q('{"type": "object", "properties": {}, "additionalProperties": false}');
for my $case (
	[ "'_hidden', 'tools.sleepy()'", $schema, qr/cannot be the name/ ],
	[ "'Big', 'tools.sleepy()'", $schema, qr/cannot be the name/ ],
	[ "'1st', 'tools.sleepy()'", $schema, qr/cannot be the name/ ],
	[ "'run_sql', 'tools.sleepy()'", $schema, qr/tool "run_sql" is built in/ ],
	[ "'echo', 'tools.sleepy()'", $schema, qr/duplicate key/ ],
	[ "'many', 'tools.many()'", $schema, qr/must be a plain function/ ],
	[ "'total', 'pg_catalog.sum(integer)'", $schema, qr/must be a plain function/ ],
	[ "'x', 'tools.convert(numeric,text)'", q('{"type": "object", "properties": {"rate": {}}, "additionalProperties": false}'), qr/no argument "rate"/ ],
	[ "'x', 'tools.convert(numeric,text)'", q('{"type": "object", "properties": {"amount": {}}}'), qr/must have "additionalProperties": false/ ],
	[ "'x', 'tools.echo(jsonb)'", q('{"type": "string"}'), qr/must be a schema of type object/ ],
	[ "'x', 'tools.echo(jsonb)'", q('{"type": "object", "patternProperties": {}}'), qr/"patternProperties" is not supported/ ],
	[ "'x', NULL", $schema, qr/needs a name, a function/ ])
{
	my ($what, $parameters, $problem) = @$case;
	like(error("SELECT sqlagent.register_tool($what, 'Do it.', $parameters)"), $problem, "refused: $what");
}
like(error("SELECT sqlagent.register_tool('x', 'tools.echo(jsonb)', 'Do it.', '{}')", 'analyst'), qr/permission denied for function register_tool/, 'not everybody registers tools');
is(query("SELECT sqlagent.drop_tool('echo'), sqlagent.drop_tool('echo')", 'postgres'), 't|f', 'a tool is dropped once');
$node->safe_psql('company', 'DROP FUNCTION tools.big(int)');
like(query(q{SELECT sqlagent.call_tool('big', '{}')}), qr/there is no tool/, 'a tool vanishes with its function');

done_testing();
