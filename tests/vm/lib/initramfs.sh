# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The guest's first root: busybox, the kernel modules it needs for its disks
# and its output, ours, our tools, the copied files, the command.  To be
# sourced after module.sh and closure.sh.

# What the kernel must be able to do; a kernel without modules has it built in (but for
# fuse, perhaps).
GUEST_MODULES=(virtio_pci virtio_blk virtio_console ext4 fuse)

# The packaged modules that GUEST_MODULES stand for, unpacked, in the order in
# which they have to be inserted.
initramfs_drivers() {
	local dir=$1 module file name
	for module in "${GUEST_MODULES[@]}"; do
		modprobe -d "$KERNEL_DIR/root" -S "$KERNEL_RELEASE" --show-depends "$module" |
			awk '$1 == "insmod" { print $2 }'
	done | awk '!seen[$0]++' | while read -r file; do
		name=${file##*/}
		name=${name%.xz}
		name=${name%.zst}
		case $file in
		*.xz) xz -dc "$file" ;;
		*.zst) zstd -dcq "$file" ;;
		*) cat "$file" ;;
		esac >"$dir/$name"
		echo "$name" >>"$dir/order"
	done
}

# Single quotes: the one form that no shell reads anything into.
quoted() {
	local word
	for word; do
		printf "'%s' " "${word//\'/\'\\\'\'}"
	done
}

# What was asked for, as a piece of shell that the guest sources.
initramfs_request() {
	echo "module=$1"
	echo "parameters=$(quoted "$2")"
	echo "root=$3"
	shift 3
	echo "set -- $(quoted "$@")"
}

initramfs_etc() {
	mkdir -p "$1/etc"
	cat >"$1/etc/passwd" <<-EOF
	root:x:0:0:root:/root:/bin/sh
	user:x:1000:1000:user:/tmp:/bin/sh
	other:x:1001:1001:other:/tmp:/bin/sh
	nobody:x:65534:65534:nobody:/:/bin/false
	EOF
	cat >"$1/etc/group" <<-EOF
	root:x:0:
	user:x:1000:
	other:x:1001:
	nogroup:x:65534:
	EOF
	echo "127.0.0.1 localhost taskrt" >"$1/etc/hosts"
}

# What curses needs to know about the terminals that the tests emulate.
initramfs_terminals() {
	local terminal folder
	for terminal in l/linux v/vt100; do
		for folder in /lib/terminfo /usr/share/terminfo; do
			[ ! -e "$folder/$terminal" ] || install -D -m 644 "$folder/$terminal" "$1/etc/terminfo/$terminal"
		done
	done
}

# initramfs_fill ROOT COPY...
initramfs_fill() {
	local root=$1 path elf busybox drivers
	shift
	busybox=${CROSS_ROOT:+$CROSS_ROOT/usr/bin/busybox}
	mkdir -p "$root"/{bin,sbin,t,root,disk,vm/drivers,lib/taskrt,usr/bin,usr/lib,usr/local/bin}
	cp -L "${busybox:-$(command -v busybox)}" "$root/vm/busybox"
	cp "$VM_DIR"/guest/* "$root/vm/"
	chmod 755 "$root/vm/init"
	ln -s vm/init "$root/init"
	initramfs_etc "$root"
	initramfs_terminals "$root"
	if [ -n "$KERNEL_MODULES" ]; then
		drivers=$KERNEL_DIR/drivers$(printf -- '-%s' "${GUEST_MODULES[@]}")
		once "$drivers" initramfs_drivers
		cp "$drivers"/* "$root/vm/drivers/"
	fi
	[ -z "${MODULE_DIR:-}" ] || cp "$MODULE_DIR"/*.ko "$root/lib/taskrt/"
	[ ! -d "$BUILD/bin" ] || cp -a "$BUILD"/bin/. "$root/usr/local/bin/"
	[ ! -d "$BUILD/lib" ] || find "$BUILD/lib" -name '*.so*' -exec cp -a {} "$root/usr/lib/" \;
	closure_warn "$@"
	for path; do
		cp -aH "$path" "$root/t/"
	done
	mapfile -t elf < <(closure_elf "$root/t" "$root/usr/local/bin" "$root/usr/lib")
	closure_install "$root" "${elf[@]}"
}

# initramfs_pack ROOT FILE.  Not compressed: the guest would take longer to
# unpack it than the host to read it.
initramfs_pack() {
	(cd "$1" && find . -print0 | cpio -o -0 -H newc -R 0:0 --quiet) >"$2"
}
