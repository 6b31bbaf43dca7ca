# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Kernels built here from Debian's source packages, for what no packaged kernel
# has: KASAN, lockdep, kmemleak.  10 to 20 minutes on two cores, once.  To be
# sourced after chroot.sh.

source_fragments() {
	local fragment
	for fragment in ${1//+/ }; do
		echo "$VM_DIR/config/$fragment.config"
	done
}

source_compiler() {
	archive_run "$1" apt-cache depends gcc | sed -nE 's/^ *Depends: (gcc-[0-9]+)$/\1/p'
}

source_version() {
	archive_run "$1" apt-cache show "linux-source-$2" | sed -n 's/^Version: //p' |
		sort -V | tail -n 1
}

# Which options of the fragments the kernel's own rules have refused.  Where fragments
# differ, the last one holds.
source_check() {
	local config=$1 option value
	shift
	while IFS='=' read -r option value; do
		if [ "$value" = n ]; then
			! grep -q "^$option=" "$config" || say "not unset: $option"
		else
			grep -qxF "$option=$value" "$config" || say "did not stick: $option=$value"
		fi
	done < <(cat "$@" | tac | awk -F= '/^CONFIG_/ && !seen[$1]++')
}

# Modules are built against the tree for ever: it keeps what they need, and
# loses the gigabytes that they do not.
source_prune() {
	find "$1" -path "$1/scripts" -prune -o -path "$1/tools" -prune -o \
		\( -name '*.o' -o -name '*.a' -o -name '.*.cmd' -o -name '*.gcno' \) -print0 |
		xargs -0 rm -f
	find "$1"/{drivers,sound,fs,net,Documentation} -name '*.[cS]' -delete
	rm -f "$1"/vmlinux "$1"/.tmp_vmlinux* "$1"/arch/x86/boot/compressed/vmlinux*
}

source_unpack() {
	local archive=$1 series=$2 dir=$3
	archive_download "$archive" "$dir" "linux-source-$series"
	unpack "$dir" "$dir"/*.deb
	mkdir "$dir/tree"
	tar -x --strip-components=1 -C "$dir/tree" -f "$dir/usr/src/linux-source-$series.tar.xz"
	rm -rf "$dir"/*.deb "${dir:?}/usr"
}

# All that happens in the chroot, as one script of it; $1 is the version's suffix.
# shellcheck disable=SC2016 # for the inner shell
SOURCE_SCRIPT='
	cd /mnt/kernel
	make="make -s ARCH=x86_64 LOCALVERSION=-taskrt-$1 KBUILD_BUILD_TIMESTAMP=@0"
	$make tinyconfig
	scripts/kconfig/merge_config.sh -m .config taskrt.fragment
	$make olddefconfig
	nice $make -j"$(nproc)" bzImage modules
	$make kernelrelease | tail -n 1 >taskrt.release'

source_build() {
	local archive=$1 series=$2 variant=$3 name=$4 dir=$5 fragments
	mapfile -t fragments < <(source_fragments "$variant")
	say "building the kernel $name (10 to 20 minutes; log: $dir.log)"
	source_unpack "$archive" "$series" "$dir"
	cat "${fragments[@]}" >"$dir/tree/taskrt.fragment"
	chroot_run --bind "$dir/tree" /mnt/kernel \
		sh -euc "$SOURCE_SCRIPT" sh "$name" >"$dir.log" 2>&1 ||
		{ tail -n 20 "$dir.log" >&2; die "the kernel $name does not build"; }
	source_check "$dir/tree/.config" "${fragments[@]}"
	cp "$dir/tree/arch/x86/boot/bzImage" "$dir/vmlinuz"
	mv "$dir/tree/taskrt.release" "$dir/release"
	source_prune "$dir/tree"
}

# kernel_open_source NAME ARCHIVE SERIES VARIANT: sets the KERNEL_ variables.
kernel_open_source() {
	local name=$1 archive=$2 series=$3 variant=$4 compiler version key fragments
	archive_open "$archive"
	compiler=$(source_compiler "$archive")
	version=$(source_version "$archive" "$series")
	[ -n "$version" ] || die "no linux-source-$series in $archive"
	mapfile -t fragments < <(source_fragments "$variant")
	key=$( (echo "$version $compiler"; cat "${fragments[@]}") | sha256sum | cut -c1-12)
	chroot_open "$archive" "$compiler"
	KERNEL_DIR=$CACHE/kernel/$name-$key
	once "$KERNEL_DIR" source_build "$archive" "$series" "$variant" "$name"
	KERNEL_RELEASE=$(<"$KERNEL_DIR/release")
	KERNEL_IMAGE=$KERNEL_DIR/vmlinuz
	KERNEL_MODULES=
	KERNEL_BINDS=(--bind "$KERNEL_DIR/tree" /mnt/kernel)
	KERNEL_BUILD=/mnt/kernel
}
