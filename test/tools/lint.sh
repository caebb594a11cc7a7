# lint.sh
#    The checks that need no server, as functions of check.sh.
#
# Sourced, with a built copy of the tree in $WORK/src.

# clang-format's output depends on its version; the tree is kept to this one's.
FORMAT_VERSION=14

format_holds()
{
	(cd "$WORK/src" && find src test -name node_modules -prune -o -name '*.[ch]' ! -name '*.gen.h' -print |
		sort | xargs clang-format --dry-run -Werror)
}

lint_format()
{
	local version
	version=$(clang-format --version | sed 's/.*version \([0-9]*\).*/\1/')
	if [ "$version" = "$FORMAT_VERSION" ]; then
		check "clang-format" format_holds
	else
		skipped "clang-format" "this is version $version, the tree is formatted by $FORMAT_VERSION"
	fi
}

# The server's loops are told to it in a header; NULL is a pointer on every
# platform of PostgreSQL's.
cppcheck_holds()
{
	(cd "$WORK/src" && cppcheck -q -j 2 --enable=warning,performance,portability --inline-suppr \
		--error-exitcode=1 --suppress=missingIncludeSystem --suppress=varFuncNullUB \
		--include=test/tools/cppcheck.h \
		-Isrc src)
}

# One file.  A verdict without complaints is remembered by the content of the
# file and of our headers that it includes, since each takes a second or more.
tidy_file()
{
	local flags=(-std=gnu11 -D_GNU_SOURCE -Isrc '-DSQLAGENT_VERSION=""' -isystem "$SERVER")
	local stamp
	stamp=$TIDY_CACHE/$({ cat .clang-tidy $(cc -MM "${flags[@]}" "$1" | tr -d '\\:' | sed 's/[^ ]*\.o//'); clang-tidy --version; echo "$SERVER_VERSION"; } | sha256sum | cut -c1-40)
	[ ! -f "$stamp" ] || return 0
	clang-tidy --quiet "$1" -- "${flags[@]}" >"$WORK/tidy.$$" 2>&1 || { cat "$WORK/tidy.$$"; return 1; }
	touch "$stamp" 2>/dev/null || true
}
export -f tidy_file

tidy_holds()
{
	export TIDY_CACHE=$TOP/build/tidy SERVER SERVER_VERSION WORK
	SERVER=$("$PG_CONFIG" --includedir-server)
	SERVER_VERSION=$("$PG_CONFIG" --version)
	mkdir -p "$TIDY_CACHE" 2>/dev/null || TIDY_CACHE=$WORK
	(cd "$WORK/src" && find src -name '*.c' | sort |
		xargs -P 2 -n 1 bash -c 'tidy_file "$1"' tidy)
}

headers_stand_alone()
{
	local header bad=0
	for header in $(cd "$WORK/src" && find src -name '*.h' ! -name '*.gen.h' | sort); do
		printf '#include "postgres.h"\n#include "%s"\n' "${header#src/}" |
			(cd "$WORK/src" && cc -x c -fsyntax-only -Wall -Wno-unused-function -Werror -Isrc \
				-I"$("$PG_CONFIG" --includedir-server)" -D_GNU_SOURCE -) || { say "$header"; bad=1; }
	done
	return $bad
}

# Only what the server looks up by name may leave the library.
symbols_hold()
{
	local found
	found=$(nm -D --defined-only "$WORK/src/sqlagent.so" | awk '{ print $3 }' |
		grep -vE '^(Pg_magic_func|_PG_init|(pg_finfo_)?sqlagent_\w+|_init|_fini|__bss_start|_edata|_end)$' || true)
	say "$found"
	[ -z "$found" ]
}

# Every file is built, and the list is in order.
objects_hold()
{
	local listed present
	listed=$(in_tree make -s PG_CONFIG="$PG_CONFIG" print-objs | tr ' ' '\n')
	present=$(cd "$WORK/src" && find src -name '*.c' | sed 's/c$/o/' | sort)
	diff <(say "$listed" | sort) <(say "$present") && diff <(say "$listed") <(say "$listed" | sort)
}

# META.json has three numbers, the control file two or three.
versions_agree()
{
	local control meta
	control=$(sed -n "s/^default_version = '\(.*\)'/\1/p" "$WORK/src/sqlagent.control")
	meta=$(sed -n 's/^  "version": "\(.*\)",/\1/p' "$WORK/src/META.json")
	say "sqlagent.control: $control, META.json: $meta"
	[ "$meta" = "$control" ] || [ "$meta" = "$control.0" ]
}

lint_all()
{
	local verdict name
	lint_format
	check "cppcheck" cppcheck_holds
	check "clang-tidy" tidy_holds
	check "layers" sh -c "cd '$WORK/src' && perl test/tools/layers.pl"
	check "README lists everything" sh -c "cd '$WORK/src' && perl test/tools/readme.pl"
	check "headers stand alone" headers_stand_alone
	check "exported symbols" symbols_hold
	check "list of objects" objects_hold
	check "one version" versions_agree
	(cd "$WORK/src" && perl test/tools/rules.pl) >"$WORK/rules" || true
	while IFS=$'\t' read -r verdict name; do
		case $verdict in
			ok) passed "$name" ;;
			FAIL) failed "$name" ;;
			*) say "        $verdict" ;;
		esac
	done <"$WORK/rules"
}
