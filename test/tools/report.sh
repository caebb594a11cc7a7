# report.sh
#    How the checks report: one line each, and the counts of the last line.
#
# Sourced.  Counts come from what the tools printed, never from what was meant
# to run.

PASSED=0 FAILED=0 SKIPPED=0
failures=() skips=()

passed() { PASSED=$((PASSED + 1)); say "ok      $1"; }
skipped() { SKIPPED=$((SKIPPED + 1)); skips+=("$1: $2"); say "skip    $1: $2"; }
failed()
{
	FAILED=$((FAILED + 1))
	failures+=("$1")
	say "FAILED  $1"
	[ -z "${2:-}" ] || sed 's/^/        /' "$2" | tail -n "${3:-60}"
}

# check NAME COMMAND...: passes when the command does, else shows its output.
check()
{
	if "${@:2}" >"$WORK/log" 2>&1; then passed "$1"; else failed "$1" "$WORK/log"; fi
}

summary()
{
	local line
	say ""
	for line in "${skips[@]}"; do say "skipped: $line"; done
	for line in "${failures[@]}"; do say "FAILED:  $line"; done
	say "time: ${SECONDS}s, PostgreSQL $("$PG_CONFIG" --version | cut -d' ' -f2)"
	say "$PASSED passed, $FAILED failed, $SKIPPED skipped"
	[ "$FAILED" = 0 ]
}
