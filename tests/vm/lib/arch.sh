# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The guest's architecture, which need not be the machine's.  To be sourced
# after common.sh.

# The name that compilers and library folders use for an architecture of Debian's.
arch_gnu() {
	case $1 in
	amd64) echo x86_64-linux-gnu ;;
	arm64) echo aarch64-linux-gnu ;;
	*) die "no architecture $1" ;;
	esac
}

# arch_open NAME: sets
#   ARCH	Debian's name for it
#   ARCH_GNU	the compilers' name for it
#   ARCH_CROSS	not empty when it is not the machine's own; then how an archive
#		is called that has packages of both (see apt.sh)
#   ARCH_MAKE	what a kernel's make wants to know of it
#   BUILD	where our programs for it lie
arch_open() {
	ARCH=$1 ARCH_GNU=$(arch_gnu "$1") ARCH_CROSS='' ARCH_MAKE=() BUILD=$TOP/build
	[ "$ARCH" != "$HOST_ARCH" ] || return 0
	ARCH_CROSS=+$ARCH
	ARCH_MAKE=("ARCH=${ARCH/amd64/x86_64}" "CROSS_COMPILE=$ARCH_GNU-")
	BUILD=$TOP/build/$ARCH
}
