# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The emulator.  QEMU before 8.1 goes on running its translation of code that
# another processor of the guest has just changed (fixed by QEMU's commit
# deba78709a, "accel/tcg: Always lock pages before translation"): a guest that
# switches its static keys under load, as inserting our module does, dies of
# "Oops: int3".  Where the machine's own QEMU is that old, a newer Debian's is
# unpacked, not installed, and started with its own libraries.  To be sourced
# after apt.sh.

EMULATOR_ARCHIVE=trixie,security
EMULATOR_FIXED=8.1

emulator_version() {
	"$@" --version 2>/dev/null | sed -n 's/^QEMU emulator version \([0-9.]*\).*/\1/p'
}

emulator_is_fixed() {
	local version
	version=$(emulator_version "$@")
	[ -n "$version" ] && dpkg --compare-versions "$version" ge "$EMULATOR_FIXED"
}

emulator_unpack() {
	local package=$1 root=$2 debs=$2/debs
	say "fetching the emulator $package of ${EMULATOR_ARCHIVE%%,*}"
	mkdir -p "$debs/partial"
	archive_run "$EMULATOR_ARCHIVE" apt-get install -qq -y --download-only \
		-o Dir::Cache::archives="$debs" "$package" >&2 </dev/null
	unpack "$root" "$debs"/*.deb
	rm -rf "$debs"
}

# emulator_open: sets EMULATOR, the words that start it.
emulator_open() {
	local package root name libs
	case $ARCH in
	amd64) name=qemu-system-x86_64 package=qemu-system-x86 ;;
	arm64) name=qemu-system-aarch64 package=qemu-system-arm ;;
	esac
	EMULATOR=("$name")
	! emulator_is_fixed "${EMULATOR[@]}" || return 0
	root=$CACHE/emulator/${EMULATOR_ARCHIVE%%,*}-$package
	archive_open "$EMULATOR_ARCHIVE"
	[ -z "${REFRESH:-}" ] || rm -rf "$root"
	once "$root" emulator_unpack "$package"
	libs=$root/usr/lib/$(arch_gnu "$HOST_ARCH")
	EMULATOR=(env "QEMU_MODULE_DIR=$libs/qemu" "$libs"/ld-linux-*.so.? --library-path "$libs"
		"$root/usr/bin/$name" -L "$root/usr/share/qemu" -L "$root/usr/share/seabios")
	emulator_is_fixed "${EMULATOR[@]}" || die "the emulator in $root does not start"
}
