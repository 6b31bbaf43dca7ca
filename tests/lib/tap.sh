# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# The Test Anything Protocol for tests that are scripts, on the host and in the guest:
# one line a check, the plan at the end.  To be sourced.

tap_number=0 tap_failed=0 tap_skipped=0

# tap STATUS NAME [FILE...]: a check that has passed if STATUS is 0; if not, shows the
# ends of these files.
tap() {
	tap_number=$((tap_number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $tap_number - $2"
		return
	fi
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_number - $2"
	shift 2
	for tap_file; do
		tail -n 100 "$tap_file" | cut -c 1-500 | sed 's/^/# /'
	done
}

# tap_skip NAME WHY
tap_skip() {
	tap_number=$((tap_number + 1)) tap_skipped=$((tap_skipped + 1))
	echo "ok $tap_number - $1 # SKIP $2"
}

# The plan.  Succeeds if all checks have.
tap_end() {
	echo "1..$tap_number"
	[ "$tap_failed" = 0 ]
}

# The plan, and the line that a script with several parts adds up.
tap_summary() {
	echo "1..$tap_number"
	echo "$((tap_number - tap_failed - tap_skipped)) passed, $tap_failed failed, $tap_skipped skipped"
	[ "$tap_failed" = 0 ]
}
