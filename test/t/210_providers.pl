# One run, told to the model in each provider's dialect, streamed and not: the
# same steps, the same answer; and every request valid by the provider's schema.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SaCluster;
use SaModel;
use SaRecorder;
use Test::More;

my $model = SaModel->new or plan skip_all => $SaModel::why_not;
plan skip_all => SaRecorder::why_not() if SaRecorder::why_not();
my $recorder = SaRecorder->new($model->{url});
my $node = SaCluster->start_company($model->conf);

my $wrong = 'SELECT d.nam FROM departments d';
my $revenue = 'SELECT d.name, sum(i.total) AS revenue FROM departments d '
  . 'JOIN employees e ON e.department_id = d.id '
  . 'JOIN invoices i ON i.employee_id = e.id GROUP BY d.name';

my %endpoint = (
	openai => "$recorder->{url}/v1",
	anthropic => $recorder->{url},
	ollama => "$recorder->{url}/",
	gemini => "$recorder->{url}/v1beta");

sub settings
{
	my (%settings) = @_;
	$node->safe_psql('postgres',
		join "\n",
		map { "ALTER ROLE analyst SET sqlagent.$_ = " . SaCluster::quote($settings{$_}) . ';' }
		  sort keys %settings);
}

sub provide
{
	my ($provider, %more) = @_;
	settings(provider => $provider, endpoint => $endpoint{$provider}, %more);
	$recorder->forget;
}

sub tools
{
	my ($arguments, %more) = @_;
	return {
		toolCalls => [
			map {
				{ name => $_->[0], arguments => JSON::PP::encode_json($_->[1]) }
			} @$arguments
		],
		%more
	};
}

# Tokens by the names of the provider that is asked.
sub usage
{
	my ($provider) = @_;
	my %usage = (
		openai => { prompt_tokens => 100, completion_tokens => 7, total_tokens => 107 },
		anthropic => { input_tokens => 100, output_tokens => 7 },
		ollama => { prompt_tokens => 100, completion_tokens => 7 },
		gemini => {
			promptTokenCount => 100,
			candidatesTokenCount => 7,
			totalTokenCount => 107
		});
	return (usage => $usage{$provider});
}

# The same words to all.
sub script
{
	my ($provider) = @_;
	$model->reset;
	$model->script(
		'revenue',
		tools([ [ introspect_schema => {} ] ]),
		tools(
			[
				[ introspect_schema => { table_name => 'invoices' } ],
				[ introspect_schema => { table_name => 'departments' } ]
			]),
		tools([ [ run_sql => { sql => $wrong } ] ]),
		tools([ [ run_sql => { sql => $revenue } ] ]),
		{ content => "Sales made 12875.00 \x{20ac}.", usage($provider) });
}

# What is stored of the last run, without what differs by itself.
sub steps
{
	return $node->safe_psql(
		'company', q{
		SELECT step, kind, name, input, regexp_replace(output, '"execution_ms": *[0-9.]+', ''), sql, outcome, row_count
		FROM sqlagent.steps WHERE run = (SELECT max(id) FROM sqlagent.runs) ORDER BY step});
}

sub problems { return join "\n", map { @{ $_->{problems} } } $recorder->requests; }

my $expected;
for my $provider (sort keys %endpoint)
{
	for my $trace ('sql', 'steps')
	{
		my $how = $trace eq 'steps' ? 'streamed' : 'as a whole';
		script($provider);
		provide($provider, trace => $trace);
		is($node->ask('What is the revenue per department?'),
			"Sales made 12875.00 \xe2\x82\xac.", "$provider answers, $how");
		my $steps = steps();
		$expected //= $steps;
		is($steps, $expected, "with the same steps, $how");
		my @requests = $recorder->requests;
		is(scalar @requests, 5, "of five requests, $how");
		is(problems(), '', "all valid, $how");
		my $streamed = grep {
			$_->{path} =~ /:stream/ || $_->{body}{stream}
		} @requests;
		is($streamed, $trace eq 'steps' ? 5 : 0, "and $how indeed");
		# aimock's ollama counts nothing
		next if $provider eq 'ollama';
		is( $node->safe_psql(
				'company',
				'SELECT prompt_tokens >= 100, completion_tokens >= 7 FROM sqlagent.runs ORDER BY id DESC LIMIT 1'
			),
			't|t',
			"usage is counted, $how");
	}
}

# What each dialect is for.
script('anthropic');
provide('anthropic', trace => 'sql');
$node->ask('What is the revenue per department?');
my @bodies = map { $_->{body} } $recorder->requests;
is_deeply($bodies[0]{system}[0]{cache_control},
	{ type => 'ephemeral' }, 'anthropic keeps the prompt that is always the same');
is( scalar(
		grep { $_->{type} eq 'tool_result' } @{ $bodies[2]{messages}[-1]{content} }
	),
	2,
	'results of parallel calls are blocks of one message');
ok($bodies[3]{messages}[-1]{content}[0]{is_error},
	'a tool that failed is marked');

script('ollama');
provide('ollama');
settings(reasoning_effort => 'none');
$node->ask('What is the revenue per department?');
my ($body) = map { $_->{body} } $recorder->requests;
is($body->{options}{num_ctx}, 16384 + 4096,
	'ollama gets the size of the context');
is($body->{think}, JSON::PP::false, 'and the switch for thinking');

# The last call, which offers no tools, is valid too.
for my $provider (sort keys %endpoint)
{
	$model->reset;
	$model->script('endless', map { tools([ [ introspect_schema => {} ] ]) } 1 .. 5);
	$model->call('POST', '/fixtures',
		{ fixtures => [ { match => { userMessage => 'No more tools' },
					response => { content => 'Not known.' } } ] });
	provide($provider, reasoning_effort => '', max_iterations => 2);
	is($node->ask('endless?'), 'Not known.', "$provider answers without tools");
	my @requests = $recorder->requests;
	is(scalar @requests, 3, "$provider is called once more at the limit");
	is(problems(), '', 'with a valid request');
}
settings(max_iterations => 10);

# A schema of the answer, where the provider keeps it.
my $schema = '{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": false}';
my %place = (
	openai => sub { $_[0]{response_format}{json_schema}{schema} },
	anthropic => sub { $_[0]{output_config}{format}{schema} },
	ollama => sub { $_[0]{format} },
	gemini => sub { $_[0]{generationConfig}{responseJsonSchema} });
for my $provider (sort keys %endpoint)
{
	$model->reset;
	$model->script('structured', tools([ [ run_sql => { sql => 'SELECT 5 AS n' } ] ]), 'five');
	$model->call('POST', '/fixtures',
		{ fixtures => [ { match => { userMessage => 'does not conform' },
					response => { content => '{"n": 5}' } } ] });
	provide($provider);
	my ($status, $out, $err) = $node->run_as('analyst',
		"SELECT sqlagent.ask_json('structured?', schema => '$schema') -> 'result'");
	is($out, '{"n": 5}', "$provider answers by a schema") or diag $err;
	is(problems(), '', 'with valid requests');
	my @bodies = map { $_->{body} } $recorder->requests;
	is_deeply($place{$provider}->($bodies[-1]), JSON::PP::decode_json($schema),
		'the last of which holds the schema');
	is(scalar(grep { defined $place{$provider}->($_) } @bodies[ 0, 1 ]),
		0, 'and none that offers tools');

	$model->reset;
	$model->script('structured', tools([ [ run_sql => { sql => 'SELECT 5.5 AS n' } ] ]), 'five');
	$model->call('POST', '/fixtures',
		{ fixtures => [ { match => { userMessage => 'does not conform' },
					response => { content => '{"n": "five"}' } } ] });
	$recorder->forget;
	(undef, $out) = $node->run_as('analyst',
		"SELECT r ->> 'status', r #>> '{errors,-1,detail}' FROM sqlagent.ask_json('structured?', schema => '$schema') r");
	is($out, 'failed|$.n: must be of type integer.', "$provider: after one repair an error names the path");
	is(scalar(my @asked = $recorder->requests), 3, "$provider: one repair, not more");
	$recorder->forget;
	(undef, undef, $err) = $node->run_as('analyst',
		q[SELECT sqlagent.ask_json('structured?', schema => '{"type": "string", "pattern": "a"}')]);
	like($err, qr/keyword "pattern" is not supported/, "$provider: a keyword that is not supported is refused");
	is(scalar(@asked = $recorder->requests), 0, "$provider: before a request");
}

# provider_options: what is merged into a request, and what is taken out
script('ollama');
provide('ollama', provider_options =>
	  '{"options": {"num_ctx": 8192, "temperature": null, "seed": 7}, "keep_alive": "5m"}');
$node->ask('What is the revenue per department?');
($body) = map { $_->{body} } $recorder->requests;
is_deeply(
	$body->{options},
	{ num_ctx => 8192, num_predict => 4096, seed => 7 },
	'options are merged, and null takes one away');
is($body->{keep_alive}, '5m', 'new ones are added');
is(problems(), '', 'the request is valid');
settings(provider_options => '[1]');
my (undef, undef, $told) = $node->run_as('analyst', "SELECT sqlagent.ask('x')");
like($told, qr/provider_options is not a JSON object/, 'it must be an object');
settings(provider_options => '');

# Streams that break off in the middle are no replies.
for my $provider (sort keys %endpoint)
{
	$model->reset;
	$model->call('POST', '/fixtures',
		{ fixtures => [ { match => { userMessage => 'cut' },
					response => { content => 'One two three four five six seven eight nine ten.' },
					chunkSize => 5,
					latency => 30,
					truncateAfterChunks => 4 } ] });
	(my $direct = $endpoint{$provider}) =~ s/^\Q$recorder->{url}/$model->{url}/;
	provide($provider, trace => 'steps', retries => 0, endpoint => $direct);
	my ($status, $out, $err) = $node->run_as('analyst',
		"\\set VERBOSITY verbose\nSELECT sqlagent.ask('cut?')");
	like($err, qr/ERROR:  (?:58000|08006): .*(?:in the middle|broke)/s,
		"$provider: a stream that breaks off is no answer");
}
settings(retries => 3, trace => 'sql');

# Thoughts that have to be sent back.
for my $trace ('sql', 'steps')
{
	my $how = $trace eq 'steps' ? 'streamed' : 'as a whole';

	# aimock's ollama tells no thoughts beside calls
	for my $provider ('anthropic', 'openai')
	{
		$model->reset;
		$model->script(
			'thoughtful',
			tools(
				[ [ run_sql => { sql => 'SELECT count(*) FROM employees' } ] ],
				reasoning => 'Let me count.',
				reasoningSignature => 'c2lnbmVk'),
			{ content => 'Five.', reasoning => 'So it is five.' });
		provide(
			$provider,
			trace => $trace,
			reasoning_effort => $provider eq 'openai' ? 'low' : 'high');
		is($node->ask('thoughtful?'), 'Five.',
			"thoughts of $provider are no answer, $how");
		is(problems(), '', "the requests are valid, $how");
		my $message = ($recorder->requests)[1]{body}{messages}[-2];
		my $thought =
			$provider eq 'anthropic'
		  ? $message->{content}[0]{thinking}
		  : $message->{reasoning_content};
		is($thought, 'Let me count.', "$provider gets its thoughts back, $how");
		is($message->{content}[0]{signature}, 'c2lnbmVk', "with their signature, $how")
		  if $provider eq 'anthropic';
	}
}

done_testing();
