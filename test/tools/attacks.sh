#!/bin/bash
# attacks.sh DIRECTORY
#    Runs a corpus of hostile and honest statements (cases.tsv, setup.sql) in a
#    private cluster, as a plain role and from a superuser's session, and looks
#    for harm afterwards.  The last line counts; the exit status is its verdict.
#
# cases.tsv: id TAB expected TAB why TAB sql, where <LF> in sql is a newline and
# expected is block, allow, timeout or cap.  setup.sql makes what they use, and
# the role sa_alice and the superuser sa_boss who run them.
#
# Environment: PG_CONFIG; KEEP=1 leaves the directory; CASES, a pattern of ids.
corpus=${1:?the directory of the corpus: make check-attacks ATTACKS=directory}
corpus=$(cd "$corpus" && pwd)
. "$(dirname "$0")/lib.sh"

[ -n "${SKIP_SETUP:-}" ] || "$TOP/test/tools/setup.sh" check
make_work
copy_server_and_tree
{ pg_make -s -j2 WERROR=-Werror && pg_make -s install; } >"$WORK/log" 2>&1 || { cat "$WORK/log" >&2; exit 1; }
cp "$corpus/cases.tsv" "$corpus/setup.sql" "$WORK/"

# Modules of the server that the corpus builds upon.
preload=
[ ! -f "$("$PG_CONFIG" --pkglibdir)/pg_stat_statements.so" ] || preload=pg_stat_statements

as_user "$BIN/initdb" -D "$WORK/data" -U postgres -A trust -E UTF8 --locale=C -N >"$WORK/log"
cat >>"$WORK/data/postgresql.conf" <<CONF
listen_addresses = ''
unix_socket_directories = '$WORK'
fsync = off
wal_level = logical
max_prepared_transactions = 5
max_worker_processes = 16
shared_preload_libraries = '$preload'
temp_file_limit = 64MB
sqlagent.query_timeout = '2s'
sqlagent.max_rows = 1000
sqlagent.max_result_bytes = '1MB'
sqlagent.query_memory = '512MB'
sqlagent.superuser_role = 'sa_alice'
CONF
as_user "$BIN/pg_ctl" -D "$WORK/data" -l "$WORK/data/log" -w -t 60 start >"$WORK/log" 2>&1 ||
	{ cat "$WORK/log" "$WORK/data/log" >&2; exit 1; }

sql() { as_user "$BIN/psql" -XAtq -h "$WORK" -U postgres -v ON_ERROR_STOP=1 "$@"; }
sql -d postgres -c 'CREATE DATABASE sectest'
sql -d sectest -c 'CREATE EXTENSION sqlagent' >"$WORK/log" 2>&1 || { cat "$WORK/log" >&2; exit 1; }
sql -d sectest -f "$WORK/setup.sql" >"$WORK/log" 2>&1 || { cat "$WORK/log" >&2; exit 1; }
sql -d sectest -c 'GRANT USAGE ON SCHEMA sqlagent TO PUBLIC' \
	-c 'GRANT EXECUTE ON FUNCTION sqlagent.tool_run_sql(jsonb) TO PUBLIC'
say "$("$PG_CONFIG" --version), corpus $(wc -l <"$WORK/cases.tsv") cases"
as_user env PATH="$BIN:$PATH" PGHOST="$WORK" perl "$WORK/src/test/tools/attacks.pl" "$WORK"
