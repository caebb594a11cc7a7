#!/bin/bash
# guard.sh
#    Time of the guard beside the server's own steps (parser, analysis, rewriting,
#    planning), for statements of several kinds, warm, in one session.  Fails when
#    it is above the budget: 0.3 ms for ten tables, 5 ms for the longest statement.
#
# Environment: PG_CONFIG; ROUNDS (200).
. "$(dirname "$0")/../tools/lib.sh"

[ -n "${SKIP_SETUP:-}" ] || "$TOP/test/tools/setup.sh" check
make_work
copy_server_and_tree
{ pg_make -s -j2 && pg_make -s install; } >"$WORK/log" 2>&1 || { cat "$WORK/log" >&2; exit 1; }
as_user "$BIN/initdb" -D "$WORK/data" -U postgres -A trust -E UTF8 --locale=C -N >"$WORK/log"
cat >>"$WORK/data/postgresql.conf" <<CONF
listen_addresses = ''
unix_socket_directories = '$WORK'
fsync = off
CONF
as_user "$BIN/pg_ctl" -D "$WORK/data" -l "$WORK/data/log" -w -t 60 start >"$WORK/log" 2>&1 ||
	{ cat "$WORK/log" "$WORK/data/log" >&2; exit 1; }
sql() { as_user "$BIN/psql" -XAtq -h "$WORK" -v ON_ERROR_STOP=1 "$@"; }
sql -U postgres -d postgres -c 'CREATE DATABASE bench' -c 'CREATE ROLE analyst LOGIN'
sql -U postgres -d bench -v rounds="${ROUNDS:-200}" -f "$WORK/src/test/bench/guard.sql"
sql -U analyst -d bench -F ' ' -c "
	SELECT format('%-34s guard %s ms (p99 %s), server %s ms, budget %s: %s', name, p50, p99, server, budget,
		CASE WHEN p50::float8 <= budget THEN 'ok' ELSE 'FAILED' END) FROM measured()" | tee "$WORK/table"
say "$(grep -c ': ok$' "$WORK/table" || true) passed, $(grep -c FAILED "$WORK/table" || true) failed, 0 skipped"
! grep -q FAILED "$WORK/table"
