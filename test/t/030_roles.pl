# Who asks decides what is seen: rights, row-level security, superusers, and the
# places that asking is refused in.
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
my $major = $node->safe_psql('postgres', 'SHOW server_version_num') / 10000;
my $count = 'SELECT count(*), sum(total) FROM invoices';

$node->safe_psql('company', <<'SQL');
CREATE ROLE north LOGIN;
CREATE ROLE south LOGIN;
CREATE ROLE office;
CREATE ROLE stand_in LOGIN;
CREATE ROLE clerk LOGIN IN ROLE office;
CREATE ROLE reader LOGIN IN ROLE pg_read_server_files;
CREATE ROLE stranger LOGIN;
GRANT USAGE ON SCHEMA sqlagent TO north, south, office, stand_in, clerk, reader;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO office, stand_in, reader;
GRANT SELECT ON invoices, customers, departments TO north, south;
GRANT SELECT (id, name, department_id) ON employees TO north;
GRANT SELECT ON employees TO south;
ALTER TABLE invoices ENABLE ROW LEVEL SECURITY;
CREATE POLICY north ON invoices TO north USING (customer_id IN (1, 3));
CREATE POLICY south ON invoices TO south USING (customer_id = 2);
CREATE POLICY tenant ON invoices TO office, stand_in, reader, analyst
	USING (customer_id::text = current_setting('app.tenant', true)
		OR current_setting('app.tenant', true) IS NULL);
SQL

sub rows_of
{
	my ($role, %options) = @_;
	$model->reset;
	$model->script('invoices', [ run_sql => { sql => $options{sql} // $count } ],
		'done');
	my ($status, $out, $err) = $node->run_as($role,
		($options{before} // '') . <<'SQL');
WITH r AS MATERIALIZED (SELECT sqlagent.ask_json('invoices') AS report)
SELECT coalesce((SELECT string_agg(value, ',') FROM jsonb_array_elements_text(report->'rows'->0)),
	concat_ws(' ', report->'errors'->0->>'type', report->'errors'->0->>'sqlstate')) FROM r
SQL
	return $status == 0 ? $out : "error: $err";
}

# Row-level security and column privileges
is(rows_of('north'), '4,5075.50', 'one role, one answer');
is(rows_of('south'), '2,3700.00', 'another role, another answer');
is( rows_of('north', sql => 'SELECT max(salary) FROM employees'),
	'permission_denied 42501',
	'a column that a role may not read');
is(rows_of('south', sql => 'SELECT max(salary) FROM employees'),
	'110000', 'and one who may');
is(rows_of('analyst', before => "SET app.tenant = '5';"),
	'1,1200.00', 'settings that policies read go along');
{
	my $session = $node->session('analyst');
	$model->reset;
	$model->script('invoices', [ run_sql => { sql => $count } ], 'done');
	my @rows = map {
		$session->query("SET app.tenant = '$_'; SELECT sqlagent.ask_json('invoices')->'rows'->0->>1")
	} 5, 3;
	is("@rows", '1200.00 1950.00', 'with every question of a session');

	# The worker must not go on with a tenant that the session has left.
	my $rows = "SELECT sqlagent.ask_json('invoices')->'rows'->0->>0";
	is($session->query("RESET app.tenant; $rows"), '0', 'also when it was reset');
	is($session->query("BEGIN; SET LOCAL app.tenant = '3'; $rows; COMMIT"),
		'1', 'and for one transaction');
	is($session->query($rows), '0', 'only');
	$session->query("SET app.tenant = '3'; $rows");
	is($session->query("DISCARD ALL; $rows"), '0', 'and after DISCARD ALL');
	$session->finish;
}

# A worker serves the role that asks now
{
	$model->reset;
	$model->script('first', [ run_sql => { sql => 'SELECT current_user, session_user' } ], 'done');
	$model->script('second', [ run_sql => { sql => 'SELECT current_user, session_user' } ], 'done');
	my ($status, $out, $err) = $node->run_as('postgres', <<'SQL');
SET ROLE north;
SELECT sqlagent.ask_json('first')->'rows';
SET ROLE south;
SELECT sqlagent.ask_json('second')->'rows';
SQL
	is($status, 0, 'SET ROLE between questions') or diag $err;
	is($out, qq([["north", "north"]]\n[["south", "south"]]),
		'each is a session of its own role');
}

# Without the right to use the schema there is nothing
my ($status, $out, $err) =
  $node->run_as('stranger', "SELECT sqlagent.ask('invoices')");
like($err, qr/permission denied for schema sqlagent/, 'a stranger');

# Superusers and the like
($status, $out, $err) =
  $node->run_as('postgres', "SELECT sqlagent.ask('invoices')");
isnt($status, 0, 'a superuser is refused');
like($err, qr/HINT:.*sqlagent\.superuser_role/, 'with a hint that helps');
($status, $out, $err) =
  $node->run_as('reader', "SELECT sqlagent.ask('invoices')");
like($err, qr/may read files of the server/,
	'so is who may read files of the server');
is(rows_of('postgres', before => "SET sqlagent.superuser_role = 'stand_in';"),
	'9,12875.00', 'with superuser_role a superuser may ask');
is( rows_of(
		'postgres',
		before => "SET sqlagent.superuser_role = 'stand_in';",
		sql => 'SELECT current_user, session_user'
	),
	'stand_in,stand_in',
	'and the statements run as that role');
is( $node->safe_psql('company',
		'SELECT asker, run_as FROM sqlagent.runs ORDER BY id DESC LIMIT 1'),
	'postgres|stand_in',
	'which is stored');
like(rows_of('postgres', before => "SET sqlagent.superuser_role = 'reader';"),
	qr/cannot stand in/, 'no powerful role stands in');
like(rows_of('postgres', before => "SET sqlagent.superuser_role = 'nobody';"),
	qr/role "nobody" does not exist/, 'nor one that is not there');
# before the library is loaded the server takes any value, and drops it then
($status, $out, $err) = $node->run_as('analyst',
	"SET sqlagent.superuser_role = 'stand_in'; SELECT sqlagent.show_prompt('invoices') IS NULL; SHOW sqlagent.superuser_role"
);
is($out, "f\n", 'users may not set it');
like($err, qr/permission denied to set parameter/, 'and are told');

# Nobody speaks for another
$node->safe_psql('company', <<'SQL');
CREATE FUNCTION ask_as_owner(q text) RETURNS text LANGUAGE sql SECURITY DEFINER
	AS 'SELECT sqlagent.ask(q)';
CREATE FUNCTION ask_as_invoker(q text) RETURNS text LANGUAGE plpgsql
	AS 'BEGIN RETURN sqlagent.ask(q); END';
SQL
($status, $out, $err) =
  $node->run_as('analyst', "SELECT ask_as_owner('invoices')");
like($err, qr/security-restricted operation/, 'refused in SECURITY DEFINER');
like($err, qr/HINT:/, 'with a hint');
$model->reset;
$model->script('invoices', 'done');
($status, $out, $err) =
  $node->run_as('analyst', "SELECT ask_as_invoker('invoices')");
is($out, 'done', 'in a function that runs as its caller') or diag $err;

# A role that cannot log in
($status, $out, $err) = $node->run_as('clerk',
	"SET ROLE office; SELECT sqlagent.ask('invoices')");
if ($major < 17)
{
	like($err, qr/role "office" is not permitted to log in/, 'NOLOGIN role');
	like($err, qr/HINT:/, 'with a hint');
}
else
{
	is($out, 'done', 'NOLOGIN role') or diag $err;
}

# A role without LOGIN right and a connection limit do not matter to the worker
$node->safe_psql('company', 'ALTER ROLE north CONNECTION LIMIT 1');
is(rows_of('north'), '4,5075.50', 'a connection limit of one');

# In a transaction block; what it has not committed is not seen
{
	$model->reset;
	$model->script('invoices', [ run_sql => { sql => 'SELECT count(*) FROM departments' } ], 'done');
	my ($status, $out, $err) = $node->run_as('postgres', <<'SQL');
SET sqlagent.superuser_role = 'stand_in';
BEGIN;
INSERT INTO departments VALUES (4, 'Legal', 'Bern');
SELECT sqlagent.ask_json('invoices')->'rows';
ROLLBACK;
SQL
	is($out, '[[3]]', 'in a transaction block') or diag $err;
}

# A lock of the caller that the run waits for: told, not waited for
{
	$model->reset;
	$model->script('invoices', [ run_sql => { sql => 'SELECT count(*) FROM departments' } ], 'done');
	my ($status, $out, $err) = $node->run_as('postgres', <<'SQL');
SET sqlagent.superuser_role = 'stand_in';
BEGIN;
LOCK TABLE departments IN ACCESS EXCLUSIVE MODE;
SELECT sqlagent.ask_json('invoices')->'errors'->0->>'sqlstate';
ROLLBACK;
SQL
	is($out, '55P03', 'a table that the caller has locked') or diag $err;
}

# The worker is no way back to the superuser
is( rows_of('north', sql => "SELECT set_config('role', 'postgres', false)"),
	'unsafe_function 42501',
	'set_config is refused')
  or diag rows_of('north', sql => "SELECT set_config('role', 'postgres', false)");

# Sixteen sessions at once
{
	$model->reset;
	$model->script('invoices', [ run_sql => { sql => $count } ], 'All of them.');
	my @sessions = map { $node->session('analyst') } 1 .. 16;
	$_->query('SELECT 1') for @sessions;
	$_->send("SELECT sqlagent.ask('invoices'); \\echo done") for @sessions;
	$_->wait_for(qr/^done$/m) for @sessions;
	is(scalar(grep { $_->{out} =~ /^All of them\.$/m } @sessions),
		16, 'sixteen sessions are answered at once');
	is(scalar($node->workers), 16, 'each by a worker of its own');
	$_->finish for @sessions;
	ok($node->wait_for_no_workers, 'and all end with their sessions');
}

# No slot for a worker
{
	$node->append_conf('postgresql.conf', 'max_worker_processes = 1');
	$node->restart;
	$model->reset;
	$model->script('invoices', 'done');
	my $first = $node->session('analyst');
	$first->query("SELECT sqlagent.ask('invoices')");
	my ($status, $out, $err) =
	  $node->run_as('analyst', "SELECT sqlagent.ask('invoices')");
	isnt($status, 0, 'no free slot');
	like($err, qr/HINT:.*max_worker_processes/, 'with a hint');
	$first->finish;
}

is(scalar $node->log_lines(qr/FATAL|PANIC|TRAP/), 0, 'no FATAL in the log')
  or diag join "\n", $node->log_lines(qr/FATAL|PANIC|TRAP/);

done_testing();
