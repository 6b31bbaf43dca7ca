# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The place where a kernel's modules are built: the headers of a newer Debian
# want that Debian's compiler and C library.  A folder with the tools of one
# suite, for one architecture, unpacked and not installed (no maintainer script
# runs), entered by chroot: works as an ordinary user and as the root of a container,
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

# chroot_enters WORD...: whether these enter CHROOT.  Sets chroot_way to them.
chroot_enters() {
	chroot_way=("$@")
	chroot_error=$("$@" "$CHROOT" sh -c ': >/dev/null' 2>&1 </dev/null) ||
		{ chroot_error=${chroot_error##*$'\n'}; return 1; }
}

# chroot_refused ROOT-ERROR USER-ERROR: says what entering CHROOT takes, as root or as a user.
chroot_refused() {
	if [ "$(id -u)" = 0 ]; then
		say "cannot enter $CHROOT ($1): without CAP_SYS_ADMIN this takes CAP_SYS_CHROOT and CAP_MKNOD;" \
			"for a container: --cap-add=SYS_CHROOT --cap-add=MKNOD"
	else
		say "cannot enter $CHROOT ($2): an ordinary user needs unprivileged user name spaces;" \
			"in a container: be its root, or --security-opt seccomp=unconfined"
	fi
}

# chroot_find_way: sets chroot_way, the words that enter CHROOT: in a mount name space; where
# these are refused, as to the root of a container, without one, which takes copies; for a
# user in a user name space, which has no other owners of files.
chroot_find_way() {
	local space=(unshare --mount --propagation unchanged) plain
	chroot_enters "${space[@]}" "$VM_DIR/lib/enter-chroot" && return
	chroot_enters "$VM_DIR/lib/enter-plain" && return
	plain=$chroot_error
	chroot_enters "${space[@]}" --map-root-user "$VM_DIR/lib/enter-chroot" && return
	chroot_refused "$plain" "$chroot_error"
	return 125
}

# chroot_run [--bind FOLDER PLACE]... COMMAND...: runs COMMAND in CHROOT, with
# each FOLDER visible at PLACE.
chroot_run() {
	local chroot_way chroot_error
	chroot_find_way || return
	"${chroot_way[@]}" "$CHROOT" "$@" </dev/null
}
