# The verbs beside ask(): rows, statements explained and corrected, the
# procedure that holds no snapshot, the settings for a bug report.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use PostgreSQL::Test::Utils;
use SaCluster;
use SaModel;
use SaServer;
use Test::More;

my $model = SaModel->new or plan skip_all => $SaModel::why_not;
my $node = SaCluster->start_company($model->conf);

sub query { return ($node->run_as('analyst', $_[0]))[1]; }
sub error { return ($node->run_as('analyst', $_[0]))[2]; }
sub last_user_message
{
	my ($request) = ($model->requests)[-1];
	my ($last) = grep { $_->{role} eq 'user' } reverse @{ $request->{messages} };
	return $last->{content};
}

# ask_rows
$model->script('two best paid',
	[ run_sql => { sql => 'SELECT name, salary, salary / 3.0 AS third FROM employees ORDER BY salary DESC LIMIT 2' } ],
	'Bob Brown and Alice Johnson.');
is(query(q{SELECT r->>'name', r->>'salary', r->>'third' FROM sqlagent.ask_rows('the two best paid') r}),
	"Bob Brown|110000|36666.666666666667\nAlice Johnson|95000|31666.666666666667", 'rows as objects, digits kept');
$model->script('same name', [ run_sql => { sql => 'SELECT 1 AS a, 2 AS a, NULL AS a, 4 AS a_2' } ], 'Done.');
is(query(q{SELECT sqlagent.ask_rows('columns of the same name')}),
	'{"a": 1, "a_2": 2, "a_3": null, "a_2_2": 4}', 'columns of one name stay apart');
$model->script('nobody', [ run_sql => { sql => 'SELECT name FROM employees WHERE false' } ], 'None.');
is(query(q{SELECT count(*) FROM sqlagent.ask_rows('nobody')}), 0, 'no rows are no error');
$model->script('no statement', 'I know it by heart.');
like(error(q{SELECT sqlagent.ask_rows('no statement')}), qr/no rows answer this question.*by heart/s, 'no statement is one');
$model->script('cannot', 'CANNOT ANSWER: there is no weather here.');
like(error(q{SELECT sqlagent.ask_rows('cannot')}), qr/no rows answer.*no weather/s, 'and a refusal');

# explain_sql
$model->script('Explain this', 'It lists the names.');
is(query(q{SELECT sqlagent.explain_sql('SELECT name FROM employees')}), 'It lists the names.', 'explain_sql explains');
like(last_user_message(), qr/SELECT name FROM employees.*name text.*5 rows/s, 'of the statement, columns and plan');
ok(!exists(($model->requests)[-1]{tools}), 'without tools');
is($node->safe_psql('company', q{SELECT kind || ' ' || status FROM sqlagent.runs ORDER BY id DESC LIMIT 1}), 'explain_sql answered', 'it is recorded');
my $before = $model->requests;
like(error(q{SELECT sqlagent.explain_sql('DELETE FROM employees')}), qr/ERROR/, 'what the guard refuses is not explained');
is(scalar $model->requests, $before, 'and no model is asked');
like(error(q{SELECT sqlagent.explain_sql('  ')}), qr/statement is empty/, 'no statement, no explanation');

# fix_sql
$model->script('does not do what it should', "```sql\nSELECT name FROM employees\n```");
is(query(q{SELECT sqlagent.fix_sql('SELECT nam FROM employees')}), 'SELECT name FROM employees', 'fix_sql corrects');
like(last_user_message(), qr/"sqlstate": "42703".*Perhaps you meant to reference the column/s, 'the server told what is wrong');
$before = $model->requests;
my ($status, $out, $err) = $node->run_as('analyst', q{SELECT sqlagent.fix_sql('SELECT name FROM employees')});
is($out, 'SELECT name FROM employees', 'nothing wrong, nothing changed');
like($err, qr/finds nothing wrong/, 'and it says so');
is(scalar $model->requests, $before, 'and no model is asked');
is(query(q{SELECT sqlagent.fix_sql('SELECT title FROM employees', 'names were wanted')}), 'SELECT name FROM employees', 'unless the asker knows better');
like(last_user_message(), qr/names were wanted/, 'and says what');
$model->reset;
$model->script('does not do what it should', 'SELECT x FROM nowhere');
$model->call('POST', '/fixtures', { fixtures => [ SaModel::fixture('cannot be used', 1, 'SELECT name FROM employees') ] });
is(query(q{SELECT sqlagent.fix_sql('SELECT nam FROM employees')}), 'SELECT name FROM employees', 'a correction that fails is corrected');

# without a model
$node->safe_psql('company', q{ALTER ROLE analyst SET sqlagent.provider = 'builtin'});
like(query(q{SELECT sqlagent.explain_sql('SELECT name FROM employees')}), qr/name text.*5 rows/, 'builtin tells what the server knows');
like(error(q{SELECT sqlagent.fix_sql('SELECT nam FROM employees')}), qr/builtin.*cannot correct.*employees\.name/s, 'and what it found');
$node->safe_psql('company', q{ALTER ROLE analyst RESET sqlagent.provider});

# ask_proc
$model->script('long one', 'Here it is.');
is(query(q{CALL sqlagent.ask_proc('the long one')}), 'Here it is.', 'the procedure answers');
is(query(q{BEGIN; CALL sqlagent.ask_proc('the long one', NULL); COMMIT}), 'Here it is.', 'also in a transaction block');
like(error(q{CALL sqlagent.ask_proc(NULL)}), qr/must not be null/, 'it wants a question');
my $hang = SaServer->new('hang');
for my $case ([ q{CALL sqlagent.ask_proc('long')}, 'f' ], [ q{SELECT sqlagent.ask('long')}, 't' ],
	[ q{BEGIN; CALL sqlagent.ask_proc('long')}, 't' ])
{
	my ($sql, $held) = @$case;
	$node->safe_psql('company', "ALTER ROLE analyst SET sqlagent.endpoint = '$hang->{url}'");
	my $session = $node->session('analyst');
	my $pid = $session->query('SELECT pg_backend_pid();');
	$session->send("$sql;");
	$hang->wait_for_request;
	is($node->safe_psql('postgres', "SELECT backend_xmin IS NOT NULL FROM pg_stat_activity WHERE pid = $pid"),
		$held, "$sql " . ($held eq 't' ? 'holds a snapshot' : 'holds no snapshot'));
	$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
	$session->wait_for(qr/canceling statement/);
	$session->finish;
}
$node->safe_psql('company', 'ALTER ROLE analyst RESET sqlagent.endpoint');

# trace
$model->script('traced', [ introspect_schema => { search => 'pay' } ], [ run_sql => { sql => 'SELECT 1 AS one' } ], 'It is 1.');
for my $case (
	[ 'off', qr/^$/ ],
	[ 'sql', qr/^NOTICE:  SQL: SELECT 1 AS one\nDETAIL:  1 row\.$/ ],
	[ 'steps', qr/^NOTICE:  step 1: introspect_schema \{"search":"pay"\}\nNOTICE:  SQL: SELECT 1 AS one\nDETAIL:  1 row\.\nNOTICE:  step 2: run_sql$/ ])
{
	my ($trace, $told) = @$case;
	like(($node->run_as('analyst', "SET sqlagent.trace = $trace; SELECT sqlagent.ask('traced')"))[2] =~ s/psql:<stdin>:\d+: //gr, $told, "trace = $trace");
}

# config
is(query(q{SELECT value || ' ' || source FROM sqlagent.config() WHERE name = 'sqlagent.model'}),
	'test-model configuration file', 'config tells settings and where they come from');
$node->safe_psql('company', q{ALTER ROLE analyst SET sqlagent.endpoint = 'https://me:pass@host/v1?key=x';
	ALTER ROLE analyst SET sqlagent.api_key_file = '/etc/secret.key'});
unlike(query('SELECT * FROM sqlagent.config()'), qr/pass|key=x|secret\.key/, 'but no secrets');
$node->safe_psql('company', q{ALTER ROLE postgres SET sqlagent.headers_file = '/etc/secret.key'; ALTER ROLE postgres SET sqlagent.provider_options = '{"key": "pass"}';
	ALTER ROLE postgres SET sqlagent.endpoint = 'https://me:pass@host/v1?key=x'; ALTER ROLE postgres SET sqlagent.api_key_file = '/etc/secret.key'});
unlike($node->safe_psql('company', 'SELECT * FROM sqlagent.config()'), qr/pass|key=x|secret\.key/, 'for a superuser neither');
is($node->safe_psql('company', q{SELECT count(*), string_agg(c.name, ',') FILTER (WHERE s.name IS NULL) FROM (SELECT sqlagent.config() IS NULL LIMIT 1) l, pg_settings s
	FULL JOIN (SELECT * FROM sqlagent.config() WHERE name LIKE 'sqlagent.%') c USING (name) WHERE s.name LIKE 'sqlagent.%' AND c.name IS NULL}), '0|', 'every setting is there');
$node->safe_psql('company', 'ALTER ROLE postgres RESET ALL');

is(query(q{SELECT value FROM sqlagent.config() WHERE name = 'sqlagent.endpoint'}), 'https://***@host/v1', 'an address without password');
is(query(q{SELECT count(DISTINCT value) FROM sqlagent.config() WHERE name IN ('version of the library', 'version of the objects')}), 1, 'and the versions');
like(($node->run_as('postgres', q{BEGIN; SET allow_system_table_mods = on; UPDATE pg_extension SET extversion = '0.0' WHERE extname = 'sqlagent'; SELECT sqlagent.new_thread()}))[2],
	qr/objects have version 0\.0.*ALTER EXTENSION sqlagent UPDATE TO/s, 'objects of another version are told apart');

done_testing();
