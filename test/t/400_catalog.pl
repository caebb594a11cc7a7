# What a worker keeps in memory follows what other sessions change: the next
# call sees it, and a lock makes nobody wait.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use JSON::PP;
use PostgreSQL::Test::Utils;
use SaCluster;
use Test::More;
use Time::HiRes qw(time);

my $node = SaCluster->start_company('');
$node->safe_psql('company', q{
	CREATE ROLE team; CREATE ROLE owner_of_more LOGIN;
	CREATE SCHEMA more; GRANT USAGE ON SCHEMA more TO analyst;
	CREATE TABLE more.closed (id integer); GRANT SELECT ON more.closed TO team;
	CREATE TABLE more.seen (id integer, note text); GRANT SELECT ON more.seen TO analyst;
});

# One session, hence one worker, all the time.
my $session = $node->session('analyst');
sub call { return decode_json($session->query("SELECT sqlagent.tool_introspect_schema('$_[0]')")); }
sub tables { return join ' ', map { $_->{name} } @{ call('{}')->{tables} }; }
sub columns { return join ' ', map { $_->{name} } @{ call(qq({"table_name": "$_[0]"}))->{columns} }; }
sub found { return join ' ', map { $_->{name} } @{ call(qq({"search": "$_[0]"}))->{tables} }; }
sub change { $node->safe_psql('company', $_[0]); }

my $start = 'customers departments employees invoices';
is(tables(), "$start more.seen", 'tables at first');
my ($worker) = $node->workers;

change('CREATE TABLE late (id integer); GRANT SELECT ON late TO analyst');
is(tables(), 'customers departments employees invoices late more.seen', 'CREATE TABLE');
change('ALTER TABLE late ADD COLUMN extra text');
is(columns('late'), 'id extra', 'ADD COLUMN');
is(found('extra'), 'late', 'and it is found by the column');
change('ALTER TABLE late RENAME COLUMN extra TO additional');
is(columns('late'), 'id additional', 'RENAME COLUMN');
is(found('extra'), '', 'it is no longer found by the old name');
change('ALTER TABLE late RENAME TO later');
is(found('late'), 'later', 'RENAME TABLE') or diag tables();
is(call('{"table_name": "late"}')->{error}{sqlstate}, '42P01', 'the old name is gone');

is(found('zeppelin'), '', 'nothing says zeppelin');
change(q{COMMENT ON TABLE later IS 'zeppelins of the fleet'});
is(found('zeppelin'), 'later', 'COMMENT ON TABLE');
change(q{COMMENT ON COLUMN later.id IS 'number on the dirigible'});
is(found('dirigible'), 'later', 'COMMENT ON COLUMN');
change(q{COMMENT ON TABLE later IS 'airships'});
is(found('zeppelin'), '', 'a comment that was replaced');
change(q{COMMENT ON COLUMN later.id IS NULL});
is(found('dirigible'), '', 'a comment that was removed');

change('REVOKE SELECT ON later FROM analyst');
is(tables(), "$start more.seen", 'REVOKE');
change('GRANT SELECT (id) ON later TO analyst');
is(columns('later'), 'id', 'GRANT on a column');
change('REVOKE SELECT (id) ON later FROM analyst');
is(tables(), "$start more.seen", 'REVOKE on a column');
change('GRANT team TO analyst');
is(tables(), "more.closed $start more.seen", 'GRANT of a role');
change('REVOKE team FROM analyst');
is(tables(), "$start more.seen", 'REVOKE of a role');
change('REVOKE USAGE ON SCHEMA more FROM analyst');
is(tables(), $start, 'REVOKE on a schema');
change('GRANT USAGE ON SCHEMA more TO analyst; ALTER SCHEMA more RENAME TO other');
is(tables(), "$start other.seen", 'a schema that was renamed');
change('DROP TABLE other.seen');
is(tables(), $start, 'DROP TABLE');

change(q{CREATE TYPE mood AS ENUM ('sad'); CREATE TABLE feeling (m mood); GRANT SELECT ON feeling TO analyst});
is(found('sad'), 'feeling', 'a label of an enum');
change(q{ALTER TYPE mood ADD VALUE 'euphoric'});
is(found('euphoric'), 'feeling', 'ADD VALUE');
change(q{ALTER TYPE mood RENAME TO humour});
is(call('{"table_name": "feeling"}')->{columns}[0]{type}, 'humour', 'a type that was renamed');

change(q{CREATE TABLE child (id integer PRIMARY KEY, feeling_no integer);
	CREATE TABLE parent (no integer PRIMARY KEY); GRANT SELECT ON child, parent TO analyst});
is(scalar @{ call('{"table_name": "child"}')->{relationships} }, 0, 'no key yet');
change('ALTER TABLE child ADD FOREIGN KEY (feeling_no) REFERENCES parent');
is(call('{"table_name": "child"}')->{relationships}[0]{table}, 'parent', 'ADD FOREIGN KEY');
is(call('{"table_name": "parent"}')->{relationships}[0]{direction}, 'incoming', 'from both sides');
change('ALTER TABLE child DROP CONSTRAINT child_feeling_no_fkey');
is(scalar @{ call('{"table_name": "parent"}')->{relationships} }, 0, 'DROP CONSTRAINT');

change(q{CREATE TABLE colour (name text); INSERT INTO colour SELECT 'mauve' FROM generate_series(1, 20);
	GRANT SELECT ON colour TO analyst});
is(call('{"table_name": "colour"}')->{rows}, undef, 'no statistics yet');
change('ANALYZE colour');
my $colour = call('{"table_name": "colour"}');
is($colour->{rows}, 20, 'ANALYZE tells the rows');
is_deeply($colour->{columns}[0]{values}, ['mauve'], 'and the values');
is(found('mauve'), 'colour', 'by which it is found');

# a new schema is looked at, the extension's own and temporary ones are not
change('CREATE SCHEMA fresh; CREATE TABLE fresh.thing (id integer); GRANT USAGE ON SCHEMA fresh TO analyst; GRANT SELECT ON fresh.thing TO analyst');
like(tables(), qr/\bfresh\.thing\b/, 'a new schema');
$session->query('CREATE TEMP TABLE scratch (id integer)');
unlike(tables(), qr/scratch|runs|pg_/, 'no temporary, system or own tables');
is(($node->workers)[0], $worker, 'all of this in one worker');

# Somebody holds the strongest lock on tables and on what a view reads.
change('CREATE VIEW view_of AS SELECT id FROM customers; GRANT SELECT ON view_of TO analyst');
my $locker = $node->session('postgres');
$locker->query('BEGIN');
$locker->query('LOCK customers, invoices IN ACCESS EXCLUSIVE MODE');
my $then = time;
is(tables() =~ /\bcustomers\b.*\bview_of\b/ ? 1 : 0, 1, 'a list needs no lock');
is(columns('invoices'), 'id customer_id employee_id issued_on paid_on total', 'nor does a description');
is_deeply(call('{"table_name": "invoices"}')->{checks}, [], 'which lacks what needs one');
is(call('{"table_name": "view_of"}')->{definition}, undef, 'as for a view');
cmp_ok(time - $then, '<', 2, 'nobody waited');
$locker->query('COMMIT');
isnt(scalar @{ call('{"table_name": "invoices"}')->{checks} }, 0, 'it is there when the lock is gone');
like(call('{"table_name": "view_of"}')->{definition}, qr/FROM customers/, 'as for a view');

# A view that comes to read a hidden column, and a view on top of it.
change(q{CREATE TABLE file (id integer PRIMARY KEY, clue_id integer); CREATE TABLE clue (clue_id integer PRIMARY KEY);
	CREATE VIEW low AS SELECT id, 1 AS clue_id FROM file; CREATE VIEW high AS SELECT id, clue_id FROM low;
	GRANT SELECT ON file, clue, low, high TO analyst;
	LOAD 'sqlagent'; SECURITY LABEL FOR sqlagent ON COLUMN file.clue_id IS 'hidden'});
is(columns('file'), 'id', 'a hidden column');
is(columns('high'), 'id clue_id', 'views that do not read it');
is(join(' ', sort map { $_->{table} } @{ call('{"table_name": "clue"}')->{relationships} }), 'high low', 'keys that names imply');
change('CREATE OR REPLACE VIEW low AS SELECT id, clue_id FROM file');
is(columns('low'), 'id', 'a view that reads it now');
is(columns('high'), 'id', 'and one that reads that');
is_deeply(call('{"table_name": "clue"}')->{relationships}, [], 'no key is left');
change(q{LOAD 'sqlagent'; SECURITY LABEL FOR sqlagent ON COLUMN file.clue_id IS NULL});
is(columns('high'), 'id clue_id', 'shown again without the label');

# A partition is read when it is named, and may go at any time.
change(q{CREATE TABLE whole (id integer PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE piece PARTITION OF whole FOR VALUES FROM (0) TO (9);
	CREATE TABLE of_piece (id integer PRIMARY KEY REFERENCES piece); GRANT SELECT ON whole, piece, of_piece TO analyst});
is(columns('piece'), 'id', 'a partition by name');
change('CREATE TABLE one_more (id integer); GRANT SELECT ON one_more TO analyst');
is(columns('of_piece'), 'id', 'what refers to it');
change('DROP TABLE of_piece; DROP TABLE piece');
is(call('{"table_name": "piece"}')->{error}{sqlstate}, '42P01', 'a partition that is gone');
is(columns('whole'), 'id', 'the others are there');

$session->finish;
$locker->finish;
done_testing();
