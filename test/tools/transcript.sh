#!/bin/bash
# transcript.sh DIR
#    The conversation on Chinook that the README shows, made again with the
#    built-in provider.  DIR holds db/chinook.sql.gz, a dump of that database.
#
# With PGPORT set, that server is used, which must have the extension installed;
# its database sqlagent_transcript is made and dropped.
. "$(dirname "$0")/lib.sh"

DIR=${1:?usage: transcript.sh DIR}
PSQL=$("$(find_pg_config)" --bindir)/psql
DB=sqlagent_transcript
: "${PGPORT:?set PGPORT (and PGHOST, PGUSER) to a server with the extension}"

"$PSQL" -Xq -d postgres -c "CREATE DATABASE $DB"
trap '"$PSQL" -Xq -d postgres -c "DROP DATABASE $DB"' EXIT
gzip -dc "$DIR/db/chinook.sql.gz" | "$PSQL" -Xq -d $DB -o /dev/null
"$PSQL" -Xq -d $DB -c 'ANALYZE' -c 'CREATE EXTENSION sqlagent'
"$PSQL" -Xq -d $DB --echo-queries -P footer=off -f - <<'SQL' 2>&1 | sed 's/^psql:[^ ]* //'
SELECT sqlagent.new_thread('customers') AS thread \gset
SELECT sqlagent.ask('How many customers are there per country?', :thread) AS answer;
SELECT sqlagent.ask('the top 3', :thread) AS answer;
SELECT sqlagent.chart(max(id)) AS chart FROM sqlagent.runs;
SET sqlagent.trace = off;
SELECT sqlagent.ask('Which customers live in Prague?', :thread) AS answer;
SELECT sqlagent.ask('and in Paris?', :thread) AS answer;
SELECT sqlagent.ask('their emails', :thread) AS answer;
SELECT sql FROM sqlagent.runs ORDER BY id DESC LIMIT 1;
SQL
