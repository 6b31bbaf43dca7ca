# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
#
# To be sourced first: a script that is asked for --help prints the comment at its top.
case ${1:-} in
--help | -h)
	awk 'NR <= 2 || /^# shellcheck/ { next } !/^#/ { exit } { sub(/^# ?/, "") } /./ || n { n++; print }' "$0"
	exit 0
	;;
esac
