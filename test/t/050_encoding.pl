# Databases that do not speak UTF-8.
use strict;
use warnings;
use utf8;
use Encode ();
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

# The same in an encoding of several bytes: the question, the literal of a
# statement, the rows, and the answer.
my $tokyo = "\x{6771}\x{4EAC}";
my $bytes = sub { unpack 'H*', Encode::encode('UTF-8', $_[0]) };
$node->make_company('euc_jp', q{TEMPLATE template0 ENCODING 'EUC_JP' LOCALE 'C'});
$node->safe_psql('euc_jp',
	q{SET client_encoding = 'UTF8'; UPDATE customers SET name = convert_from('\x}
	  . $bytes->($tokyo) . q{', 'UTF8') WHERE id = 3});
$model->reset;
$model->script(
	"$tokyo station",
	[ run_sql => { sql => "SELECT id, name FROM customers WHERE name = '$tokyo'" } ],
	"It is customer 3 of $tokyo.");
($status, $out, $err) = $node->run_as(
	'analyst',
	"SET client_encoding = 'UTF8'; SELECT encode(convert_to(sqlagent.ask(convert_from('\\x"
	  . $bytes->("Who is at $tokyo station?") . "', 'UTF8')), 'UTF8'), 'hex')",
	database => 'euc_jp');
is($status, 0, 'EUC_JP: ask') or diag $err;
is($out, $bytes->("It is customer 3 of $tokyo."), 'EUC_JP: the answer is converted');
my @asked = $model->requests;
like($asked[0]{messages}[-1]{content}, qr/Who is at $tokyo station\?/,
	'EUC_JP: so is the question');
($tool) = grep { $_->{role} eq 'tool' } @{ $asked[1]{messages} };
like($tool->{content}, qr/^3,$tokyo$/m, 'EUC_JP: and the rows');
is( $node->safe_psql('euc_jp',
		"SELECT encode(convert_to(question || answer, 'UTF8'), 'hex') FROM sqlagent.runs"),
	$bytes->("Who is at $tokyo station?It is customer 3 of $tokyo."),
	'EUC_JP: what is stored is whole');

# What EUC_JP lacks
$model->reset;
$model->script('an emoji', "\x{1F600}");
($status, $out, $err) = $node->run_as('analyst',
	"SELECT sqlagent.ask('Say an emoji')", database => 'euc_jp');
like("$out$err", $status ? qr/ERROR: .*(encod|character)/s : qr/^[\x20-\x7E]+$/,
	'EUC_JP: what it lacks is replaced or refused');

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
