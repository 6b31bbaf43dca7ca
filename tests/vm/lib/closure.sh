# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Dynamic programs bring their libraries.  To be sourced after common.sh.

# closure_files PATTERN PATH...: which of these files, and those in these
# folders, begin like this.
closure_files() {
	local pattern=$1
	shift
	find -L "$@" -type f -size +63c -print0 2>/dev/null |
		LC_ALL=C xargs -0r grep -lZ --binary-files=text -m 1 -P "\A$pattern" 2>/dev/null |
		tr '\0' '\n'
}

# closure_elf PATH...: the ELF files that the guest's architecture runs.  (Behind
# the magic: class, byte order, type, and then the machine.)
closure_elf() {
	local machine='[\x03\x3e]'
	[ "$ARCH" != arm64 ] || machine='\xb7'
	closure_files "\x7fELF.{14}$machine\0" "$@"
}

# Warns of a program for another architecture, about which the guest's shell would
# only print obscure errors.
closure_warn() {
	local path
	for path; do
		[ ! -f "$path" ] || [ -z "$(closure_files '\x7fELF' "$path")" ] ||
			[ -n "$(closure_elf "$path")" ] || say "$path is no program for $ARCH"
	done
}

# closure_own FILE...: the libraries that these need, one path a line, as the
# machine's loader finds them.
closure_own() {
	local list
	list=$(LD_LIBRARY_PATH="$BUILD/lib" ldd "$@" 2>/dev/null || :)
	if grep -q 'not found' <<<"$list"; then
		grep 'not found' <<<"$list" | sort -u >&2
		die "a program for the guest lacks a library on this machine"
	fi
	sed -nE 's/^\t(.* => )?(\/[^ ]*) \(0x.*/\2/p' <<<"$list" | sort -u
}

# The names of the libraries that these ask for, and the path of their loader.
closure_names() {
	readelf -Wdl "$@" 2>/dev/null |
		sed -nE 's/.*\(NEEDED\).*\[(.*)\]$/\1/p; s/.*program interpreter: (.*)\]$/\1/p' | sort -u
}

closure_find() {
	local folder
	case $1 in
	/*) ls "$CROSS_ROOT$1" ;;
	*)
		for folder in "$BUILD/lib" "$CROSS_ROOT/usr/lib/$ARCH_GNU"; do
			[ ! -e "$folder/$1" ] || { echo "$folder/$1"; return; }
		done
		die "a program for the guest lacks $1, which is not among the libraries of $CROSS_ROOT"
		;;
	esac
}

# As closure_own, for another architecture, for which no loader here can tell.
closure_cross() {
	local -A seen=()
	local names name path
	while [ $# -gt 0 ]; do
		mapfile -t names < <(closure_names "$@")
		set --
		for name in "${names[@]}"; do
			[ -z "${seen[$name]:-}" ] || continue
			seen[$name]=yes
			path=$(closure_find "$name")
			echo "$path"
			set -- "$@" "$path"
		done
	done
}

# closure_install ROOT FILE...: our own libraries go to /usr/lib, all others
# where the loader's name says.
closure_install() {
	local root=$1 library how=closure_own
	shift
	[ $# -gt 0 ] || return 0
	[ -z "$CROSS_ROOT" ] || how=closure_cross
	$how "$@" | while read -r library; do
		case $library in
		"$BUILD"/*) install -D "$library" "$root/usr/lib/${library##*/}" ;;
		*)
			library=${library#"$CROSS_ROOT"}
			[ -e "$root$library" ] || install -D "$CROSS_ROOT$library" "$root$library"
			;;
		esac
	done
}
