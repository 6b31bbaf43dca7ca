# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A machine with processors of several kinds, as phones have (big.LITTLE): the
# emulated ones are all alike, but the kernel believes what the device tree says
# of their capacities.  To be sourced after qemu.sh.

is_capacities() { [[ $1 =~ ^[1-9][0-9]*(,[1-9][0-9]*)*$ ]]; }

# dt_make FILE WORD...: the device tree that QEMU, started with these words,
# would give to the guest, with a capacity for each processor.
dt_make() {
	local file=$1 cpu=0 capacity
	shift
	"$@" -machine "dumpdtb=$file" >&2 || die "QEMU writes no device tree"
	for capacity in ${capacities//,/ }; do
		fdtput -t u "$file" "/cpus/cpu@$cpu" capacity-dmips-mhz "$capacity"
		cpu=$((cpu + 1))
	done
}
