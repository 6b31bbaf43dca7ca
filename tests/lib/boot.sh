# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# For scripts that run tests in a guest.  To be sourced.

# boot LOG ARGUMENT...: tests/vm/run with these arguments; its output is kept in LOG too, and
# its status is returned.  A boot that dies of the emulator is repeated once.
boot() {
	local status=0
	boot_once "$@" || status=$?
	[ $status = 123 ] || return $status
	boot_once "$@"
}

boot_once() {
	local log=$1
	shift
	setpriv --pdeathsig TERM tests/vm/run "$@" 2>&1 | tee "$log"
	return "${PIPESTATUS[0]}"
}
