# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A Debian system that somebody has installed in a folder: the guest runs it
# with a kernel of its own.  To be sourced after kernel.sh and debian.sh.

# installed_releases ROOT: the kernels that it holds, newest first.
installed_releases() {
	local image
	for image in "$1"/boot/vmlinuz-*; do
		[ ! -e "$image" ] || echo "${image##*/vmlinuz-}"
	done | sort -Vr
}

# installed_open ROOT RELEASE FOLDER: sets ROOT_DISK and the KERNEL_ variables
# as kernel_open does; what it makes, it makes in FOLDER.
installed_open() {
	KERNEL_RELEASE=$2
	KERNEL_DIR=$3/installed
	KERNEL_IMAGE=$1/boot/vmlinuz-$2
	KERNEL_MODULES=$1/lib/modules/$2
	ROOT_DISK=$KERNEL_DIR/disk
	mkdir "$KERNEL_DIR"
	ln -s "$(realpath "$1")" "$KERNEL_DIR/root"
	truncate -s 8G "$ROOT_DISK"
	as_owner mke2fs -q -t ext4 -F -d "$1" "$ROOT_DISK"
}
