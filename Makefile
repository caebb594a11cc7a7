# sqlagent: ask questions of the database in plain language
#
#   make                build
#   make install        install into the server that PG_CONFIG belongs to
#   make installcheck   the tests of that server's installation; with PGHOST or
#                       PGPORT set the SQL tests run on that server, else on one
#                       of their own (not as root, initdb refuses that)
#
# These need nothing installed beforehand and leave the system's server alone:
#   make demo           ask questions of a sample database
#   make check          build, lint and every test; the last line counts them
#   make lint           only what needs no server
#   make check-tap      only the TAP tests; PROVE_TESTS=test/t/010_ask.pl for one
#   make check-attacks  a corpus of hostile statements, ATTACKS=directory
#   make check-property random and mutated statements, INPUTS=1000000
#   make check-ubsan    the tests with the undefined behaviour sanitizer
#   make check-versions the tests on other majors, in chroots
#   make fuzz           the decoders against libFuzzer, FUZZ_SECONDS=600 each
#   make bench          times against a bare loop that does the same work
#   make bench-schema BENCH=dir   how often prompts hold the tables needed
#   make bench-accuracy BENCH=DIR
#                       how many of DIR's questions the built-in provider answers
#                       rightly (test/bench/accuracy.sh says what DIR holds)
#   make bench-knowledge
#                       a million patterns: searching them, answering from one
#   make bench-guard    time of the guard
COMMANDS = bench bench-accuracy bench-schema bench-guard bench-knowledge check check-attacks \
	check-property check-tap check-ubsan check-versions demo fuzz lint

ifneq ($(filter $(COMMANDS),$(MAKECMDGOALS)),)
# Commands find or install the server by themselves, so PGXS may be missing yet.
.PHONY: $(MAKECMDGOALS)
.NOTPARALLEL:
export PG_CONFIG PROVE_TESTS
bench:
	@test/bench/run.sh
bench-schema:
	@test/bench/schema.sh "$(BENCH)"
bench-accuracy:
	@test/bench/accuracy.sh "$(BENCH)"
bench-knowledge:
	@test/bench/knowledge.sh
bench-guard:
	@test/bench/guard.sh
check:
	@test/tools/check.sh
check-attacks:
	@test/tools/attacks.sh "$(ATTACKS)"
check-property:
	@test/tools/property.sh
check-tap:
	@test/tools/check.sh tap
check-ubsan:
	@SANITIZE=undefined test/tools/check.sh regress tap
check-versions:
	@test/tools/versions.sh
demo:
	@test/tools/demo.sh
fuzz:
	@test/fuzz/run.sh
lint:
	@test/tools/check.sh lint
$(filter-out $(COMMANDS),$(MAKECMDGOALS)):
	$(MAKE) $@
else

EXTENSION = sqlagent
EXTVERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" $(CURDIR)/sqlagent.control)
MODULE_big = sqlagent
PGFILEDESC = "sqlagent - ask questions of the database in plain language"

OBJS = \
	src/agent/answer.o \
	src/agent/chart.o \
	src/agent/chart_cell.o \
	src/agent/chart_svg.o \
	src/agent/chart_table.o \
	src/agent/chart_text.o \
	src/agent/command.o \
	src/agent/custom.o \
	src/agent/decide.o \
	src/agent/feedback.o \
	src/agent/gate.o \
	src/agent/ground.o \
	src/agent/ground_claim.o \
	src/agent/ground_fact.o \
	src/agent/ground_name.o \
	src/agent/ground_start.o \
	src/agent/ground_word.o \
	src/agent/history.o \
	src/agent/import.o \
	src/agent/learn.o \
	src/agent/limit.o \
	src/agent/loop.o \
	src/agent/notes.o \
	src/agent/pack.o \
	src/agent/prompt.o \
	src/agent/prompt_text.o \
	src/agent/recall.o \
	src/agent/report.o \
	src/agent/reuse.o \
	src/agent/revalidate.o \
	src/agent/review.o \
	src/agent/schema.o \
	src/agent/schema_check.o \
	src/agent/serve.o \
	src/agent/shape.o \
	src/agent/state.o \
	src/agent/structured.o \
	src/agent/tool.o \
	src/agent/tools_knowledge.o \
	src/agent/tools_query.o \
	src/agent/tools_schema.o \
	src/agent/verb.o \
	src/agent/verb_sql.o \
	src/api/ask.o \
	src/api/chart.o \
	src/api/config.o \
	src/api/control.o \
	src/api/function_rule.o \
	src/api/import.o \
	src/api/knowledge.o \
	src/api/knowledge_trigger.o \
	src/api/prompt.o \
	src/api/relationships.o \
	src/api/request.o \
	src/api/rows.o \
	src/api/tools.o \
	src/base/encoding.o \
	src/base/error.o \
	src/base/guc.o \
	src/base/json.o \
	src/base/spi.o \
	src/base/stem.o \
	src/base/text.o \
	src/base/version.o \
	src/base/wait.o \
	src/db/advise.o \
	src/db/advise_join.o \
	src/db/advise_value.o \
	src/db/call.o \
	src/db/catalog.o \
	src/db/catalog_find.o \
	src/db/catalog_key.o \
	src/db/catalog_label.o \
	src/db/catalog_load.o \
	src/db/catalog_stated.o \
	src/db/describe.o \
	src/db/detail.o \
	src/db/execute.o \
	src/db/expand.o \
	src/db/guard.o \
	src/db/guard_cost.o \
	src/db/guard_function.o \
	src/db/guard_length.o \
	src/db/guard_lists.o \
	src/db/guard_plan.o \
	src/db/guard_raw.o \
	src/db/guard_refuse.o \
	src/db/guard_relation.o \
	src/db/guard_size.o \
	src/db/guard_source.o \
	src/db/guard_type.o \
	src/db/guard_walk.o \
	src/db/guard_watch.o \
	src/db/guard_xpath.o \
	src/db/imply.o \
	src/db/index.o \
	src/db/introspect.o \
	src/db/label.o \
	src/db/label_store.o \
	src/db/lineage.o \
	src/db/literal.o \
	src/db/match.o \
	src/db/mention.o \
	src/db/query.o \
	src/db/rank.o \
	src/db/relation.o \
	src/db/result.o \
	src/db/result_model.o \
	src/db/sandbox.o \
	src/db/show.o \
	src/db/values.o \
	src/db/words.o \
	src/llm/builtin.o \
	src/llm/builtin_compose.o \
	src/llm/builtin_cond.o \
	src/llm/builtin_finish.o \
	src/llm/builtin_follow.o \
	src/llm/builtin_join.o \
	src/llm/builtin_lexicon.o \
	src/llm/builtin_match.o \
	src/llm/builtin_measure.o \
	src/llm/builtin_merge.o \
	src/llm/builtin_name.o \
	src/llm/builtin_naming.o \
	src/llm/builtin_noun.o \
	src/llm/builtin_op.o \
	src/llm/builtin_order.o \
	src/llm/builtin_parse.o \
	src/llm/builtin_phrase.o \
	src/llm/builtin_pick.o \
	src/llm/builtin_ratio.o \
	src/llm/builtin_schema.o \
	src/llm/builtin_super.o \
	src/llm/builtin_time.o \
	src/llm/builtin_token.o \
	src/llm/builtin_value.o \
	src/llm/builtin_verb.o \
	src/llm/builtin_where.o \
	src/llm/builtin_word.o \
	src/llm/client.o \
	src/llm/draft.o \
	src/llm/exchange.o \
	src/llm/http.o \
	src/llm/http_loop.o \
	src/llm/key.o \
	src/llm/message.o \
	src/llm/stream.o \
	src/llm/tidy.o \
	src/llm/wire.o \
	src/llm/wire_anthropic.o \
	src/llm/wire_chat.o \
	src/llm/wire_gemini.o \
	src/llm/wire_ollama.o \
	src/llm/wire_openai.o \
	src/sqlagent.o \
	src/store/approval.o \
	src/store/knowledge.o \
	src/store/learning.o \
	src/store/lexeme.o \
	src/store/marker.o \
	src/store/object.o \
	src/store/override.o \
	src/store/pattern.o \
	src/store/question.o \
	src/store/row.o \
	src/store/run.o \
	src/store/search.o \
	src/store/sqltext.o \
	src/store/sweep.o \
	src/store/thread.o \
	src/store/tools.o \
	src/store/transfer.o \
	src/worker/ipc.o \
	src/worker/launch.o \
	src/worker/main.o \
	src/worker/role.o \
	src/worker/settings.o

GENERATED = src/llm/lexicon.gen.h src/prompts/prompts.gen.h \
	src/queries/queries.gen.h
HEADER_FILES = $(wildcard src/*.h src/*/*.h) $(GENERATED)

DATA_built = sqlagent--$(EXTVERSION).sql
SQL_PARTS = $(sort $(wildcard sql/extension/*.sql))

PG_CPPFLAGS = -I$(srcdir)/src -DSQLAGENT_VERSION='"$(EXTVERSION)"' \
	-D'PGDLLEXPORT=__attribute__((visibility("default")))'
PG_CFLAGS = -fvisibility=hidden -Wextra -Wno-unused-parameter \
	-Wno-sign-compare -Wno-missing-field-initializers $(WERROR)
SHLIB_LINK = -lcurl -ljson-c
EXTRA_CLEAN = $(GENERATED) build tmp_check_regress

REGRESS = $(sort $(basename $(notdir $(wildcard $(srcdir)/sql/*.sql))))
REGRESS_OPTS = --load-extension=sqlagent
ifeq ($(PGHOST)$(PGPORT),)
REGRESS_OPTS += --temp-instance=./tmp_check_regress \
	--temp-config=$(srcdir)/test/regress.conf
endif
TAP_TESTS = 1
PROVE_TESTS = test/t/*.pl

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

$(OBJS) $(OBJS:.o=.bc): $(HEADER_FILES)

src/llm/lexicon.gen.h: src/llm/lexicon_en.txt src/prompts/embed.pl
	$(PERL) src/prompts/embed.pl SA_LEXICON_ src/llm/lexicon_en.txt > $@.tmp && mv $@.tmp $@

src/prompts/prompts.gen.h: $(wildcard src/prompts/*.txt) src/prompts/embed.pl
	$(PERL) src/prompts/embed.pl SA_PROMPT_ $(wildcard src/prompts/*.txt) > $@.tmp && mv $@.tmp $@

src/queries/queries.gen.h: $(wildcard src/queries/*.sql) src/prompts/embed.pl
	$(PERL) src/prompts/embed.pl SA_QUERY_ $(wildcard src/queries/*.sql) > $@.tmp && mv $@.tmp $@

$(DATA_built): $(SQL_PARTS)
	cat $(SQL_PARTS) > $@

.PHONY: print-objs print-regress
print-objs:
	@echo $(OBJS)
print-regress:
	@echo $(REGRESS)

endif
