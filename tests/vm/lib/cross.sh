# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Our own programs for a guest of another architecture: built by the same
# Makefiles as the machine's own, into build/ARCH, with the compiler and the
# libraries of one suite.  make says what is old, so this is quick when nothing
# has changed.  To be sourced after kernel-source.sh.

# The oldest suite that has all we need: what is linked here runs on the others.
CROSS_ARCHIVE=bookworm,security
# As tests/packages has them for the machine's own; and the guest's busybox.
CROSS_PACKAGES=(libc6-dev libnl-3-dev libnl-genl-3-dev libkmod-dev libncurses-dev libseccomp-dev
	busybox-static)

# cross_copies: paths below build/ in "copies" mean the files for the guest's
# architecture.  Sets copies to where those are, and cross_parts to the folders
# that build them.
cross_copies() {
	local i path
	cross_parts=(userlib tools)
	[ -n "$ARCH_CROSS" ] || return 0
	for i in "${!copies[@]}"; do
		path=$(realpath -ms -- "${copies[i]}")
		case $path in
		"$BUILD"/*) path=${path#"$BUILD"/} ;;
		"$TOP"/build/*) path=${path#"$TOP"/build/} ;;
		*) continue ;;
		esac
		copies[i]=$BUILD/$path
		case $path in
		tests | tests/*) cross_parts+=(tests/guest) ;;
		demo | demo/*) cross_parts+=(tests/demo) ;;
		bench | bench/*) cross_parts+=(tests/bench) ;;
		esac
	done
}

# shellcheck disable=SC2016 # for the inner shell
CROSS_SCRIPT='
	gnu=$1 build=/mnt/taskrt/build/$2
	shift 2
	export PKG_CONFIG_LIBDIR=/usr/lib/$gnu/pkgconfig:/usr/share/pkgconfig
	for part; do
		make -s -j"$(nproc)" -C "/mnt/taskrt/$part" build="$build" WERROR=1 CC="$gnu-gcc" AR="$gnu-ar"
	done'

cross_build() {
	local lock log=$BUILD/log
	mkdir -p "$BUILD" "$CACHE/lock"
	exec {lock}>"$CACHE/lock/cross_$(printf %s "$BUILD" | tr / _)"
	flock "$lock"
	[ -d "$BUILD/bin" ] || say "building our programs for $ARCH"
	chroot_run --bind "$TOP" /mnt/taskrt sh -euc "$CROSS_SCRIPT" sh "$ARCH_GNU" "$ARCH" \
		"${cross_parts[@]}" >"$log" 2>&1 ||
		{ cat "$log" >&2; die "our programs do not build for $ARCH"; }
	exec {lock}>&-
}

# cross_open: builds what cross_copies has found.  Sets CROSS_ROOT, the folder
# with that architecture's libraries; empty for the machine's own.
cross_open() {
	local archive=$CROSS_ARCHIVE$ARCH_CROSS CHROOT path
	CROSS_ROOT=
	[ -n "$ARCH_CROSS" ] || return 0
	archive_open "$archive"
	chroot_open "$archive" "$(source_compiler "$archive")" pkgconf "${CROSS_PACKAGES[@]/%/:$ARCH}"
	CROSS_ROOT=$CHROOT
	cross_build
	for path in "${copies[@]}"; do
		[ -e "$path" ] || die "--copy: there is no $path, and nothing that makes it"
	done
}
