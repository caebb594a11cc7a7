#!/bin/bash
# versions.sh
#    Builds and tests on other major versions of PostgreSQL, in chroots that
#    pg-chroot makes of Debian's packages: 17 (trixie) and 18 (sid).
#
# Environment: PG_CHROOT (the script; ../shared/tools/pg-chroot), CHROOTS (where
# the chroots are kept, to be made once), VERSIONS (suite:major ...).
. "$(dirname "$0")/lib.sh"

script=${PG_CHROOT:-$TOP/../shared/tools/pg-chroot}
chroots=${CHROOTS:-/var/tmp/sqlagent-chroots}
versions=${VERSIONS:-trixie:17 sid:18}
passed=0 failed=0 skipped=0
log=$(mktemp)
copy=$(mktemp -d)
trap 'rm -rf "$log" "$copy"' EXIT

why_not()
{
	if [ ! -x "$script" ]; then say "$script is not there (set PG_CHROOT)"
	elif [ "$(id -u)" != 0 ]; then say "chroots need root"
	elif ! command -v mmdebstrap >/dev/null &&
		! DEBIAN_FRONTEND=noninteractive apt-get install -y -q mmdebstrap >"$log" 2>&1; then
		say "mmdebstrap cannot be installed: $(tail -1 "$log")"
	fi
}

# One version: make the chroot unless it is there, then build and test in it.
try_version()
{
	local suite=$1 major=$2 dir=$chroots/$1-$2 tests
	if [ ! -x "$dir/usr/lib/postgresql/$major/bin/postgres" ]; then
		mkdir -p "$chroots"
		rm -rf "$dir"
		"$script" make "$suite" "$major" "$dir" >"$log" 2>&1 ||
			{ say "skip    $major: no chroot of $suite: $(tail -1 "$log")"; skipped=$((skipped + 1)); return; }
	fi
	if "$script" test "$dir" "$major" "$copy/src" >"$log" 2>&1; then
		tests=$(grep -cE '^(test |ok [0-9]+ +- ).*( ms|ok)$|\.pl \.+ ok$' "$log" || true)
		say "ok      $major ($suite): $tests test files"
		sed -n 's/^.*\.pl \.* skipped: /        skipped: /p' "$log" | sort | uniq -c
		passed=$((passed + 1))
	else
		say "FAILED  $major ($suite)"
		tail -60 "$log"
		failed=$((failed + 1))
	fi
	mountpoint -q "$dir/proc" && umount "$dir/dev/shm" "$dir/proc" 2>/dev/null || true
}

"$TOP/test/tools/setup.sh" check
reason=$(why_not)
mkdir "$copy/src"
tar -C "$TOP" --exclude=./.git --exclude=./build --exclude='*.o' --exclude='*.so' -cf - . | tar -C "$copy/src" -xf -
for version in $versions; do
	if [ -n "$reason" ]; then
		say "skip    ${version#*:}: $reason"
		skipped=$((skipped + 1))
	else
		try_version "${version%:*}" "${version#*:}"
	fi
done
say "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
