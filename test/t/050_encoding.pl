# Databases that do not speak UTF-8.
use strict;
use warnings;
use utf8;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use JSON::PP;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SaCluster;
use SaModel;
use Test::More;

my $model = SaModel->new or plan skip_all => $SaModel::why_not;
my $node = SaCluster->start_company($model->conf);
my $umlaut = "M\xFCller";

for my $encoding ('LATIN1', 'SQL_ASCII', 'UTF8')
{
	my $database = lc $encoding;
	$node->make_company($database,
		"TEMPLATE template0 ENCODING '$encoding' LOCALE 'C'");
	$model->reset;
	$model->script('headcount',
		[ run_sql => { sql => 'SELECT count(*) FROM employees' } ], 'Five.');
	is($node->ask('The headcount', database => $database),
		'Five.', "$encoding: plain text");
}

# What LATIN1 has is converted in both directions, what it lacks is replaced or
# refused with a clear error, never stored broken.
$node->safe_psql('latin1',
	q{SET client_encoding = 'LATIN1'; UPDATE customers SET name = E'M\xFCller' WHERE id = 3});
$model->reset;
$model->script(
	'customer three',
	[
		run_sql =>
		  { sql => "SELECT name FROM customers WHERE name = '$umlaut'" }
	],
	"It is $umlaut.");
my ($status, $out, $err) = $node->run_as(
	'analyst',
	"SET client_encoding = 'UTF8'; SELECT encode(convert_to(sqlagent.ask('Who is customer three?'), 'UTF8'), 'hex')",
	database => 'latin1');
is($status, 0, 'LATIN1: ask') or diag $err;
is(pack('H*', $out), "It is M\xC3\xBCller.", 'LATIN1: the answer is converted');
my ($tool) =
  grep { $_->{role} eq 'tool' } @{ ($model->requests)[1]{messages} };
like($tool->{content}, qr/\b$umlaut\b/, 'LATIN1: so are the rows');

$model->reset;
$model->script('a word of Japan', "\x{6771}\x{4EAC}");
($status, $out, $err) = $node->run_as('analyst',
	"SELECT sqlagent.ask('Say a word of Japan')",
	database => 'latin1');
if ($status == 0)
{
	like($out, qr/^[\x20-\x7E]*$/, 'LATIN1: what it lacks is replaced');
}
else
{
	like($err, qr/ERROR: .*(encod|character)/s, 'LATIN1: a clear error');
}

# In SQL_ASCII bytes have no meaning: valid UTF-8 passes, other bytes do not
# break the request.
$node->safe_psql('sql_ascii',
	q{UPDATE customers SET name = E'M\xFCller' WHERE id = 3});
$model->reset;
$model->script('customer three',
	[ run_sql => { sql => 'SELECT name FROM customers WHERE id = 3' } ],
	'Somebody.');
($status, $out, $err) = $node->run_as('analyst',
	"SELECT sqlagent.ask('Who is customer three?')",
	database => 'sql_ascii');
is($status, 0, 'SQL_ASCII: bytes that are no text') or diag $err;
is(scalar $model->requests, 2, 'SQL_ASCII: the request stays valid JSON');

done_testing();
