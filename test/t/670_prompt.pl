# What the administrator and the asker change of the prompt.
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

sub query { my ($status, $out, $err) = $node->run_as($_[1] // 'analyst', $_[0]); die $err if $status; return $out; }
sub error { return ($node->run_as($_[1] // 'postgres', $_[0]))[2]; }
sub hash { return $node->safe_psql('company', 'SELECT prompt_hash FROM sqlagent.runs ORDER BY id DESC LIMIT 1'); }
sub system_text { return (($model->requests)[-1])->{messages}[0]{content}; }

$model->script('hello', 'Good day.');
$node->ask('hello');
my $original = hash();
like($original, qr/^[0-9a-f]{16}$/, 'each run has the hash of its prompt');
is(query(q{SELECT sqlagent.ask_json('hello')->>'prompt_hash'}), $original, 'the same for the same prompt, also in the report');

# instructions
is($node->ask('hello', role => 'analyst'), 'Good day.', 'as before');
query(q{SET sqlagent.instructions = 'Answer like a pirate.'; SELECT sqlagent.ask('hello')});
like(system_text(), qr/Answer like a pirate\.$/m, 'instructions are part of the prompt');
isnt(hash(), $original, 'and of its hash');

# overrides
query(q{SELECT sqlagent.set_prompt('system', 'You are a parrot.', 'for fun')}, 'postgres');
$node->ask('hello');
like(system_text(), qr/^You are a parrot\./, 'a text of the administrator takes the place of ours');
isnt(hash(), $original, 'which the hash tells');
is(query(q{SELECT overridden, note, hash = md5(body) FROM sqlagent.prompts() WHERE name = 'system'}), 't|for fun|t', 'prompts() tells it');
query(q{SELECT sqlagent.set_prompt('context', 'On {{date}} in {{timezone}}, {{version}}: {{schema}} {{instructions}} {{date}}')}, 'postgres');
$node->ask('hello');
like(system_text(), qr/^You are a parrot\.\s+On \d{4}-\d\d-\d\d in \S+, \d+: .*employees/s, 'placeholders are filled');
$model->script('no more tools can be called', 'never');
query(q{SELECT sqlagent.set_prompt('final', 'Say it now.')}, 'postgres');
$model->script('slow', [ introspect_schema => {} ]);
$model->call('POST', '/fixtures', { fixtures => [ SaModel::fixture('Say it now', 1, 'Now.') ] });
is(query(q{SET sqlagent.max_iterations = 1; SELECT sqlagent.ask('slow')}), 'Now.', 'any text can be changed');
is(query(q{SELECT bool_and(sqlagent.reset_prompt(name)) FROM sqlagent.prompts() WHERE overridden}, 'postgres'), 't', 'and put back');
$node->ask('hello');
is(hash(), $original, 'to the original');
is(query(q{SELECT count(*) FROM sqlagent.prompts() WHERE overridden}), 0, 'as prompts() tells');

# strict placeholders
like(error(q{SELECT sqlagent.set_prompt('context', '{{date}} {{timezone}} {{version}} {{schema}}')}), qr/placeholder \{\{instructions\}\} of prompt "context" is missing/, 'none may be missing');
like(error(q{SELECT sqlagent.set_prompt('system', 'It is {{date}}.')}), qr/prompt "system" has no placeholder \{\{date\}\}/, 'none may be added');
like(error(q[SELECT sqlagent.set_prompt('system', 'It is {{date')]), qr/has no placeholder \{\{date/, 'or left open');
like(error(q{SELECT sqlagent.set_prompt('other', 'x')}), qr/there is no prompt "other"/, 'prompts have names');
like(error(q{SELECT sqlagent.set_prompt('system', 'x')}, 'analyst'), qr/permission denied/, 'not everybody changes them');
like(error('SELECT * FROM sqlagent.prompt_overrides', 'analyst'), qr/permission denied/, 'or reads the table');

# a text that another version saved
$node->safe_psql('company', q{INSERT INTO sqlagent.prompt_overrides VALUES ('system', 'Old {{thing}}.', NULL, 'postgres', now()), ('gone', 'x', NULL, 'postgres', now())});
my ($status, $out, $err) = $node->run_as('analyst', q{SELECT sqlagent.ask('hello')});
is($out, 'Good day.', 'a text that does not fit is not used');
like($err, qr/WARNING:  the original of prompt "system" is used.*has no placeholder \{\{thing\}\}/s, 'with a warning');
is(hash(), $original, 'but the original');

# the sum of it before anything is sent
like(query(q{SET sqlagent.instructions = 'Be brief.'; SELECT sqlagent.show_prompt('hello')->'request'->'body'->'messages'->0->>'content'}), qr/Be brief\./, 'show_prompt shows it');

done_testing();
