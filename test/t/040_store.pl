# Runs and steps outlive the caller's transaction, belong to who asked, and come
# along in a dump.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SaCluster;
use SaModel;
use Test::More;

my $model = SaModel->new or plan skip_all => $SaModel::why_not;
my $node = SaCluster->start_company($model->conf);
$node->safe_psql('company', <<'SQL');
CREATE ROLE colleague LOGIN;
GRANT USAGE ON SCHEMA sqlagent TO colleague;
SQL
$model->script('headcount',
	[ run_sql => { sql => 'SELECT count(*) FROM employees' } ], 'Five.');

# The caller's ROLLBACK
$node->run_as('analyst',
	"BEGIN; SELECT sqlagent.ask('The headcount, please'); ROLLBACK");
is( $node->safe_psql('company',
		'SELECT count(*), min(question), min(answer) FROM sqlagent.runs'),
	'1|The headcount, please|Five.',
	'a rolled back question is stored');
is($node->safe_psql('company', 'SELECT count(*) FROM sqlagent.steps'),
	2, 'with its steps');

# Whose it is
my $own = 'SELECT count(*), (SELECT count(*) FROM sqlagent.steps) FROM sqlagent.runs';
is(($node->run_as('analyst', $own))[1], '1|2', 'who asked sees the run');
is(($node->run_as('colleague', $own))[1], '0|0', 'others do not');
for my $change (
	"UPDATE sqlagent.runs SET answer = 'Six.'",
	'DELETE FROM sqlagent.steps',
	"INSERT INTO sqlagent.steps (run, step, kind, outcome, started_at, duration_ms) VALUES (1, 9, 'tool', 'ok', now(), 0)"
  )
{
	my ($verb) = $change =~ /^(\w+)/;
	like(($node->run_as('analyst', $change))[2],
		qr/permission denied/, "and may not $verb");
}

# A failed run is stored too
$model->fail_next(401, 'who are you?');
my ($status, $out, $err) =
  $node->run_as('analyst', "SELECT sqlagent.ask('The headcount, please')");
isnt($status, 0, 'a model that refuses');
like($err, qr/who are you\?/, 'its message is shown');
is( $node->safe_psql('company',
		q{SELECT status, report->'errors'->0->>'type' FROM sqlagent.runs ORDER BY id DESC LIMIT 1}
	),
	'failed|model_error',
	'and the run stored as failed');

# A run of ask_json that fails gives its report
$model->fail_next(401, 'who are you?');
is( $node->safe_psql('company',
		q{SELECT sqlagent.ask_json('The headcount, please')->>'status'},
		extra_params => [ '-U', 'analyst' ]),
	'failed',
	'ask_json reports a failure');

# Dump and restore
$node->safe_psql('postgres', 'CREATE DATABASE copy');
my $dump = $PostgreSQL::Test::Utils::tmp_check . '/company.dump';
$node->command_ok(
	[ 'pg_dump', '-Fc', '-f', $dump, '-d', $node->connstr('company') ],
	'pg_dump');
$node->command_ok([ 'pg_restore', '-e', '-d', $node->connstr('copy'), $dump ],
	'pg_restore');
my $all = 'SELECT md5(string_agg(r::text, chr(10) ORDER BY id)) FROM sqlagent.runs r';
is($node->safe_psql('copy', $all),
	$node->safe_psql('company', $all), 'the same runs');
is( $node->safe_psql('copy', 'SELECT count(*) FROM sqlagent.steps'),
	$node->safe_psql('company', 'SELECT count(*) FROM sqlagent.steps'),
	'the same steps');
is($node->ask('The headcount, please', database => 'copy'),
	'Five.', 'the copy answers');
is( $node->safe_psql('copy', 'SELECT max(id) FROM sqlagent.runs'),
	$node->safe_psql('company', 'SELECT max(id) + 1 FROM sqlagent.runs'),
	'and its numbers go on');
is(($node->run_as('colleague', $own, database => 'copy'))[1],
	'0|0', 'others see nothing there either');

done_testing();
