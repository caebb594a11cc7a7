# Grounding, case by case: honest answers that must not be doubted, dishonest
# ones of which each must be.
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
my $number = 0;

sub unsupported
{
	my ($question, $sql, $answer) = @_;
	$question .= ' (' . join('', map { chr 97 + $_ } split //, 100 + $number++) . ')';
	$model->script($question, [ run_sql => { sql => $sql } ], $answer);
	my ($status, $out, $err) = $node->run_as('analyst', 'SELECT sqlagent.ask_json(' . SaCluster::quote($question) . ')');
	die $err if $status;
	return join '; ', @{ decode_json($out)->{grounding}{unsupported} };
}

my $salaries = 'SELECT name, salary FROM employees ORDER BY salary DESC';
my $months = q{SELECT to_char(issued_on, 'YYYY-MM') AS month, sum(total) AS revenue FROM invoices GROUP BY 1 ORDER BY 1};
my $dates = 'SELECT id, issued_on, total FROM invoices ORDER BY id';
my $year = q{SELECT sum(total) AS revenue FROM invoices WHERE issued_on >= '2024-01-01' AND issued_on < '2025-01-01'};
my $many = 'SELECT i AS week, 100 + i * i AS orders FROM generate_series(1, 40) i';
my $kanji = q{SELECT '田中太郎' AS 氏名, 5 AS 件数};

# Bob Brown 110000, Alice Johnson 95000, Carol Davis 72000, David Wilson 68000, Eve Martin 51000
for my $case (
	[ 'Who is best paid?', $salaries, 'Bob is the best-paid employee, with $110,000.' ],
	[ 'Who is best paid?', $salaries, 'Bob earns 110,000; Alice and Carol follow.' ],
	[ 'Who is best paid?', $salaries, "Bob's salary is the highest of all five employees." ],
	[ 'What are the salaries?', $salaries, 'Salaries range from 51,000 to 110,000, a span of 59,000.' ],
	[ 'What are the salaries?', $salaries, 'The five salaries sum to 396,000, 79,200 on average; the median is 72,000.' ],
	[ 'What are the salaries?', $salaries, "Here are the salaries:\n\n1. Bob Brown – \$110,000\n2. Alice Johnson – \$95,000\n3. Carol Davis – \$72,000\n4. David Wilson – \$68,000\n5. Eve Martin – \$51,000" ],
	[ 'What are the salaries?', $salaries, "| Name | Salary |\n|---|---|\n| Bob Brown | 110,000 |\n| Eve Martin | 51,000 |" ],
	[ 'Who earns more than 90000, who less than 80,000?', $salaries, 'Two of the five earn more than 90,000; three of them earn less than 80,000.' ],
	[ 'Who earns more than 90000?', $salaries, '2 of 5 employees (40%) earn more than 90,000: Bob and Alice.' ],
	[ 'What are the salaries?', $salaries, 'The top two earners make 205,000 together, 51.8% of the total.' ],
	[ 'What are the salaries?', $salaries, 'Bob earns more than twice as much as Eve, 215.7% of her salary.' ],
	[ 'What are the salaries?', $salaries, 'Bob Brown comes 1st, Eve Martin 5th. The second is Alice Johnson.' ],
	[ 'What are the salaries?', $salaries, 'Bob earns 15,000 more than Alice, who is second; one is left behind.' ],
	[ 'What are the salaries?', $salaries, 'Salary is the largest cost. Most have the usual range, and nobody has the same.' ],
	[ 'What are the salaries?', $salaries, 'Roughly half of the pay goes to two people.' ],
	[ 'What are the salaries?', $salaries, 'Overall, about 400k are paid. However, note that Eve Martin is at the bottom.' ],
	[ 'How did revenue develop?', $months, 'Revenue was highest in January 2024.' ],
	[ 'How did revenue develop?', $months, 'Revenue has the strongest month in January. Nothing was sold in other years than 2024.' ],
	[ 'What was it on each date?', $dates, 'The first invoice is of January 15, 2024 (1,250.00). There are 9 invoices, all in the first half of 2024.' ],
	[ 'What was the revenue in 2024?', $year, 'In 2024 the revenue was 12,875.00. That is about 12.9 thousand dollars.' ],
	[ 'How many orders a week?', $many, 'Orders rose from 101 in week 1 to 1,700 in week 40, by 1,599 (1583.2%). In the last week they rose by 79.' ],
	[ 'How many orders a week?', $many, 'The forty weeks have a total of 26,140 orders, with a mean of 653.5; none has fewer than 101.' ],
	[ '誰ですか', $kanji, '最も多いのは「田中太郎」で、5件です。' ],
	[ '誰ですか', $kanji, '担当は「田中」です。' ],
	[ '誰ですか', $kanji, '売上は5万円で、1月に多いです。' ])
{
	my ($question, $sql, $answer) = @$case;
	is(unsupported($question, $sql, $answer), '', 'honest: ' . $answer =~ s/[^ -~]/?/gr);
}

for my $case (
	[ 'Who is best paid?', $salaries, 'Frank is the best-paid employee.', 'Frank' ],
	[ 'Who is best paid?', $salaries, 'Frank earns the most.', 'Frank' ],
	[ 'Who is best paid?', $salaries, "All are paid. Frank's salary is the highest.", 'Frank' ],
	[ 'Who is best paid?', $salaries, 'Frank and Alice are paid best.', 'Frank' ],
	[ 'Who is best paid?', $salaries, 'Frank has the highest salary.', 'Frank' ],
	[ 'What are the salaries?', $salaries, 'The seven employees earn 396,000.', 'seven' ],
	[ 'What are the salaries?', $salaries, 'There are a dozen employees.', 'dozen' ],
	[ 'What are the salaries?', $salaries, 'There are twenty-three employees.', 'twenty-three' ],
	[ 'What are the salaries?', $salaries, 'They earn 397,000 in sum.', '397,000' ],
	[ 'What are the salaries?', $salaries, 'Bob earns 16,500 more than Alice.', '16,500' ],
	[ 'What are the salaries?', $salaries, 'Bob earns 37% of it all.', '37%' ],
	[ 'What are the salaries?', $salaries, '7 of the employees earn more.', '7' ],
	[ 'How did revenue develop?', $months, 'Revenue was highest in July 2024.', 'July 2024' ],
	[ 'What was it on each date?', $dates, 'The first invoice is of March 3, 2023.', 'March 3, 2023' ],
	[ 'What was the revenue in 2024?', $year, 'In 2023 the revenue was 12,875.00.', '2023' ],
	[ 'How many orders a week?', $many, 'Orders rose by 1,601 in all.', '1,601' ],
	[ 'How many orders a week?', $many, 'The mean was 700.1.', '700.1' ],
	[ '誰ですか', $kanji, '最も多いのは「山田花子」で、7件です。', '7; 山田花子' ])
{
	my ($question, $sql, $answer, $expected) = @$case;
	is(unsupported($question, $sql, $answer), $expected, 'dishonest: ' . $answer =~ s/[^ -~]/?/gr);
}

done_testing();
