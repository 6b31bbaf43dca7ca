# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A fuller root for the guest, for clients that busybox cannot host: Debian, as
# a disk image.  A system of the machine's own architecture is really installed.
# Maintainer scripts of another one cannot run here: its packages are unpacked,
# and what our clients need of the scripts is done by hand.  To be sourced after
# arch.sh and apt.sh.

DEBIAN_SUITE=bookworm
DEBIAN_PACKAGES=(python3 python3-yaml python3-jsonschema stress-ng rt-tests strace
	procps psmisc util-linux kmod iproute2 libnl-3-200 libnl-genl-3-200
	libseccomp2)
# What an installed system has by itself.
DEBIAN_ESSENTIAL=base-files,base-passwd,bash,coreutils,dash,diffutils,findutils,grep,gzip,hostname,mawk,sed,tar

# Runs a command that makes a system owned by root, which an ordinary user only
# pretends to be.
as_owner() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		fakeroot "$@"
	fi
}

debian_build() {
	local archive=$1 packages=${2// /,} dir=$3 how=(--variant=minbase)
	[ -z "$ARCH_CROSS" ] || how=(--variant=extract "--architectures=$ARCH" "--include=$DEBIAN_ESSENTIAL"
		--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr)
	say "making the Debian root for $ARCH, $(archive_suite "$archive")"
	mmdebstrap --quiet "${how[@]}" --include="$packages" --format=tar \
		--aptopt='APT::Install-Recommends "false"' \
		--dpkgopt='path-exclude=/usr/share/doc/*' \
		--dpkgopt='path-exclude=/usr/share/man/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' \
		"$(archive_suite "$archive")" "$dir/root.tar" \
		"$CACHE/apt/$archive/etc/apt/sources.list" >&2 </dev/null
	mkdir "$dir/root"
	# shellcheck disable=SC2016 # for the inner shell
	as_owner sh -euc '
		tar -x -C "$1/root" --exclude "./dev/*" -f "$1/root.tar"
		[ -e "$1/root/etc/passwd" ] || cp "$1/root/usr/share/base-passwd/passwd.master" "$1/root/etc/passwd"
		[ -e "$1/root/etc/group" ] || cp "$1/root/usr/share/base-passwd/group.master" "$1/root/etc/group"
		[ -e "$1/root/usr/bin/awk" ] || ln -s mawk "$1/root/usr/bin/awk"
		printf "user:x:1000:1000::/tmp:/bin/sh\nother:x:1001:1001::/tmp:/bin/sh\n" >>"$1/root/etc/passwd"
		printf "user:x:1000:\nother:x:1001:\n" >>"$1/root/etc/group"
		truncate -s 2G "$1/disk"
		mke2fs -q -t ext4 -F -d "$1/root" "$1/disk"' sh "$dir"
	rm -rf "$dir/root" "$dir/root.tar"
}

# debian_open [SUITE [PACKAGE...]]: a root of that suite, with these additional
# packages.  Sets ROOT_DISK.  A day's look at the archive may bring newer packages;
# the image is only made anew for other packages or for a refresh.
debian_open() {
	local archive=${1:-$DEBIAN_SUITE},security$ARCH_CROSS key packages
	packages="${DEBIAN_PACKAGES[*]}${2:+ ${*:2}}"
	key=$(echo "$archive $packages" | sha256sum | cut -c1-12)
	ROOT_DISK=$CACHE/debian/$key/disk
	archive_open "$archive"
	[ -z "${REFRESH:-}" ] || rm -rf "$CACHE/debian/$key"
	once "$CACHE/debian/$key" debian_build "$archive" "$packages"
}
