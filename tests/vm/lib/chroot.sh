# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The place where a kernel's modules are built: the headers of a newer Debian
# want that Debian's compiler and C library.  A folder with the tools of one
# suite, unpacked and not installed (no maintainer script runs), entered by
# chroot in name spaces of its own: works as an ordinary user too.  To be
# sourced after apt.sh.

# What building a kernel and its modules takes, beside the compiler.  (pahole
# is in dwarves, and before bookworm had no other name.)
CHROOT_PACKAGES=(base-files dash bash coreutils sed grep mawk findutils diffutils
	tar gzip xz-utils bzip2 zstd make perl perl-base kmod cpio rsync bc bison flex m4
	binutils libc6-dev libelf-dev libssl-dev zlib1g-dev dwarves)

chroot_unpack() {
	local archive=$1 compiler=$2 root=$3 debs=$3/debs
	say "fetching $compiler and the other build tools of ${archive%%,*}"
	mkdir -p "$debs/partial" "$root"/usr/{bin,sbin,lib,lib64}
	local link
	for link in bin sbin lib lib64; do
		ln -s "usr/$link" "$root/$link"
	done
	archive_run "$archive" apt-get install -qq -y --download-only \
		-o Dir::Cache::archives="$debs" \
		"${CHROOT_PACKAGES[@]}" "$compiler" >&2 </dev/null
	unpack "$root" "$debs"/*.deb
	rm -rf "$debs"
	# What the maintainer scripts would have linked.
	[ -e "$root/usr/bin/sh" ] || ln -s dash "$root/usr/bin/sh"
	[ -e "$root/usr/bin/awk" ] || ln -s mawk "$root/usr/bin/awk"
	[ -e "$root/usr/bin/gcc" ] || ln -s "$compiler" "$root/usr/bin/gcc"
	mkdir -p "$root"/{proc,dev,tmp,mnt/build,mnt/kernel,usr/src}
}

# chroot_open ARCHIVE COMPILER: sets CHROOT.
chroot_open() {
	CHROOT=$CACHE/chroot/${1%%,*}-$2
	once "$CHROOT" chroot_unpack "$1" "$2"
}

# chroot_run [--bind FOLDER PLACE]... COMMAND...: runs COMMAND in CHROOT, with
# each FOLDER visible at PLACE.
chroot_run() {
	local unprivileged=()
	[ "$(id -u)" = 0 ] || unprivileged=(--map-root-user)
	unshare "${unprivileged[@]}" --mount --propagation unchanged \
		"$VM_DIR/lib/enter-chroot" "$CHROOT" "$@" </dev/null
}
