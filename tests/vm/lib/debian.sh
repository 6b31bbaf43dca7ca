# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A fuller root for the guest, for clients that busybox cannot host: Debian,
# installed for real, as a disk image.  To be sourced after apt.sh.

DEBIAN_ARCHIVE=bookworm,security
DEBIAN_PACKAGES=(python3 python3-yaml python3-jsonschema stress-ng rt-tests strace
	procps psmisc util-linux kmod iproute2 libnl-3-200 libnl-genl-3-200
	libjson-c5)

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
	local dir=$1 packages
	packages=$(IFS=,; echo "${DEBIAN_PACKAGES[*]}")
	say "making the Debian root"
	mmdebstrap --quiet --variant=minbase --include="$packages" --format=tar \
		--aptopt='APT::Install-Recommends "false"' \
		--dpkgopt='path-exclude=/usr/share/doc/*' \
		--dpkgopt='path-exclude=/usr/share/man/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' \
		"${DEBIAN_ARCHIVE%%,*}" "$dir/root.tar" \
		"$CACHE/apt/$DEBIAN_ARCHIVE/etc/apt/sources.list" >&2 </dev/null
	mkdir "$dir/root"
	# shellcheck disable=SC2016 # for the inner shell
	as_owner sh -euc '
		tar -x -C "$1/root" --exclude "./dev/*" -f "$1/root.tar"
		printf "user:x:1000:1000::/tmp:/bin/sh\nother:x:1001:1001::/tmp:/bin/sh\n" >>"$1/root/etc/passwd"
		printf "user:x:1000:\nother:x:1001:\n" >>"$1/root/etc/group"
		truncate -s 2G "$1/disk"
		mke2fs -q -t ext4 -F -d "$1/root" "$1/disk"' sh "$dir"
	rm -rf "$dir/root" "$dir/root.tar"
}

# debian_open: sets ROOT_DISK.  A day's look at the archive may bring newer
# packages; the image is only made anew when it is asked for something else or
# for a refresh.
debian_open() {
	local key
	key=$(echo "$DEBIAN_ARCHIVE ${DEBIAN_PACKAGES[*]}" | sha256sum | cut -c1-12)
	ROOT_DISK=$CACHE/debian/$key/disk
	archive_open "$DEBIAN_ARCHIVE"
	[ -z "${REFRESH:-}" ] || rm -rf "$CACHE/debian/$key"
	once "$CACHE/debian/$key" debian_build
}
