# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# For scripts that run tests of several parts: adds up the results of the parts.  To be
# sourced.

passed=0 failed=0 skipped=0

# summary_why LOG: how a boot ended, as tests/vm/run says it, and what was the last test before.
# On one line with the failure: whoever reads it may have no other line of the log.
summary_why() {
	local why last
	why=$(sed -n 's/^run: \(.*[^:]\)$/\1/p' "$1" | tail -n 1)
	last=$(grep -aE '^(not )?ok ' "$1" | tail -n 1)
	echo "${why:+: $why}${last:+ (after \"$last\")}"
}

# summary_add NAME STATUS LOG: a part that ends with "N passed, N failed, N skipped".  A
# part without such a line, or with a bad status and no failed test, is one failure more.
summary_add() {
	local last='^([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped$'
	if [[ $(grep -E "$last" "$3" | tail -n 1) =~ $last ]]; then
		((passed += BASH_REMATCH[1], failed += BASH_REMATCH[2], skipped += BASH_REMATCH[3]))
		[ "$2" != 0 ] && [ "${BASH_REMATCH[2]}" = 0 ] || return 0
	fi
	summary_fail "$1: ended with status $2 and no failed test$(summary_why "$3")"
}

# summary_add_tap NAME STATUS LOG: a part that prints TAP alone.
summary_add_tap() {
	local bad
	bad=$(grep -c '^not ok ' "$3")
	((passed += $(grep -c '^ok ' "$3"), failed += bad))
	[ "$2" = 0 ] || [ "$bad" != 0 ] || summary_fail "$1: ended with status $2 and no failed test"
}

summary_fail() {
	echo "not ok - $1"
	((failed += 1))
}

# The last line.  Succeeds if nothing has failed.
summary_print() {
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" = 0 ]
}
