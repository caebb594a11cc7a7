#!/bin/bash
# run.sh [SECTION...]
#    Builds the extension and a bare client, and prints the benchmark's table;
#    the sections are those of bench.pl, all of them without arguments.
#
# Environment: PG_CONFIG; ROUNDS (200), BIG_ROWS (5000000), WIDE_TABLES (10000).
. "$(dirname "$0")/../tools/lib.sh"

"$TOP/test/tools/setup.sh" check
reason=$(why_no_model)
[ -z "$reason" ] || die "the benchmark needs a model server: $reason"
make_work
copy_server_and_tree
{ pg_make -s -j2 && pg_make -s install; } >"$WORK/log" 2>&1 || { cat "$WORK/log" >&2; exit 1; }
in_tree cc -O2 -Wall -Werror -I"$("$PG_CONFIG" --includedir)" -Iinclude \
	-I"$(pg_config --includedir 2>/dev/null || echo /usr/include/postgresql)" \
	test/bench/floor.c -o floor -L"$("$PG_CONFIG" --libdir)" -lpq -lcurl
pgxs=$(dirname "$("$PG_CONFIG" --pgxs)")/../..
in_tree env PATH="$BIN:$PATH" PG_REGRESS="$pgxs/src/test/regress/pg_regress" TESTDIR="$WORK/src" \
	TMPDIR="$WORK" PERL5LIB="$pgxs/src/test/perl" FLOOR="$WORK/src/floor" \
	perl test/bench/bench.pl "$@" 2>"$WORK/log" | tee "$WORK/table"
grep -q '^done$' "$WORK/table" || { tail -30 "$WORK/log" >&2; exit 1; }
