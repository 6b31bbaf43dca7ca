# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The place where a kernel's modules are built: the headers of a newer Debian
# want that Debian's compiler and C library.  A folder with the tools of one
# suite, for one architecture, unpacked and not installed (no maintainer script
# runs), entered by chroot in name spaces of its own: works as an ordinary user
# too.  To be sourced after apt.sh.

# What building a kernel and its modules takes, beside the compiler.  (pahole
# is in dwarves, and before bookworm had no other name.)
CHROOT_PACKAGES=(base-files dash bash coreutils sed grep mawk findutils diffutils
	tar gzip xz-utils bzip2 zstd make perl perl-base kmod cpio rsync bc bison flex m4
	binutils libc6-dev libelf-dev libssl-dev zlib1g-dev dwarves)

chroot_unpack() {
	local archive=$1 compiler=$2 packages=("${@:3:$#-3}") root=${*: -1}
	local debs=$root/debs prefix=${ARCH_CROSS:+$ARCH_GNU-}
	say "fetching $prefix$compiler and the other build tools of $(archive_suite "$archive")"
	mkdir -p "$debs/partial" "$root"/usr/{bin,sbin,lib,lib64}
	local link
	for link in bin sbin lib lib64; do
		ln -s "usr/$link" "$root/$link"
	done
	archive_run "$archive" apt-get install -qq -y --download-only \
		-o Dir::Cache::archives="$debs" \
		"${packages[@]}" >&2 </dev/null
	unpack "$root" "$debs"/*.deb
	rm -rf "$debs"
	# What the maintainer scripts would have linked.
	[ -e "$root/usr/bin/sh" ] || ln -s dash "$root/usr/bin/sh"
	[ -e "$root/usr/bin/awk" ] || ln -s mawk "$root/usr/bin/awk"
	[ -e "$root/usr/bin/${prefix}gcc" ] || ln -s "$prefix$compiler" "$root/usr/bin/${prefix}gcc"
	mkdir -p "$root"/{proc,dev,tmp,mnt/build,mnt/kernel,usr/src}
}

# chroot_open ARCHIVE COMPILER [PACKAGE...]: sets CHROOT, where that compiler is, for
# the guest's architecture, and these packages, too.
chroot_open() {
	local name=$ARCH_GNU key packages
	packages=("${CHROOT_PACKAGES[@]}" "$2${ARCH_CROSS:+-${name//_/-}}" "${@:3}")
	key=$(printf '%s\n' "${packages[@]}" | sha256sum | cut -c1-8)
	CHROOT=$CACHE/chroot/$(archive_suite "$1")-$2${ARCH_CROSS:+-$ARCH}-$key
	once "$CHROOT" chroot_unpack "$1" "$2" "${packages[@]}"
}

# chroot_run [--bind FOLDER PLACE]... COMMAND...: runs COMMAND in CHROOT, with
# each FOLDER visible at PLACE.
chroot_run() {
	local unprivileged=()
	[ "$(id -u)" = 0 ] || unprivileged=(--map-root-user)
	unshare "${unprivileged[@]}" --mount --propagation unchanged \
		"$VM_DIR/lib/enter-chroot" "$CHROOT" "$@" </dev/null
}
