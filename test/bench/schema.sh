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

# Database NAME beside what is in the database DB: results go to the file.
# Its schemas are dropped again, which is cheaper than a copy of the database.
measure()
{
	local name=$1 db=$2 results=$3
	local own="nspname !~ '^pg_' AND nspname <> 'information_schema'"
	sql -d "$db" -c "SELECT nspname FROM pg_namespace WHERE $own AND nspname <> 'public'" >"$WORK/schemas"
	gzip -dc "$BENCH/db/$name.sql.gz" | sql -d "$db" -o /dev/null -f -
	[ ! -f "$BENCH/db/$name.comments.sql" ] || sql -d "$db" -f "$BENCH/db/$name.comments.sql"
	sql -d "$db" -o /dev/null -f "$HERE/schema_rights.sql"
	grep -h "\"db\": \"$name\"" "$BENCH"/dev/*.jsonl >"$WORK/questions"
	sql -d "$db" -v questions="$WORK/questions" -f "$HERE/schema_gold.sql" >"$WORK/gold"
	PGUSER=sa_bench_asker sql -d "$db" -v gold="$WORK/gold" -f "$HERE/schema_run.sql" >>"$results"
	sql -d "$db" -c "SELECT quote_ident(nspname) || ':' || nspname FROM pg_namespace WHERE $own" |
		while IFS=: read -r quoted plain; do
			grep -qxF -- "$plain" "$WORK/schemas" || echo "DROP SCHEMA $quoted CASCADE;"
		done | sql -d "$db" -f - -c 'CREATE SCHEMA IF NOT EXISTS public; GRANT USAGE ON SCHEMA public TO PUBLIC'
	printf . >&2
}

# An empty database with the extension.
make_database()
{
	sql -d postgres -c "DROP DATABASE IF EXISTS $1" -c "CREATE DATABASE $1 TEMPLATE template0 ENCODING UTF8"
	sql -d "$1" -c 'CREATE EXTENSION sqlagent'
}

summary()
{
	sql -d postgres -v label="$1" -v results="$2" -f "$HERE/schema_summary.sql"
}

sql -d postgres -c "DO \$\$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'sa_bench_asker') THEN CREATE ROLE sa_bench_asker LOGIN; END IF; END \$\$" \
	-c "ALTER ROLE sa_bench_asker SET sqlagent.provider = 'openai'" -c "ALTER ROLE sa_bench_asker SET sqlagent.model = 'none'"
make_database sa_bench
for name; do measure "$name" sa_bench "$WORK/alone"; done
echo >&2
summary "alone" "$WORK/alone"
if [ "$TABLES" -gt 0 ]; then
	make_database sa_wide
	python3 "$BENCH/gen_wide.py" --tables "$TABLES" | sql -d sa_wide -o /dev/null -f -
	sql -d sa_wide -o /dev/null -f "$HERE/schema_rights.sql"
	for name; do measure "$name" sa_wide "$WORK/wide"; done
	echo >&2
	summary "beside $TABLES tables" "$WORK/wide"
	sql -d postgres -c 'DROP DATABASE sa_wide'
fi
[ -z "${DETAILS:-}" ] || cat "$WORK"/alone "$WORK"/wide >"$DETAILS" 2>/dev/null || true
sql -d postgres -c 'DROP DATABASE sa_bench'
