#!/bin/bash
# setup.sh demo|check
#    Installs what the command needs and the machine lacks: Debian packages as
#    root, the model server of the tests by npm.  Says nothing when all is there.
#
# An ordinary user is told what is missing.  What a machine cannot have (Node.js
# 20 on Debian 12) is left out here; the command names what it skips for it.
. "$(dirname "$0")/lib.sh"

missing=()

# lacks TEST-COMMAND PACKAGE...: the packages are missing if the test fails.
lacks()
{
	eval "$1" >/dev/null 2>&1 || missing+=("${@:2}")
}

apt_major()
{
	apt-cache depends postgresql 2>/dev/null | sed -n 's/.*Depends: postgresql-\([0-9]*\)$/\1/p' | head -1
}

node_serves()
{
	[ "$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)" -ge 20 ]
}

# Whether the distribution's Node.js is new enough to be worth installing.
apt_node_serves()
{
	local version
	version=$(apt-cache policy nodejs | sed -n 's/.*Candidate: \([0-9]*\).*/\1/p')
	[ "${version:-0}" -ge 20 ]
}

install_packages()
{
	[ "$(id -u)" = 0 ] || die "missing: ${missing[*]}
As root: apt-get install --no-install-recommends ${missing[*]}"
	command -v apt-get >/dev/null || die "missing: ${missing[*]}; install them by hand, this is no Debian"
	say "installing ${missing[*]}"
	DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
		"${missing[@]}" >"$log" 2>&1 || { tail -20 "$log" >&2; exit 1; }
}

install_model()
{
	local stamp="$TOP/test/node_modules/.package-lock.json"
	[ ! -f "$stamp" ] || [ "$stamp" -ot "$TOP/test/package-lock.json" ] || return 0
	{ node_serves && command -v npm >/dev/null; } || return 0
	(cd "$TOP/test" && npm ci --no-audit --no-fund --ignore-scripts >"$log" 2>&1 && touch "$stamp") ||
		say "npm ci failed: $(tail -1 "$log")"
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# package lists are only fetched when something has to be installed
if ! find_pg_config >/dev/null; then
	[ "$(id -u)" != 0 ] || [ -n "$(apt_major)" ] || apt-get update -q >"$log" 2>&1 || true
	major=$(apt_major)
	missing+=("postgresql-${major:-15}" "postgresql-server-dev-${major:-15}")
fi
lacks 'command -v make && command -v cc' build-essential
lacks 'test -f /usr/include/curl/curl.h || ls /usr/include/*/curl/curl.h' libcurl4-openssl-dev
lacks 'test -f /usr/include/json-c/json.h' libjson-c-dev
lacks 'command -v runuser' util-linux
if [ "$1" = check ]; then
	lacks "perl -MIPC::Run -e 1" libipc-run-perl
	lacks "perl -MTest::More -MTAP::Harness -e 1" perl
	lacks 'command -v clang-format' clang-format
	lacks 'command -v clang-tidy' clang-tidy
	lacks 'command -v cppcheck' cppcheck
	lacks 'command -v git' git
fi
if [ "$1" = check ] || [ "${NEED_MODEL:-}" = 1 ]; then
	if ! command -v node >/dev/null && [ "$(id -u)" = 0 ]; then
		[ -n "$(apt-cache policy nodejs 2>/dev/null)" ] || apt-get update -q >"$log" 2>&1 || true
		! apt_node_serves || missing+=(nodejs)
	fi
	if ! command -v npm >/dev/null; then
		if node_serves || [[ " ${missing[*]} " = *" nodejs "* ]]; then missing+=(npm); fi
	fi
fi
if [ ${#missing[@]} -gt 0 ]; then
	[ "$(id -u)" != 0 ] || apt-get update -q >"$log" 2>&1 || tail -5 "$log" >&2
	install_packages
fi
if [ "$1" = check ] || [ "${NEED_MODEL:-}" = 1 ]; then install_model; fi
