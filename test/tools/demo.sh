#!/bin/bash
# demo.sh
#    Builds the extension, starts a private server with the sample database,
#    asks questions, and cleans up.
#
# Who answers: with OPENAI_API_KEY, OPENAI_BASE_URL or SQLAGENT_ENDPOINT in the
# environment that model (SQLAGENT_PROVIDER, SQLAGENT_MODEL and SQLAGENT_API_KEY
# say more), otherwise the built-in provider, which needs no network.
# KEEP=1 leaves the server's directory.
. "$(dirname "$0")/lib.sh"

questions=(
	'How many employees are there?'
	'Which employee has the highest salary?'
	'Which customer has the most total revenue?'
	'What is the total revenue per department?'
	'List the customers in the USA.'
	'How many invoices were issued per month?'
	'What is the average salary by department?'
	'Which employees were hired after 2021-01-01?'
	'Which customers have no invoices?'
)

"$TOP/test/tools/setup.sh" demo
make_work
copy_server_and_tree
say "building sqlagent for $("$PG_CONFIG" --version)"
{ pg_make -s -j2 && pg_make -s install; } >"$WORK/log" 2>&1 || { cat "$WORK/log" >&2; exit 1; }

# The key goes into a file of the server's user: a setting or an argument would show it.
provider_settings()
{
	local endpoint=${SQLAGENT_ENDPOINT:-${OPENAI_BASE_URL:-}}
	local key=${SQLAGENT_API_KEY:-${OPENAI_API_KEY:-}}
	local model=${SQLAGENT_MODEL:-${OPENAI_MODEL:-}}
	if [ -z "$endpoint$key" ]; then
		say "sqlagent.provider = 'builtin'"
		return
	fi
	if [ -z "$model" ] && [ -n "$endpoint" ]; then
		model=$(curl -sf -m 5 "${endpoint%/}/models" | sed -n 's/.*"id" *: *"\([^"]*\)".*/\1/p' | head -1)
	fi
	say "sqlagent.provider = '${SQLAGENT_PROVIDER:-openai}'"
	say "sqlagent.endpoint = '$endpoint'"
	say "sqlagent.model = '${model:-gpt-4o-mini}'"
	[ -z "$key" ] || say "sqlagent.api_key_file = '$WORK/key'"
}

key_file()
{
	local key=${SQLAGENT_API_KEY:-${OPENAI_API_KEY:-}}
	[ -n "$key" ] || return 0
	(umask 077 && printf '%s\n' "$key" >"$WORK/key")
	[ "$(id -u)" != 0 ] || chown "$RUN_AS:" "$WORK/key"
}

start_server()
{
	as_user "$BIN/initdb" -D "$WORK/data" -U postgres -A trust -E UTF8 --locale=C -N >"$WORK/log"
	{
		say "listen_addresses = ''"
		say "unix_socket_directories = '$WORK'"
		say "fsync = off"
		provider_settings
	} >>"$WORK/data/postgresql.conf"
	as_user "$BIN/pg_ctl" -D "$WORK/data" -l "$WORK/data/log" -w -t 60 start >"$WORK/log" 2>&1 ||
		{ cat "$WORK/log" "$WORK/data/log" >&2; exit 1; }
}

sql() { as_user "$BIN/psql" -XAtq -h "$WORK" -v ON_ERROR_STOP=1 "$@"; }

key_file
start_server
sql -U postgres -d postgres -c 'CREATE DATABASE company' -c 'CREATE ROLE analyst LOGIN'
sql -U postgres -d company -f "$WORK/src/test/sample/company.sql" -c 'CREATE EXTENSION sqlagent' \
	-c 'GRANT USAGE ON SCHEMA sqlagent TO analyst' \
	-c 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO analyst'
case $(sql -U postgres -d company -c 'SHOW sqlagent.provider') in
	builtin) say "answered by the built-in provider: no language model, no network" ;;
	*) say "answered by the model $(sql -U postgres -d company -c 'SHOW sqlagent.model')" ;;
esac

# One session for all questions, as a role that may only read the sample tables.
{
	for question in "${questions[@]}"; do
		say '\echo'
		say "\\echo '=>' SELECT sqlagent.ask('''$question''');"
		say "SELECT sqlagent.ask('$question');"
	done
} | sql -U analyst -d company -f - 2>&1 | sed 's/^psql:<stdin>:[0-9]*: //'
say ""
as_user "$BIN/pg_ctl" -D "$WORK/data" -m fast -w stop >/dev/null
say "done; the server and its database are gone"
