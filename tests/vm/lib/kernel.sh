# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# From a name of the table to a kernel on the disk.  To be sourced after
# kernel-source.sh.
#
# kernel_open sets
#   KERNEL_RELEASE	what uname -r says in it
#   KERNEL_IMAGE	the file that boots
#   KERNEL_MODULES	its folder of modules; empty when all is built in
#   KERNEL_BUILD	where modules are built against it, within CHROOT
#   KERNEL_BINDS	what chroot_run needs to see it there
#   CHROOT		the tools that fit it

kernel_table() {
	grep -v '^#' "$VM_DIR/kernels"
}

# The kernel of the machine's own suite; on another distribution one of medium age.
kernel_default() {
	local codename
	codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	kernel_table | awk -v suite="${codename:-none}" -v arch="$HOST_ARCH" '
		$2 == "deb" && !own && $3 ~ "^" suite "(,|$)" && $5 == arch { own = $1 }
		END { print own ? own : arch == "arm64" ? "arm64-6.12" : "6.12" }'
}

# The releases of a series that the archive lists, newest first.  A number
# follows each dash until the flavour: 6.12.1-rt-amd64 is no 6.12 of amd64.
deb_releases() {
	local archive=$1 series=${2//./\\.} flavour=$3
	[ "$2" != newest ] || series='[0-9]+\.[0-9]+'
	archive_run "$archive" apt-cache pkgnames linux-headers- |
		sed -nE "s/^linux-headers-($series([.+~][^-]*)?(-[0-9][^-]*)*-$flavour)\$/\1/p" |
		sort -Vru
}

# A package and all the linux-* packages that it depends on.
deb_closure() {
	local archive=$1 found=" " todo next package
	shift
	todo="$*"
	while [ -n "$todo" ]; do
		next=
		for package in $todo; do
			case $found in *" $package "*) continue ;; esac
			found+="$package "
			next+=" $(archive_run "$archive" apt-cache depends --no-recommends --no-suggests "$package" |
				sed -nE 's/^ *(Pre)?Depends: <?(linux-(headers|kbuild|image|binary|modules|base)-[0-9][^ :>]*)(:[a-z0-9]+>?)?$/\2/p')"
		done
		todo=${next//[$' \n']/ }
		todo=${todo## }
		[ -n "${todo// /}" ] || todo=
	done
	echo "$found"
}

# The signed image; the unsigned one, when the other has gone from the mirror
# or is not made yet; since 7.x the image may be split over two packages.  What apt says
# of them goes to $errors.
deb_download_image() {
	local archive=$1 release=$2 dir=$3 packages
	for packages in "linux-image-$release" "linux-image-$release-unsigned" \
		"linux-binary-unsigned-$release linux-modules-$release"; do
		# shellcheck disable=SC2046,SC2086 # lists of names
		if archive_run "$archive" apt-cache show $packages >/dev/null 2>&1 &&
			archive_download "$archive" "$dir" $(deb_closure "$archive" $packages) 2>>"$errors"; then
			return 0
		fi
	done
	return 1
}

deb_unpack() {
	local archive=$1 release=$2 dir=$3 link
	say "fetching the kernel $release"
	mkdir -p "$dir/debs" "$dir/root/usr/lib"
	ln -s usr/lib "$dir/root/lib"
	deb_download_image "$archive" "$release" "$dir/debs" || die "no image of $release can be had"
	# shellcheck disable=SC2046 # a list of names
	archive_download "$archive" "$dir/debs" $(deb_closure "$archive" "linux-headers-$release")
	unpack "$dir/root" "$dir"/debs/*.deb
	rm -rf "$dir/debs" "$dir/root/usr/share"
	find "$dir/root" -type f -name 'vmlinuz*' -exec mv {} "$dir/vmlinuz" \;
	[ -s "$dir/vmlinuz" ] || die "$release: no vmlinuz in its packages"
	depmod -b "$dir/root" "$release"
}

# The compiler that this kernel was built with.
deb_compiler() {
	archive_run "$1" apt-cache depends "linux-headers-$2" |
		grep -oE 'gcc-[0-9]+' | head -n 1
}

# Prints the newest release that can be obtained, and fetches it.  Mirrors list
# kernels that they no longer have: then the one before is the newest, until the
# archive is looked at again.  What apt says of the others is shown if all fail.
deb_newest() {
	local archive=$1 series=$2 flavour=$3 release status
	local dir=$CACHE/apt/$1 known=$CACHE/apt/$1/newest-$2-$3 errors=$CACHE/apt/$1/errors
	if [ "$known" -nt "$dir/looked" ] && [ -d "$CACHE/kernel/$(<"$known")" ]; then
		cat "$known"
		return 0
	fi
	: >"$errors"
	for release in $(deb_releases "$archive" "$series" "$flavour" | head -n 8); do
		# Not within an if: bash would ignore failures on the way.
		set +e
		(set -e; once "$CACHE/kernel/$release" deb_unpack "$archive" "$release")
		status=$?
		set -e
		if [ "$status" = 0 ]; then
			echo "$release" | tee "$known.$$"
			mv "$known.$$" "$known"
			return 0
		fi
		say "$release cannot be had, trying the one before"
	done
	cat "$errors" >&2
	die "no kernel $series $flavour in $archive"
}

kernel_open_deb() {
	local archive=$2$ARCH_CROSS compiler kbuild
	archive_open "$archive"
	KERNEL_RELEASE=$(deb_newest "$archive" "$3" "$4")
	KERNEL_DIR=$CACHE/kernel/$KERNEL_RELEASE
	KERNEL_IMAGE=$KERNEL_DIR/vmlinuz
	KERNEL_MODULES=$KERNEL_DIR/root/lib/modules/$KERNEL_RELEASE
	KERNEL_BUILD=/usr/src/linux-headers-$KERNEL_RELEASE
	KERNEL_BINDS=(--bind "$KERNEL_DIR/root/usr/src" /usr/src)
	for kbuild in "$KERNEL_DIR"/root/usr/lib/linux-kbuild-*; do
		KERNEL_BINDS+=(--bind "$kbuild" "/usr/lib/${kbuild##*/}")
	done
	compiler=$(deb_compiler "$archive" "$KERNEL_RELEASE")
	chroot_open "$archive" "${compiler:-gcc}"
}

# kernel_find NAME: sets KERNEL_ROW, its line of the table, and the
# architecture; fails when there is none.
kernel_find() {
	local name=$1
	[ "$name" != debug ] || name=debug-6.1
	read -ra KERNEL_ROW < <(kernel_table | awk -v name="$name" '$1 == name') || :
	[ "${#KERNEL_ROW[@]}" = 5 ] || return 1
	case ${KERNEL_ROW[4]} in
	*arm64*) arch_open arm64 ;;
	*) arch_open amd64 ;;
	esac
}

# kernel_open: the kernel that was found.
kernel_open() {
	"kernel_open_${KERNEL_ROW[1]}" "${KERNEL_ROW[0]}" "${KERNEL_ROW[@]:2}"
}
