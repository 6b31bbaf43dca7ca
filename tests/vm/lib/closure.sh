# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Dynamic programs bring their libraries.  To be sourced after common.sh.

# closure_elf PATH...: the ELF files in these files and folders.
closure_elf() {
	find -L "$@" -type f -size +63c -print0 2>/dev/null |
		xargs -0r grep -lZ --binary-files=text -m 1 -P '\A\x7fELF' 2>/dev/null |
		tr '\0' '\n'
}

# closure_libraries FILE...: what these need beside themselves, one path a line.
closure_libraries() {
	local list
	[ $# -gt 0 ] || return 0
	list=$(LD_LIBRARY_PATH="$TOP/build/lib" ldd "$@" 2>/dev/null || :)
	if grep -q 'not found' <<<"$list"; then
		grep 'not found' <<<"$list" | sort -u >&2
		die "a program for the guest lacks a library on this machine"
	fi
	sed -nE 's/^\t(.* => )?(\/[^ ]*) \(0x.*/\2/p' <<<"$list" | sort -u
}

# closure_install ROOT FILE...: our own libraries go to /usr/lib, all others
# where the loader's name says.
closure_install() {
	local root=$1 library
	shift
	closure_libraries "$@" | while read -r library; do
		case $library in
		"$TOP"/build/*) install -D "$library" "$root/usr/lib/${library##*/}" ;;
		*) [ -e "$root$library" ] || install -D "$library" "$root$library" ;;
		esac
	done
}
