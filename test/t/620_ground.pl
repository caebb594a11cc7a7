# Grounding: what of an answer the rows do not support; and answers that are
# made from the rows when the model says nothing.
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

my $by_author = 'SELECT e.name, count(*) AS invoices, sum(i.total) AS total FROM invoices i '
  . 'JOIN employees e ON e.id = i.employee_id GROUP BY e.name ORDER BY 3 DESC';
my $number = 0;

# The report of a run in which the model says this after the statement.
sub report
{
	my ($sql, $answers, %options) = @_;
	my $question = $options{question} // 'What do we know';
	$question .= ' q' . chr(97 + $number / 26) . chr(97 + $number++ % 26);
	$model->script($question, $sql ? [ run_sql => { sql => $sql } ] : (), ref $answers ? @$answers : $answers);
	if ($options{repair})
	{
		$model->call('POST', '/fixtures', { fixtures => [ SaModel::fixture('do not support', 2, $options{repair}) ] });
	}
	my ($status, $out, $err) = $node->run_as('analyst',
		($options{settings} // '') . "SELECT sqlagent.ask_json(" . SaCluster::quote($question) . ')');
	die $err if $status;
	return decode_json($out);
}

# What the rows do not support of an answer, in one line.
sub unsupported
{
	return join '; ', @{ report(@_)->{grounding}{unsupported} };
}

# Carol Davis 5 invoices 6525.50, David Wilson 4 invoices 6349.50... as the rows say
my $rows = $node->safe_psql('company', $by_author);
is($rows, "Carol Davis|5|6525.50\nDavid Wilson|4|6349.50", 'the figures of the sample');

for my $case (
	# numbers as they are, rounded, grouped, scaled
	[ 'Carol Davis has 6,525.50.', '' ],
	[ 'Carol Davis has 6525.5 dollars and David Wilson $6,349.50.', '' ],
	[ 'Carol Davis hat 6.525,50 Dollar.', '' ],
	[ 'Carol Davis has about 6,500, David Wilson roughly 6.3k.', '' ],
	[ 'Carol Davis has 6,526.', '' ],
	[ 'Carol Davis has 6,625.50.', '6,625.50' ],
	[ 'Carol Davis has 6,525.51.', '6,525.51' ],
	[ 'Carol Davis has 6,525.49.', '6,525.49' ],
	[ 'Carol Davis has 6.6k.', '6.6k' ],
	[ 'Carol Davis has 5 invoices, David Wilson 4.', '' ],
	[ 'Carol Davis has 6 invoices.', '6' ],
	# what one reads off the rows
	[ 'In sum 12,875.00 in 9 invoices by 2 employees.', '' ],
	[ 'Carol Davis is 176.00 ahead, with 50.7% of it all.', '' ],
	[ 'Carol Davis is 2.8% ahead.', '' ],
	[ 'Carol Davis has 1,305.10 an invoice.', '1,305.10' ],
	[ 'Carol Davis has 60% of it.', '60%' ],
	# lists and words with digits are no figures
	[ "1. Carol Davis\n2. David Wilson\n3) the 3rd is nobody (Q7)", '' ],
	# names
	[ 'Alice Johnson and Carol Davis wrote the invoices.', 'Alice Johnson' ],
	[ 'The invoices were written by Carol Davis, David Wilson and Bob.', 'Bob' ],
	[ 'Most were written by Carol Wilson.', 'Carol Wilson' ],
	[ "Carol Davis's invoices were the largest; David's came next.", '' ],
	[ 'Der Umsatz der Mitarbeiter ist bei Carol Davis und im Vergleich am höchsten.', '' ],
	[ 'Der Umsatz ist bei Erika Mustermann und die Summe am höchsten.', 'Erika Mustermann' ],
	[ "# Overview Of Everything\n**Carol Davis** leads.", '' ],
	# years and dates
	[ 'In 2024 it was 6,525.50.', '2024' ],
	[ 'On January 15, 2024 it was 6,525.50.', 'January 15, 2024' ])
{
	my ($answer, $expected) = @$case;
	is(unsupported($by_author, $answer), $expected, $answer =~ s/\n/ /gr);
}

my $dated = 'SELECT issued_on, total FROM invoices WHERE id = 1';
is(unsupported($dated, 'On January 15, 2024 it was 1250.'), '', 'a date in words');
is(unsupported($dated, 'On 15.01.2024 (2024-01-15, 1/15/2024) it was 1250, at 10:30.'), '', 'in figures');
is(unsupported($dated, 'In Jan 2024, on the 15th, it was 1250.'), '', 'a part of one');
is(unsupported($dated, 'On 16 January 2024 it was 1250.'), '16 January 2024', 'a wrong one');
is(unsupported($dated, 'It was 1250.', question => 'What was it in 2031?'), '', 'nothing is said of the question');
is(unsupported($dated, 'In 2031 it was 1250 for Acme Corp.', question => 'What was it in 2031 for Acme Corp?'), '', 'what was asked may be repeated');
is(unsupported(undef, 'There are 17 of them in Atlantis City.'), '17; Atlantis City', 'without a statement nothing is known');

# The confabulated summary: an employee who wrote none of the invoices, and a
# breakdown that does not add up.
my $confabulated = "The 9 invoices sum to 12,875.00 and were written by three people: Carol Davis (4,875.00), "
  . "David Wilson (4,500.00) and Eve Martin (3,500.00).";
my $report = report($by_author, $confabulated);
is_deeply($report->{grounding}{unsupported}, [ '4,875.00', '4,500.00', '3,500.00', 'Eve Martin' ], 'the confabulated summary is found out');
like($report->{answer}, qr/^The 9 invoices.*\n\nNot supported by the rows: 4,875\.00, 4,500\.00, 3,500\.00, Eve Martin\.$/s, 'and the answer says so');
like($report->{warnings}[0], qr/rows do not support: 4,875\.00/, 'with a warning');

$model->script('told once', [ run_sql => { sql => $by_author } ], $confabulated);
my ($status, $out, $err) = $node->run_as('analyst', q{SELECT sqlagent.ask('told once')});
like($out, qr/Not supported by the rows: 4,875\.00/, 'ask() says it in the answer');
unlike($err, qr/WARNING/, 'and only there');

# settings
$report = report($by_author, $confabulated, settings => 'SET sqlagent.ground = off;');
is($report->{answer}, $confabulated, 'ground = off leaves the answer alone');
is($report->{grounding}, undef, 'and compares nothing');
my $repaired = 'Carol Davis wrote 6,525.50, David Wilson 6,349.50.';
$report = report($by_author, $confabulated, settings => 'SET sqlagent.ground = repair;', repair => $repaired);
is($report->{answer}, $repaired, 'ground = repair takes the corrected answer');
is_deeply($report->{grounding}{unsupported}, [], 'which the rows support');
is(join(' ', map { "$_->{kind} $_->{outcome}" } @{ $report->{steps} }), 'tool ok, answer error, answer ok' =~ s/,//gr, 'both answers are steps');
my ($last) = ($model->requests)[-1];
like($last->{messages}[-1]{content}, qr/do not support this in your answer: 4,875\.00, .*Eve Martin/, 'the model was told what');
$model->reset;
$report = report($by_author, $confabulated, settings => 'SET sqlagent.ground = repair;', repair => 'It was Eve Martin.');
like($report->{answer}, qr/^It was Eve Martin\.\n\nNot supported by the rows: Eve Martin\.$/, 'it is asked only once');

# answers from the rows
my %blank = (content => '', finishReason => 'stop');
sub fallback { return report($_[0], [ { content => ' ' } ])->{answer}; }
is(fallback('SELECT name FROM employees WHERE false'), 'There are no rows that fit.', 'blank reply, no rows');
is(fallback('SELECT max(salary) AS highest FROM employees'), 'highest: 110000', 'one value');
is(fallback('SELECT name, salary, NULL AS bonus FROM employees ORDER BY 2 DESC LIMIT 1'), 'name: Bob Brown, salary: 110000, bonus: NULL', 'one row');
like(fallback('SELECT name FROM employees ORDER BY 1'), qr/Alice Johnson.*\n.*Bob Brown.*\n.*Carol/, 'many rows');
like(fallback('SELECT i FROM generate_series(1, 100) i'), qr/first 20 of 100 rows/, 'too many to show');
$report = report('SELECT i FROM generate_series(1, 100) i', [ { content => ' ' } ], settings => 'SET sqlagent.max_rows = 10;');
like($report->{answer}, qr/only the first 10 rows were read/, 'what was cut is said');
is($report->{grounding}, undef, 'and not compared with themselves');

# large results take no time worth telling
my $wide = 'SELECT i AS id, i * 1.5 AS x, i * 7 AS y, ' . q{'Name' || i AS name, date '2024-01-01' + i AS day FROM generate_series(1, 5000) i};
my ($with, $without) = map {
	my $settings = "SET sqlagent.max_rows = 5000; SET sqlagent.ground = $_;";
	my ($best) = sort { $a <=> $b } map {
		my $start = Time::HiRes::time();
		report($wide, 'Name4711 has 7,066.5.', settings => $settings);
		Time::HiRes::time() - $start } 1 .. 3;
	$best } qw(warn off);
cmp_ok($with - $without, '<', 1, sprintf 'comparing 5000 rows of 5 columns took %.0f ms', 1000 * ($with - $without));

done_testing();
