#!/bin/bash
# check.sh [lint] [regress] [tap]
#    Builds and tests the tree; without arguments all of it.  The last line
#    counts what the tools reported; the exit status is its verdict.
#
# Environment: PG_CONFIG; PROVE_TESTS (files, from the top of the tree);
# SERVER_USER (who runs servers when this is root); KEEP=1 leaves the scratch
# directory; SANITIZE=undefined builds with that sanitizer; SKIP_SETUP=1
# installs nothing.
. "$(dirname "$0")/lib.sh"
. "$TOP/test/tools/report.sh"
. "$TOP/test/tools/lint.sh"

[ $# -gt 0 ] || set -- lint regress tap
[ -n "${SKIP_SETUP:-}" ] || "$TOP/test/tools/setup.sh" check
make_work
copy_server_and_tree

build()
{
	local sanitize=()
	[ -z "${SANITIZE:-}" ] || sanitize=(COPT="-fsanitize=$SANITIZE -fno-sanitize-recover=all -O1")
	pg_make -s -j2 WERROR=-Werror "${sanitize[@]}" && pg_make -s install
}

# pg_regress says "test NAME ... ok" up to 15, and speaks TAP after that.
regress()
{
	local line name verdict count=$((PASSED + FAILED))
	pg_make -s installcheck TAP_TESTS= >"$WORK/log" 2>&1 || true
	cp "$WORK/log" "$WORK/regress.log"
	while read -r line; do
		case $line in
			"test "*" ... "* | *" ... "*" ms")
				name=$(sed -E 's/^test +//; s/ +\.\.\. .*//' <<<"$line")
				verdict=${line##*... } ;;
			"ok "[0-9]* | "not ok "[0-9]*)
				name=$(sed -E 's/^(not )?ok [0-9]+ +[-+] //; s/ +[0-9]+ ms.*//' <<<"$line")
				verdict=${line%% [0-9]*} ;;
			*) continue ;;
		esac
		case $verdict in
			ok*) passed "sql/$name" ;;
			*) failed "sql/$name" ;;
		esac
	done <"$WORK/regress.log"
	if [ $((PASSED + FAILED)) = "$count" ]; then failed "pg_regress ran no test" "$WORK/regress.log"; fi
	[ ! -f "$WORK/src/regression.diffs" ] || head -400 "$WORK/src/regression.diffs"
}

# The files of test/t: test/tools/tap.pl prints their results and the counts.
tap()
{
	local pgxs files counts line p f s
	pgxs=$(dirname "$("$PG_CONFIG" --pgxs)")/../..
	files=$(cd "$WORK/src" && ls ${PROVE_TESTS:-test/t/*.pl}) || { failed "no TAP tests found"; return; }
	in_tree env PATH="$BIN:$PATH" PG_REGRESS="$pgxs/src/test/regress/pg_regress" TESTDIR="$WORK/src" \
		TMPDIR="$WORK" PERL5LIB="$pgxs/src/test/perl" \
		perl test/tools/tap.pl $files 2>&1 | tee "$WORK/tap.log" || true
	grep -hE 'runtime error|terminated by signal|PANIC|TRAP' "$WORK"/src/tmp_check/log/*.log |
		sort | uniq -c | sed 's/^/        server: /' || true
	counts=$(sed -n 's/^counts: //p' "$WORK/tap.log")
	[ -n "$counts" ] || { failed "the TAP tests did not end"; return; }
	read -r p f s <<<"$counts"
	PASSED=$((PASSED + p)) FAILED=$((FAILED + f)) SKIPPED=$((SKIPPED + s))
	while read -r line; do failures+=("$line"); done < <(sed -n 's/^FAILED  //p' "$WORK/tap.log")
	while read -r line; do skips+=("$line"); done < <(sed -n 's/^skip    //p' "$WORK/tap.log")
}

check "build" build
if [ "$FAILED" = 0 ]; then
	for phase in "$@"; do
		case $phase in
			lint) lint_all ;;
			regress) regress ;;
			tap) tap ;;
			*) die "check.sh: no such phase: $phase" ;;
		esac
	done
fi
summary
