# sqlagent: ask questions of the database in plain language
#
#   make                build
#   make install        install into the server that PG_CONFIG belongs to
#   make demo           install, start a private cluster, ask questions
#   make check          every test
EXTENSION = sqlagent
EXTVERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" $(CURDIR)/sqlagent.control)
MODULE_big = sqlagent
PGFILEDESC = "sqlagent - ask questions of the database in plain language"

OBJS = \
	src/base/error.o \
	src/base/guc.o \
	src/base/json.o \
	src/base/spi.o \
	src/base/text.o \
	src/base/wait.o \
	src/db/catalog.o \
	src/db/catalog_load.o \
	src/db/describe.o \
	src/db/detail.o \
	src/db/introspect.o \
	src/db/match.o \
	src/db/rank.o \
	src/db/relation.o \
	src/db/show.o \
	src/db/values.o \
	src/db/words.o \
	src/sqlagent.o

GENERATED = src/prompts/prompts.gen.h src/queries/queries.gen.h
HEADER_FILES = $(wildcard src/*.h src/*/*.h) $(GENERATED)

DATA_built = sqlagent--$(EXTVERSION).sql
SQL_PARTS = $(sort $(wildcard sql/extension/*.sql))

PG_CPPFLAGS = -I$(srcdir)/src -DSQLAGENT_VERSION='"$(EXTVERSION)"' \
	-D'PGDLLEXPORT=__attribute__((visibility("default")))'
PG_CFLAGS = -fvisibility=hidden -Wextra -Wno-unused-parameter \
	-Wno-sign-compare -Wno-missing-field-initializers $(WERROR)
SHLIB_LINK = -lcurl -ljson-c
EXTRA_CLEAN = $(GENERATED) build

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

$(OBJS) $(OBJS:.o=.bc): $(HEADER_FILES)

src/prompts/prompts.gen.h: $(wildcard src/prompts/*.txt) src/prompts/embed.pl
	$(PERL) src/prompts/embed.pl SA_PROMPT_ $(wildcard src/prompts/*.txt) > $@.tmp && mv $@.tmp $@

src/queries/queries.gen.h: $(wildcard src/queries/*.sql) src/prompts/embed.pl
	$(PERL) src/prompts/embed.pl SA_QUERY_ $(wildcard src/queries/*.sql) > $@.tmp && mv $@.tmp $@

$(DATA_built): $(SQL_PARTS)
	cat $(SQL_PARTS) > $@
