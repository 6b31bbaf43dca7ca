# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For the tests that are scripts: checks of commands, and a folder to work in.
top=$(cd "$(dirname "$0")/../.." && pwd)
build=${build:-$top/build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$top/tests/lib/tap.sh"

plan() {
	echo "1..$1"
}

# ok NAME COMMAND...: it succeeds
ok() {
	tap_name=$1
	shift
	if "$@" >"$work/tap" 2>&1; then
		tap 0 "$tap_name"
	else
		tap 1 "$tap_name" "$work/tap"
	fi
}

skip() {	# NAME WHY
	tap_skip "$@"
}

finish() {
	[ "$tap_failed" = 0 ]
	exit
}

not() {
	! "$@"
}
