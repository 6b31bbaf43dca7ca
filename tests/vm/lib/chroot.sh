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

# What our programs take, of the architecture that they are for; the machine's
# own are built on the machine.
CROSS_PACKAGES=(libc6-dev libnl-3-dev libnl-genl-3-dev libjson-c-dev libkmod-dev
	busybox-static)

chroot_packages() {
	local compiler=$1 name=$ARCH_GNU
	printf '%s\n' "${CHROOT_PACKAGES[@]}"
	if [ -n "$ARCH_CROSS" ]; then
		printf '%s\n' "$compiler-${name//_/-}" pkgconf "${CROSS_PACKAGES[@]/%/:$ARCH}"
	else
		echo "$compiler"
	fi
}

chroot_unpack() {
	local archive=$1 compiler=$2 root=$3 debs=$3/debs prefix=${ARCH_CROSS:+$ARCH_GNU-} packages
	say "fetching $prefix$compiler and the other build tools of $(archive_suite "$archive")"
	mapfile -t packages < <(chroot_packages "$compiler")
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

# chroot_open ARCHIVE COMPILER: sets CHROOT.
chroot_open() {
	local key
	key=$(chroot_packages "$2" | sha256sum | cut -c1-8)
	CHROOT=$CACHE/chroot/$(archive_suite "$1")-$2${ARCH_CROSS:+-$ARCH}-$key
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
