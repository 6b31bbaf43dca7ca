# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What is tried, step by step, on one suite.  To be sourced by run.

# The version before this one, as far as packages are concerned.
OLD=0.0.9
SIGNER="An owner of this machine"
# shellcheck disable=SC2034 # read by run
PACKAGES="taskrt libtaskrt1 libtaskrt-dev taskrt-dkms"

# Into FOLDER the tree as it is, without what was built or fetched.
copy_tree() {
	mkdir -p "$1"
	(cd "$TOP" && tar -c --exclude=./build --exclude=./.git .) | tar -x -C "$1"
}

# The packages that debian/control wants for building, as mmdebstrap takes them.
build_depends() {
	sed -n '/^Build-Depends:/,/^[A-Z].*:/p' "$TOP/debian/control" |
		sed '1s/.*://; /^[A-Z].*:/d; s/<.*>//; s/(.*)//; s/dh-sequence-dkms/dh-dkms/' |
		sed 's/dh-sequence-installsysusers//; s/debhelper-compat/debhelper/' |
		tr -d ' \n' | sed 's/,,*/,/g; s/^,//; s/,$//'
}

# build_packages FOLDER OPTION...
build_packages() {
	inside sh -euc 'cd "/mnt/packages/$1"; shift; nice dpkg-buildpackage -us -uc "$@"' sh "$@"
}

same_packages() {
	local package
	for package in "$work"/share/*_"$version"_*.deb; do
		cmp "$package" "$work/share/again/${package##*/}"
	done
}

# The same packages under an older version: only what an upgrade is about.
old_packages() {
	copy_tree "$work/share/old/taskrt"
	sed -i "s/^PACKAGE_VERSION=.*/PACKAGE_VERSION=\"$OLD\"/" "$work/share/old/taskrt/dkms.conf"
	sed -i "1s/(.*)/($OLD)/" "$work/share/old/taskrt/debian/changelog"
	build_packages old/taskrt -A -Pnocheck
}

no_complaint_of_lintian() {
	inside sh -euc 'cd /mnt/packages; lintian --allow-root --fail-on error,warning -I taskrt_*.changes'
}

# As debian/tests/control does it, which autopkgtest runs.
examples_compile() {
	inside sh -euc 'apt-get install -y /mnt/packages/libtaskrt1_*.deb /mnt/packages/libtaskrt-dev_*.deb'
	inside sh -euc "AUTOPKGTEST_TMP=/tmp; $(sed -n 's/^Test-Command: //p' "$TOP/debian/tests/control")"
}

first_build() {
	copy_tree "$work/share/taskrt"
	root_open build "$archive" buildd "$(build_depends)"
	ok "dpkg-buildpackage, with nothing but the build dependencies" build_packages taskrt -b
	ok "the tests of the build have run" grep -q "passed, 0 failed" "$log"
}

build_steps() {
	first_build
	copy_tree "$work/share/again/taskrt"
	ok "built again" build_packages again/taskrt -b -Pnocheck
	ok "which gives the same packages, byte for byte" same_packages
	ok "an older version" old_packages
	ok "an example compiles with libtaskrt-dev" examples_compile
	rm -rf "$CHROOT"
	root_open lintian "$archive" apt lintian
	ok "lintian has no error and no warning" no_complaint_of_lintian
	# The guest sees only the packages of what was built here.
	rm -rf "$CHROOT" "$work"/share/taskrt/build
}

# What has been installed needs nothing else to run.
command_runs() {
	inside taskrt --version | grep "^taskrt $version (libtaskrt $version,"
	! inside taskrt get >"$work/answer" 2>&1 || return 1
	grep 'module is not loaded' "$work/answer"
}

brief_steps() {
	first_build
	ok "an example compiles with libtaskrt-dev" examples_compile
	rm -rf "$CHROOT"
	root_open bare "$archive" minbase base-files
	ok "the command and the library are installed" inside \
		sh -euc 'apt-get install -y /mnt/packages/libtaskrt1_*.deb /mnt/packages/taskrt_*.deb'
	ok "the command runs" command_runs
	rm -rf "$CHROOT"
}

# As INSTALL.md describes it: DKMS is configured with the key to sign with.
own_key() {
	inside openssl req -new -x509 -nodes -newkey rsa:2048 -days 3650 -subj "/CN=$SIGNER/" \
		-outform DER -keyout /root/module.key -out /root/module.der 2>>"$log"
	printf '%s\n' 'mok_signing_key="/root/module.key"' 'mok_certificate="/root/module.der"' \
		>>"$CHROOT/etc/dkms/framework.conf"
}

# The kernels that the system has.
releases() {
	ls "$CHROOT/lib/modules"
}

install_debs() {
	inside apt-get install -y --no-install-recommends "$@"
}

install_all() {
	local package file files=()
	for package in $PACKAGES; do
		for file in "$work/share/${package}_${version}"_*.deb; do
			files+=("/mnt/packages/${file##*/}")
		done
	done
	install_debs "${files[@]}"
}

# built VERSION RELEASE...: of this version there is a module for these kernels and no other.
built() {
	local release
	: >"$work/wanted"
	for release in "${@:2}"; do
		echo "taskrt/$1, $release, $(uname -m): installed" >>"$work/wanted"
	done
	inside dkms status | sort | tee "$work/status"
	sort "$work/wanted" | diff - "$work/status"
	for release in "${@:2}"; do
		ls "$CHROOT/lib/modules/$release/updates/dkms"/taskrt.ko*
		[ "$(of_module "$release" version)" = "$1" ]
		[ "$(of_module "$release" vermagic | cut -d' ' -f1)" = "$release" ]
	done
}

of_module() {
	inside modinfo -k "$1" -F "$2" taskrt
}

signed() {	# RELEASE NAME
	[ "$(of_module "$1" signer)" = "$2" ]
}

nothing_old() {
	! find "$CHROOT/usr/src" "$CHROOT/var/lib/dkms" | grep -F "$OLD"
}

# The rule may be wrong in a way that only udev sees.
udev_rule() {
	inside udevadm verify --resolve-names=late /usr/lib/udev/rules.d/60-taskrt.rules
}

install_steps() {
	root_open system "$archive" minbase \
		"linux-image-$HOST_ARCH,linux-headers-$HOST_ARCH,dkms,openssl,libcap2-bin,systemd"
	inside useradd -m user
	inside useradd -m other
	# This initramfs is never booted, and a full one takes minutes.
	echo MODULES=list >"$CHROOT/etc/initramfs-tools/conf.d/small"
	first=$(releases)
	root_strays >"$work/before"
	ok "an older taskrt-dkms is installed" install_debs "/mnt/packages/old/taskrt-dkms_${OLD}_all.deb"
	ok "DKMS has built it for $first" built "$OLD" "$first"
	ok "signed with a key that it has made" signed "$first" "DKMS module signing key"
	own_key
	ok "the four packages are installed, over the older one" install_all
	ok "DKMS has built it for $first" built "$version" "$first"
	ok "nothing is left of the older one" nothing_old
	ok "signed with the owner's own key, now that DKMS knows of it" signed "$first" "$SIGNER"
	ok "there is a group of operators" inside getent group taskrt
	if inside udevadm verify --help >/dev/null 2>&1; then
		ok "udev understands the rule" udev_rule
	else
		result ok "udev understands the rule # SKIP this udevadm cannot verify"
	fi
}

# refuses RELEASE: dkms does not build for it, and says why.
refuses() {
	local status=0
	inside dkms build "taskrt/$version" -k "$1" --kernelsourcedir "/lib/modules/$first/build" \
		>"$work/answer" 2>&1 || status=$?
	cat "$work/answer"
	[ "$status" = 77 ]
	grep -q 'BUILD_EXCLUSIVE directive' "$work/answer"
}

# What Kbuild reports by itself, if it is called without dkms.
kbuild_refuses() {
	rm -rf "$work/share/narrow"
	cp -R "$CHROOT/usr/src/taskrt-$version" "$work/share/narrow"
	sed -i 's/^TASKRT_KERNELS=.*/TASKRT_KERNELS="4.4 4.19"/' "$work/share/narrow/dkms.conf"
	! inside make -C "/lib/modules/$first/build" M=/mnt/packages/narrow >"$work/answer" 2>&1
	cat "$work/answer"
	[ "$(grep -c "taskrt $version is made for Linux 4.4 to 4.19" "$work/answer")" = 1 ]
	! grep -q ' CC ' "$work/answer"
}

# The newest kernel that can be had: mirrors list some that they no longer hold.
install_second() {
	local release image target=()
	[[ $archive != *,backports* ]] || target=(-t "$suite-backports")
	for release in $(deb_releases "$archive" "${KERNEL_ROW[3]}" "${KERNEL_ROW[4]}" | head -n 8); do
		for image in "linux-image-$release" "linux-image-$release-unsigned"; do
			if inside apt-get install -y "${target[@]}" "$image" "linux-headers-$release"; then
				return 0
			fi
		done
	done
	return 1
}

kernel_steps() {
	ok "a kernel that is too old is refused by dkms" refuses 4.19.0-27-amd64
	ok "one that is too new is refused by dkms" refuses 7.99.1+deb14-amd64
	ok "Kbuild refuses in one line, before it compiles" kbuild_refuses
	ok "a second kernel is installed" install_second
	second=$(releases | grep -vxF "$first" || :)
	[ -n "$second" ] || return 0
	ok "DKMS has built the module for $second too" built "$version" "$first" "$second"
	ok "signed with the owner's own key" signed "$second" "$SIGNER"
}

boot_steps() {
	local release
	for release in $first $second; do
		guest "$release boots with the packages" "$release" -- "$version"
	done
	guest "$first, which wants keys that it knows" "$first" --append module.sig_enforce=1 -- refused
}

# No file, and no entry in dpkg's database.
nothing_left() {
	local package
	for package in $PACKAGES; do
		! inside dpkg-query -W "$package" || return 1
	done
	root_strays >"$work/after"
	diff "$work/before" "$work/after"
}

purge_second() {
	# shellcheck disable=SC2046 # a list of names
	inside apt-get purge -y --autoremove $(inside dpkg-query -W -f '${Package}\n' | grep -F -- "-$second")
	[ ! -e "$CHROOT/lib/modules/$second" ]
}

purge_steps() {
	[ -z "$second" ] || ok "the second kernel is purged, and our module of it" purge_second
	ok "DKMS has it for $first only" built "$version" "$first"
	# shellcheck disable=SC2086 # a list of names
	ok "the four packages are purged" inside apt-get purge -y --autoremove $PACKAGES
	ok "nothing is left of them" nothing_left
}

# For users without packages: make dkms-install, make dkms-uninstall.
source_steps() {
	ok "make dkms-install" inside make -C /mnt/packages/taskrt dkms-install
	ok "DKMS has built it for $first" built "$version" "$first"
	ok "make dkms-install again, of a tree that may have changed" inside make -C /mnt/packages/taskrt dkms-install
	ok "make dkms-uninstall" inside make -C /mnt/packages/taskrt dkms-uninstall
	ok "leaves nothing" nothing_left
	rm -rf "$CHROOT"
}
