#!/bin/bash
# schema.sh DIR [DATABASE...]
#    How often the prompt's schema text holds the tables that a question needs.
#
# DIR/db holds databases (NAME.sql.gz), DIR/dev questions (*.jsonl with "db",
# "question", "gold_sql"), DIR/gen_wide.py prints thousands of tables that none
# of the questions is about.  Each database is loaded twice: alone, and beside
# those tables.  Printed are recall (the share of questions with a correct
# statement all of whose tables are in the text; and of all statements), the
# size of the text and the time that one call takes.
#
# TABLES=10000 says how many tables stand beside.  With PGPORT set, that server
# is used, which must have the extension installed; else one of our own.
. "$(dirname "$0")/../tools/lib.sh"

BENCH=${1:?usage: schema.sh DIR [DATABASE...]}
BENCH=$(cd "$BENCH" && pwd)
shift
TABLES=${TABLES:-10000}
HERE=$TOP/test/bench

start_server()
{
	copy_server_and_tree
	{ pg_make -s && pg_make -s install; } >"$WORK/log" 2>&1 || { cat "$WORK/log" >&2; exit 1; }
	as_user "$BIN/initdb" -D "$WORK/data" -U postgres -A trust -E UTF8 --locale=C -N >"$WORK/log"
	printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$WORK'" \
		"fsync = off" >>"$WORK/data/postgresql.conf"
	as_user "$BIN/pg_ctl" -D "$WORK/data" -l "$WORK/data/log" -w -t 60 start >"$WORK/log" 2>&1
	export PGHOST=$WORK PGPORT=5432 PGUSER=postgres
}

sql() { "$PSQL" -XAtq -v ON_ERROR_STOP=1 "$@"; }

make_work
if [ -n "${PGPORT:-}" ]; then BIN=$("$(find_pg_config)" --bindir); else start_server; fi
PSQL=$BIN/psql
export PGOPTIONS='-c client_min_messages=warning'

[ $# -gt 0 ] || set -- $(cat "$BENCH"/dev/*.jsonl | sed -n 's/.*"db": "\([^"]*\)".*/\1/p' | sort -u)

# As DIR/db has it, with the publisher's comments, and readable to the asker.
load()
{
	gzip -dc "$BENCH/db/$1.sql.gz" | sql -d sa_bench -o /dev/null -f -
	[ ! -f "$BENCH/db/$1.comments.sql" ] || sql -d sa_bench -f "$BENCH/db/$1.comments.sql"
	sql -d sa_bench -o /dev/null -c 'CREATE EXTENSION IF NOT EXISTS sqlagent' -f "$HERE/schema_rights.sql"
}

# Database NAME in the template that is given: results go to the file.
measure()
{
	local name=$1 template=$2 results=$3
	sql -d postgres -c 'DROP DATABASE IF EXISTS sa_bench' -c "CREATE DATABASE sa_bench TEMPLATE $template ENCODING UTF8 STRATEGY file_copy"
	load "$name"
	grep -h "\"db\": \"$name\"" "$BENCH"/dev/*.jsonl >"$WORK/questions"
	sql -d sa_bench -v questions="$WORK/questions" -f "$HERE/schema_gold.sql" >"$WORK/gold"
	PGUSER=sa_bench_asker sql -d sa_bench -v gold="$WORK/gold" -f "$HERE/schema_run.sql" >>"$results"
	printf . >&2
}

summary()
{
	sql -d postgres -v label="$1" -v results="$2" -f "$HERE/schema_summary.sql"
}

sql -d postgres -c "DO \$\$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'sa_bench_asker') THEN CREATE ROLE sa_bench_asker LOGIN; END IF; END \$\$" \
	-c "ALTER ROLE sa_bench_asker SET sqlagent.provider = 'openai'" -c "ALTER ROLE sa_bench_asker SET sqlagent.model = 'none'"
for name; do measure "$name" template0 "$WORK/alone"; done
echo >&2
summary "alone" "$WORK/alone"
if [ "$TABLES" -gt 0 ]; then
	sql -d postgres -c 'DROP DATABASE IF EXISTS sa_wide' -c 'CREATE DATABASE sa_wide TEMPLATE template0 ENCODING UTF8'
	python3 "$BENCH/gen_wide.py" --tables "$TABLES" | sql -d sa_wide -o /dev/null -f -
	sql -d sa_wide -c 'CREATE EXTENSION sqlagent' -f "$HERE/schema_rights.sql"
	for name; do measure "$name" sa_wide "$WORK/wide"; done
	echo >&2
	summary "beside $TABLES tables" "$WORK/wide"
	sql -d postgres -c 'DROP DATABASE sa_wide'
fi
[ -z "${DETAILS:-}" ] || cat "$WORK"/alone "$WORK"/wide >"$DETAILS" 2>/dev/null || true
sql -d postgres -c 'DROP DATABASE IF EXISTS sa_bench'
