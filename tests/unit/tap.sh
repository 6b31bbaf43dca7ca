# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For the tests that are scripts: TAP, and a folder to work in.
top=$(cd "$(dirname "$0")/../.." && pwd)
build=${build:-$top/build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tap_number=0 tap_failed=0

plan() {
	echo "1..$1"
}

# ok NAME COMMAND...: it succeeds
ok() {
	tap_name=$1
	shift
	tap_number=$((tap_number + 1))
	if "$@" >"$work/tap" 2>&1; then
		echo "ok $tap_number - $tap_name"
	else
		echo "not ok $tap_number - $tap_name"
		sed 's/^/# /' "$work/tap"
		tap_failed=1
	fi
}

skip() {	# NAME WHY
	tap_number=$((tap_number + 1))
	echo "ok $tap_number - $1 # SKIP $2"
}

finish() {
	exit "$tap_failed"
}

not() {
	! "$@"
}
