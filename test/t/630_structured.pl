# Answers that conform to a JSON Schema, and the reports' further members.
use strict;
use warnings;
use utf8;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use JSON::PP;
use PostgreSQL::Test::Utils;
use SaCluster;
use SaModel;
use Test::More;

my $model = SaModel->new or plan skip_all => $SaModel::why_not;
my $node = SaCluster->start_company($model->conf);

sub ask_json
{
	my ($question, $schema, $settings) = @_;
	my ($status, $out, $err) = $node->run_as('analyst',
		($settings // '') . "SELECT sqlagent.ask_json(" . SaCluster::quote($question) . ", schema => " . SaCluster::quote($schema) . ')');
	return $status ? $err : decode_json($out);
}

my $schema = q({"type": "object", "properties": {"name": {"type": "string"}, "salary": {"type": "integer", "minimum": 1}},
	"required": ["name", "salary"], "additionalProperties": false});
my $sql = 'SELECT name, salary FROM employees ORDER BY salary DESC LIMIT 1';

$model->script('best paid', [ run_sql => { sql => $sql } ], qq(```json\n{"name": "Bob Brown", "salary": 110000}\n```));
my $report = ask_json('Who is best paid?', $schema);
is_deeply($report->{result}, { name => 'Bob Brown', salary => 110000 }, 'the result conforms');
is($report->{answer}, '{"name": "Bob Brown", "salary": 110000}', 'the answer is its text, without the fence');
is($report->{grounding}{checked}, 2, 'it is compared with the rows as well');
my @requests = $model->requests;
like($requests[0]{messages}[0]{content}, qr/conforms to the JSON Schema below.*"salary"/s, 'the model is told the schema');
ok(!exists $requests[0]{response_format}, 'and not forced while it has tools');

# one repair
$model->reset;
$model->script('best paid', [ run_sql => { sql => $sql } ], '{"name": "Bob Brown"}');
$model->call('POST', '/fixtures', { fixtures => [ SaModel::fixture('does not conform', 2, '{"name": "Bob Brown", "salary": 110000}') ] });
$report = ask_json('Who is best paid?', $schema);
is_deeply($report->{result}, { name => 'Bob Brown', salary => 110000 }, 'what does not conform is corrected');
my ($last) = ($model->requests)[-1];
like($last->{messages}[-1]{content}, qr/\$\.salary: is missing/, 'the model was told where');
is($last->{response_format}{type}, 'json_schema', 'and the provider keeps the schema now');
ok(!exists $last->{tools}, 'for which no tools are offered');

# then an error
for my $case (
	[ 'No idea.', '$: is not JSON' ],
	[ '{"name": "Bob Brown", "salary": "much"}', '$.salary: must be of type integer' ],
	[ '{"name": "Bob Brown", "salary": 1.5}', '$.salary: must be of type integer' ],
	[ '{"name": "Bob Brown", "salary": 0}', '$.salary: must be at least 1' ],
	[ '{"name": "Bob Brown", "salary": 1, "x": 1}', '$.x: is not allowed' ],
	[ '[1]', '$: must be of type object' ])
{
	my ($answer, $path) = @$case;
	$model->reset;
	$model->script('best paid', $answer);
	$model->call('POST', '/fixtures', { fixtures => [ SaModel::fixture('does not conform', 1, $answer) ] });
	$report = ask_json('Who is best paid?', $schema);
	is($report->{status}, 'failed', "the run fails");
	like($report->{errors}[-1]{detail}, qr/^\Q$path\E/, "$answer: $path");
	is($report->{result}, undef, 'and gives no result');
}

# arrays, enums, alternatives, limits
my $list = q({"type": "array", "minItems": 2, "items": {"anyOf": [{"enum": ["a", 1, null]}, {"type": "object", "additionalProperties": {"type": ["number", "null"], "exclusiveMaximum": 10}}, {"type": "string", "minLength": 2, "maxLength": 3}]}});
for my $case (
	[ '["a", 1.0, null, {"x": 9.5, "y": null}, "äöü"]', undef ],
	[ '["a"]', '$: must have at least 2 items' ],
	[ '["a", "b"]', '$[1]: fits none of the schemas of anyOf' ],
	[ '["a", {"x": 10}]', '$[1]: fits none of the schemas of anyOf' ],
	[ '["a", "äöüä"]', '$[1]: fits none of the schemas of anyOf' ])
{
	my ($answer, $path) = @$case;
	$model->reset;
	$model->script('a list', $answer);
	$model->call('POST', '/fixtures', { fixtures => [ SaModel::fixture('does not conform', 1, $answer) ] });
	$report = ask_json('a list', $list, 'SET sqlagent.ground = off;');
	is($report->{errors} && @{ $report->{errors} } ? $report->{errors}[-1]{detail} : undef, $path ? "$path." : undef, $answer =~ s/[^ -~]/?/gr);
}

# where the rows conform, they are the result
$model->reset;
$model->script('best paid', [ run_sql => { sql => $sql } ], 'It is Bob.');
$model->call('POST', '/fixtures', { fixtures => [ SaModel::fixture('does not conform', 2, 'Really, Bob.') ] });
$report = ask_json('Who is best paid?', $schema);
is_deeply($report->{result}, { name => 'Bob Brown', salary => 110000 }, 'a result is made from the rows where they conform');
like($report->{warnings}[0], qr/made from the rows/, 'and says so');

# what is not understood is refused at the call
my $before = $model->requests;
for my $case (
	[ '{"type": "string", "pattern": "^a"}', '$: keyword "pattern" is not supported' ],
	[ '{"properties": {"x": {"items": {"format": "date"}}}}', '$.properties.x.items: keyword "format" is not supported' ],
	[ '{"type": "text"}', '$.type: must be the name of a type' ],
	[ '{"minItems": -1}', '$.minItems: must be a whole number' ],
	[ '{"anyOf": [{"$ref": "#"}]}', '$.anyOf[0]: keyword "$ref" is not supported' ],
	[ '[1]', '$: a schema must be an object' ])
{
	my ($bad, $problem) = @$case;
	like(ask_json('a list', $bad), qr/schema is not supported.*\Q$problem\E.*The keywords are: type, enum/s, "refused: $bad");
}
is(scalar $model->requests, $before, 'and no model is asked');

# a question without an answer needs no result
$model->reset;
$model->script('the weather', 'CANNOT ANSWER: no weather.');
$report = ask_json('the weather', $schema);
is($report->{status}, 'refused', 'a refusal stays one');
is($report->{result}, undef, 'without a result');

# the limit of replies leaves room for a correction
$model->reset;
$model->script('best paid', [ run_sql => { sql => $sql } ]);
$model->call('POST', '/fixtures', { fixtures => [ SaModel::fixture('No more tools', 1, '{}'),
	SaModel::fixture('does not conform', 2, '{"name": "Bob Brown", "salary": 110000}') ] });
$report = ask_json('Who is best paid?', $schema, 'SET sqlagent.max_iterations = 1;');
is_deeply($report->{result}, { name => 'Bob Brown', salary => 110000 }, 'a forced answer may be corrected');

done_testing();
