# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# One boot: starts the emulator, follows what the guest says of itself, ends
# the emulator when its time is over.  To be sourced after emulator.sh.
#
# In the folder OUT there are then: console.log, words (what the guest said of
# itself), output, kernel.log, qemu.log.

# Emulation is slow to boot, a debug kernel slower, a busy host slower still: this is
# for a dead guest.
BOOT_LIMIT=600
# A kernel that comes up prints a line now and then, however slowly.  Now and then, with two
# processors, one of Debian's sleeps for ever before it runs our first program.  Less than
# the time after which it says so, since that is a line, too.
HUNG_LIMIT=120
# So often does it boot, if it is not our fault that it does not come up.
BOOTS=3
# Most tests write a line more often.  If not, somebody looks for a processor that is stuck.
QUIET_LIMIT=${TASKRT_VM_QUIET:-60}
# One that the host does not run looks the same, and so does one that is slow with interrupts
# off.  So it has to be stuck in so many looks in a row, a minute, until it is tried to set it
# free; and for four minutes until it counts as locked up.
STUCK_LOOKS=4
LOCKED_LOOKS=15

# The host may not run the guest for a while, which is not a fault of the guest's
# kernel.  So that kernel waits longer than usual before it reports a task as stuck, but
# it still does.  Seconds; the soft lockup's is twice the watchdog's.
PATIENT="rcupdate.rcu_cpu_stall_timeout=300 watchdog_thresh=60 workqueue.watchdog_thresh=300
sysctl.kernel.hung_task_timeout_secs=600"
PATIENT=${PATIENT//$'\n'/ }

blank_disk() {
	truncate -s 256M "$1/disk"
	mke2fs -q -t ext4 -F "$1/disk"
}

# qemu_machine ACCEL: the machine and its processors for each architecture.
# Emulated, QEMU's own pointer signatures cost less than the architecture's.
qemu_machine() {
	local model=$cpu
	case $ARCH in
	amd64)
		MACHINE=(-machine q35) CONSOLE=ttyS0
		# As it boots, the kernel waits for some interrupts of its timer.  If none come
		# in the time of a few, it panics ("IO-APIC + timer doesn't work!").
		PATIENT+=" no_timer_check"
		# The emulated TSC is right.  On a busy host the kernel may come to distrust it
		# nevertheless.  It then rewrites the code of its scheduler's clock, and if a
		# thread in real time interrupts that, no time passes for the scheduler any more.
		[[ $1 = kvm* || $icount = yes ]] || PATIENT+=" tsc=reliable"
		# A test steals time itself.
		[[ $1 != kvm* ]] || model+=,kvm-steal-time=off
		;;
	arm64)
		MACHINE=(-machine virt) CONSOLE=ttyAMA0
		[[ $1 != tcg* ]] || model+=,pauth-impdef=on
		;;
	esac
	MACHINE+=(-cpu "$model")
}

# qemu_words KERNEL INITRD OUT: sets QEMU, the command line.
qemu_words() {
	local accel=${TASKRT_VM_ACCEL:-tcg,thread=multi} clock=()
	if [ "$icount" = yes ]; then
		accel=tcg,thread=single
		clock=(-icount "shift=0,align=off,sleep=off")
	fi
	qemu_machine "$accel"
	# The machine ends with a run that is killed.
	# shellcheck disable=SC2054 # qemu's commas
	QEMU=(setpriv --pdeathsig KILL "${EMULATOR[@]}" "${MACHINE[@]}" -accel "$accel" "${clock[@]}"
		-smp "$cpus" -m "$memory" -nodefaults -no-user-config
		-display none -no-reboot -kernel "$1" -initrd "$2"
		-append "console=$CONSOLE panic=-1 oops=panic loglevel=7 log_buf_len=4M rdinit=/init $PATIENT $append"
		-chardev "file,id=console,path=$3/console.log" -serial chardev:console
		-device virtio-serial-pci,max_ports=4
		-chardev "file,id=output,path=$3/output.fifo"
		-device virtserialport,nr=1,chardev=output,name=taskrt.output
		-chardev "file,id=log,path=$3/kernel.log"
		-device virtserialport,nr=2,chardev=log,name=taskrt.log
		-chardev "file,id=words,path=$3/words"
		-device virtserialport,nr=3,chardev=words,name=taskrt.words
		-drive "file=$CACHE/disk/disk,format=raw,if=virtio,snapshot=on")
	[ -z "${ROOT_DISK:-}" ] ||
		QEMU+=(-drive "file=$ROOT_DISK,format=raw,if=virtio,snapshot=on")
	# The path of a socket has a limit.
	[ ${#work} -gt 90 ] || QEMU+=(-mon "chardev=monitor,mode=control"
		-chardev "socket,id=monitor,path=$work/monitor,server=on,wait=off")
	[ -z "$plugin" ] || QEMU+=(-plugin "$plugin")
	if [ -n "$capacities" ]; then
		dt_make "$work/dtb" "${EMULATOR[@]}" "${MACHINE[@]}" -smp "$cpus" -m "$memory" \
			-nodefaults -no-user-config -display none
		QEMU+=(-dtb "$work/dtb")
	fi
}

# The guest's word of this kind, if it has said it.
guest_word() {
	tr -d '\r' <"$out/words" | sed -n "s/^vm: $1 *//p" | tail -n 1
}

guest_said() {
	grep -q "^vm: $1" "$out/words" 2>/dev/null
}

# Waits for the guest's word or the emulator's end; fails when SECONDS are over.
qemu_await() {
	local word=$1 limit=$2 start=$SECONDS
	while ! guest_said "$word" && kill -0 "$qemu" 2>/dev/null; do
		[ $((SECONDS - start)) -lt "$limit" ] || return 1
		sleep 0.1
	done
}

qemu_end() {
	qemu_status=0
	kill "$qemu" 2>/dev/null || :
	wait "$qemu" 2>/dev/null || qemu_status=$?
	wait "$reader" 2>/dev/null || :
	qemu=
}

# Did the emulator die, of itself, before the guest had anything to do with the command?
qemu_crashed() {
	! guest_said running && [ "$qemu_status" -ge 128 ]
}

# Does the kernel hang before it runs our first program, so that nothing of ours is to blame?
qemu_hung() {
	! grep -aq 'Run /init' "$out/console.log" &&
		[ $(($(date +%s) - $(stat -c %Y "$out/console.log"))) -ge $HUNG_LIMIT ]
}

# Has the guest written nothing for QUIET_LIMIT?
qemu_quiet() {
	local latest
	latest=$(stat -c %Y "$out"/{console.log,output,kernel.log,words} | sort -n | tail -n 1)
	[ $(($(date +%s) - latest)) -ge "$QUIET_LIMIT" ]
}

# Fails, and sets outcome to old-code or locked, if a processor is stuck.
qemu_look() {
	local status=0 free=()
	[ "$stuck_looks" -lt $STUCK_LOOKS ] || free=(--free)
	seen_at=$("$VM_DIR/lib/look" "${free[@]}" "$work/monitor" 2>/dev/null) || status=$?
	case $status in
	0) outcome=old-code && return 1 ;;
	2) stuck_looks=$((stuck_looks + 1)) ;;
	*) stuck_looks=0 ;;
	esac
	[ "$stuck_looks" -ge $LOCKED_LOOKS ] || return 0
	outcome=locked
	return 1
}

# Where its processors were, for the end of a line.
seen() {
	echo "${seen_at:+ (${seen_at//$'\n'/, })}"
}

# Waits until the guest is up, or the emulator's end; fails if it does not come up.
qemu_await_up() {
	local start=$SECONDS
	stuck_looks=0
	until qemu_await running 5; do
		if qemu_hung; then
			outcome=hung
			return 1
		fi
		[ $((SECONDS - start)) -lt $BOOT_LIMIT ] || return 1
		! qemu_quiet || qemu_look || return 1
	done
}

# Waits for the command's end, or the emulator's; fails when the time for it is over, or
# nobody will ever come to it.
qemu_await_exit() {
	local start=$SECONDS left
	stuck_looks=0
	until
		left=$((start + timeout - SECONDS))
		qemu_await exit $((left < 10 ? left : 10))
	do
		if [ $((SECONDS - start)) -ge "$timeout" ]; then
			outcome=timeout
			return 1
		fi
		! qemu_quiet || qemu_look || return 1
	done
}

# Is what happened before the guest had anything to do with the command no fault of ours?
# Sets why.
qemu_not_ours() {
	why=''
	if [ "$outcome" = ended ] && qemu_crashed; then
		why="the emulator died by itself while booting, saying: $(tail -n 1 "$out/qemu.log")"
	elif [ "$outcome" = hung ]; then
		why="the guest's kernel said nothing for $HUNG_LIMIT s while booting"
	elif [ "$outcome" = old-code ] && ! guest_said running; then
		why="the emulator executed old code while booting"
	fi
	[ -n "$why" ]
}

# qemu_boot: sets outcome to ended, timeout, silent, hung, old-code, locked or stuck, and
# seen_at to where the processors of a guest were that has not ended.
qemu_boot() {
	local boots=1 why
	qemu_boot_once
	while qemu_not_ours && [ $boots -lt $BOOTS ]; do
		say "$why$(seen); once more. Its last words:"
		tr -d '\r' <"$out/console.log" | tail -n 3 >&2
		boots=$((boots + 1))
		qemu_boot_once
	done
}

qemu_boot_once() {
	outcome=ended seen_at=''
	rm -f "$out"/{console.log,words,output,output.fifo,kernel.log,qemu.log}
	: >"$out/words"
	mkfifo "$out/output.fifo"
	once "$CACHE/disk" blank_disk
	qemu_words "$KERNEL_IMAGE" "$work/initrd" "$out"
	tee "$out/output" <"$out/output.fifo" &
	reader=$!
	"${QEMU[@]}" </dev/null >"$out/qemu.log" 2>&1 &
	qemu=$!
	if ! qemu_await_up; then
		[ "$outcome" = hung ] || outcome=silent
	elif ! qemu_await_exit; then
		: # it has said why
	elif ! qemu_await "done" "$BOOT_LIMIT"; then
		outcome=stuck
	fi
	case $outcome in
	timeout | silent | hung | stuck) qemu_look || : ;;
	esac
	if [ "$outcome" = ended ]; then
		# It is about to power off by itself.
		local start=$SECONDS
		while kill -0 "$qemu" 2>/dev/null && [ $((SECONDS - start)) -lt 20 ]; do
			sleep 0.05
		done
	fi
	qemu_end
	rm -f "$out/output.fifo"
}
