# A second opinion on statements: what their trees tell, and another model.
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

sub ask_json
{
	my ($question, $settings) = @_;
	my ($status, $out, $err) = $node->run_as('analyst', ($settings // '') . "SELECT sqlagent.ask_json('$question')");
	die $err if $status;
	return decode_json($out);
}
# What the reviewing model says of statements; before what the other one says,
# since the first script that fits counts.
sub reviewer
{
	my @cases = @_;
	my @fixtures;
	while (my ($sql, $reply) = splice @cases, 0, 2)
	{
		push @fixtures, { match => { model => 'reviewer', userMessage => $sql }, response => { content => $reply } };
	}
	$model->call('POST', '/fixtures', { fixtures => \@fixtures });
}
sub steps { return join ', ', map { "$_->{name} $_->{outcome}" } @{ $_[0]{steps} }; }

# Fan-out: departments have several employees, and their salaries are summed per invoice.
my $wrong = 'SELECT sum(e.salary) AS total FROM employees e JOIN invoices i ON i.employee_id = e.id';
my $right = 'SELECT sum(salary) AS total FROM employees';
$model->script('all salaries', [ run_sql => { sql => $wrong } ], [ run_sql => { sql => $right } ], 'It is 396000.');
my $report = ask_json('all salaries');
is(steps($report), 'run_sql ok, run_sql ok, test-model ok', 'review = off runs everything');
$report = ask_json('all salaries', 'SET sqlagent.review = on;');
is(steps($report), 'run_sql error, run_sql ok, test-model ok', 'review = on asks to look again');
is($report->{answer}, 'It is 396000.', 'and the corrected statement answers');
my ($request) = ($model->requests)[-1];
my ($told) = grep { $_->{role} eq 'tool' } @{ $request->{messages} };
like($told->{content}, qr/not run yet.*the join with \\"i\\" can repeat rows of \\"e\\".*send it again as it is/s, 'the model was told what and how to go on');

# the model has the last word
$model->script('insists', [ run_sql => { sql => $wrong } ], [ run_sql => { sql => $wrong } ], 'Done.');
is(steps(ask_json('It insists', 'SET sqlagent.review = on;')), 'run_sql error, run_sql ok, test-model ok', 'a statement that comes again runs');
$model->script('fine', [ run_sql => { sql => $right } ], 'It is 396000.');
my $before = $model->requests;
is(steps(ask_json('A fine one', 'SET sqlagent.review = on;')), 'run_sql ok, test-model ok', 'nothing to say, nothing said');
is($model->requests - $before, 2, 'without a review model nobody else is asked');
$model->script('broken', [ run_sql => { sql => 'SELECT nam FROM employees' } ], 'It failed.');
ask_json('A broken one', 'SET sqlagent.review = on;');
like((($model->requests)[-1])->{messages}[-1]{content}, qr/42703/, 'what fails is told as failed');

# another model
$node->safe_psql('company', q{ALTER ROLE analyst SET sqlagent.review = on; ALTER ROLE analyst SET sqlagent.review_model = 'reviewer'});
$model->reset;
reviewer($right => 'OK');
$model->script('fine', [ run_sql => { sql => $right } ], 'It is 396000.');
$report = ask_json('A fine one');
is(steps($report), 'review ok, run_sql ok, test-model ok', 'the review is a step');
my @reviews = grep { $_->{model} eq 'reviewer' } $model->requests;
is(scalar @reviews, 1, 'the other model was asked once');
like($reviews[0]{messages}[-1]{content}, qr/A fine one.*\Q$right\E.*NOT IN with NULLs/s, 'about question and statement');
like($reviews[0]{messages}[0]{content}, qr/employees/, 'and told the schema');
ok(!exists $reviews[0]{tools}, 'without tools');
is((grep { $_->{name} eq 'review' } @{ $report->{steps} })[0]{input}, $right, 'it tells the statement');
is($report->{usage}{requests}, 3, 'its use counts');
is((grep { $_->{model} eq 'test-model' } $model->requests)[-1]{model}, 'test-model', 'the run goes on with its own model');
$model->reset;
my $other = 'SELECT name FROM employees ORDER BY salary DESC';
reviewer("$other\n" => '- the question asks for one name: add LIMIT 1', "$other LIMIT 1" => 'OK');
$model->script('names', [ run_sql => { sql => $other } ], [ run_sql => { sql => "$other LIMIT 1" } ], 'Done.');
is(steps(ask_json('the names')), 'review ok, run_sql error, review ok, run_sql ok, test-model ok', 'what it finds is told before the statement runs');
like((grep { $_->{role} eq 'tool' } @{ (($model->requests)[-1])->{messages} })[0]{content}, qr/add LIMIT 1/, 'in its words');

# together with approval: first the review, then the person
$node->safe_psql('company', q{ALTER ROLE analyst RESET sqlagent.review_model; ALTER ROLE analyst SET sqlagent.approval = always});
$model->reset;
$model->script('all salaries', [ run_sql => { sql => $wrong } ], [ run_sql => { sql => $right } ], 'It is 396000.');
$report = ask_json('all salaries');
is($report->{status} . ' ' . $report->{approval}{sql}, "waiting $right", 'a person sees what passed the review');

done_testing();
