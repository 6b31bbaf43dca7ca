# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Our module and the test-only one, for the kernel that is open.  Built from a
# private copy, because Kbuild writes beside the sources, and kept under a hash
# of the sources, this file and the kernel.  To be sourced after kernel.sh.
#
# The debugging information goes, as with dkms: with it a module takes 10 MB, which
# each boot has to unpack and each insmod has to read.
#
# With --make, which sets module_make, the build also keeps its sources and what the
# compiler has noted of them (.gcno), in the folder "source".

MODULE_SOURCES=(Kbuild dkms.conf module uapi tests/kmod)

# All that happens in the chroot, as one script of it.
# shellcheck disable=SC2016 # for the inner shell
MODULE_SCRIPT='
	strip=$1 folders=$2
	shift 2
	for folder in $folders; do
		make -s "$@" "M=/mnt/build/$folder" modules
	done
	find /mnt/build -name "*.ko" -exec "$strip" --strip-debug {} +'

module_build() {
	local dir=$1 folders=(.)
	mkdir "$dir/source"
	# shellcheck disable=SC2046 # a list of names
	(cd "$TOP" && tar -c --exclude='*.o' --exclude='*.ko' --exclude='.*.cmd' \
		$(ls -d "${MODULE_SOURCES[@]}" 2>/dev/null)) | tar -x -C "$dir/source"
	[ ! -e "$dir/source/tests/kmod/Kbuild" ] || folders+=(tests/kmod)
	chroot_run "${KERNEL_BINDS[@]}" --bind "$dir/source" /mnt/build \
		sh -euc "$MODULE_SCRIPT" sh "${ARCH_CROSS:+$ARCH_GNU-}strip" "${folders[*]}" \
		-j"$(nproc)" "${ARCH_MAKE[@]}" -C "$KERNEL_BUILD" "${module_make[@]}" >"$dir/log" 2>&1 ||
		{ cat "$dir/log" >&2; die "the module does not build for $KERNEL_RELEASE"; }
	grep -E 'warning:|WARNING:' "$dir/log" >&2 || :
	find "$dir/source" -name '*.ko' -exec cp {} "$dir" \;
	if [ ${#module_make[@]} = 0 ]; then
		rm -rf "$dir/source"
	else
		find "$dir/source" -type f ! -name '*.[ch]' ! -name '*.gcno' -delete
	fi
}

# module_open: sets MODULE_DIR, a folder with the .ko files.
module_open() {
	[ -e "$TOP/Kbuild" ] || die "no module to build: $TOP has no Kbuild (--no-module does without)"
	local hash
	hash=$(cd "$TOP" && hash_of "${MODULE_SOURCES[@]}" tests/vm/lib/module.sh)
	[ ${#module_make[@]} = 0 ] || hash+=,$(IFS=, && echo "${module_make[*]}")
	MODULE_DIR=$CACHE/module/$KERNEL_RELEASE/$hash
	[ -n "$KERNEL_MODULES" ] || MODULE_DIR=$CACHE/module/${KERNEL_DIR##*/}/$hash
	once "$MODULE_DIR" module_build
	module_forget "${MODULE_DIR%/*}"
}

# All but the last builds for this kernel; one that is being used is among them.
module_forget() {
	find "$1" -mindepth 1 -maxdepth 1 -type d -printf '%T@ %p\n' | sort -rn |
		tail -n +17 | cut -d' ' -f2- | tr '\n' '\0' | xargs -0r rm -rf
}
