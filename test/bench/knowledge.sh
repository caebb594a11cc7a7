#!/bin/bash
# knowledge.sh
#    Builds the extension and measures it with a million patterns: searching
#    them, and answering from one of them against running its SQL.
#
# Environment: PG_CONFIG; ROWS (1000000), ROUNDS (200).
. "$(dirname "$0")/../tools/lib.sh"

"$TOP/test/tools/setup.sh" check
make_work
copy_server_and_tree
{ pg_make -s -j2 && pg_make -s install; } >"$WORK/log" 2>&1 || { cat "$WORK/log" >&2; exit 1; }
pgxs=$(dirname "$("$PG_CONFIG" --pgxs)")/../..
in_tree env PATH="$BIN:$PATH" PG_REGRESS="$pgxs/src/test/regress/pg_regress" TESTDIR="$WORK/src" \
	TMPDIR="$WORK" PERL5LIB="$pgxs/src/test/perl" \
	perl test/bench/knowledge.pl 2>"$WORK/log" | tee "$WORK/table"
grep -q '^done$' "$WORK/table" || { tail -30 "$WORK/log" >&2; exit 1; }
