# SPDX-License-Identifier: GPL-2.0-only
#
# Read by the tests of the taskrt command: how it is called, and how its output
# is checked.  They set $here, a folder beside tests/lib, and $tmp, another.

. "$here/../lib/tap.sh"

ok() {	# ok NAME COMMAND...: does COMMAND succeed?
	name=$1
	shift
	if "$@"; then
		tap 0 "$name"
	else
		tap 1 "$name" "$tmp/out" "$tmp/err"
	fi
}

skip() {	# NAME WHY
	tap_skip "$@"
}

# await COMMAND...: repeats it until it succeeds; fails after 600 attempts, which take
# at least a minute.
await() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || return 1
		sleep 0.1
	done
}

# Runs the command; leaves $status, $tmp/out and $tmp/err.
capture() {
	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}

# expect NAME STATUS OUT-PATTERN ERR-PATTERN COMMAND...: an empty pattern means silence.
matches() {
	if [ -n "$2" ]; then grep -qE -e "$2" "$1"; else [ ! -s "$1" ]; fi
}

fits() { [ "$status" = "$1" ] && matches "$tmp/out" "$2" && matches "$tmp/err" "$3"; }

expect() {
	what=$1 want=$2 out=$3 err=$4
	shift 4
	capture "$@"
	ok "$what" fits "$want" "$out" "$err"
}

# Is the file one JSON document?  Values are folded into one letter until one is left.
is_json() {
	tr -d '\n' <"$1" | awk '{
		gsub(/"([^"\\]|\\.)*"/, "s")
		gsub(/-?[0-9]+(\.[0-9]+)?/, "v")
		gsub(/true|false|null/, "v")
		gsub(/[ \t]/, "")
		do {
			before = $0
			gsub(/\[\]|\[[vs](,[vs])*\]/, "v")
			gsub(/\{\}|\{s:[vs](,s:[vs])*\}/, "v")
		} while ($0 != before)
		exit $0 != "v"
	}'
}

# Is each line a JSON document?
is_json_lines() {
	awk '{
		gsub(/"([^"\\]|\\.)*"/, "s")
		gsub(/-?[0-9]+(\.[0-9]+)?/, "v")
		gsub(/true|false|null/, "v")
		do {
			before = $0
			gsub(/\[\]|\[[vs](,[vs])*\]/, "v")
			gsub(/\{\}|\{s:[vs](,s:[vs])*\}/, "v")
		} while ($0 != before)
		if ($0 != "v") exit bad = 1
	}
	END { exit bad || !NR }' "$1"
}

# value FILE NAME: of the first member with that name.
value() { sed -n "s/^ *\"$2\": *\([^,]*\),*\$/\1/p" "$1" | head -n 1; }

is_value() { [ "$(value "$tmp/out" "$1")" = "$2" ]; }

at_least() { [ "$1" -ge "$2" ] 2>/dev/null; }

# Do the numbers of the first "states" object sum to the first tracked_time_ns?
states_sum() {
	awk -F '[:,]' '
		/"tracked_time_ns"/ && !want { want = $2 }
		/"states":/ { if (++seen == 1) { inside = 1; next } }
		inside && /}/ { inside = 0 }
		inside { sum += $2 }
		END { exit !(want > 0 && sum == want) }' "$1"
}

# Do the shares, up to the line "total", sum to 100.0?
shares_sum() {
	awk '$1 == "total" { exit } / % / { for (i = 1; i <= NF; i++) if ($i == "%") sum += $(i - 1) * 10 }
		END { exit !(sum > 999.5 && sum < 1000.5) }' "$1"
}

# Removes the module, calls the function, and inserts the module again with its
# parameters.
without_module() {
	function=$1
	set --
	for file in "$module"/parameters/*; do
		set -- "$@" "${file##*/}=$(cat "$file")"
	done
	# A process that has just ended may still use it.
	if ! await rmmod taskrt 2>/dev/null; then
		skip "without the module" "it is in use"
		return
	fi
	$function
	ok "the module is inserted again" insmod /lib/taskrt/taskrt.ko "$@"
	expect "back: diagnose" 0 'no problem found' '' taskrt diagnose
}

# listen OPTION...: listens in the background, with the output in $tmp/out.  It
# has registered when this returns; its process is $listener.
listen() {
	taskrt listen "$@" >"$tmp/out" 2>"$tmp/err" </dev/null &
	listener=$!
	await_listeners 1
}

await_listeners() {
	tries=0
	while ! taskrt diagnose | grep -q "^exits  *$1 listeners*;"; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || return 1
		[ "$1" = 0 ] || kill -0 $listener 2>/dev/null || return 1
		sleep 0.1
	done
}

# stop [SIGNAL]
stop() {
	kill -"${1:-INT}" $listener
	wait $listener
	status=$?
}

has() { grep -qE -e "$1" "$tmp/out"; }
lacks() { ! grep -qE -e "$1" "$tmp/out"; }
counts() { [ "$(grep -cE -e "$1" "$tmp/out")" = "$2" ]; }
