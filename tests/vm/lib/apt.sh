# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Reading a Debian suite that is not the machine's own: a private apt below the
# cache, with its own lists and its own (empty) idea of what is installed, that
# takes mirror and proxy from the machine's configuration.  To be sourced after
# common.sh.
#
# An archive is written as in the table of kernels: the suite and its pockets,
# such as trixie,security,backports.  With +arm64 behind, it has that
# architecture's packages too; a name that both have is the machine's own.

APT_KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
APT_MAX_AGE_MINUTES=$((24 * 60))

archive_suite() {
	local suite=${1%%+*}
	echo "${suite%%,*}"
}

# The architectures of an archive, the machine's own first, separated by $2.
archive_architectures() {
	local foreign=${1#"${1%%+*}"}
	echo "$HOST_ARCH${foreign//+/$2}"
}

apt_targets() {
	# shellcheck disable=SC2016 # apt's own variables
	apt-get indextargets "$@" --format '$(LABEL)|$(REPO_URI)' 'Created-By: Packages'
}

# All sources of the machine, each with its label.  A machine that has never
# looked at its mirrors, or has thrown the lists away, knows no labels: then we
# look, with the machine's configuration, into a folder of our own.
apt_machine() {
	local dir=$CACHE/apt/machine
	apt_targets | grep . && return
	mkdir -p "$dir"/{lists,archives}/partial
	local options=(-o "Dir::State::lists=$dir/lists" -o "Dir::Cache=$dir" -o APT::Sandbox::User=root)
	apt-get "${options[@]}" update -qq >&2 </dev/null || :
	apt_targets "${options[@]}"
}

# The machine's own mirror of what carries the label $1 (Debian or Debian-Security).
apt_mirror() {
	apt_machine | sed -n "s/^$1|//p" | sed 's:/*$::' | sort -u | head -n 1
}

# apt_mirrors: prints the mirror of Debian, and that of its security updates: those that
# $TASKRT_DEBIAN_MIRROR names, or the machine's own.
apt_mirrors() {
	local main security
	read -r main security <<<"${TASKRT_DEBIAN_MIRROR:-}"
	if [ -z "$main" ]; then
		main=$(apt_mirror Debian)
		security=$(apt_mirror Debian-Security)
	fi
	[ -n "$main" ] || die "no Debian mirror in this machine's apt configuration; name one:" \
		"TASKRT_DEBIAN_MIRROR=http://HOST/debian (tests/vm/README.md)"
	main=${main%/}
	echo "$main ${security:-$main-security}"
}

apt_sources() {
	local archive=$1 mirrors main security pocket suite how pockets=${1%%+*}
	suite=$(archive_suite "$archive")
	how="[arch=$(archive_architectures "$archive" ,) signed-by=$APT_KEYRING]"
	mirrors=$(apt_mirrors)
	read -r main security <<<"$mirrors"
	for pocket in ${pockets//,/ }; do
		case $pocket in
		"$suite") echo "deb $how $main $suite main" ;;
		security) echo "deb $how $security $suite-security main" ;;
		*) echo "deb $how $main $suite-$pocket main" ;;
		esac
	done
}

apt_config() {
	local archive=$1 dir=$2
	apt-config dump | grep -E '^Acquire::(http|https|ftp|Check-|Retries|ForceIP)' || :
	cat <<-EOF
	Dir "$dir";
	Dir::State::status "$dir/status";
	Dir::Etc::Trusted "$APT_KEYRING";
	APT::Architecture "$HOST_ARCH";
	APT::Architectures { "$(archive_architectures "$archive" '"; "')"; };
	APT::Sandbox::User "root";
	APT::Install-Recommends "false";
	Acquire::Languages "none";
	Acquire::Retries "3";
	Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
	EOF
}

# archive_run ARCHIVE apt-get|apt-cache ARGUMENT...
archive_run() {
	local archive=$1
	shift
	APT_CONFIG="$CACHE/apt/$archive/apt.conf" "$@"
}

# apt_configure ARCHIVE FOLDER PLACE: writes to FOLDER what will be read in
# PLACE.
apt_configure() {
	local archive=$1 dir=$2 final=$3
	apt_sources "$archive" >"$dir/sources.new"
	apt_config "$archive" "$final" >"$dir/apt.conf.new"
	mv "$dir/sources.new" "$dir/etc/apt/sources.list"
	mv "$dir/apt.conf.new" "$dir/apt.conf"
}

apt_prepare() {
	local archive=$1 dir=$2 final=$CACHE/apt/$1
	mkdir -p "$dir"/etc/apt/{apt.conf.d,preferences.d,sources.list.d,trusted.gpg.d} \
		"$dir"/var/lib/apt/lists/partial "$dir"/var/cache/apt/archives/partial \
		"$dir"/var/log/apt
	: >"$dir/status"
	apt_configure "$archive" "$dir" "$final"
	# Not yet looked at: older than any age.
	touch -d @0 "$dir/looked"
}

archive_is_fresh() {
	[ -z "${REFRESH:-}" ] && [ -n "$(find "$1/looked" -mmin -$APT_MAX_AGE_MINUTES)" ]
}

# A mirror that cannot be reached is no failure as long as there are lists from
# before.
archive_look() {
	local archive=$1 dir=$2
	# The machine's mirror or proxy may have changed since.
	apt_configure "$archive" "$dir" "$dir"
	if archive_run "$archive" apt-get update -qq -o APT::Update::Error-Mode=any >&2 </dev/null; then
		touch "$dir/looked"
	elif [ -n "$(find "$dir/looked" -newermt @1)" ]; then
		say "cannot reach the mirror of $archive: going on with what is known"
	else
		die "cannot read the package lists of $archive"
	fi
}

# Makes ARCHIVE readable, and looks at the mirror again when the last look is
# older than a day or when asked to.
archive_open() {
	local archive=$1 dir=$CACHE/apt/$1 lock
	once "$dir" apt_prepare "$archive"
	! archive_is_fresh "$dir" || return 0
	exec {lock}>"$CACHE/lock/apt_$archive.update"
	flock "$lock"
	# Somebody else may have looked while we waited.
	if ! archive_is_fresh "$dir"; then
		archive_look "$archive" "$dir"
	fi
	exec {lock}>&-
}

# archive_download ARCHIVE FOLDER PACKAGE...: just these packages.
archive_download() {
	local archive=$1 folder=$2
	shift 2
	(cd "$folder" && archive_run "$archive" apt-get download -qq "$@" >&2 </dev/null)
}
