# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# From what a boot has left behind to the exit status.  To be sourced after
# qemu.sh.

last_lines() {
	say "the console's last lines ($out/console.log):"
	tr -d '\r' <"$out/console.log" 2>/dev/null | tail -n "$1" | sed 's/^/    /' >&2
}

panic_cause='BUG:|Oops|WARNING:|general protection|Kernel panic|Unable to handle'

# Says that the kernel has died, and of what, on one line: its first words, where it was,
# the code there, and then the registers and who called; warnings before that, too.  Where
# only the end of the output is kept, a line with the failure is all that is left.
say_panic() {
	local cause
	cause=$(tr -d '\r' <"$out/console.log" | sed 's/^\[[^]]*\] *//' | awk -v cause="$panic_cause" '
		/RIP: 0033/ { user = 1; next }
		$0 ~ cause && !/WARNING:/ { died = 1 }
		($0 ~ cause || /^RIP: |^Code: |^pc : /) && ++n <= 8 { print }
		!died { next }
		/^(RAX|RDX|RBP|R10|R13): |^x[0-9]+ *: / && !user && ++registers <= 12 { print }
		/Call Trace:|Call trace:/ && !calls { calls = NR }
		calls && NR > calls && NR <= calls + 6 && /\+0x/ { print }' | paste -sd '|' | sed 's/|/, /g')
	say "$1: $cause"
}

# Prints the console from where the kernel first says that it dies.
panic_lines() {
	say "how it began (all of it: $out/console.log):"
	tr -d '\r' <"$out/console.log" | awk -v cause="$panic_cause" '
		$0 ~ cause { found = 1 }
		found && ++n <= 60' | sed 's/^/    /' >&2
}

# The kernel's complaints that are not known as harmless; early: those from before the first
# program, which are none of the module's.
complaints() {
	tr -d '\r' <"$out/kernel.log" |
		awk -v early="${1:-}" 'early && /Run .init as init process/ { exit } { print }' |
		awk -f "$VM_DIR/../lib/refusals.awk" |
		awk -f "$VM_DIR/../lib/races.awk" |
		grep -aE -f "$VM_DIR/complaints" |
		grep -avE -f <(grep -v '^#' "$VM_DIR/harmless" | grep . || echo '^$') | head -n 40
}

# The first complaint in full, as far as one can guess.
complaint_context() {
	local first
	first=$(complaints | head -n 1 || :)
	[ -n "$first" ] || return 0
	say "the first one:"
	tr -d '\r' <"$out/kernel.log" | grep -aF -A 40 -- "$first" | head -n 41 | sed 's/^/    /' >&2
}

# The kernel died of a breakpoint that was no longer in its memory: of code that the
# emulator had translated while the kernel was patching it, and kept (QEMU on several
# threads).  No processor does so.  What the kernel shows of its code is what the memory
# holds; the marked byte follows the one that was executed.
stale_breakpoint() {
	tr -d '\r' <"$1" | awk '
		/int3: 0000 \[#1\]/ { died = 1 }
		died && /Code: / {
			for (i = 2; i <= NF && $i !~ /^</; i++)
				;
			stale = i <= NF && $(i - 1) != "cc"
			exit
		}
		END { exit !stale }'
}

verdict_no_status() {
	local refused
	refused=$(guest_word refused)
	if [ -n "$refused" ]; then
		say "the module does not load: $refused"
		last_lines 15
	elif grep -aq 'Kernel panic' "$out/console.log" 2>/dev/null; then
		say_panic "the guest's kernel panicked"
		panic_lines
		if stale_breakpoint "$out/console.log"; then
			say "of a breakpoint that is not in memory: the emulator executed old code"
			exit 123
		fi
	elif [ "$outcome" = silent ]; then
		say "silent guest: it did not come up in $BOOT_LIMIT s$(seen)"
		last_lines 25
	elif [ "$outcome" = hung ]; then
		say "the guest's kernel hung while booting, $BOOTS times$(seen)"
		last_lines 25
	elif [ "$outcome" = old-code ]; then
		say "a processor was stuck until its code was translated anew: the emulator executed old code$(seen)"
		exit 123
	elif [ "$outcome" = locked ]; then
		say "the guest's kernel has locked up$(seen)"
		last_lines 25
	elif [ "$outcome" = timeout ]; then
		say "time-out: the command was still running after $timeout s$(seen)"
		last_lines 10
		exit 124
	else
		cat "$out/qemu.log" >&2
		last_lines 25
		if [ "$qemu_status" -ge 128 ]; then
			say "the emulator died by itself, with status $qemu_status"
			exit 123
		fi
		say "the guest went away without a status"
	fi
	exit 125
}

verdict() {
	local status found stuck
	status=$(guest_word exit)
	[ -n "$status" ] || verdict_no_status
	if grep -aq 'Kernel panic' "$out/console.log"; then
		say_panic "the command ended with $status, then the guest's kernel panicked"
		panic_lines
		exit 125
	fi
	if ! guest_said "done"; then
		say "the command ended with $status, then the guest hung$(seen)"
		last_lines 40
		exit 125
	fi
	found=$(complaints || :)
	stuck=$(guest_word stuck)
	[ -z "$stuck" ] || found+=${found:+$'\n'}"the module cannot be removed: $stuck"
	if [ -n "$found" ]; then
		say "the kernel complained (all of it: $out/kernel.log):"
		printf '%s\n' "$found" | sed 's/^/    /' >&2
		complaint_context
		if [ -n "$(complaints early)" ]; then
			say "it did so before there was any program: of itself, or of the emulator"
			exit 123
		fi
		[ "$status" != 0 ] || exit 126
	fi
	exit "$status"
}
