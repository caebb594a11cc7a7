#!/bin/bash
# property.sh
#    Random statements: grammatical ones are run, mutated ones are checked; no
#    one may crash the server or change anything.  The last line counts.
#
# Environment: PG_CONFIG; INPUTS (10000), how many mutated ones; RUNS (500),
# how many grammatical ones; SEED; SANITIZE=undefined; SERVER_SQL, a directory
# with the regression queries of PostgreSQL (src/test/regress/sql).
. "$(dirname "$0")/lib.sh"

[ -n "${SKIP_SETUP:-}" ] || "$TOP/test/tools/setup.sh" check
make_work
copy_server_and_tree
sanitize=()
[ -z "${SANITIZE:-}" ] || sanitize=(COPT="-fsanitize=$SANITIZE -fno-sanitize-recover=all -O1")
{ pg_make -s -j2 WERROR=-Werror "${sanitize[@]}" && pg_make -s install; } >"$WORK/log" 2>&1 || { cat "$WORK/log" >&2; exit 1; }

as_user "$BIN/initdb" -D "$WORK/data" -U postgres -A trust -E UTF8 --locale=C -N >"$WORK/log"
cat >>"$WORK/data/postgresql.conf" <<CONF
listen_addresses = ''
unix_socket_directories = '$WORK'
fsync = off
log_min_messages = fatal
sqlagent.query_timeout = '300ms'
CONF
as_user "$BIN/pg_ctl" -D "$WORK/data" -l "$WORK/data/log" -w -t 60 start >"$WORK/log" 2>&1 ||
	{ cat "$WORK/log" "$WORK/data/log" >&2; exit 1; }

sql() { as_user "$BIN/psql" -XAtq -h "$WORK" -U postgres -v ON_ERROR_STOP=1 "$@"; }
sql -d postgres -c 'CREATE DATABASE company' -c 'CREATE ROLE analyst LOGIN'
sql -d company -f "$WORK/src/test/sample/company.sql" -c 'CREATE EXTENSION sqlagent' \
	-c 'GRANT USAGE ON SCHEMA sqlagent TO analyst' \
	-c 'GRANT EXECUTE ON FUNCTION sqlagent.tool_run_sql(jsonb), sqlagent.tool_check_sql(jsonb) TO analyst' \
	-c 'GRANT ALL ON ALL TABLES IN SCHEMA public TO analyst' \
	-c 'CREATE TABLE input (id int, sql text)' -c 'GRANT SELECT ON input TO analyst'
as_user env PATH="$BIN:$PATH" PGHOST="$WORK" INPUTS="${INPUTS:-10000}" RUNS="${RUNS:-500}" SEED="${SEED:-}" \
	SERVER_SQL="${SERVER_SQL:-}" perl "$WORK/src/test/tools/property.pl" "$WORK"
