# lib.sh
#    What the commands of this folder share: finding PostgreSQL, a scratch
#    directory, and the unprivileged user that servers run as.
#
# Sourced, not run.  Nothing outside the scratch directory is written: the
# extension is installed into a private copy of the server's files there, so
# the commands need no rights on the server's own directories and leave
# existing installations and clusters alone.

set -euo pipefail
export LC_ALL=C.UTF-8
TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

say() { printf '%s\n' "$*"; }
die() { printf '%s\n' "$*" >&2; exit 1; }

# The pg_config to use: PG_CONFIG, else the one in the path, else the newest
# under Debian's directory that has the server's headers.
find_pg_config()
{
	local candidate
	for candidate in "${PG_CONFIG:-}" "$(command -v pg_config || true)" \
		$(ls -d /usr/lib/postgresql/*/bin/pg_config 2>/dev/null | sort -rV); do
		[ -x "$candidate" ] || candidate=$(command -v "$candidate" 2>/dev/null) || continue
		[ -f "$("$candidate" --pgxs 2>/dev/null)" ] || continue
		[ -x "$("$candidate" --bindir)/initdb" ] || continue
		# a distribution's wrapper answers for the real one
		[ ! -x "$("$candidate" --bindir)/pg_config" ] || candidate=$("$candidate" --bindir)/pg_config
		say "$candidate"
		return
	done
	return 1
}

# The user that servers run as: initdb refuses root.
find_user()
{
	[ "$(id -u)" = 0 ] || { id -un; return; }
	local name
	for name in "${SERVER_USER:-}" postgres nobody; do
		[ -n "$name" ] && id "$name" >/dev/null 2>&1 && { say "$name"; return; }
	done
	return 1
}

# as_user COMMAND...: run it as that user, in its scratch directory's home.
as_user()
{
	if [ "$(id -u)" = 0 ]; then
		HOME=$WORK runuser -u "$RUN_AS" -- "$@"
	else
		HOME=$WORK "$@"
	fi
}

# Scratch directory, outside the tree since the server's user may not be able
# to enter that, with a copy of the tree and of the server's files.
make_work()
{
	RUN_AS=$(find_user) || die "no unprivileged user found: set SERVER_USER"
	# sockets live below it: the path has to stay short
	WORK=$(mktemp -d "${TMPDIR:-/tmp}/sqlagent.XXXXXX")
	chmod 755 "$WORK"
	# the server's programs complain when they may not enter where they are called
	cd "$WORK"
	trap 'finish $?' EXIT
	trap 'exit 130' INT TERM HUP
}

# Ends the server of the scratch directory, if there is one, and removes all.
finish()
{
	trap - EXIT
	cd /
	[ ! -f "$WORK/data/postmaster.pid" ] ||
		as_user "$BIN/pg_ctl" -D "$WORK/data" -m immediate stop >/dev/null 2>&1 || true
	[ -z "${MODEL_PID:-}" ] || kill "$MODEL_PID" 2>/dev/null || true
	if [ -n "${KEEP:-}" ]; then say "kept: $WORK"; else rm -rf "$WORK"; fi
	exit "$1"
}

# Copies the server's files so that binaries find their libraries and shared
# files by their own position, and the tree without what a build leaves.
copy_server_and_tree()
{
	local config dir
	config=$(find_pg_config) || die "no PostgreSQL with server headers found: set PG_CONFIG"
	for dir in $("$config" --bindir) $("$config" --pkglibdir) $("$config" --sharedir) \
		$("$config" --includedir-server) $("$config" --pkgincludedir); do
		mkdir -p "$WORK/pg$(dirname "$dir")"
		cp -aL "$dir" "$WORK/pg$(dirname "$dir")/" 2>/dev/null || cp -a "$dir" "$WORK/pg$(dirname "$dir")/"
	done
	BIN=$WORK/pg$("$config" --bindir)
	PG_CONFIG=$BIN/pg_config
	MAJOR=$("$PG_CONFIG" --version | sed 's/^PostgreSQL \([0-9]*\).*/\1/')
	mkdir "$WORK/src"
	tar -C "$TOP" --exclude=./.git --exclude=./build --exclude='*.o' --exclude='*.bc' \
		--exclude='*.so' --exclude='*.gen.h' --exclude='./sqlagent--*.sql' \
		--exclude=./tmp_check --exclude=./results -cf - . | tar -C "$WORK/src" -xf -
	[ "$(id -u)" != 0 ] || chown -R "$RUN_AS:" "$WORK"
}

# in_tree COMMAND...: run it as that user in the copy of the tree.
in_tree()
{
	(cd "$WORK/src" && as_user "$@")
}

pg_make() { in_tree make --no-print-directory with_llvm=no PG_CONFIG="$PG_CONFIG" "$@"; }

# Prints why the model server of the tests cannot run here; nothing if it can.
why_no_model()
{
	local version
	version=$(node --version 2>/dev/null) || { say "Node.js is not installed"; return; }
	version=${version#v}
	[ "${version%%.*}" -ge 20 ] || { say "Node.js is ${version%%.*}, aimock needs 20"; return; }
	[ -f "$TOP/test/node_modules/@copilotkit/aimock/package.json" ] || say "aimock is not installed (npm ci in test/)"
}
