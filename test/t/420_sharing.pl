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

$text = requests_of_a_run('rows');
like($text, qr/rarenote/, 'rows: values of rows');

done_testing();
