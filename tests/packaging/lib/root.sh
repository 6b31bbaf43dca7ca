# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Debian systems in folders: made once and kept in the cache as archives,
# unpacked for a test, entered by chroot_run.  To be sourced after the test
# bed's chroot.sh.

# root_make FOLDER ARCHIVE VARIANT PACKAGES: separated by commas
root_make() {
	local archive=$1 variant=$2 packages=$3 dir=$4
	say "installing a system of $(archive_suite "$archive"): $packages"
	mmdebstrap --quiet "--variant=$variant" --include="$packages" --format=tar \
		--aptopt='APT::Install-Recommends "false"' "$(archive_suite "$archive")" \
		"$dir/root.tar" "$CACHE/apt/$archive/etc/apt/sources.list" >&2 </dev/null
}

# root_open NAME ARCHIVE VARIANT PACKAGES: a fresh one in $work/NAME; sets CHROOT.
root_open() {
	local name=$1 archive=$2 key
	key=$(echo "$archive $3 $4" | sha256sum | cut -c1-12)
	archive_open "$archive"
	once "$CACHE/system/$key" root_make "$archive" "$3" "$4"
	CHROOT=$work/$name
	rm -rf "$CHROOT"
	mkdir "$CHROOT"
	tar -x -C "$CHROOT" -f "$CACHE/system/$key/root.tar"
	cp "$CACHE/apt/$archive/etc/apt/sources.list" "$CHROOT/etc/apt/sources.list"
	rm -f "$CHROOT"/etc/apt/sources.list.d/*
	apt-config dump | grep -E '^Acquire::(http|https|ftp|Check-|Retries|ForceIP)' \
		>"$CHROOT/etc/apt/apt.conf.d/90machine" || :
	printf '%s\n' 'APT::Sandbox::User "root";' 'APT::Install-Recommends "false";' \
		>>"$CHROOT/etc/apt/apt.conf.d/90machine"
	cp /etc/resolv.conf "$CHROOT/etc/resolv.conf" 2>/dev/null || :
	APT_BINDS=(--bind "$CACHE/apt/$archive/var/lib/apt/lists" /var/lib/apt/lists
		--bind "$CACHE/system/debs" /var/cache/apt/archives)
	mkdir -p "$CACHE/system/debs/partial"
}

# inside COMMAND...: in CHROOT, with the lists of the private apt, and with a
# place for packages that outlives the test.  What is in $work is in /mnt/packages.
inside() {
	chroot_run "${APT_BINDS[@]}" --bind "$work/share" /mnt/packages \
		env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root "$@"
}

# All that is in CHROOT and belongs to no package, except for what changes with
# every call of apt, and for the key that DKMS makes for all modules.
root_strays() {
	(cd "$CHROOT" && find . -xdev \( -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt \
		-o -path ./var/lib/dpkg -o -path ./tmp -o -path ./run -o -path ./mnt -o -path ./root \) \
		-prune -o -print) | sed 's:^\.::' | sort |
		comm -23 - <(cat "$CHROOT"/var/lib/dpkg/info/*.list | sed -E 's:^/(bin|sbin|lib|lib64)/:/usr&:' | sort -u) |
		grep -vE '^/(etc/(passwd|group|shadow|gshadow)-|var/lib/dkms/mok\.(key|pub))$'
}
