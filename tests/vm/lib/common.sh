# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What every part of the test bed shares: where the cache is, how a thing in it
# comes into being, how to complain.  To be sourced.

set -euo pipefail
shopt -s inherit_errexit

: "${HOME:=$(getent passwd "$(id -u)" | cut -d: -f6)}"
# An ordinary user's path may lack mke2fs, modprobe and depmod.
PATH=$PATH:/usr/sbin:/sbin
VM_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TOP=$(cd "$VM_DIR/../.." && pwd)
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/taskrt
HOST_ARCH=$(dpkg --print-architecture 2>/dev/null || echo unknown)

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# Nothing ran: exits with the status of a guest that gave no answer.
die() { say "$@"; exit 125; }

# once TARGET COMMAND...: makes the folder TARGET of the cache, if it is not
# there, by COMMAND... TARGET.part, and gives it its name only when COMMAND has
# succeeded.  So whatever is in the cache is whole, however often a run was cut.
# Call it as a plain statement: within && or || bash ignores failures.
once() {
	local target=$1 lock
	shift
	[ ! -e "$target" ] || return 0
	mkdir -p "$(dirname "$target")" "$CACHE/lock"
	exec {lock}>"$CACHE/lock/$(printf %s "${target#"$CACHE/"}" | tr / _)"
	flock "$lock"
	if [ ! -e "$target" ]; then
		rm -rf "$target.part"
		mkdir -p "$target.part"
		"$@" "$target.part"
		mv -T "$target.part" "$target"
	fi
	exec {lock}>&-
}

# unpack DEB... into the folder $1.  Debian's root has /lib as a link to
# usr/lib; dpkg-deb -x would replace such a link by a folder.
unpack() {
	local root=$1 deb
	shift
	for deb; do
		dpkg-deb --fsys-tarfile "$deb" |
			tar -x --keep-directory-symlink --no-same-owner -C "$root"
	done
}

# hash_of FILE|FOLDER...: one short name for what is in them.
hash_of() {
	find "$@" -type f ! -name '.*' -print0 2>/dev/null | sort -z |
		xargs -0r sha256sum | sha256sum | cut -c1-16
}
