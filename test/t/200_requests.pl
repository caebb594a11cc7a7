# The judge of the requests: the schemas that the providers publish take what is
# right, and refuse what is wrong.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use JSON::PP;
use PostgreSQL::Test::Utils;
use SaRecorder;
use Test::More;

plan skip_all => SaRecorder::why_not() if SaRecorder::why_not();
my $recorder = SaRecorder->new('http://127.0.0.1:1');

my $parameters = { type => 'object', properties => { sql => { type => 'string' } } };
my %right = (
	openai => {
		model => 'm',
		max_tokens => 5,
		messages => [
			{ role => 'system', content => 's' },
			{ role => 'user', content => 'u' },
			{
				role => 'assistant',
				content => undef,
				tool_calls => [ { id => 'a', type => 'function',
						function => { name => 'f', arguments => '{}' } } ]
			},
			{ role => 'tool', tool_call_id => 'a', content => 'r' }
		],
		tools => [ { type => 'function', function => { name => 'f', parameters => $parameters } } ]
	},
	anthropic => {
		model => 'm',
		max_tokens => 5,
		system => [ { type => 'text', text => 's', cache_control => { type => 'ephemeral' } } ],
		messages => [
			{ role => 'user', content => [ { type => 'text', text => 'u' } ] },
			{ role => 'assistant',
				content => [ { type => 'tool_use', id => 'a', name => 'f', input => {} } ] },
			{ role => 'user',
				content => [ { type => 'tool_result', tool_use_id => 'a', content => 'r' } ] }
		],
		tools => [ { name => 'f', input_schema => $parameters } ]
	},
	ollama => {
		model => 'm',
		stream => JSON::PP::false,
		think => JSON::PP::false,
		options => { num_ctx => 5 },
		messages => [
			{ role => 'user', content => 'u' },
			{ role => 'assistant', content => '',
				tool_calls => [ { function => { name => 'f', arguments => {} } } ] },
			{ role => 'tool', tool_name => 'f', content => 'r' }
		],
		tools => [ { type => 'function', function => { name => 'f', parameters => $parameters } } ]
	},
	gemini => {
		systemInstruction => { parts => [ { text => 's' } ] },
		contents => [
			{ role => 'user', parts => [ { text => 'u' } ] },
			{ role => 'model', parts => [ { functionCall => { name => 'f', args => {} } } ] },
			{ role => 'user',
				parts => [ { functionResponse => { name => 'f', response => { result => 'r' } } } ] }
		],
		tools => [ { functionDeclarations => [ { name => 'f', parametersJsonSchema => $parameters } ] } ],
		generationConfig => { maxOutputTokens => 5, thinkingConfig => { thinkingLevel => 'LOW' } }
	});

# What is done to a right one: a wrong word, a wrong type, a member that is
# missing, one that nobody knows.
my %sabotage = (
	openai => {
		'wrong word' => sub { $_[0]{messages}[0]{role} = 'boss' },
		'wrong effort' => sub { $_[0]{reasoning_effort} = 'much' },
		'wrong type' => sub { $_[0]{max_tokens} = 'five' },
		'no model' => sub { delete $_[0]{model} },
		'no messages' => sub { delete $_[0]{messages} },
		'call without id' => sub { delete $_[0]{messages}[2]{tool_calls}[0]{id} },
		'arguments as object' => sub { $_[0]{messages}[2]{tool_calls}[0]{function}{arguments} = {} },
		'result without call' => sub { delete $_[0]{messages}[3]{tool_call_id} },
		'unknown member' => sub { $_[0]{num_ctx} = 5 },
		'unknown member of a tool' => sub { $_[0]{tools}[0]{function}{input_schema} = {} }
	},
	anthropic => {
		'wrong word' => sub { $_[0]{messages}[0]{role} = 'boss' },
		'wrong block' => sub { $_[0]{messages}[0]{content}[0]{type} = 'words' },
		'wrong mark' => sub { $_[0]{system}[0]{cache_control}{type} = 'eternal' },
		'no max_tokens' => sub { delete $_[0]{max_tokens} },
		'result without call' => sub { delete $_[0]{messages}[2]{content}[0]{tool_use_id} },
		'tool without schema' => sub { delete $_[0]{tools}[0]{input_schema} },
		'unknown member' => sub { $_[0]{reasoning_effort} = 'low' }
	},
	ollama => {
		'wrong type' => sub { $_[0]{options}{num_ctx} = 'five' },
		'wrong think' => sub { $_[0]{think} = 'much' },
		'message without role' => sub { delete $_[0]{messages}[0]{role} },
		'no model' => sub { delete $_[0]{model} },
		'arguments as text' => sub { $_[0]{messages}[1]{tool_calls}[0]{function}{arguments} = '{}' },
		'unknown member' => sub { $_[0]{max_tokens} = 5 }
	},
	gemini => {
		'wrong level' => sub { $_[0]{generationConfig}{thinkingConfig}{thinkingLevel} = 'low' },
		'wrong type' => sub { $_[0]{contents}[0]{parts} = 'u' },
		'no contents' => sub { delete $_[0]{contents} },
		'unknown member' => sub { $_[0]{generationConfig}{maxTokens} = 5 },
		'unknown part' => sub { $_[0]{contents}[0]{parts}[0]{words} = 'u' }
	});

for my $provider (sort keys %right)
{
	my $text = encode_json($right{$provider});
	is($recorder->problems_of($provider, $text), '', "$provider: what is right");
	for my $what (sort keys %{ $sabotage{$provider} })
	{
		my $wrong = decode_json($text);
		$sabotage{$provider}{$what}->($wrong);
		isnt($recorder->problems_of($provider, encode_json($wrong)),
			'', "$provider: $what");
	}
}

done_testing();
