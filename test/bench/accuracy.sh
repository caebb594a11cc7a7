#!/bin/bash
# accuracy.sh DIR [QUESTIONS.jsonl...]
#    How many questions the built-in provider answers, and how many rightly.
#
# DIR holds databases and load.sh to load them, questions (dev/*.jsonl with
# "id", "db", "question") and score.py, which runs what we say and what is right
# and compares the rows.  Every question is asked by to_sql() in a session of
# the plain role bench_ro; what is refused is said to be so.  Printed is the
# scorer's table by set and category, then how many of the answered ones are
# right.
#
# With PGPORT set, that server is used, which must have the extension installed;
# else one of our own.  LOADED=1: its databases are loaded.  VERDICTS=FILE keeps
# the verdict on each question, PREDICTIONS=FILE what was said.
. "$(dirname "$0")/../tools/lib.sh"

BENCH=${1:?usage: accuracy.sh DIR [QUESTIONS.jsonl...]}
BENCH=$(cd "$BENCH" && pwd)
shift
HERE=$TOP/test/bench
[ $# -gt 0 ] || set -- "$BENCH"/dev/*.jsonl

start_server()
{
	copy_server_and_tree
	{ pg_make -s && pg_make -s install; } >"$WORK/log" 2>&1 || { cat "$WORK/log" >&2; exit 1; }
	as_user "$BIN/initdb" -D "$WORK/data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 -N >"$WORK/log"
	printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$WORK'" \
		"fsync = off" >>"$WORK/data/postgresql.conf"
	as_user "$BIN/pg_ctl" -D "$WORK/data" -l "$WORK/data/log" -w -t 60 start >"$WORK/log" 2>&1
	export PGHOST=$WORK PGPORT=5432
}

make_work
if [ -n "${PGPORT:-}" ]; then BIN=$("$(find_pg_config)" --bindir); else start_server; fi
export PGHOST=${PGHOST:-/tmp} PGUSER=${PGUSER:-postgres} PSQL=$BIN/psql
[ -n "${LOADED:-}" ] || "$BENCH/load.sh" --comments >&2

PREDICTIONS=${PREDICTIONS:-$WORK/predictions}
VERDICTS=${VERDICTS:-$WORK/verdicts}
perl "$HERE/accuracy.pl" ask "$@" >"$PREDICTIONS"
"$BENCH/score.py" "$@" --pred "$PREDICTIONS" --by-category --json "$VERDICTS"
perl "$HERE/accuracy.pl" sum "$PREDICTIONS" "$VERDICTS"
