# Follow-ups in a thread with the provider that needs no model: what a question
# changes of the one before, what stands for itself, what is refused.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use JSON::PP;
use PostgreSQL::Test::Utils;
use SaCluster;
use Test::More;

my $node = SaCluster->start_company('');

# The reports of questions asked one after the other in a new thread.
sub converse
{
	my (@questions) = @_;
	my $sql = "SELECT sqlagent.new_thread('talk') AS t \\gset\n" . join '',
	  map { 'SELECT sqlagent.ask_json(' . SaCluster::quote($_) . ", :t);\n" } @questions;
	my ($status, $out, $err) = $node->run_as('analyst', $sql);
	die $err if $status;
	return map { decode_json($_) } split /\n/, $out;
}

# The rows of each, a row as text, or why it was refused.  The server chooses an
# order that no ORDER BY asks for: then they are sorted.
sub said
{
	my ($report) = @_;
	return $report->{answer} if $report->{status} ne 'answered';
	my @rows = map { join ',', map { $_ // '' } @$_ } @{ $report->{rows} };
	@rows = sort @rows unless $report->{sql} =~ /\bORDER BY\b/;
	return join ';', @rows;
}

sub talk
{
	my ($name, @turns) = @_;
	my @questions = map { $turns[ 2 * $_ ] } 0 .. $#turns / 2;
	my @reports = converse(@questions);
	for my $i (0 .. $#questions)
	{
		my $want = $turns[ 2 * $i + 1 ];
		my $got = said($reports[$i]);
		ref $want
		  ? like($got, $want, "$name: $questions[$i]")
		  : is($got, $want, "$name: $questions[$i]");
	}
	return @reports;
}

my $all = '1,John Smith;2,Marie Dupont;3,Hans Weber;4,Emily Clark;5,Kenji Tanaka;6,Ana Souza';
talk('a condition',
	'List the customers', $all,
	'only Germany', '3,Hans Weber',
	'and for Brazil?', '6,Ana Souza',
	'or Japan', '5,Kenji Tanaka;6,Ana Souza',
	'how many is that?', '2',
	'and in the USA?', '2',
	'those in Boston', '1',
	'List the customers', $all);

talk('a period',
	'How many invoices were issued in January 2024?', '2',
	'and in March 2024?', '2',
	'and for 2023?', '0',
	'and in 2024?', '9',
	'only those over 1500', '3',
	'and below 2000?', '2');

my @reports = talk('an order',
	'Which employee has the highest salary?', '2,Bob Brown,110000',
	'and the lowest?', '5,Eve Martin,51000',
	'the top 3', '2,Bob Brown,110000;1,Alice Johnson,95000;3,Carol Davis,72000',
	'the bottom 2', '5,Eve Martin,51000;4,David Wilson,68000',
	'sort by name', qr/another order would change/,
	'which of them work in Sales?', qr/first of a ranking/,
	'List the employees', '1,Alice Johnson;2,Bob Brown;3,Carol Davis;4,David Wilson;5,Eve Martin',
	'sort by salary', '5,Eve Martin,51000;4,David Wilson,68000;3,Carol Davis,72000;1,Alice Johnson,95000;2,Bob Brown,110000',
	'only the first 2', '5,Eve Martin,51000;4,David Wilson,68000');
is($reports[4]{status}, 'refused', 'what cannot be put together is refused');

talk('a measure and groups',
	'What is the average salary by department?', qr/^1,Engineering,102500/,
	'and the maximum?', '1,Engineering,110000;2,Sales,72000;3,Support,51000',
	'sort by that descending', '1,Engineering,110000;2,Sales,72000;3,Support,51000',
	'What is the total revenue per department?', '2,Sales,12875',
	'and by country?', qr/^(?=.*USA,6025)(?=.*France,3700)(?=.*Germany,1950)(?=.*Japan,1200)/,
	'the top 2', 'USA,6025;France,3700',
	'and only in February 2024', 'Germany,1950;USA,1899.5');

talk('what is counted',
	'How many customers are there?', '6',
	'what about invoices?', '9',
	'and employees?', '5',
	'and by department?', qr/^1,Engineering,2;2,Sales,2;3,Support,1$/);

talk('more columns',
	'Which customers are in the USA?', '1,John Smith;4,Emily Clark',
	'their cities', '1,John Smith,Boston;4,Emily Clark,Denver');

# what stands for itself is taken so, also behind "and"
talk('a question of its own',
	'Which customers are in the USA?', '1,John Smith;4,Emily Clark',
	'How many employees are there?', '5',
	'and which customers have no invoices?', '6,Ana Souza',
	'Which employee has the highest salary?', '2,Bob Brown,110000');

# what is refused changes nothing, and is not what the next one goes on with
talk('what is refused',
	'Which customers are in the USA?', '1,John Smith;4,Emily Clark',
	'only the friendly ones', qr/could not place "friendly"/,
	'what about departments?', qr/cannot be asked of departments/,
	'the top 3', qr/by what is to be ranked/,
	'and the average?', qr/no measure/,
	'only those in Denver', '4,Emily Clark');
talk('nothing before', 'only Germany', '3,Hans Weber', 'sort by that', qr/goes on with an earlier one/);
talk('nothing at all', 'the top 3', qr/does not understand/);

# the questions are told as the asker's messages, without their answers
my ($status, $out) = $node->run_as('analyst', <<'SQL');
SELECT sqlagent.new_thread() AS t \gset
SELECT sqlagent.ask('List the customers', :t) \g /dev/null
SELECT sqlagent.show_prompt('only Germany', :t) #>> '{request,body,messages}';
SQL
my $messages = decode_json($out);
is_deeply([ map { "$_->{role}: $_->{content}" } @$messages ],
	[ 'user: List the customers', 'user: only Germany' ], 'what the provider is told');
($status, $out) = $node->run_as('analyst', <<'SQL');
SELECT sqlagent.new_thread() AS t \gset
SELECT sqlagent.ask('How many customers are there?', :t) \g /dev/null
SET sqlagent.thread_tokens = 0;
SELECT sqlagent.ask('the top 3', :t);
SQL
like($out, qr/does not understand/, 'no share of the request, no earlier question');

done_testing();
