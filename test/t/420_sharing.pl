# sqlagent.share: which of the data leaves the server in requests to the model.
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
# Words that occur nowhere but in rows: a common one, a rare one, and one that
# an error would quote.
$node->safe_psql('company', q{
	CREATE TYPE grade AS ENUM ('labelled');
	CREATE TABLE trip (id integer PRIMARY KEY, goal text, note text, g grade DEFAULT 'labelled');
	COMMENT ON TABLE trip IS 'commented';
	INSERT INTO trip SELECT i, 'frequentgoal', CASE WHEN i = 7 THEN 'rarenote' END FROM generate_series(1, 500) i;
	ANALYZE trip;
	GRANT SELECT ON trip TO analyst;
});

my $number = 0;
sub requests_of_a_run
{
	my ($share) = @_;
	$node->safe_psql('company', "ALTER ROLE analyst SET sqlagent.share = '$share'");
	my $question = 'trips ' . chr(ord('a') + $number++) . ' of all kinds';
	$model->script($question,
		[ introspect_schema => { table_name => 'trip', include_sample_data => JSON::PP::true } ],
		[ introspect_schema => { search => 'frequentgoal' } ],
		[ find_values => { table => 'trip', column => 'goal', text => 'frequentgaol' } ],
		[ find_values => { table => 'trip', column => 'note', text => 'rarenoet' } ],
		[ run_sql => { sql => q{SELECT id FROM trip WHERE goal = 'frequentgaol'} } ],
		[ run_sql => { sql => q{SELECT note::integer FROM trip WHERE note IS NOT NULL} } ],
		[ run_sql => { sql => q{SELECT note FROM trip WHERE id = 7} } ],
		'Done.');
	my $before = $model->requests;
	my ($status, $out, $err) = $node->run_as('analyst', "SELECT sqlagent.ask('$question')");
	is($status, 0, "$share: the run ends") or diag $err;
	my @requests = $model->requests;
	@requests = @requests[$before .. $#requests];
	is(scalar @requests, 8, "$share: eight requests");
	# what the model itself said comes back to it, which is no leak
	for my $request (@requests)
	{
		$_->{role} eq 'assistant' and $_ = { role => 'assistant' } for @{ $request->{messages} };
	}
	return JSON::PP->new->canonical->encode(\@requests);
}

my $text = requests_of_a_run('schema');
like($text, qr/commented/, 'schema: comments');
like($text, qr/labelled/, 'schema: labels of an enum are its type');
unlike($text, qr/frequentgoal/, 'schema: no common value');
unlike($text, qr/rarenote/, 'schema: no other value');

$text = requests_of_a_run('statistics');
like($text, qr/frequentgoal/, 'statistics: common values');
unlike($text, qr/"rows\\*": *\[ *\[/, 'statistics: no sample');
unlike($text, qr/rarenote/, 'statistics: no value that is not common');

$text = requests_of_a_run('rows');
like($text, qr/rarenote/, 'rows: values of rows');


# Every other way to the model: errors that quote a value, the check of literals,
# earlier questions, other verbs, answers by a schema, a second opinion.
my @lines = (
	q{SELECT note::integer FROM trip WHERE id = 7},
	q{SELECT note::date FROM trip WHERE id = 7},
	q{SELECT note::grade FROM trip WHERE id = 7},
	q{SELECT note::json FROM trip WHERE id = 7},
	q{SELECT note::inet FROM trip WHERE id = 7},
	q~SELECT ('{' || note)::int[] FROM trip WHERE id = 7~,
	q{SELECT to_number(note, note) FROM trip WHERE id = 7},
	q{SELECT to_date(note, 'YYYY') FROM trip WHERE id = 7},
	q{SELECT id / (length(note) - 8) FROM trip WHERE id = 7},
	q{SELECT note ~ ('(' || note) FROM trip WHERE id = 7},
	q{SELECT note::xml FROM trip WHERE id = 7},
	q{SELECT id FROM trip WHERE goal = 'FrequentGoal'},
	q{SELECT id FROM trip WHERE goal LIKE 'frequentgoa' AND note IN ('Rarenote')});

# The requests of some statements of psql, without what the model itself said.
sub bodies
{
	my ($sql, %options) = @_;
	my $before = $model->requests;
	my ($status, $out, $err) = $node->run_as('analyst', $sql);
	is($status, $options{status} // 0, "it ends: $sql") or diag $err;
	my @requests = $model->requests;
	@requests = @requests[$before .. $#requests];
	cmp_ok(scalar @requests, '>', 0, 'there are requests');
	for my $request (@requests)
	{
		$_->{role} eq 'assistant' and $_ = { role => 'assistant' } for @{ $request->{messages} };
	}
	return JSON::PP->new->canonical->encode(\@requests);
}

for my $share (qw(schema statistics))
{
	# in the statistics a value that occurs once is not common
	my $secret = $share eq 'schema' ? qr/rarenote|frequentgoal/ : qr/rarenote/;
	$node->safe_psql('company', "ALTER ROLE analyst SET sqlagent.share = '$share'");
	for my $line (@lines)
	{
		my $question = "statement $share " . ++$number;
		$model->script($question, [ run_sql => { sql => $line } ], 'Done.');
		my $text = bodies("SELECT sqlagent.ask('$question')");
		unlike($text, $secret, "$share: no value of $line");
		like($text, qr/\\"error\\"|error:|22P02|rows: /, 'the model is told how it went') if $line =~ /::/;
	}
	my $thread = ($node->run_as('analyst', 'SELECT sqlagent.new_thread()'))[1];
	$model->script("first $share", [ run_sql => { sql => 'SELECT goal, note FROM trip WHERE id = 7' } ], 'It is known.');
	$model->script("second $share", 'It is as before.');
	unlike(bodies("SELECT sqlagent.ask('first $share', $thread); SELECT sqlagent.ask('second $share', $thread)"),
		$secret, "$share: no value in the next question of a thread");
	$model->script("formed $share", [ run_sql => { sql => 'SELECT note FROM trip WHERE id = 7' } ], '{"note": "x"}', '{"note": "x"}', '{"note": "x"}');
	unlike(bodies(qq{SELECT sqlagent.ask_json('formed $share', NULL, '{"type": "object", "properties": {"note": {"type": "string"}}, "required": ["note"]}') IS NOT NULL}),
		$secret, "$share: no value in an answer by a schema");
	$model->script("reviewed $share", [ run_sql => { sql => 'SELECT note FROM trip WHERE id = 7' } ], 'It is known.', 'Done.');
	unlike(bodies("SET sqlagent.review = on; SET sqlagent.ground = 'repair'; SELECT sqlagent.ask('reviewed $share')"),
		$secret, "$share: no value in a second opinion");
	$model->script('Failing statement', 'SELECT 1', 'SELECT 1');
	$model->script('note::integer', 'SELECT 1', 'SELECT 1');
	unlike(bodies(q{SELECT sqlagent.fix_sql('SELECT note::integer FROM trip WHERE id = 7', 'it fails')}), $secret, "$share: none in fix_sql");
	unlike(bodies(q{SELECT sqlagent.explain_sql('SELECT note::integer FROM trip WHERE id = 7')}), $secret, "$share: none in explain_sql");
	my $shown = ($node->run_as('analyst', "SELECT sqlagent.show_prompt('trips to the frequent goal', $thread)"))[1];
	unlike($shown, $secret, "$share: none in show_prompt");
}
$node->safe_psql('company', 'ALTER ROLE analyst RESET sqlagent.share');

# Two roles of different rights: of what one may not read no word is sent.
$node->safe_psql('company', q{
	CREATE ROLE visitor LOGIN; GRANT USAGE ON SCHEMA sqlagent TO visitor; GRANT SELECT (id, goal) ON trip TO visitor;
	CREATE TABLE ledger (secretsum integer); INSERT INTO ledger VALUES (31415926); ANALYZE ledger; GRANT SELECT ON ledger TO analyst;
});
$model->script('of visitors', [ introspect_schema => { table_name => 'trip', include_sample_data => JSON::PP::true } ],
	[ introspect_schema => { table_name => 'ledger' } ], [ introspect_schema => { search => 'secretsum rarenote' } ],
	[ find_values => { table => 'trip', column => 'note', text => 'rareno' } ],
	[ run_sql => { sql => 'SELECT note FROM trip' } ], [ run_sql => { sql => 'SELECT secretsun FROM ledger' } ],
	[ run_sql => { sql => 'SELECT nota FROM trip' } ], [ run_sql => { sql => q{SELECT id FROM trip WHERE goal = 'rarenot'} } ], 'Done.');
my %seen;
for my $role (qw(analyst visitor))
{
	my $before = $model->requests;
	$node->run_as($role, "SELECT sqlagent.ask('question of visitors')");
	my @requests = $model->requests;
	@requests = @requests[$before .. $#requests];
	is(scalar @requests, 9, "$role: nine requests");
	for my $request (@requests)
	{
		$_->{role} eq 'assistant' and $_ = { role => 'assistant' } for @{ $request->{messages} };
	}
	$seen{$role} = JSON::PP->new->canonical->encode(\@requests);
}
like($seen{analyst}, qr/secretsum integer/, 'the prompt of one role has a table');
like($seen{analyst}, qr/rarenote/, 'and a value');
unlike($seen{visitor}, qr/secretsum integer|31415926/, 'the other role sees neither the table');
unlike($seen{visitor}, qr/rarenote/, 'nor a value of a column that it may not read');
unlike($seen{visitor}, qr/note text/, 'nor the column');
like($seen{visitor}, qr/frequentgoal/, 'but the one that it may');

# sqlagent.schemas and hidden labels: prompt, tools and statements alike.
$node->safe_psql('company', q{
	CREATE SCHEMA backroom; CREATE TABLE backroom.stash (hoard integer); INSERT INTO backroom.stash VALUES (27182818);
	CREATE TABLE hideout (den integer); INSERT INTO hideout VALUES (16180339);
	CREATE VIEW through AS SELECT hoard AS h FROM backroom.stash;
	GRANT USAGE ON SCHEMA backroom TO analyst; GRANT SELECT ON backroom.stash, hideout, through TO analyst;
	LOAD 'sqlagent'; SECURITY LABEL FOR sqlagent ON TABLE hideout IS 'hidden';
});
sub looked_for
{
	my ($question, $settings) = @_;
	$model->script($question, [ introspect_schema => { table_name => 'backroom.stash' } ], [ introspect_schema => { search => 'hoard den' } ],
		[ find_values => { table => 'backroom.stash', column => 'hoard', text => '2718' } ], [ find_values => { table => 'hideout', column => 'den', text => '1618' } ],
		[ run_sql => { sql => 'SELECT hoard FROM backroom.stash' } ], [ run_sql => { sql => 'SELECT den FROM hideout' } ], 'Done.');
	return bodies("$settings SELECT sqlagent.ask('$question')");
}
my $open = looked_for('open rooms', '');
like($open, qr/27182818/, 'a schema that is not left out');
unlike($open, qr/16180339|den integer/, 'a hidden table');
my $shut = looked_for('shut rooms', q{SET sqlagent.schemas = 'public';});
unlike($shut, qr/27182818|hoard integer/, 'sqlagent.schemas: neither in prompt, tools nor statements');

done_testing();
